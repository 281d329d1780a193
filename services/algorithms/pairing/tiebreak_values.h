// The columns of standings that need no other column: everything but direct encounter. For
// tiebreaks.cc.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TIEBREAK_VALUES_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TIEBREAK_VALUES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "services/algorithms/pairing/tiebreaks.h"

namespace astragal::algorithms {

using Column = std::vector<std::optional<int64_t>>;  // by player

class TieBreakValues {
 public:
  TieBreakValues(const Crosstable& table, const TieBreakRules& rules);

  // Not for kDirectEncounter.
  Column Of(const TieBreak& tie_break) const;

  // One game of a round as tie-breaks see it.
  struct Game {
    int opponent = kNobody;
    Tenths points = 0;
    Outcome outcome = Outcome::kNothing;
    bool second_side = false;
    bool played = false;
    bool voluntary = false;
  };
  const Game& At(int player, int round) const {
    return games_[static_cast<size_t>(player) * static_cast<size_t>(rounds_) +
                  static_cast<size_t>(round)];
  }
  int rounds() const { return rounds_; }
  int players() const { return static_cast<int>(table_.players.size()); }

 private:
  struct Share {  // what one round gives to BH or SB
    bool voluntary;
    Tenths score;
    int64_t value;
  };
  void ReadGames();
  // Scores as opponents count them; with `fore` the last round's games are drawn.
  std::vector<Tenths> Adjusted(bool fore, std::vector<Tenths>& own) const;
  void AdjustOne(int player, bool fore, Tenths& adjusted, Tenths& own) const;
  Column OpponentScores(const TieBreak& tie_break) const;
  std::optional<Share> ShareOf(int player, int round, const TieBreak& tie_break,
                               const std::vector<Tenths>& adjusted, Tenths own) const;
  Column AverageBuchholz() const;
  Column AverageRating() const;
  Column Koya() const;
  int64_t Progressive(int player, int cut) const;
  int64_t Count(int player, TieBreakKind kind) const;

  const Crosstable& table_;
  const TieBreakRules& rules_;
  int rounds_;
  std::vector<Game> games_;  // by player, then round
  std::vector<Tenths> scores_;
};

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TIEBREAK_VALUES_H_
