#include "services/core/match_terms.h"

#include <string>
#include <utility>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using storage::ClockKind;
using storage::FirstMover;
using storage::MatchKind;

absl::Status Wrong(std::string_view field, std::string_view name, std::string_view why) {
  const std::string path = std::string(field) + "." + std::string(name);
  return base::Error(base::Reason::kBadField, path + " " + std::string(why)).With("field", path);
}

bool HasReserve(const storage::ClockPolicy& clock) {
  return clock.kind != ClockKind::kNone && clock.reserve_ms > 0;
}

}  // namespace

FirstMover UsualFirstMover(MatchKind kind, const host::About& about) {
  if (kind == MatchKind::kGames) return FirstMover::kAlternate;
  return about.winner_starts ? FirstMover::kWinner : FirstMover::kRules;
}

FirstMover FirstMoverOf(const MatchTerms& match, const host::Catalog& catalog,
                        const CreateGame& game) {
  if (match.first_mover) return *match.first_mover;
  const auto ruleset = game.rules_version == 0 ? catalog.Find(game.ruleset)
                                               : catalog.Find(game.ruleset, game.rules_version);
  return ruleset == nullptr ? FirstMover::kRules : UsualFirstMover(match.kind, ruleset->about());
}

absl::Status CheckMatch(const MatchTerms& match, const storage::ClockPolicy& clock,
                        std::string_view field) {
  if (match.kind < MatchKind::kPoints || match.kind > MatchKind::kGames) {
    return Wrong(field, "kind", "is required");
  }
  if (match.length < 1 || match.length > kMaxMatchLength) {
    return Wrong(field, "length", "must be 1 to 999");
  }
  const FirstMover mover = match.first_mover.value_or(FirstMover::kRules);
  if (mover < FirstMover::kRules || mover > FirstMover::kAlternate) {
    return Wrong(field, "first_mover", "is unknown");
  }
  if (match.match_clock && !HasReserve(clock)) {
    return Wrong(field, "match_clock", "needs a clock with a reserve");
  }
  if (match.match_clock && !match.timeout_loses && clock.increment_ms == 0) {
    return Wrong(field, "match_clock", "needs an increment, or timeout_loses");
  }
  if (match.timeout_loses && clock.kind == ClockKind::kNone) {
    return Wrong(field, "timeout_loses", "needs a clock");
  }
  return absl::OkStatus();
}

void BeginMatch(const MatchTerms& match, const World& world, CreateGame& first) {
  storage::MatchRecord record;
  record.created_at = world.clock.Now();
  record.id = base::MatchId::Make(record.created_at, world.random);
  record.kind = match.kind;
  record.length = match.length;
  record.first_mover = FirstMoverOf(match, world.catalog, first);
  record.match_clock = match.match_clock;
  record.timeout_loses = match.timeout_loses;
  record.players = first.players;
  record.created_by = first.player;
  first.terms.match = record.id;
  first.terms.match_game = 1;
  first.match = std::move(record);
}

MatchTerms TermsOf(const storage::MatchRecord& match) {
  return {match.kind, match.length, match.first_mover, match.match_clock, match.timeout_loses};
}

}  // namespace astragal::core
