// What the judges of tournament commands share. Internal to this folder.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_JUDGING_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_JUDGING_H_

#include <string>
#include <utility>

#include "services/base/tournament_reasons.h"
#include "services/core/tournaments/command.h"

namespace astragal::core {

// One command being judged: writes entries behind a draft of the state.
struct Judging {
  const TournamentCommand& command;
  const base::Instant now;
  TournamentPlan& plan;

  const TournamentState& state() const { return plan.after; }
  bool ByServer() const { return command.by.is_nil(); }
  bool ByStaff() const;
  // Whom the command concerns.
  base::PlayerId Subject() const { return command.player.is_nil() ? command.by : command.player; }
  // Appends an entry; version, instant, author, reason and request are filled in.
  absl::Status Write(TournamentEntry entry);
  void Warn(int level, std::string code, std::string text) {
    plan.warnings.push_back({level, std::move(code), std::move(text)});
  }
};

using Judge = absl::Status (*)(Judging&);

// By subject.
absl::Status JudgeRegistered(Judging& judging);
absl::Status JudgeChallenged(Judging& judging);
absl::Status JudgePlayer(Judging& judging);  // what has a player and nothing else
absl::Status JudgeWithdrawn(Judging& judging);
absl::Status JudgeBye(Judging& judging);
absl::Status JudgePairForbidden(Judging& judging);
absl::Status JudgeAdjusted(Judging& judging);
absl::Status JudgeRole(Judging& judging);

absl::Status JudgeStarted(Judging& judging);
absl::Status JudgeWhole(Judging& judging);  // what has no field at all
absl::Status JudgeFinished(Judging& judging);
absl::Status JudgeRoundsChanged(Judging& judging);
absl::Status JudgeTieBreaksChanged(Judging& judging);
absl::Status JudgeNextStage(Judging& judging);

absl::Status JudgeDrafted(Judging& judging);
absl::Status JudgePublished(Judging& judging);
absl::Status JudgeUnpublished(Judging& judging);
absl::Status JudgeClosed(Judging& judging);
absl::Status JudgeResults(Judging& judging);
absl::Status JudgeOverridden(Judging& judging);
absl::Status JudgeReplayed(Judging& judging);
absl::Status JudgeRatingCorrected(Judging& judging);

// Pairs a drafted round again, around what is locked; there may be none.
absl::Status RedraftIfDrafted(Judging& judging);

base::Error WrongState(std::string_view why);
base::Error WrongField(std::string_view field, std::string_view why);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_JUDGING_H_
