// What Swiss engines pair from: the players of the round that comes next, in the order in which
// they are paired, with what their history says. Computed from a crosstable; a value,
// thread-compatible.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_SWISS_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_SWISS_H_

#include <cstdint>
#include <vector>

#include "services/algorithms/pairing/crosstable.h"

namespace astragal::algorithms {

enum class Float : uint8_t { kNone, kUp, kDown };

// How much a player wants a side (FIDE C.04.3, 1.7). kAbsolute: a difference of two, or the same
// side in the last two games; kStrong: a difference of one; kMild: to alternate.
enum class Wish : uint8_t { kNone, kMild, kStrong, kAbsolute };

struct SwissPlayer {
  int player = kNobody;  // index in the crosstable
  // The pairing number, counted from 0 among those that were ever paired or are to be now.
  int rank = 0;
  Tenths score = 0;                    // with lent points: what is paired by
  Tenths earned = 0;                   // without
  int played = 0;                      // games on the board
  int byes = 0;                        // given by the pairing
  bool may_have_bye = true;            // no round yet that was worth a win without play
  Float last_float = Float::kNone;     // one round ago
  Float earlier_float = Float::kNone;  // two rounds ago
  // Sides.
  Wish wish = Wish::kNone;
  Side wanted = Side::kNone;
  int imbalance = 0;            // how many games more on one side
  Side repeated = Side::kNone;  // the side of the last two games at least, when it is the same
  std::vector<Side> sides;      // of the games on the board, oldest first
  bool topscorer = false;       // last round, more than half of the points there were
};

class SwissField {
 public:
  // Everybody who is there for the next round. With `sides` false, history of sides is left out.
  SwissField(const Crosstable& table, bool sides);

  int size() const { return static_cast<int>(players_.size()); }
  // Best first: by score, then by pairing number.
  const SwissPlayer& operator[](int index) const { return players_[index]; }
  const std::vector<SwissPlayer>& players() const { return players_; }

  // Not met, not forbidden, and (with sides) not both in absolute need of the same side: C1 and C3.
  bool MayMeet(int a, int b) const;
  bool Met(int a, int b) const { return At(met_, a, b); }
  bool Forbidden(int a, int b) const { return At(forbidden_, a, b); }

  bool sides() const { return sides_; }
  int rounds_played() const { return rounds_played_; }
  bool last_round() const { return last_round_; }
  // The side of the best player in round 1: drawn, else read from the first games, else the first.
  Side first_side() const { return first_side_; }

 private:
  using Bits = std::vector<uint64_t>;
  bool At(const Bits& bits, int a, int b) const {
    return (bits[static_cast<size_t>(a) * words_ + static_cast<size_t>(b) / 64] >> (b % 64)) & 1;
  }
  void Set(Bits& bits, int a, int b);
  void AddPlayers(const Crosstable& table);
  void AddHistory(const Crosstable& table);
  void AddPairs(const Crosstable& table);

  std::vector<SwissPlayer> players_;
  size_t words_ = 0;  // of 64 bits, for one player
  Bits met_;
  Bits forbidden_;
  bool sides_;
  int rounds_played_;
  bool last_round_;
  Side first_side_;
};

// The side of `a` against `b`, both indices of the field: FIDE C.04.3, article 5.
Side SideAgainst(const SwissField& field, int a, int b);

// One pairing of a round. `second` is kNobody for the bye. With sides the first one begins.
struct Pairing {
  int first = kNobody;
  int second = kNobody;
  bool operator==(const Pairing&) const = default;
};

// Pairs of field indices as boards of crosstable indices: sides given (without sides the smaller
// number first), best board first, the bye last.
std::vector<Pairing> BoardsOf(const SwissField& field, std::vector<Pairing> pairs);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_SWISS_H_
