// A tournament as its log says it is: the fold over its entries.
//
// What an entry's fields mean, by kind (number, detail; fields not named are empty):
//   kCreated           detail: the terms (terms.h); by: the owner
//   kRegistered        player; number: the rating to seed by, 0: none; detail: u8 1 if the other
//                      one begins where he has the choice; empty: he begins
//   kStarted           number: rounds planned, 0: until it is decided; detail: u32 count, the ids
//   of
//                      the players (16 bytes each) in the order of their numbers; others are out.
//                      If a list of ratings seeded them, behind it: u8 length and text of its day,
//                      i32 for each of them: his rating in it, 0: he is not in it
//   kRoundDrafted      round; number: engine | engine version << 8; detail: EncodeBoards
//   kResults           round; detail: EncodeResults: boards that have ended
//   kResultOverridden  round, board; number: the outcomes of both, first | second << 8, and 1 << 16
//                      if who went on by the result before goes on, and 1 << 17 if the rating of
//                      the match follows; of a table: detail, as kResults
//   kRatingCorrected   round, board; number: version of the override << 1, and 1 unless the match
//                      was never rated
//   kReplayed          round, board: another match for the same pairing
//   kByeRequested      player, round; number: the outcome
//   kRoundsChanged     number: rounds planned
//   kTieBreaksChanged  detail: words of algorithms::ParseTieBreak with commas between; empty: those
//                      of the format
//   kPairForbidden     player; detail: the id of the other one
//   kAdjusted          player; number: tenths of a point, also negative
//   kRoleGiven         player; number: TournamentRole, kPlayer to take it away
//   kChallenged        player: the challenged one; by: the challenger; a round of one board begins
//   kNextStageCreated  detail: the id of the tournament that follows
// The other kinds have a player or a round at most. Players who register once it runs come late:
// they are numbered behind all others.
//
// A plain value; Apply is the only writer, and pure; thread-compatible.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_STATE_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "services/core/tournaments/terms.h"
#include "storage/tournament_store.h"

namespace astragal::core {

using storage::TournamentEntry;
using storage::TournamentEntryKind;
using storage::TournamentId;

// Numbers are for ever: they are stored with the heads.
enum class TournamentStatus : uint8_t {
  kDraft = 1,         // its owner sees it
  kRegistration = 2,  // players may register
  kCheckIn = 3,       // and say that they are there
  kRunning = 4,
  kPaused = 5,
  kFinished = 6,
  kCancelled = 7,
};

enum class TournamentRole : uint8_t {
  kPlayer = 0,  // no role
  kOwner = 1,
  kDirector = 2,
  kDeputy = 3,    // results only
  kStreamer = 4,  // sees drafts
};

enum class EntrantStatus : uint8_t {
  kIn = 1,
  kPaused = 2,     // not paired until he comes back
  kWithdrawn = 3,  // not paired any more
  kExpelled = 4,   // and not in the standings
};

struct TournamentPlayer {
  base::PlayerId id;
  int rating = 0;
  EntrantStatus status = EntrantStatus::kIn;
  bool checked_in = false;
  bool begins_second = false;                    // where he chooses (SidePolicy::kChoice)
  int first_round = 1;                           // later for those who came late
  algorithms::Tenths adjustment = 0;             // of the director
  std::map<int, algorithms::Outcome> asked_for;  // byes, by round from 1
};

struct TournamentBoard {
  int first = algorithms::kNobody;   // index of the player
  int second = algorithms::kNobody;  // kNobody: a bye
  // kNothing: not decided.
  algorithms::Outcome first_outcome = algorithms::Outcome::kNothing;
  algorithms::Outcome second_outcome = algorithms::Outcome::kNothing;
  uint32_t slot = 0;        // of an elimination: the match of the bracket
  bool locked = false;      // survives when the rest is paired again
  bool manual = false;      // a director paired it
  bool overridden = false;  // a director decided it
  uint8_t attempt = 0;      // matches played for it before this one
  // Of an elimination: who went on by the result before (1 the first, 2 the second), and stays.
  uint8_t went_on = 0;
  // Of a table: who sits behind the second, and the place of each seat once it is decided (1 is the
  // best; equal places share).
  std::vector<int> others;
  std::vector<uint8_t> places;

  bool IsBye() const { return second == algorithms::kNobody; }
  bool IsTable() const { return !others.empty(); }
  bool IsOpen() const { return first_outcome == algorithms::Outcome::kNothing && places.empty(); }
  // Everybody on it, in the order of the seats.
  std::vector<int> Players() const;
  friend bool operator==(const TournamentBoard&, const TournamentBoard&) = default;
};

enum class RoundStage : uint8_t { kDrafted = 1, kPlaying = 2, kClosed = 3 };

struct TournamentRound {
  RoundStage stage = RoundStage::kDrafted;
  int engine = 0;
  int engine_version = 0;
  base::Instant drafted_at;
  uint32_t drafted_version = 0;  // of the entry that paired it: the log before it is what it saw
  base::Instant published_at;
  std::vector<TournamentBoard> boards;  // best first, byes last

  size_t Open() const;
};

struct BoardResult {
  uint32_t board = 0;  // from 1
  algorithms::Outcome first = algorithms::Outcome::kNothing;
  algorithms::Outcome second = algorithms::Outcome::kNothing;
  std::vector<uint8_t> places = {};  // of a table, by seat
};

// A rated match that is to follow an overridden result.
struct RatingDue {
  uint32_t version = 0;  // of the override
  uint16_t round = 0;    // from 1
  uint8_t attempt = 0;
  BoardResult result;
  std::string reason;
  base::Instant at;
};

struct TournamentState {
  TournamentId id;
  uint32_t version = 0;
  // The last version whose entry was not about results alone: what a director's expected_version
  // must have seen.
  uint32_t changed_version = 0;
  TournamentStatus status = TournamentStatus::kDraft;
  TournamentTerms terms;
  base::PlayerId owner;
  base::Instant created_at;
  base::Instant changed_at;  // of the last entry
  base::Instant started_at;
  int rounds_planned = 0;                 // 0: until it is decided
  std::vector<TournamentPlayer> players;  // from the start on: in the order of their numbers
  std::vector<TournamentRound> rounds;    // in order; the last one may be a draft
  std::map<base::PlayerId, TournamentRole> roles;
  std::vector<std::pair<base::PlayerId, base::PlayerId>> forbidden;
  std::vector<RatingDue> ratings_due;  // in the order in which they are to be done
  TournamentId next_stage;             // the tournament that follows; nil: there is none yet
  absl::flat_hash_map<base::PlayerId, int> index_of;  // by player: in `players`
  // By account and request: the version of the entry that it wrote, and the hash of its body.
  std::map<std::pair<base::PlayerId, base::IdBytes>, std::pair<uint32_t, base::Bytes32>> requests;

  bool HasStarted() const { return status >= TournamentStatus::kRunning && !players.empty(); }
  // kNobody when he is none.
  int IndexOf(base::PlayerId player) const;
  TournamentRole RoleOf(base::PlayerId player) const;
  // Rounds that are closed, counted from the first.
  int RoundsClosed() const;
  // The draft, or else the number behind the last round.
  int NextRound() const;
  // When the last round of an arena or ladder may begin; nullopt: any time.
  std::optional<base::Instant> EndsAt() const;
  // The last round, unless it is closed; null: there is none.
  const TournamentRound* Current() const;
};

using TournamentPtr = std::shared_ptr<const TournamentState>;

// INTERNAL for an entry that no judge can have written.
absl::Status Apply(const TournamentEntry& entry, TournamentState& state);

// u8 2 | u32 count | for each board u32 first, u32 second (2^32 - 1: nobody), u8 first outcome,
// u8 second outcome, u32 slot, u8 flags (1 locked, 2 manual), u8 count and u32 for each other one
// at the table. Version 1 ends each board with the flags.
std::string EncodeBoards(const std::vector<TournamentBoard>& boards);

// u8 2 | u32 count | for each u32 board, u8 first, u8 second, u8 count and u8 for each place.
// Version 1 ends each result with the second.
std::string EncodeResults(const std::vector<BoardResult>& results);

// A list of ratings as it was on a day: what a tournament may be seeded by, whatever has become of
// the ratings since.
struct SeedList {
  std::string day;  // UTC, "2026-11-01"; not empty
  absl::flat_hash_map<base::PlayerId, int> ratings;
  // 0: he is not in it.
  int RatingOf(base::PlayerId player) const;
};

// Of kStarted; `seeds` may be null: by the ratings that they registered with.
std::string EncodePlayers(const std::vector<base::PlayerId>& players,
                          const SeedList* seeds = nullptr);
// The day of the list that seeded the players; empty: none did.
std::string SeedDayOf(const TournamentEntry& started);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_STATE_H_
