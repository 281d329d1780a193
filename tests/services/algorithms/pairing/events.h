// A tournament that plays itself from a seed, for the tests of pairings.
#ifndef ASTRAGAL_TESTS_SERVICES_ALGORITHMS_PAIRING_EVENTS_H_
#define ASTRAGAL_TESTS_SERVICES_ALGORITHMS_PAIRING_EVENTS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "services/algorithms/pairing/swiss.h"

namespace astragal::tests {

class Event {
 public:
  // How many of a hundred results or players of a round are of a kind.
  struct Odds {
    int draws = 0;
    int forfeits = 0;
    int byes = 0;         // asked for
    int withdrawals = 0;  // gone for good
  };

  Event(uint64_t seed, int players, Odds odds) : random_(seed), odds_(odds) {
    for (int i = 0; i < players; ++i) {
      algorithms::Entrant entrant;
      entrant.number = i + 1;
      entrant.rating = 2400 - 5 * i;
      table_.players.push_back(entrant);
    }
    gone_.resize(table_.players.size());
  }
  Event(uint64_t seed, int players) : Event(seed, players, {}) {}

  algorithms::Crosstable& table() { return table_; }

  // Byes and withdrawals of the round that comes next: absences in the crosstable.
  void Announce() {
    const size_t next = static_cast<size_t>(table_.rounds_played) + 1;
    for (size_t i = 0; i < gone_.size(); ++i) {
      if (Happens(odds_.withdrawals)) gone_[i] = true;
      const bool bye = !gone_[i] && Happens(odds_.byes);
      if (!gone_[i] && !bye) continue;
      std::vector<algorithms::RoundEntry>& rounds = table_.players[i].rounds;
      rounds.resize(next);
      rounds.back().outcome = bye ? algorithms::Outcome::kHalfBye : algorithms::Outcome::kZeroBye;
    }
  }

  // Results of boards of crosstable indices.
  void Play(const std::vector<algorithms::Pairing>& boards) {
    using algorithms::Outcome;
    const size_t next = static_cast<size_t>(table_.rounds_played) + 1;
    for (algorithms::Entrant& player : table_.players) player.rounds.resize(next);
    for (const algorithms::Pairing& board : boards) {
      algorithms::RoundEntry& first = table_.players[board.first].rounds.back();
      if (board.second == algorithms::kNobody) {
        first.outcome = Outcome::kPairingBye;
        continue;
      }
      algorithms::RoundEntry& second = table_.players[board.second].rounds.back();
      const bool forfeit = Happens(odds_.forfeits);
      const bool draw = !forfeit && Happens(odds_.draws);
      const bool win = random_() % 2 == 0;
      const Outcome won = forfeit ? Outcome::kForfeitWin : draw ? Outcome::kDraw : Outcome::kWin;
      const Outcome lost = forfeit ? Outcome::kForfeitLoss : draw ? Outcome::kDraw : Outcome::kLoss;
      first = {board.second, algorithms::Side::kFirst, win ? won : lost};
      second = {board.first, algorithms::Side::kSecond, win ? lost : won};
    }
    ++table_.rounds_played;
  }

 private:
  bool Happens(int of_hundred) { return static_cast<int>(random_() % 100) < of_hundred; }

  std::mt19937_64 random_;
  Odds odds_;
  algorithms::Crosstable table_;
  std::vector<bool> gone_;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_ALGORITHMS_PAIRING_EVENTS_H_
