// The match of a pairing: an ordinary match, whose id and whose first game's request follow from
// the log of the tournament. So of all nodes that start it at once one does, a pairing has exactly
// one current match, and nothing about it needs to be stored.
//
// Its id is the millisecond in which the round was published and the first 80 bits of SHA-256 over
//   "astragal-tournament-match-1" | tournament id (16) | u16 round | u32 board | u8 attempt
// with rounds and boards counted from 1, integers little-endian. Pure, but for what reads the store
// (blocks).
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_PAIRING_MATCH_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_PAIRING_MATCH_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "services/core/match_state.h"
#include "services/core/tournaments/state.h"
#include "storage/match_store.h"

namespace astragal::core {

// A board by its place, both from 0.
struct BoardPlace {
  size_t round = 0;
  size_t board = 0;
};

// Who sits where: the side that begins has the first seat. Where nobody has a side, who would be
// first changes from board to board and from round to round; with SidePolicy::kChoice the one who
// was seeded higher has said who it is.
std::vector<base::PlayerId> SeatsOf(const TournamentState& state, const BoardPlace& place);
// Of a board of a published round that is no bye.
base::MatchId MatchIdOf(const TournamentState& state, const BoardPlace& place);
// The match on these terms as its first game will store it.
storage::MatchRecord MatchRecordOf(const TournamentState& state, const BoardPlace& place,
                                   const host::Catalog& catalog);
// What is played at a table of so many; with 0 as the terms say.
CreateGame GameFor(const TournamentTerms& terms, const host::Catalog& catalog, size_t seats);
// Its first game, which begins it.
CreateGame FirstGameOf(const TournamentState& state, const BoardPlace& place,
                       const host::Catalog& catalog);

// Boards whose matches are to be watched: open ones of published rounds.
std::vector<BoardPlace> OpenPlaces(const TournamentState& state);

struct PairingMatch {
  BoardPlace place;
  MatchPtr match;  // null: it has not begun
};
// As they stand in the store (blocks).
absl::StatusOr<std::vector<PairingMatch>> ReadMatches(storage::MatchStore& store,
                                                      const host::Catalog& catalog,
                                                      const TournamentState& state,
                                                      const std::vector<BoardPlace>& places);

// What the match came to; nullopt: it is not over.
std::optional<BoardResult> ResultOf(const TournamentState& state, const PairingMatch& pairing);
// Who did not take his first turn in time, if the last game was called off for that: the match is
// forfeited (blocks). nullopt: nobody, or it cannot be said.
absl::StatusOr<std::optional<BoardResult>> NoShowOf(const World& world,
                                                    const TournamentState& state,
                                                    const PairingMatch& pairing);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_PAIRING_MATCH_H_
