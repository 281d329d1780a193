// Time as Astragal knows it: instants in UTC microseconds, read through one interface.
//
// Instants are the database's: a real clock follows the server's clock_timestamp() (see Observe),
// so that several nodes agree; tests and simulations move a ManualClock by hand.
#ifndef ASTRAGAL_SERVICES_BASE_CLOCK_H_
#define ASTRAGAL_SERVICES_BASE_CLOCK_H_

#include <atomic>
#include <compare>
#include <cstdint>

namespace astragal::base {

// A moment: microseconds since 1970-01-01T00:00:00Z.
struct Instant {
  int64_t micros = 0;
  friend bool operator==(const Instant&, const Instant&) = default;
  friend auto operator<=>(const Instant&, const Instant&) = default;
};

// One of the four interfaces through which core reaches the world. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant Now() const = 0;
};

// The machine's steady clock plus an offset learnt from the database. Never goes backwards by
// itself; Observe may step it when the database's clock was set. Thread-safe.
class DatabaseClock : public Clock {
 public:
  DatabaseClock();
  Instant Now() const override;
  // The database said `database_now` at some moment between the two steady readings (microseconds):
  // the offset is taken for their middle.
  void Observe(Instant database_now, int64_t steady_before, int64_t steady_after);
  static int64_t SteadyMicros();

 private:
  std::atomic<int64_t> offset_;
};

// Moves only when told. Thread-safe.
class ManualClock : public Clock {
 public:
  explicit ManualClock(Instant start = {1'700'000'000'000'000}) : now_(start.micros) {}
  Instant Now() const override { return {now_.load(std::memory_order_relaxed)}; }
  void Advance(int64_t micros) { now_.fetch_add(micros, std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> now_;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_CLOCK_H_
