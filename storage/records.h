// What is stored of a game, as plain data: the rows that storage writes and reads.
//
// Truth is the log of events. Everything else about a game is either a fact fixed at creation
// (GameFacts) or a cache of folding its events (GameHead). Hashes and layouts of events are
// computed in services/core; storage keeps bytes.
#ifndef ASTRAGAL_STORAGE_RECORDS_H_
#define ASTRAGAL_STORAGE_RECORDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"

namespace astragal::storage {

// Kinds of events, as stored: numbers are for ever.
enum class EventKind : uint8_t {
  kCreated = 1,     // number: seats; detail: what the game is (see core/event.h)
  kSeated = 2,      // seat; detail: player id
  kStarted = 3,     // all seats are taken
  kThrow = 4,       // number: chance action of the ruleset ABI
  kAction = 5,      // seat, number: action of the ruleset ABI; detail: whether the turn stays open
  kResigned = 6,    // seat; number: points conceded
  kFinished = 7,    // number: Ending; detail: result and the published secret
  kBuild = 8,       // another build of the rules goes on; detail: its SHA-256
  kLeft = 9,        // seat: given back before the game began
  kOffered = 10,    // seat; number: OfferKind | points << 8
  kAnswered = 11,   // seat; number: 1 accepts the open offer, 0 declines or withdraws it
  kUndone = 12,     // seat; number: how many of its last actions were taken back
  kTurnEnded = 13,  // seat: ends the turn that it had kept open
  kTimedOut = 14,   // seat; number: points conceded
  kCredited = 15,   // seat; number: microseconds given back to its running clock
  // Contributions to the dice (see core/contributions.h):
  kInvited = 16,        // every game of this kind waits for them, whether or not a seat pledged
  kPledged = 17,        // seat; detail: SHA-256 of its contribution
  kPledgesClosed = 18,  // who has not pledged gives none
  kContributed = 19,    // seat; detail: its contribution
};

enum class OfferKind : uint8_t {
  kDraw = 1,
  kAbort = 2,
  kResign = 3,  // for a number of points
};

enum class GameStatus : uint8_t {
  kOpen = 1,  // waits for players
  kRunning = 2,
  kFinished = 3,      // a result stands
  kAborted = 4,       // ended without a result
  kContributing = 5,  // all seats are taken, contributions to the dice are awaited
};

// How a game ended. kNone while it has not. Every way a game can end is here; numbers are for ever.
enum class Ending : uint8_t {
  kNone = 0,
  kPlayed = 1,       // by the rules
  kResigned = 2,     // a seat gave up, or its offer to resign was accepted
  kTimedOut = 3,     // a seat's time ran out
  kAbandoned = 4,    // a game without clock stood still for so long that the end was claimed
  kDrawAgreed = 5,   // an offered draw was accepted by all concerned
  kAborted = 6,      // a seat called it off before the first action: no result
  kAbortAgreed = 7,  // all concerned called it off: no result
  kNotBegun = 8,     // a seat did not take its first turn in time: no result
  kNotFilled = 9,    // its seats were not taken in time: no result
};

// Whether a game that ended so has a result.
constexpr bool HasResult(Ending ending) {
  return ending != Ending::kNone && ending < Ending::kAborted;
}

// Who may see a game.
enum class Visibility : uint8_t {
  kPublic = 1,    // everybody, in lists too
  kUnlisted = 2,  // whoever knows its id
  kPrivate = 3,   // those who hold a seat, and the creator
};

// Numbers are for ever: they are in the log.
enum class ClockKind : uint8_t {
  kNone = 0,
  kDelay = 1,      // a turn's first `increment_ms` are free
  kBronstein = 2,  // after a turn, what it took is given back, at most `increment_ms`
  kFischer = 3,    // after a turn `increment_ms` are added
  kPerTurn = 4,    // each turn has `increment_ms` (minutes or days), no reserve
};

struct ClockPolicy {
  ClockKind kind = ClockKind::kNone;
  int64_t reserve_ms = 0;     // of a seat for all its turns; 0 with kPerTurn
  int64_t increment_ms = 0;   // see ClockKind
  int64_t first_turn_ms = 0;  // a seat's first turn is free but must end in this time; 0: it is not

  friend bool operator==(const ClockPolicy&, const ClockPolicy&) = default;
};

enum class MatchKind : uint8_t {
  kPoints = 1,  // to `length` points
  kBestOf = 2,  // until one has won more than half of `length` games
  kGames = 3,   // `length` games
};

// Who begins a game of a match.
enum class FirstMover : uint8_t {
  kRules = 1,      // as the ruleset's option says, in each game anew
  kWinner = 2,     // of the game before
  kLoser = 3,      // of the game before
  kAlternate = 4,  // the seats take turns
};

// A match: a series of games, fixed at its creation. Its score is that of its games.
struct MatchRecord {
  base::MatchId id;
  MatchKind kind = MatchKind::kPoints;
  uint16_t length = 1;
  FirstMover first_mover = FirstMover::kRules;
  bool match_clock = false;             // reserves go on from game to game
  bool timeout_loses = false;           // the match, not only the game
  std::vector<base::PlayerId> players;  // by seat
  base::PlayerId created_by;
  base::Instant created_at;

  friend bool operator==(const MatchRecord&, const MatchRecord&) = default;
};

// On what terms a game is played, the rules aside.
struct GameTerms {
  Visibility visibility = Visibility::kPublic;
  bool rated = false;
  ClockPolicy clock;
  std::vector<int64_t>
      reserves_ms;          // of each seat, where it is not clock.reserve_ms: a match clock
  base::MatchId match;      // nil: of none
  uint16_t match_game = 0;  // its number in the match, from 1

  friend bool operator==(const GameTerms&, const GameTerms&) = default;
};

// Who sent the command that wrote an event, and how a repeat is recognised.
struct RequestStamp {
  base::PlayerId player;
  base::RequestId request;
  base::Bytes32 body_hash;   // SHA-256 of the command: same id with another body is refused
  uint16_t event_count = 0;  // events the command wrote, this one first

  friend bool operator==(const RequestStamp&, const RequestStamp&) = default;
};

struct EventRecord {
  base::GameId game;
  uint32_t sequence = 0;  // from 1, no gaps
  EventKind kind = EventKind::kCreated;
  int8_t seat = -1;
  int64_t number = 0;
  std::string detail;  // bytes; empty for most kinds, at most 4,096
  base::Instant at;
  base::Bytes32 position_hash{};        // of the position after the event
  base::Bytes32 chain_hash{};           // over this event and the chain before it
  std::optional<RequestStamp> request;  // on the first event of a command

  friend bool operator==(const EventRecord&, const EventRecord&) = default;
};

// Fixed at creation.
struct GameFacts {
  base::GameId id;
  std::string ruleset;
  uint32_t rules_version = 0;
  std::string build;             // SHA-256 of the library, 64 hexadecimal digits
  std::vector<int64_t> options;  // in the ruleset's declared order
  uint8_t seats = 0;
  base::PlayerId created_by;
  base::Instant created_at;
  uint32_t restore_epoch = 0;
  base::Bytes32 commitment{};  // SHA-256 over (version, game id, secret)
  std::string sealed_secret;   // base::SecretBox
  GameTerms terms;
};

// The game after its last event: a cache of the fold, rewritten with each commit.
struct GameHead {
  base::GameId id;
  uint32_t sequence = 0;
  base::Bytes32 chain_hash{};
  GameStatus status = GameStatus::kOpen;
  Ending ending = Ending::kNone;
  int8_t actor = -1;              // seat to act; -1 chance or nobody, -2 over (ruleset ABI)
  uint32_t throws_drawn = 0;      // throws of this game so far
  uint32_t changed_sequence = 0;  // last event that changed position, seats to act or status
  std::string build;              // that wrote the last event, as GameFacts::build
  std::string position;           // bytes
  std::string proceedings;        // clocks, offer, open turn: bytes (see core/proceedings.h)
  // When the service must look at the game by itself; unset: never.
  std::optional<base::Instant> deadline;
  base::Instant updated_at;
};

// A time in which no node was alive.
struct Outage {
  base::Instant began_at;
  base::Instant ended_at;

  friend bool operator==(const Outage&, const Outage&) = default;
};

// A seat and who holds it. Place and points are 0 until the game has finished.
struct SeatRecord {
  int8_t seat = 0;
  base::PlayerId player;  // nil while free
  int32_t place = 0;
  int64_t points = 0;

  friend bool operator==(const SeatRecord&, const SeatRecord&) = default;
};

struct StoredGame {
  GameFacts facts;
  GameHead head;
  std::vector<SeatRecord> seats;  // all of them, in order
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_RECORDS_H_
