// Randomness through one interface, so that a simulation can run from a seed.
#ifndef ASTRAGAL_SERVICES_BASE_RANDOM_H_
#define ASTRAGAL_SERVICES_BASE_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace astragal::base {

// One of the four interfaces through which core reaches the world. Thread-safe.
class Random {
 public:
  virtual ~Random() = default;
  // Fills every byte. Never fails: a system without randomness is a broken invariant (crash).
  virtual void Fill(std::span<uint8_t> out) = 0;
};

// The operating system's generator, fit for secrets.
class SystemRandom : public Random {
 public:
  void Fill(std::span<uint8_t> out) override;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_RANDOM_H_
