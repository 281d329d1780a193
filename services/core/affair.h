// What concerns one player: the games he is in and the proposals that are his, as pictures that can
// be compared. Values and pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_AFFAIR_H_
#define ASTRAGAL_SERVICES_CORE_AFFAIR_H_

#include <memory>
#include <optional>
#include <vector>

#include "services/core/lobby_board.h"
#include "services/core/proceedings.h"
#include "storage/affair_store.h"
#include "storage/game_store.h"

namespace astragal::core {

// A game as its players' lists show it.
struct GameAffair {
  storage::GameSummary game;
  uint32_t changed_sequence = 0;  // as GameHead::changed_sequence
  storage::GameTerms terms;
  std::optional<Offer> offer;              // that waits for answers
  uint8_t gone = 0;                        // bit for each seat that resigned or lost on time
  std::optional<base::Instant> turn_ends;  // when the time of the seat to act is up

  // The seat this player holds.
  std::optional<int> SeatOf(PlayerId player) const;
  bool IsOver() const { return game.status >= GameStatus::kFinished; }
  // Whether the game waits for this player's action, or for his answer to an offer.
  bool AwaitsActionOf(PlayerId player) const;
  bool AwaitsAnswerOf(PlayerId player) const;
};
using GameAffairPtr = std::shared_ptr<const GameAffair>;

// DATA_LOSS / REPLAY_MISMATCH when the stored game makes no sense.
absl::StatusOr<GameAffair> AffairOf(const host::Ruleset& ruleset,
                                    const storage::StoredGame& stored);

// What happened in a game since a player last heard of it. Numbers are those of the protos.
enum class GameNews : uint8_t {
  kSeated = 1,       // he holds a seat in it
  kStarted = 2,      // all seats are taken
  kYourTurn = 3,     // it is his turn: again, if it was already
  kTurnOver = 4,     // it was his turn
  kOfferMade = 5,    // an offer waits for his answer
  kOfferClosed = 6,  // an offer does so no more
  kEnded = 7,        // with or without a result
  kNotFollowed = 8,  // he gave his seat back, or it is too old to be followed
};
// In the order of the enum. `before` null: he had not heard of it.
std::vector<GameNews> NewsOf(PlayerId player, const GameAffair* before, const GameAffair& after);

// All affairs of one player. Immutable.
struct AffairPicture {
  std::vector<GameAffairPtr> games;          // that have not ended, newest first
  std::vector<ProposalPtr> proposals;        // that are open, newest first
  std::vector<storage::RatingNews> ratings;  // recomputed lately, newest first
  // As they are since they are not among those above; oldest first.
  std::vector<GameAffairPtr> past_games;
  std::vector<ProposalPtr> past_proposals;
};
using AffairPicturePtr = std::shared_ptr<const AffairPicture>;

struct AffairDifference {
  struct Game {
    GameAffairPtr game;
    std::vector<GameNews> news;
  };
  std::vector<Game> games;                   // of which there is news
  std::vector<ProposalPtr> proposals;        // that were opened or closed
  std::vector<storage::RatingNews> ratings;  // recomputed

  bool empty() const { return games.empty() && proposals.empty() && ratings.empty(); }
};
// What happened between two pictures of a player. nullopt: so much that the later one has forgotten
// some of it.
std::optional<AffairDifference> Compare(PlayerId player, const AffairPicture& before,
                                        const AffairPicture& after);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_AFFAIR_H_
