#include "services/algorithms/pairing/criteria.h"

#include <algorithm>
#include <bit>

namespace astragal::algorithms {

Packer::Slot Packer::Add(int64_t largest) {
  const int bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(largest)));
  if (bits > left_ || columns_ == 0) {
    ++columns_;
    left_ = kMatchingBits;
  }
  left_ -= bits;
  return {columns_ - 1, left_};
}

Criteria::Criteria(const Bracket& bracket)
    : bracket_(bracket), group_of_(static_cast<size_t>(bracket.end), kNobody) {
  const SwissField& field = *bracket.field;
  std::vector<int> sizes;  // of the groups of moved players, then of the residents
  Tenths score = 0;
  for (const int player : bracket.moved) {
    if (sizes.empty() || field[player].score != score) sizes.push_back(0);
    score = field[player].score;
    ++sizes.back();
    group_of_[player] = static_cast<int>(sizes.size()) - 1;
  }
  moved_groups_ = static_cast<int>(sizes.size());
  for (int i = bracket.begin; i < bracket.end; ++i) group_of_[i] = moved_groups_;
  const int residents = bracket.end - bracket.begin;
  const int moved = static_cast<int>(bracket.moved.size());
  const int all = moved + residents;
  const int next = bracket.next_end - bracket.end;

  pairs_ = packer_.Add(all);
  moved_paired_ = AddPerGroup(sizes);
  if (next > 0) {
    next_pairs_ = packer_.Add(all + next);
    std::vector<int> with_residents = sizes;
    with_residents.push_back(residents);
    next_scores_ = AddPerGroup(with_residents);
  }
  counts_games_of_bye_ = bracket.bye && field[bracket.begin].score == bracket.bye_score;
  if (counts_games_of_bye_) games_of_bye_ = packer_.Add(field.rounds_played());
  if (field.sides()) {
    if (field.last_round()) {
      imbalance_ = packer_.Add(all);
      three_times_ = packer_.Add(all);
    }
    wishes_ = packer_.Add(all);
    strong_wishes_ = packer_.Add(all);
  }
  FloatSlots* const rounds[] = {&last_, &earlier_};
  for (int i = 0; i < std::min(field.rounds_played(), 2); ++i) {
    rounds[i]->down = packer_.Add(all);
    rounds[i]->up = packer_.Add(all);
  }
  for (int i = 0; i < std::min(field.rounds_played(), 2); ++i) {
    rounds[i]->down_by = AddPerGroup(sizes);
    rounds[i]->up_by = AddPerGroup(sizes);
  }
}

Criteria::PerGroup Criteria::AddPerGroup(const std::vector<int>& sizes) {
  PerGroup added;
  for (const int size : sizes) added.slots.push_back(packer_.Add(size));
  return added;
}

void Criteria::Weigh(int upper, int lower, int64_t* row) const {
  const SwissField& field = *bracket_.field;
  if (lower == field.size()) {
    if (counts_games_of_bye_) Put(row, games_of_bye_, field[upper].played);  // C9
    return;
  }
  if (lower < bracket_.end) return WeighInside(upper, lower, row);
  if (lower >= bracket_.next_end) return;
  Put(row, next_pairs_, 1);  // C8
  if (upper < bracket_.end) Put(row, next_scores_.slots[group_of_[upper]], 1);
}

void Criteria::WeighInside(int upper, int lower, int64_t* row) const {
  const SwissField& field = *bracket_.field;
  Put(row, pairs_, 1);  // C6
  const int group = group_of_[upper];
  if (group < moved_groups_) Put(row, moved_paired_.slots[group], 1);  // C7
  if (field.sides()) WeighSides(field[upper], field[lower], row);
  if (field.rounds_played() > 0) WeighFloats(upper, lower, row);
}

// C10 to C13: what is lost when both want the same side and one of them does not get it.
void Criteria::WeighSides(const SwissPlayer& a, const SwissPlayer& b, int64_t* row) const {
  if (a.wanted == Side::kNone || a.wanted != b.wanted) return;
  Put(row, wishes_, -1);  // C12
  const bool both_absolute = a.wish == Wish::kAbsolute && b.wish == Wish::kAbsolute;
  if (a.wish >= Wish::kStrong && b.wish >= Wish::kStrong && !both_absolute) {
    Put(row, strong_wishes_, -1);  // C13
  }
  if (!bracket_.field->last_round() || !both_absolute) return;
  if (a.imbalance > 1 && b.imbalance > 1) Put(row, imbalance_, -1);  // C10
  // C11: who gives way has had the other side twice already.
  const bool a_gives_way = a.imbalance < b.imbalance;
  const Side given = OtherSide(a.wanted);
  const bool three = a.imbalance == b.imbalance
                         ? a.repeated != Side::kNone && a.repeated == b.repeated
                         : (a_gives_way ? a : b).repeated == given;
  if (three) Put(row, three_times_, -1);
}

void Criteria::WeighFloats(int upper, int lower, int64_t* row) const {
  const SwissPlayer& high = (*bracket_.field)[upper];
  const SwissPlayer& low = (*bracket_.field)[lower];
  const int group = group_of_[upper];
  const bool moved = group < moved_groups_;
  const auto weigh = [&](const FloatSlots& slots, Float of_high, Float of_low) {
    // C14, C16: residents who floated down are to be paired here.
    Put(row, slots.down, (of_low == Float::kDown) + (!moved && of_high == Float::kDown));
    if (!moved) return;
    const bool up_again = of_low == Float::kUp;
    Put(row, slots.up, -up_again);                                  // C15, C17
    Put(row, slots.down_by.slots[group], of_high == Float::kDown);  // C18, C20
    Put(row, slots.up_by.slots[group], -up_again);                  // C19, C21
  };
  weigh(last_, high.last_float, low.last_float);
  if (bracket_.field->rounds_played() > 1) weigh(earlier_, high.earlier_float, low.earlier_float);
}

}  // namespace astragal::algorithms
