// How a tournament is held: what its organiser fixes when it is created, and its bytes in the log.
//
// Terms, version 3; integers are little-endian, a text is u16 length and bytes:
//   u8 3 | text name | u8 format | u16 rounds | u8 losses | u8 engine | u8 sides | u8 flags
//   (1 automatic, 2 twice, 4 no reset, 8 third place) | u8 pairing bye in tenths | u32 most players
//   | i64 starts at in microseconds, 0: when the director says | i64 check-in in ms | i64 pause in
//   ms | u8 count and a text for each tie-break | text of the terms of play (see proposal.h) | i64
//   duration in ms | u8 scoring | conditions: i32 least and i32 most rating, i32 least matches, u8
//   settled, i64 least age in ms, 32 bytes hash of the invitation | u8 consolation rounds | u8 last
//   chance rounds | u8 least completion in hundredths
// Version 2 ends with the rounds of the last chance, version 1 with the terms of play.
// Where another stage follows, before all that: u8 200 | u8 format | u16 qualify | u16 rounds | u8
//   losses | u8 flags (4 no reset, 8 third place) | i64 break in ms
// A layout never changes; a new one gets a new first byte. Pure functions; any thread may call
// them.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_TERMS_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_TERMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/algorithms/pairing/crosstable.h"
#include "services/algorithms/pairing/tiebreaks.h"
#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/core/proposal.h"

namespace astragal::core {

// Numbers are for ever.
enum class TournamentFormat : uint8_t {
  kSwiss = 1,
  kSwissToLosses = 2,  // whoever has lost `losses` matches is out; until one is left
  kRoundRobin = 3,
  kSingleElimination = 4,
  kDoubleElimination = 5,
  kTables = 6,  // Swiss at tables of three and four
  kArena = 7,   // whoever waits is paired, until the time is up
  kLadder = 8,  // players challenge those above them
};

// Numbers are for ever.
enum class PairingEngine : uint8_t {
  kAuto = 0,   // kDutch for at most kMostForDutch players
  kDutch = 1,  // FIDE's system, exactly
  kFast = 2,   // for thousands
};

// Who begins the first game of a match. Numbers are for ever.
enum class SidePolicy : uint8_t {
  kDice = 0,       // the rules say: nobody has a side
  kAlternate = 1,  // sides are dealt out as in chess
  // Nobody has a side when rounds are paired; of each pair the one who was seeded higher begins, or
  // the other one if he has said so when he registered.
  kChoice = 2,
};

// What a match of an arena is worth; see algorithms/pairing/arena.h. Numbers are for ever.
enum class Scoring : uint8_t { kPlain = 0, kRace = 1, kStreaks = 2 };

// Whom a tournament takes. Ratings are those of the pool that its matches belong to; 0 asks for
// nothing.
struct TournamentConditions {
  int32_t least_rating = 0;
  int32_t most_rating = 0;
  int32_t least_matches = 0;  // rated ones
  bool settled = false;       // no provisional ratings
  int64_t least_age_ms = 0;   // of the account
  // Of the games that somebody was last paired for, in hundredths: begun, and not given up early.
  // Who has played none meets it.
  int32_t least_completion = 0;
  base::Bytes32 invite{};  // SHA-256 of the code that the invited know; zeros: everybody may come

  friend bool operator==(const TournamentConditions&, const TournamentConditions&) = default;
};

inline constexpr int kMostForDutch = 300;
inline constexpr size_t kMaxTournamentName = 80;
inline constexpr uint32_t kMaxTournamentPlayers = 20'000;
inline constexpr uint16_t kMaxTournamentRounds = 999;
inline constexpr size_t kMaxTieBreaks = 16;
inline constexpr uint8_t kMaxConsolationRounds = 15;

inline constexpr uint16_t kMaxQualifiers = 512;
// What the name of a next stage has behind that of the first.
inline constexpr std::string_view kNextStageSuffix = " (2)";

// A tournament that follows this one, of the best of it; see next_stage.h. What it does not say is
// as in this one.
struct NextStage {
  TournamentFormat format = TournamentFormat::kSingleElimination;
  uint16_t qualify = 0;  // the first so many of the standings, 2 to kMaxQualifiers
  uint16_t rounds = 0;   // as in TournamentTerms, as all below
  uint8_t losses = 3;
  bool reset = true;
  bool third_place = false;
  int64_t break_ms = 0;  // between the end of this one and its start

  friend bool operator==(const NextStage&, const NextStage&) = default;
};

struct TournamentTerms {
  std::string name;
  TournamentFormat format = TournamentFormat::kSwiss;
  uint16_t rounds = 0;  // 0: as is usual for the players there are (see UsualRounds)
  uint8_t losses = 3;   // of kSwissToLosses
  PairingEngine engine = PairingEngine::kAuto;
  SidePolicy sides = SidePolicy::kDice;
  bool automatic = true;     // rounds are drafted, published and closed without a director
  bool twice = false;        // kRoundRobin: a second cycle
  bool reset = true;         // kDoubleElimination: the undefeated must be beaten twice
  bool third_place = false;  // kSingleElimination
  // kSingleElimination: whoever loses in the first rounds plays on in a consolation, and whoever
  // loses in its first rounds in a last chance; how many rounds, 0: there is none.
  uint8_t consolation_rounds = 0;
  uint8_t last_chance_rounds = 0;
  algorithms::Tenths pairing_bye = 10;
  uint32_t most_players = 0;  // 0: kMaxTournamentPlayers
  std::optional<base::Instant> starts_at;
  int64_t check_in_ms = 0;  // before the start; 0: nobody need check in
  int64_t pause_ms = 0;     // between a round's draft and its publishing by itself
  std::vector<algorithms::TieBreak> tie_breaks;  // empty: those of its format
  int64_t duration_ms = 0;  // of kArena, required; of kLadder, 0: until a director ends it
  Scoring scoring = Scoring::kPlain;  // of kArena
  TournamentConditions conditions;
  ProposalTerms play;  // what each pairing plays; without `match` a match of one game
  std::optional<NextStage> next_stage;

  friend bool operator==(const TournamentTerms&, const TournamentTerms&) = default;
};

// BAD_FIELD, naming a field below "terms".
absl::Status CheckTerms(const TournamentTerms& terms);

std::string EncodeTerms(const TournamentTerms& terms);
// INTERNAL for bytes that no encoder wrote.
absl::StatusOr<TournamentTerms> DecodeTournamentTerms(std::string_view bytes);

// A Swiss tournament's rounds where nobody says how many: two more than would tell as many winners
// apart, and at most six tenths of what everybody against everybody needs.
int UsualRounds(int players);

bool IsElimination(TournamentFormat format);
// Rounds overlap: an arena's waves, and a ladder's challenges.
bool IsOpenEnded(TournamentFormat format);

// What decides between equal scores.
std::vector<algorithms::TieBreak> TieBreaksOf(const TournamentTerms& terms);
// A match of one game, unless the terms say more.
MatchTerms MatchTermsOf(const TournamentTerms& terms);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_TERMS_H_
