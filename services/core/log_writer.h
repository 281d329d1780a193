// Writes events one after another onto a draft of a game, and keeps what each of them meant; then
// what follows from them: throws while chance is to act, and the end of the game. Used by one
// thread.
#ifndef ASTRAGAL_SERVICES_CORE_LOG_WRITER_H_
#define ASTRAGAL_SERVICES_CORE_LOG_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "services/core/command.h"

namespace astragal::core {

class LogWriter {
 public:
  // Events are of the instant `at`. `dice` must outlive the writer. `measured_lag_us`: the
  // network's, to the player whose clock runs and back.
  LogWriter(GameState draft, Instant at, const algorithms::DiceSource& dice,
            bool validate_only = false, int64_t measured_lag_us = 0)
      : draft_(std::move(draft)),
        at_(at),
        dice_(dice),
        validate_only_(validate_only),
        measured_lag_us_(measured_lag_us) {}

  const GameState& draft() const { return draft_; }
  Instant at() const { return at_; }
  // What the running turn is given back now.
  int64_t LagCreditNow() const;
  // When the draft's deadline has passed, that included.
  bool IsPastDeadline() const;

  // A failure, with the ruleset's reason, leaves the draft's position as it was.
  absl::Status Write(EventKind kind, int seat, int64_t number, std::string detail = {});

  // Draws while chance is to act, and ends the game, in this way, when nobody is. A dry run stops
  // before the first throw.
  absl::Status Continue(Ending ending);
  // Ends the game with these places and points.
  absl::Status Finish(Ending ending, std::vector<SeatRecord> seats);
  // Ends the game without a result.
  absl::Status FinishWithoutResult(Ending ending);

  Plan Take(PlayerId player, RequestId request, const Bytes32& body_hash);

 private:
  absl::Status FinishByRules(Ending ending);

  GameState draft_;
  const Instant at_;
  const algorithms::DiceSource& dice_;
  const bool validate_only_;
  const int64_t measured_lag_us_;
  std::vector<EventView> events_;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_LOG_WRITER_H_
