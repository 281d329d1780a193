// Who judges which command: one function for each, grouped by subject (seats, turns, offers,
// endings). For command.cc only.
//
// Each writes the events of its command onto the draft, or says why it is refused. `seat` is the
// caller's. The common guards (seat, status, sequence, time) are command.cc's.
#ifndef ASTRAGAL_SERVICES_CORE_JUDGES_H_
#define ASTRAGAL_SERVICES_CORE_JUDGES_H_

#include <vector>

#include "absl/status/status.h"
#include "services/core/command.h"
#include "services/core/log_writer.h"

namespace astragal::core {

// judge_seats.cc
absl::Status JudgeJoin(LogWriter& log, PlayerId player, const Join& join);
absl::Status JudgeLeave(LogWriter& log, PlayerId player);
// Seats these players and starts the game when it is full.
absl::Status SeatPlayers(LogWriter& log, const std::vector<PlayerId>& players);

// Starts the game as far as nothing is awaited: seats, pledges, contributions.
absl::Status StartIfReady(LogWriter& log);

// judge_contributions.cc
absl::Status JudgePledge(LogWriter& log, PlayerId player, const Pledge& pledge);
absl::Status JudgeContribute(LogWriter& log, PlayerId player, const Contribute& contribute);
// The time for pledges, or for contributions, is over.
absl::Status StopWaitingForContributions(LogWriter& log);

// judge_turns.cc
absl::Status JudgePlay(LogWriter& log, int seat, const Play& play);
absl::Status JudgeUndo(LogWriter& log, int seat, const Undo& undo);
absl::Status JudgeEndTurn(LogWriter& log, int seat);

// judge_offers.cc
absl::Status JudgeOffer(LogWriter& log, int seat, const MakeOffer& offer);
absl::Status JudgeAnswer(LogWriter& log, int seat, const AnswerOffer& answer);

// judge_endings.cc
absl::Status JudgeResign(LogWriter& log, int seat);
absl::Status JudgeAbort(LogWriter& log, PlayerId player);
absl::Status JudgeClaim(LogWriter& log);
absl::Status JudgeExpire(LogWriter& log);
// In a game of two, or of a ruleset that does not go on without a seat: the game ends, `loser`
// last, all others first with these points.
absl::Status FinishAgainst(LogWriter& log, int loser, Ending ending, int64_t points);

// GAME_OVER, GAME_NOT_RUNNING.
absl::Status CheckRunning(const GameState& state);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_JUDGES_H_
