#include "services/base/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace astragal::base {

// Values below 2^kBits have a class each. Above, the leading kBits + 1 bits choose the class.
size_t Histogram::ClassOf(uint64_t value) {
  if (value < (1u << kBits)) return static_cast<size_t>(value);
  const int shift = static_cast<int>(std::bit_width(value)) - 1 - kBits;
  return (static_cast<size_t>(shift) << kBits) + static_cast<size_t>(value >> shift);
}

uint64_t Histogram::MiddleOf(size_t index) {
  if (index < (2u << kBits)) return index;
  const size_t shift = (index >> kBits) - 1;
  const uint64_t lowest = (uint64_t{1} << kBits | (index & ((1u << kBits) - 1))) << shift;
  return lowest + (uint64_t{1} << shift) / 2;
}

void Histogram::Record(int64_t value) {
  const int64_t kept = std::clamp<int64_t>(value, 0, int64_t{1} << kGreatest);
  counts_[ClassOf(static_cast<uint64_t>(kept))].fetch_add(1, std::memory_order_relaxed);
  count_.fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(kept, std::memory_order_relaxed);
  int64_t max = max_.load(std::memory_order_relaxed);
  while (kept > max && !max_.compare_exchange_weak(max, kept, std::memory_order_relaxed)) {
  }
}

double Histogram::Mean() const {
  const uint64_t all = count();
  if (all == 0) return 0;
  return static_cast<double>(sum_.load(std::memory_order_relaxed)) / static_cast<double>(all);
}

int64_t Histogram::Percentile(double percent) const {
  const auto wanted =
      static_cast<uint64_t>(std::max(1.0, std::ceil(percent / 100 * static_cast<double>(count()))));
  uint64_t passed = 0;
  for (size_t i = 0; i < counts_.size(); ++i) {
    passed += counts_[i].load(std::memory_order_relaxed);
    if (passed >= wanted) return std::min(static_cast<int64_t>(MiddleOf(i)), max());
  }
  return max();
}

}  // namespace astragal::base
