#include "tests/plugins/long_narde/reference.h"

#include <algorithm>

namespace astragal::long_narde::reference {
namespace {

// The point `steps` further on, anticlockwise: falling numbers, 24 after 1.
int Along(int point, int steps) { return ((point - 1 - steps) % 24 + 24) % 24 + 1; }

// How many points a side's checker on `point` has behind it on its route.
int Travelled(int head, int point) { return ((head - point) % 24 + 24) % 24; }

}  // namespace

int Turn::PipsToOff(int point) const { return 24 - Travelled(Head(), point); }

bool Turn::AllHome(const Board& board) const {
  for (int point = 1; point <= 24; ++point) {
    if (board.points[point] * Sign() > 0 && PipsToOff(point) > 6) return false;
  }
  return true;
}

// Walks the opponent's route from its head and looks at every six points in a row on it.
bool Turn::HasForbiddenBlock(const Board& board) const {
  if (rules_.prime_rule == "none") return false;
  const int opponent_head = mover_ == 0 ? 12 : 24;
  const int opponent_off = board.off[1 - mover_];
  for (int start = 0; start + 5 <= 23; ++start) {
    bool all_held = true;
    for (int i = start; i < start + 6; ++i) {
      all_held = all_held && board.points[Along(opponent_head, i)] * Sign() > 0;
    }
    if (!all_held) continue;
    if (rules_.prime_rule == "never") return true;
    // From where an enemy checker makes the block lawful: past it, or at home.
    const int from = rules_.prime_rule == "opponent_ahead" ? start + 6 : 18;
    bool excused = opponent_off > 0;
    for (int i = from; i <= 23; ++i) {
      excused = excused || board.points[Along(opponent_head, i)] * Sign() < 0;
    }
    if (!excused) return true;
  }
  return false;
}

Moment Turn::After(const Moment& moment, const Step& step) const {
  Moment after = moment;
  const int sign = Sign();
  after.board.points[step.from] = static_cast<signed char>(after.board.points[step.from] - sign);
  if (PipsToOff(step.from) <= step.die) {
    ++after.board.off[mover_];
  } else {
    const int to = Along(step.from, step.die);
    after.board.points[to] = static_cast<signed char>(after.board.points[to] + sign);
  }
  if (step.from == Head()) --after.from_head;
  after.dice.erase(std::find(after.dice.begin(), after.dice.end(), step.die));
  return after;
}

// Rules 4 to 7, one step by itself; the block is judged here only if it is judged each step.
std::vector<Step> Turn::SingleSteps(const Moment& moment) const {
  std::vector<Step> steps;
  const std::set<int> values(moment.dice.begin(), moment.dice.end());
  for (int point = 1; point <= 24; ++point) {
    if (moment.board.points[point] * Sign() <= 0) continue;
    if (point == Head() && moment.from_head == 0) continue;
    for (const int die : values) {
      const int pips = PipsToOff(point);
      if (die < pips) {
        if (moment.board.points[Along(point, die)] * Sign() < 0) continue;
      } else {
        if (!AllHome(moment.board)) continue;
        if (die > pips) {
          bool rearmost = true;
          for (int other = 1; other <= 24; ++other) {
            if (moment.board.points[other] * Sign() > 0 && PipsToOff(other) > pips) {
              rearmost = false;
            }
          }
          if (!rearmost) continue;
        }
      }
      const Step step = {point, die};
      if (rules_.prime_check == "each_step" && HasForbiddenBlock(After(moment, step).board)) {
        continue;
      }
      steps.push_back(step);
    }
  }
  return steps;
}

const Turn::Outlook& Turn::Look(const Moment& moment) {
  const auto known = seen_.find(moment);
  if (known != seen_.end()) return known->second;
  Outlook outlook;
  const bool finished = moment.board.off[mover_] == 15;
  // A sequence may stop here if its last position is lawful. (Before the first step nothing is
  // judged; LegalSteps never asks about that.)
  if (!HasForbiddenBlock(moment.board)) outlook.lengths.insert(0);
  if (finished) {
    outlook.finishes = true;
  } else {
    for (const Step& step : SingleSteps(moment)) {
      const Outlook next = Look(After(moment, step));
      for (const int length : next.lengths) outlook.lengths.insert(length + 1);
      outlook.finishes = outlook.finishes || next.finishes;
    }
  }
  return seen_.emplace(moment, outlook).first->second;
}

int Turn::DiceUsed(const Moment& moment) {
  int most = 0;
  for (const Step& step : SingleSteps(moment)) {
    for (const int length : Look(After(moment, step)).lengths) most = std::max(most, length + 1);
  }
  return most;
}

std::set<Step> Turn::LegalSteps(const Moment& moment) {
  const int most = DiceUsed(moment);
  std::set<Step> legal;
  std::set<Step> finishing;
  int highest = 0;
  for (const Step& step : SingleSteps(moment)) {
    const Outlook& outlook = Look(After(moment, step));
    if (outlook.finishes) finishing.insert(step);
    if (most == 0 || outlook.lengths.count(most - 1) == 0) continue;
    legal.insert(step);
    highest = std::max(highest, step.die);
  }
  if (most == 1) {  // one die only: the higher one if it can be played
    std::erase_if(legal, [&](const Step& step) { return step.die != highest; });
  }
  legal.insert(finishing.begin(), finishing.end());
  return legal;
}

std::set<Board> Turn::Ends(const Moment& moment) {
  std::set<Board> ends;
  std::set<Moment> level = {moment};
  while (!level.empty()) {
    std::set<Moment> next;
    for (const Moment& from : level) {
      const std::set<Step> steps = LegalSteps(from);
      if (steps.empty() && from != moment) ends.insert(from.board);
      for (const Step& step : steps) {
        const Moment after = After(from, step);
        if (after.board.off[mover_] == 15) {
          ends.insert(after.board);
        } else {
          next.insert(after);
        }
      }
    }
    level = std::move(next);
  }
  return ends;
}

}  // namespace astragal::long_narde::reference
