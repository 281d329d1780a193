// Whether throws look like chance: face frequencies, ordered pairs and correlations at a distance,
// each with its p-value. A p-value says how often honest throws look at least so odd: many are to
// be expected near 0.5, one in a thousand below 0.001 and one in a thousand above 0.999 (then they
// are too regular).
//
// Formulas: Pearson's chi-square with the upper tail of the chi-square distribution (regularised
// incomplete gamma function, series and continued fraction as in Abramowitz and Stegun 6.5);
// correlation r of n pairs with the two-sided normal tail of r * sqrt(n).
//
// ThrowStatistics is a value, filled by one thread; the functions are pure.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_THROW_STATISTICS_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_THROW_STATISTICS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace astragal::algorithms {

// The chance that a chi-square of so many degrees of freedom (at least 1) is at least `value`.
double ChiSquareTail(double value, double degrees);
// The chance that a standard normal deviate is at least `value` away from 0.
double NormalTails(double value);

struct ThrowTest {
  std::string name;      // "faces", "pairs", "lag 1" ...
  double statistic = 0;  // chi-square, or the correlation
  double degrees = 0;    // of freedom; of a correlation the number of pairs
  double p = 1;
};

class ThrowStatistics {
 public:
  static constexpr int kLags = 10;

  // `weights` of the outcomes of one kind of throw.
  explicit ThrowStatistics(std::vector<uint32_t> weights);

  // The next throw of this kind in the same game.
  void Add(uint32_t outcome);
  // What follows has nothing to do with what was: another game.
  void Cut() { recent_.clear(); }

  uint64_t count() const { return count_; }
  std::span<const uint64_t> faces() const { return faces_; }

  // Faces; ordered pairs that do not overlap (where the rarest is to be expected at least 5 times);
  // correlation of a throw with the one 1 to kLags before it. Nothing where there are too few.
  std::vector<ThrowTest> Tests() const;

 private:
  double ShareOf(size_t outcome) const { return weights_[outcome] / total_; }
  std::vector<ThrowTest> Frequencies() const;

  const std::vector<uint32_t> weights_;
  double total_ = 0;
  double mean_ = 0;  // of the outcome's number
  double variance_ = 0;
  uint64_t count_ = 0;
  std::vector<uint64_t> faces_;
  std::vector<uint64_t> pairs_;  // first * outcomes + second
  uint64_t pair_count_ = 0;
  bool pair_open_ = false;
  std::vector<uint32_t> recent_;  // the last kLags of this game, newest last
  std::vector<double> products_;  // by lag: sum of products of deviations
  std::vector<uint64_t> product_counts_;
};

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_THROW_STATISTICS_H_
