#include "services/base/clock.h"

#include <chrono>

namespace astragal::base {

int64_t DatabaseClock::SteadyMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Until the database has spoken, the machine's own wall clock is the best guess.
DatabaseClock::DatabaseClock()
    : offset_(std::chrono::duration_cast<std::chrono::microseconds>(
                  std::chrono::system_clock::now().time_since_epoch())
                  .count() -
              SteadyMicros()) {}

Instant DatabaseClock::Now() const {
  return {SteadyMicros() + offset_.load(std::memory_order_relaxed)};
}

void DatabaseClock::Observe(Instant database_now, int64_t steady_before, int64_t steady_after) {
  const int64_t middle = steady_before + (steady_after - steady_before) / 2;
  offset_.store(database_now.micros - middle, std::memory_order_relaxed);
}

}  // namespace astragal::base
