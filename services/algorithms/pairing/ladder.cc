#include "services/algorithms/pairing/ladder.h"

#include <algorithm>
#include <utility>

namespace astragal::algorithms {
namespace {

constexpr int kReach = 10;
constexpr int kDropDays = 30;
constexpr int kOffDays = 60;

int TenthOf(const Ladder& ladder) { return static_cast<int>(ladder.size() + 9) / 10; }

}  // namespace

bool MayChallenge(const Ladder& ladder, int challenger_place, int place) {
  const int size = static_cast<int>(ladder.size());
  if (place < 0 || challenger_place <= place || challenger_place >= size) return false;
  return challenger_place - place <= std::max(kReach, TenthOf(ladder));
}

void ChallengeWon(Ladder& ladder, int challenger_place, int place, LadderMove move) {
  if (move == LadderMove::kSwap) {
    std::swap(ladder[challenger_place], ladder[place]);
    return;
  }
  std::rotate(ladder.begin() + place, ladder.begin() + challenger_place,
              ladder.begin() + challenger_place + 1);
}

void Inactive(Ladder& ladder, int place, int days) {
  if (days >= kOffDays) {
    ladder.erase(ladder.begin() + place);
  } else if (days >= kDropDays) {
    const int last = static_cast<int>(ladder.size()) - 1;
    const int down = std::min(place + std::max(TenthOf(ladder), 1), last);
    std::rotate(ladder.begin() + place, ladder.begin() + place + 1, ladder.begin() + down + 1);
  }
}

}  // namespace astragal::algorithms
