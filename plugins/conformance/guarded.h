// Memory for a plugin to fill, with guard bytes on both sides.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_GUARDED_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_GUARDED_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace astragal::conformance {

template <typename T>
class Guarded {
 public:
  // `count` entries whose bytes are all `fill`.
  explicit Guarded(size_t count, unsigned char fill = 0)
      : bytes_(count * sizeof(T)), memory_(bytes_ + 2 * kGuardBytes, kGuard) {
    std::memset(memory_.data() + kGuardBytes, fill, bytes_);
  }

  T* data() { return reinterpret_cast<T*>(memory_.data() + kGuardBytes); }
  const T& operator[](size_t i) const {
    return reinterpret_cast<const T*>(memory_.data() + kGuardBytes)[i];
  }

  // Whether nothing was written outside of the first `count` entries.
  bool IntactBeyond(size_t count, unsigned char fill = 0) const {
    const auto front = memory_.begin() + kGuardBytes;
    const auto used = front + static_cast<std::ptrdiff_t>(count * sizeof(T));
    const auto back = front + static_cast<std::ptrdiff_t>(bytes_);
    const auto is = [](unsigned char wanted) {
      return [wanted](unsigned char byte) { return byte == wanted; };
    };
    return std::all_of(memory_.begin(), front, is(kGuard)) && std::all_of(used, back, is(fill)) &&
           std::all_of(back, memory_.end(), is(kGuard));
  }

 private:
  static constexpr std::ptrdiff_t kGuardBytes = 64;  // keeps the alignment of the allocation
  static constexpr unsigned char kGuard = 0xC9;

  size_t bytes_;
  std::vector<unsigned char> memory_;
};

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_GUARDED_H_
