// What a pair in a bracket of the Dutch system is worth: the criteria C6 to C21 as columns of one
// weight (FIDE C.04.3, article 2). Completion (C4) and the bye's score (C5) are in which edges
// there are. Pure; thread-compatible.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_CRITERIA_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_CRITERIA_H_

#include <cstdint>
#include <vector>

#include "services/algorithms/pairing/matching.h"
#include "services/algorithms/pairing/swiss.h"

namespace astragal::algorithms {

// Players that are paired together now, and who is still below them. Indices of the field.
struct Bracket {
  const SwissField* field;
  std::vector<int> moved;  // moved down from above, best first
  int begin;               // residents are [begin, end)
  int end;
  int next_end;      // residents of the next bracket are [end, next_end)
  Tenths bye_score;  // whose players may get the bye (C5); without meaning for an even number
  bool bye;          // whether somebody gets one
};

// Numbers of known size, packed side by side into the columns of a row, most important first.
class Packer {
 public:
  struct Slot {
    int column = 0;
    int shift = 0;
  };
  // A place for a number whose sum over a matching stays within +-largest.
  Slot Add(int64_t largest);
  int columns() const { return columns_; }
  // Bits left in the last column.
  int left() const { return left_; }

 private:
  int columns_ = 0;
  int left_ = 0;
};

inline void Put(int64_t* row, Packer::Slot slot, int64_t value) {
  row[slot.column] += value * (int64_t{1} << slot.shift);
}

class Criteria {
 public:
  explicit Criteria(const Bracket& bracket);

  int columns() const { return packer_.columns(); }
  // Adds what the pair is worth; `upper` is the better player, `lower` may be the bye, which is
  // field.size(). `row` has columns() numbers.
  void Weigh(int upper, int lower, int64_t* row) const;

 private:
  struct PerGroup {
    // By place of the group among those in the bracket, best first.
    std::vector<Packer::Slot> slots;
  };
  PerGroup AddPerGroup(const std::vector<int>& sizes);
  void WeighInside(int upper, int lower, int64_t* row) const;
  void WeighSides(const SwissPlayer& a, const SwissPlayer& b, int64_t* row) const;
  void WeighFloats(int upper, int lower, int64_t* row) const;

  const Bracket& bracket_;
  Packer packer_;
  std::vector<int> group_of_;  // by field index up to end: place of its score among those here
  int moved_groups_ = 0;       // groups of moved players; the residents are the group after them
  bool counts_games_of_bye_ = false;

  Packer::Slot pairs_, next_pairs_, games_of_bye_;                 // C6, C8, C9
  PerGroup moved_paired_, next_scores_;                            // C7, C8
  Packer::Slot imbalance_, three_times_, wishes_, strong_wishes_;  // C10 to C13
  struct FloatSlots {
    Packer::Slot down, up;    // C14 and C15, C16 and C17
    PerGroup down_by, up_by;  // C18 and C19, C20 and C21
  };
  FloatSlots last_, earlier_;
};

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_CRITERIA_H_
