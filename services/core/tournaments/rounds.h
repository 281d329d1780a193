// What a tournament's format makes of its rounds: the crosstable, the next round, whether there is
// one, and the standings. All of it follows from the state, so of the same state every node makes
// the same. Pure; pairing may take seconds.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ROUNDS_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ROUNDS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/pairing/dutch.h"
#include "services/algorithms/pairing/elimination.h"
#include "services/algorithms/pairing/tiebreaks.h"
#include "services/core/tournaments/state.h"

namespace astragal::core {

// The players as they are seeded: by rating, then in the order in which they registered. Those who
// take part: all who are in and, where it was asked for, have checked in.
std::vector<base::PlayerId> SeedingOf(const TournamentState& state);
// The same by the ratings of this list; who is not in it comes behind all who are.
std::vector<base::PlayerId> SeedingBy(const SeedList& seeds, TournamentState state);
// Rounds that a tournament of so many players has; 0: as many as it takes.
int RoundsFor(const TournamentTerms& terms, int players);

// The first `rounds` rounds; a board that is open in them is one of nobody, or counts as drawn.
enum class OpenBoards : uint8_t { kLeftOut, kDrawn };
algorithms::Crosstable CrosstableOf(const TournamentState& state, int rounds,
                                    OpenBoards open = OpenBoards::kLeftOut);
// The same with an absence in the round after them for everybody who is not to be paired in it by
// an engine: those who are out, rest, or are in `taken`.
algorithms::Crosstable TableToPair(const TournamentState& state, int rounds,
                                   const std::vector<TournamentBoard>& taken);

// Whether another round can be paired: players and rounds are left.
bool HasNextRound(const TournamentState& state);

// The round after those that are closed; boards in `locked` stay and the rest is paired around
// them. FAILED_PRECONDITION with NO_PAIRING when there is none.
absl::StatusOr<TournamentRound> DraftRound(const TournamentState& state,
                                           const std::vector<TournamentBoard>& locked = {},
                                           const algorithms::GoOn& go_on = nullptr);

// Whether this many players are paired by the Dutch system.
PairingEngine EngineFor(const TournamentTerms& terms, int players);

struct Standing {
  int player = 0;  // index
  int rank = 0;    // from 1, shared by equals; 0: expelled
  algorithms::Tenths points = 0;
  std::vector<std::string> values;  // by column: "7.5", "23.25"; "-" where there is nothing to say
};
// What decides between players, the most important first: words as ParseTieBreak knows them, and of
// tables, arenas and ladders their own.
std::vector<std::string> ColumnsOf(const TournamentTerms& terms);
// After all rounds that have been published, with what has ended in them; best first.
std::vector<Standing> StandingsOf(const TournamentState& state);

// How a round of a Swiss tournament would be paired now, of the rounds before it; nullopt: it
// cannot be, or the format has no such question. `round` from 1.
std::optional<std::vector<TournamentBoard>> WouldPair(const TournamentState& state, size_t round);
// Whether both have the same pairs, whatever the order of boards and sides.
bool SamePairs(const std::vector<TournamentBoard>& one, const std::vector<TournamentBoard>& other);

// The bracket of an elimination and where it stands.
struct Bracket {
  algorithms::BracketPlan plan;
  algorithms::BracketState state;
};
Bracket BracketOf(const TournamentState& state);
// Who has the match of a bracket now, by slot; for boards whose players went on by mistake.
bool HasPlayers(const Bracket& bracket, const TournamentBoard& board);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ROUNDS_H_
