#include "services/algorithms/throw_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace astragal::algorithms {
namespace {

constexpr int kMaxSteps = 10'000;
constexpr double kEnough = 1e-14;
constexpr double kFewestExpected = 5;  // in a cell, for chi-square to be a good approximation
constexpr size_t kMaxPairFaces = 64;

// The regularised lower incomplete gamma function by its series, good for x < a + 1.
double LowerGamma(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < kMaxSteps && term > sum * kEnough; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

// The upper one by its continued fraction (Lentz), good for x >= a + 1.
double UpperGamma(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double fraction = d;
  for (int n = 1; n < kMaxSteps; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = an * d + b;
    if (std::fabs(d) < kTiny) d = kTiny;
    c = b + an / c;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double change = d * c;
    fraction *= change;
    if (std::fabs(change - 1) < kEnough) break;
  }
  return fraction * std::exp(a * std::log(x) - x - std::lgamma(a));
}

}  // namespace

double ChiSquareTail(double value, double degrees) {
  if (value <= 0) return 1;
  const double a = degrees / 2;
  const double x = value / 2;
  return x < a + 1 ? 1 - LowerGamma(a, x) : UpperGamma(a, x);
}

double NormalTails(double value) { return std::erfc(std::fabs(value) / std::sqrt(2.0)); }

ThrowStatistics::ThrowStatistics(std::vector<uint32_t> weights)
    : weights_(std::move(weights)), faces_(weights_.size(), 0) {
  if (weights_.size() <= kMaxPairFaces) pairs_.assign(weights_.size() * weights_.size(), 0);
  for (const uint32_t weight : weights_) total_ += weight;
  for (size_t i = 0; i < weights_.size(); ++i) mean_ += ShareOf(i) * static_cast<double>(i);
  for (size_t i = 0; i < weights_.size(); ++i) {
    const double deviation = static_cast<double>(i) - mean_;
    variance_ += ShareOf(i) * deviation * deviation;
  }
  products_.assign(kLags, 0);
  product_counts_.assign(kLags, 0);
}

void ThrowStatistics::Add(uint32_t outcome) {
  if (outcome >= faces_.size()) return;
  ++count_;
  ++faces_[outcome];
  const double deviation = outcome - mean_;
  for (size_t lag = 1; lag <= recent_.size(); ++lag) {
    products_[lag - 1] += deviation * (recent_[recent_.size() - lag] - mean_);
    ++product_counts_[lag - 1];
  }
  if (recent_.empty()) pair_open_ = false;
  if (pair_open_ && !pairs_.empty()) {
    ++pairs_[recent_.back() * faces_.size() + outcome];
    ++pair_count_;
  }
  pair_open_ = !pair_open_;
  if (recent_.size() == kLags) recent_.erase(recent_.begin());
  recent_.push_back(outcome);
}

std::vector<ThrowTest> ThrowStatistics::Frequencies() const {
  std::vector<ThrowTest> tests;
  if (faces_.size() < 2) return tests;
  const double rarest = *std::ranges::min_element(weights_) / total_;
  if (static_cast<double>(count_) * rarest >= kFewestExpected) {
    ThrowTest test{"faces", 0, static_cast<double>(faces_.size() - 1), 1};
    for (size_t i = 0; i < faces_.size(); ++i) {
      const double expected = static_cast<double>(count_) * ShareOf(i);
      const double off = static_cast<double>(faces_[i]) - expected;
      test.statistic += off * off / expected;
    }
    test.p = ChiSquareTail(test.statistic, test.degrees);
    tests.push_back(std::move(test));
  }
  if (static_cast<double>(pair_count_) * rarest * rarest >= kFewestExpected) {
    ThrowTest test{"pairs", 0, static_cast<double>(pairs_.size() - 1), 1};
    for (size_t i = 0; i < pairs_.size(); ++i) {
      const double expected = static_cast<double>(pair_count_) * ShareOf(i / faces_.size()) *
                              ShareOf(i % faces_.size());
      const double off = static_cast<double>(pairs_[i]) - expected;
      test.statistic += off * off / expected;
    }
    test.p = ChiSquareTail(test.statistic, test.degrees);
    tests.push_back(std::move(test));
  }
  return tests;
}

std::vector<ThrowTest> ThrowStatistics::Tests() const {
  constexpr uint64_t kFewestForCorrelation = 30;
  std::vector<ThrowTest> tests = Frequencies();
  for (size_t lag = 0; lag < products_.size() && variance_ > 0; ++lag) {
    if (product_counts_[lag] < kFewestForCorrelation) continue;
    const auto pairs = static_cast<double>(product_counts_[lag]);
    const double correlation = products_[lag] / pairs / variance_;
    tests.push_back({"lag " + std::to_string(lag + 1), correlation, pairs,
                     NormalTails(correlation * std::sqrt(pairs))});
  }
  return tests;
}

}  // namespace astragal::algorithms
