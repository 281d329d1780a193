// Repeatable choices from a seed, for trial games and conformance: never for anything that players
// see.
#ifndef ASTRAGAL_PLUGINS_HOST_CHOICES_H_
#define ASTRAGAL_PLUGINS_HOST_CHOICES_H_

#include <cstdint>

namespace astragal::host {

// SplitMix64: the same sequence everywhere. Not thread-safe.
class Choices {
 public:
  explicit Choices(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // 0 .. bound - 1; bound > 0. The tiny bias of the remainder does not matter here.
  uint64_t Below(uint64_t bound) { return Next() % bound; }
  bool OneIn(uint64_t bound) { return Below(bound) == 0; }

 private:
  uint64_t state_;
};

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_CHOICES_H_
