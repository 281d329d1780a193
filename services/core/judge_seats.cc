#include "services/base/status.h"
#include "services/core/judges.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;

absl::StatusOr<int> FreeSeat(const GameState& state, std::optional<int> wanted) {
  if (wanted && (*wanted < 0 || static_cast<size_t>(*wanted) >= state.seats.size())) {
    return Error(Reason::kBadField, "the game has no such seat").With("field", "seat");
  }
  for (const SeatRecord& seat : state.seats) {
    if (seat.player.is_nil() && (!wanted || *wanted == seat.seat)) return seat.seat;
  }
  return Error(Reason::kGameFull, wanted ? "that seat is taken" : "every seat is taken");
}

absl::Status TakeSeat(LogWriter& log, PlayerId player, std::optional<int> wanted) {
  if (log.draft().SeatOf(player)) {
    return Error(Reason::kAlreadySeated, "you hold a seat in this game");
  }
  const absl::StatusOr<int> seat = FreeSeat(log.draft(), wanted);
  if (!seat.ok()) return seat.status();
  return log.Write(EventKind::kSeated, *seat, 0, EncodePlayer(player));
}

}  // namespace

absl::Status StartIfReady(LogWriter& log) {
  const GameState& draft = log.draft();
  if (!draft.IsFull()) return absl::OkStatus();
  if (draft.status == GameStatus::kContributing && !AllGiven(draft.proceedings.contributions)) {
    return absl::OkStatus();
  }
  const absl::Status started = log.Write(EventKind::kStarted, -1, 0);
  return started.ok() ? log.Continue(Ending::kPlayed) : started;
}

absl::Status JudgeJoin(LogWriter& log, PlayerId player, const Join& join) {
  if (log.draft().IsOver()) return CheckRunning(log.draft());
  if (absl::Status seated = TakeSeat(log, player, join.seat); !seated.ok()) return seated;
  if (join.pledge) return JudgePledge(log, player, Pledge{*join.pledge});
  return StartIfReady(log);
}

absl::Status JudgeLeave(LogWriter& log, PlayerId player) {
  const GameState& draft = log.draft();
  const std::optional<int> seat = draft.SeatOf(player);
  if (!seat) return Error(Reason::kNotSeated, "you hold no seat in this game");
  if (draft.status == GameStatus::kRunning || draft.status == GameStatus::kContributing) {
    return Error(Reason::kGameBegun,
                 "the game has begun: abort it before the first action, or "
                 "resign");
  }
  if (draft.status != GameStatus::kOpen) return CheckRunning(draft);
  return log.Write(EventKind::kLeft, *seat, 0);
}

absl::Status SeatPlayers(LogWriter& log, const std::vector<PlayerId>& players) {
  for (size_t seat = 0; seat < players.size(); ++seat) {
    if (players[seat].is_nil()) continue;
    const absl::Status seated = TakeSeat(log, players[seat], static_cast<int>(seat));
    if (!seated.ok()) return seated;
  }
  return StartIfReady(log);
}

}  // namespace astragal::core
