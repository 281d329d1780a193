// The option forgo=none: as many throws as possible must be used. This file answers how many that
// is, and which first actions still lead to it.
//
// Within a series the order of actions matters little: enemy pieces on marked boxes stay where they
// are, pieces that start from a higher index can go first (so nothing breaks up twins before they
// move), and bearing off comes last. So each piece, or pair of twins, is a bin that takes a
// sub-multiset with an allowed sum, and the sets of throws that can be used are found bin by bin
// over all vectors (used 1s, 2s or 3s, 4s, 8s): exact, of bounded size, without allocation. Two
// plans are joined: no bearing off (any allowed sums), or bearing off, for which every piece on the
// way must come into the keep exactly.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_QUOTA_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_QUOTA_H_

#include <bit>
#include <cstdint>

#include "plugins/ashtapada/action.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {

// A set of numbers 0 .. 127 that starts without a value, unlike std::bitset: big tables of them are
// made on the stack, and only what is used is to be touched.
struct NumberSet {
  uint64_t low, high;

  bool Has(int n) const { return ((n < 64 ? low >> n : high >> (n - 64)) & 1) != 0; }
  void Put(int n) { (n < 64 ? low : high) |= uint64_t{1} << (n % 64); }
  bool IsEmpty() const { return (low | high) == 0; }
  // -1 when it is empty.
  int Largest() const {
    return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low)) - 1;
  }
  void Join(const NumberSet& other) {
    low |= other.low;
    high |= other.high;
  }
  // Every number plus n (0 .. 64), as far as it is in `limit`.
  NumberSet Plus(int n, const NumberSet& limit) const {
    if (n == 64) return {0, low & limit.high};
    if (n == 0) return {low & limit.low, high & limit.high};
    return {low << n & limit.low, (high << n | low >> (64 - n)) & limit.high};
  }
  // Every number plus each of first .. first + length - 1.
  NumberSet PlusEach(int first, int length, const NumberSet& limit) const {
    NumberSet spread = *this;
    for (int done = 1; done < length;) {
      const int step = done < length - done ? done : length - done;
      spread.Join(spread.Plus(step, limit));
      done += step;
    }
    return spread.Plus(first, limit);
  }
};

// Sets of throws out of R that can be used up together; R has at most one throw of 2 or 3. About
// 40 kB: made on the stack, and only the part that R needs is touched.
class UsableThrows {
 public:
  // Leaves the table as it is (not even zero): Reset() before use.
  UsableThrows() {}
  UsableThrows(const UsableThrows& other);
  UsableThrows& operator=(const UsableThrows& other);

  void Reset(const ThrowSet& r);
  void AddEmpty() { At(0, 0, 0).Put(0); }
  // Joins what `other` (of the same R) can use.
  void Join(const UsableThrows& other);
  // Adds to this what `from` can use together with one bin, whose allowed sums are `sums`.
  void AddBin(const UsableThrows& from, const NumberSet& sums);
  // Everything can be used with one throw of 1 more.
  void UseOne();

  // The most throws that can be used within `within`, a part of R; -1 when nothing is in the table.
  int Most(const ThrowSet& within) const;

 private:
  // R has at most kSeriesCap throws, so fours and eights have (33 * 33) combinations at most.
  static constexpr int kCells = 2 * 33 * 33;

  // Throws that go into a bin, but for the 1s.
  struct Part {
    int extras, eights, fours;
  };
  // `first` to first + length - 1 of the 1s may join them.
  struct Ones {
    int first, length;
  };
  void AddPart(const UsableThrows& from, const Part& part, const Ones& ones);

  int Cell(int extra, int eights, int fours) const {
    return (extra * (eights_ + 1) + eights) * (fours_ + 1) + fours;
  }
  // How many 1s can be used together with these.
  NumberSet& At(int extra, int eights, int fours) { return cells_[Cell(extra, eights, fours)]; }
  const NumberSet& At(int extra, int eights, int fours) const {
    return cells_[Cell(extra, eights, fours)];
  }
  int cells() const { return (extras_ + 1) * (eights_ + 1) * (fours_ + 1); }

  int ones_, extras_, extra_value_, fours_, eights_;
  NumberSet limit_;  // 0 .. ones_
  NumberSet cells_[kCells];
};

// What can be used of `p.left` by the seat to act from here on.
void FindUsable(const Position& p, UsableThrows& out);

// Answers for one position, several actions: remembers the tables that actions have in common.
class Quota {
 public:
  explicit Quota(const Position& p);

  // The most throws that can still be used.
  int most() const { return most_; }
  // Whether `action` (legal but for the quota; kEnter, kBearOff or kMove) can be part of that. The
  // move lands on `to`.
  bool Keeps(const Action& action, int to);

 private:
  // The table after a move by (from, size) to `to`, which all moves with this sum have in common.
  struct Known {
    int from = -1;
    int size = 0;
    int to = 0;
    UsableThrows after;
  };
  // Landing where nothing else depends on it: on none of the own pieces that can still move.
  static constexpr int kElsewhere = -1;
  // The pieces on one index land elsewhere, in the keep or on one of the other own pieces. Moves
  // are asked about index by index, so that no table of these is made twice.
  static constexpr int kKnown = kMaxPieces + 1;

  void FindAfter(const Action& action, int to, UsableThrows& out) const;

  const Position& p_;
  int most_;
  Known known_[kKnown];
  int next_ = 0;  // of known_, to be forgotten
};

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_QUOTA_H_
