// On what terms a match is played, and how one begins: by an organiser or by a proposal, with its
// first game.
//
// Pure functions, but for ids and instants; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_MATCH_TERMS_H_
#define ASTRAGAL_SERVICES_CORE_MATCH_TERMS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "services/core/games.h"

namespace astragal::core {

// Points, or games.
inline constexpr uint16_t kMaxMatchLength = 999;

struct MatchTerms {
  storage::MatchKind kind = storage::MatchKind::kPoints;
  uint16_t length = 1;                             // points or games: 1 to kMaxMatchLength
  std::optional<storage::FirstMover> first_mover;  // unset: see UsualFirstMover
  bool match_clock = false;                        // needs a reserve, and an increment or the next
  bool timeout_loses = false;                      // the match; needs a clock, and two players

  friend bool operator==(const MatchTerms&, const MatchTerms&) = default;
};

// Who begins where nobody says so: in a fixed number of games the seats take turns; otherwise the
// previous winner where the ruleset's match rules have it so, and else whoever its options say.
storage::FirstMover UsualFirstMover(storage::MatchKind kind, const host::About& about);

// BAD_FIELD, naming a field below `field`.
absl::Status CheckMatch(const MatchTerms& match, const storage::ClockPolicy& clock,
                        std::string_view field);

// The one agreed on, or else the usual one for this game. (Where its ruleset is not loaded, there
// will be no game.)
storage::FirstMover FirstMoverOf(const MatchTerms& match, const host::Catalog& catalog,
                                 const CreateGame& game);

// Makes `first`, which names its players, the first game of a new match of them.
void BeginMatch(const MatchTerms& match, const World& world, CreateGame& first);

// The terms of a match that has begun.
MatchTerms TermsOf(const storage::MatchRecord& match);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_MATCH_TERMS_H_
