// How long things took: counts in narrow classes, from which percentiles are read.
//
// A class is at most 1/32 as wide as its lower bound, so a percentile is right to about 3 %, with
// the same small memory whatever the range. Record is wait-free and may be called by any thread;
// what is read while others record is a snapshot that may miss the last few.
#ifndef ASTRAGAL_SERVICES_BASE_HISTOGRAM_H_
#define ASTRAGAL_SERVICES_BASE_HISTOGRAM_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace astragal::base {

class Histogram {
 public:
  // Of any unit; a negative number counts as 0, one beyond 2^40 as 2^40.
  void Record(int64_t value);

  uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  int64_t max() const { return max_.load(std::memory_order_relaxed); }
  double Mean() const;  // 0 without values
  // The value that `percent` of all do not exceed, 0 to 100: the middle of its class, never more
  // than max(). 0 without values.
  int64_t Percentile(double percent) const;

 private:
  static constexpr int kBits = 5;       // 32 classes for each power of two
  static constexpr int kGreatest = 40;  // power of two
  static constexpr size_t kClasses = (kGreatest - kBits + 2) << kBits;

  static size_t ClassOf(uint64_t value);
  static uint64_t MiddleOf(size_t index);

  std::array<std::atomic<uint64_t>, kClasses> counts_{};
  std::atomic<uint64_t> count_ = 0;
  std::atomic<int64_t> sum_ = 0;
  std::atomic<int64_t> max_ = 0;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_HISTOGRAM_H_
