#include "services/core/game_clock.h"

#include <algorithm>
#include <string>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::Instant;
using storage::ClockKind;
using storage::ClockPolicy;

constexpr int64_t kMicrosPerMs = 1'000;
constexpr int64_t kLeastMs = 1'000;  // of a reserve, or of a turn without one

bool HasTakenTurn(const GameClock& clock, int seat) { return (clock.turns_taken >> seat & 1) != 0; }

bool IsFirstTurn(const ClockPolicy& policy, const GameClock& clock, int seat) {
  return policy.first_turn_ms > 0 && !HasTakenTurn(clock, seat);
}

int64_t Elapsed(const GameClock& clock, int seat, Instant at) {
  if (clock.running != seat) return 0;
  return std::max<int64_t>(0, at.micros - clock.since.micros - clock.credit_us);
}

// How long a turn may last before it costs reserve.
int64_t FreeMicros(const ClockPolicy& policy, const GameClock& clock, int seat) {
  if (IsFirstTurn(policy, clock, seat)) return policy.first_turn_ms * kMicrosPerMs;
  const bool free = policy.kind == ClockKind::kDelay || policy.kind == ClockKind::kPerTurn;
  return free ? policy.increment_ms * kMicrosPerMs : 0;
}

// What a turn that ends gives back.
int64_t Gain(const ClockPolicy& policy, int64_t elapsed) {
  const int64_t increment = policy.increment_ms * kMicrosPerMs;
  if (policy.kind == ClockKind::kFischer) return increment;
  if (policy.kind == ClockKind::kBronstein) return std::min(increment, elapsed);
  return 0;
}

absl::Status OutOfBounds(std::string_view field, std::string_view why) {
  return base::Error(base::Reason::kBadField,
                     "clock_policy." + std::string(field) + " " + std::string(why))
      .With("field", "clock_policy." + std::string(field));
}

bool IsWithin(int64_t value, int64_t most) { return value >= 0 && value <= most; }

}  // namespace

absl::Status CheckClockPolicy(const ClockPolicy& policy) {
  if (!IsWithin(policy.reserve_ms, kMaxReserveMs)) {
    return OutOfBounds("reserve_ms", "must be 0 to 30 days");
  }
  if (!IsWithin(policy.increment_ms, kMaxIncrementMs)) {
    return OutOfBounds("increment_ms", "must be 0 to 30 days");
  }
  if (!IsWithin(policy.first_turn_ms, kMaxFirstTurnMs)) {
    return OutOfBounds("first_turn_ms", "must be 0 to 24 hours");
  }
  switch (policy.kind) {
    case ClockKind::kNone:
      if (policy != ClockPolicy{}) return OutOfBounds("kind", "is needed for a clock");
      break;
    case ClockKind::kPerTurn:
      if (policy.reserve_ms != 0) return OutOfBounds("reserve_ms", "has no place per turn");
      if (policy.increment_ms < kLeastMs) {
        return OutOfBounds("increment_ms", "must be at least 1000: it is the time for a turn");
      }
      break;
    default:
      if (policy.reserve_ms < kLeastMs) return OutOfBounds("reserve_ms", "must be at least 1000");
  }
  return absl::OkStatus();
}

GameClock NewClock(const storage::GameTerms& terms, size_t seats) {
  GameClock clock;
  if (terms.clock.kind == ClockKind::kNone) return clock;
  for (size_t seat = 0; seat < seats; ++seat) {
    const int64_t ms =
        seat < terms.reserves_ms.size() ? terms.reserves_ms[seat] : terms.clock.reserve_ms;
    clock.reserve_us.push_back(ms * kMicrosPerMs);
  }
  return clock;
}

void StopClock(const ClockPolicy& policy, GameClock& clock, Instant at) {
  if (clock.running < 0) return;
  const int seat = clock.running;
  const int64_t elapsed = Elapsed(clock, seat, at);
  int64_t& reserve = clock.reserve_us[static_cast<size_t>(seat)];
  reserve -= std::max<int64_t>(0, elapsed - FreeMicros(policy, clock, seat));
  if (!IsFirstTurn(policy, clock, seat)) reserve += Gain(policy, elapsed);
  reserve = std::max<int64_t>(0, reserve);
  clock.turns_taken = static_cast<uint8_t>(clock.turns_taken | 1U << seat);
  clock.running = -1;
  clock.credit_us = 0;
  clock.turn_lag_us = 0;
}

void RunClock(GameClock& clock, int seat, Instant at) {
  if (static_cast<size_t>(seat) >= clock.reserve_us.size()) return;  // a game without clock
  clock.running = static_cast<int8_t>(seat);
  clock.since = at;
  clock.credit_us = 0;
  clock.turn_lag_us = 0;
}

ClockReading ReadClock(const ClockPolicy& policy, const GameClock& clock, int seat, Instant at) {
  if (static_cast<size_t>(seat) >= clock.reserve_us.size()) return {};
  const int64_t elapsed = Elapsed(clock, seat, at);
  const int64_t free = FreeMicros(policy, clock, seat);
  const int64_t reserve = clock.reserve_us[static_cast<size_t>(seat)];
  const int64_t over = IsFirstTurn(policy, clock, seat) ? 0 : std::max<int64_t>(0, elapsed - free);
  return {std::max<int64_t>(0, reserve - over), std::max<int64_t>(0, free - elapsed)};
}

ClockFace FaceOf(const ClockPolicy& policy, const GameClock& clock, Instant at) {
  ClockFace face;
  for (size_t seat = 0; seat < clock.reserve_us.size(); ++seat) {
    face.seats.push_back(ReadClock(policy, clock, static_cast<int>(seat), at));
  }
  face.running = clock.running;
  face.deadline = DeadlineOf(policy, clock);
  return face;
}

std::optional<Instant> DeadlineOf(const ClockPolicy& policy, const GameClock& clock) {
  if (clock.running < 0) return std::nullopt;
  int64_t left = FreeMicros(policy, clock, clock.running);
  if (!IsFirstTurn(policy, clock, clock.running)) {
    left += clock.reserve_us[static_cast<size_t>(clock.running)];
  }
  return Instant{clock.since.micros + clock.credit_us + left};
}

int64_t LagCredit(const ClockPolicy& policy, const GameClock& clock, int64_t measured_us,
                  Instant at) {
  if (clock.running < 0) return 0;
  const auto seat = static_cast<size_t>(clock.running);
  const int64_t given = seat < clock.lag_us.size() ? clock.lag_us[seat] : 0;
  const int64_t costs =
      Elapsed(clock, clock.running, at) - FreeMicros(policy, clock, clock.running);
  const int64_t credit = std::min(
      {std::min(measured_us, kMaxTurnLagUs) - clock.turn_lag_us, kMaxGameLagUs - given, costs});
  return std::max<int64_t>(0, credit);
}

void GiveLagBack(GameClock& clock, int64_t credit_us) {
  if (clock.running < 0 || credit_us <= 0) return;
  clock.lag_us.resize(clock.reserve_us.size());
  clock.lag_us[static_cast<size_t>(clock.running)] += credit_us;
  clock.turn_lag_us += credit_us;
  clock.credit_us += credit_us;
}

bool InFirstTurn(const ClockPolicy& policy, const GameClock& clock) {
  return clock.running >= 0 && IsFirstTurn(policy, clock, clock.running);
}

}  // namespace astragal::core
