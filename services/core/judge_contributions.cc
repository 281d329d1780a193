#include "services/base/status.h"
#include "services/core/judges.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;

absl::StatusOr<int> SeatBeforeStart(const GameState& draft, PlayerId player) {
  const std::optional<int> seat = draft.SeatOf(player);
  if (!seat) return Error(Reason::kNotSeated, "you hold no seat in this game");
  if (draft.IsOver()) return CheckRunning(draft);
  if (!draft.IsBefore()) {
    return Error(Reason::kContributionsClosed, "the game has begun with the contributions it had");
  }
  return *seat;
}

}  // namespace

absl::Status JudgePledge(LogWriter& log, PlayerId player, const Pledge& pledge) {
  const absl::StatusOr<int> seat = SeatBeforeStart(log.draft(), player);
  if (!seat.ok()) return seat.status();
  const Contributions& contributions = log.draft().proceedings.contributions;
  if (contributions.closed) {
    return Error(Reason::kContributionsClosed, "the time for pledges is over");
  }
  if (contributions.seats.contains(static_cast<int8_t>(*seat))) {
    return Error(Reason::kContributionsClosed, "your seat has pledged; a pledge stands");
  }
  const absl::Status pledged =
      log.Write(EventKind::kPledged, *seat, 0, std::string(base::AsView(pledge.hash)));
  return pledged.ok() ? StartIfReady(log) : pledged;
}

absl::Status JudgeContribute(LogWriter& log, PlayerId player, const Contribute& contribute) {
  const absl::StatusOr<int> seat = SeatBeforeStart(log.draft(), player);
  if (!seat.ok()) return seat.status();
  const Contributions& contributions = log.draft().proceedings.contributions;
  const auto own = contributions.seats.find(static_cast<int8_t>(*seat));
  if (own == contributions.seats.end() && contributions.closed) {
    return Error(Reason::kContributionsClosed, "your seat has pledged nothing in time");
  }
  if (!contributions.closed) {
    return Error(Reason::kPledgesOpen,
                 "contributions are taken once all seats have pledged, or the time for it is over")
        .RetryAfterMs(kContributionWindowMs);
  }
  if (!own->second.given.empty()) {
    return Error(Reason::kContributionsClosed, "your seat has contributed");
  }
  Contributions tried = contributions;
  if (!AddContribution(tried, static_cast<int8_t>(*seat), contribute.contribution)) {
    return Error(Reason::kBadField, "is not what your seat has pledged")
        .With("field", "contribution");
  }
  const absl::Status given = log.Write(EventKind::kContributed, *seat, 0, contribute.contribution);
  return given.ok() ? StartIfReady(log) : given;
}

absl::Status StopWaitingForContributions(LogWriter& log) {
  if (!log.draft().proceedings.contributions.closed) {
    const absl::Status closed = log.Write(EventKind::kPledgesClosed, -1, 0);
    return closed.ok() ? StartIfReady(log) : closed;
  }
  const absl::Status started = log.Write(EventKind::kStarted, -1, 0);
  return started.ok() ? log.Continue(Ending::kPlayed) : started;
}

}  // namespace astragal::core
