#include "services/algorithms/pairing/direct_encounter.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace astragal::algorithms {
namespace {

// Averages of up to this many meetings are whole numbers in tenths times it.
constexpr int64_t kMeetings = 2520;

struct Meetings {
  int player = kNobody;
  int64_t score = 0;  // sum of the averages, in tenths * kMeetings
  int64_t best = 0;   // if all missing ones were won
  int opponents = 0;
};

class Splitter {
 public:
  Splitter(const TieBreakValues& values, const std::vector<int>& ranks, bool round_robin,
           Tenths win)
      : values_(values), round_robin_(round_robin), win_(win), ranks_(ranks) {}

  // Splits the group in place and says where its parts begin; one part: nothing is decided.
  std::vector<size_t> Split(std::vector<int>& group) {
    std::vector<Meetings> meetings;
    bool all_met = true;
    for (const int player : group) {
      meetings.push_back(MeetingsOf(player, group.size()));
      all_met = all_met && meetings.back().opponents + 1 == static_cast<int>(group.size());
    }
    std::sort(meetings.begin(), meetings.end(), [](const Meetings& a, const Meetings& b) {
      if (a.score != b.score) return a.score > b.score;
      return a.best != b.best ? a.best > b.best : a.player < b.player;
    });
    for (size_t i = 0; i < group.size(); ++i) group[i] = meetings[i].player;
    return all_met || round_robin_ ? ByScore(meetings) : Leaders(meetings);
  }

  std::vector<int>& ranks() { return ranks_; }

 private:
  Meetings MeetingsOf(int player, size_t group) {
    met_.clear();
    for (int round = 0; round < values_.rounds(); ++round) {
      const TieBreakValues::Game& game = values_.At(player, round);
      if (game.opponent == kNobody || !(game.played || round_robin_)) continue;
      if (ranks_[game.opponent] == ranks_[player]) met_.emplace_back(game.opponent, game.points);
    }
    std::sort(met_.begin(), met_.end());
    Meetings meetings{player};
    for (size_t from = 0, to = 0; from < met_.size(); from = to) {
      int64_t sum = 0;
      for (; to < met_.size() && met_[to].first == met_[from].first; ++to) sum += met_[to].second;
      meetings.score += sum * kMeetings / static_cast<int64_t>(to - from);
      ++meetings.opponents;
    }
    const int64_t missing = static_cast<int64_t>(group) - 1 - meetings.opponents;
    meetings.best = meetings.score + missing * win_ * kMeetings;
    return meetings;
  }

  static std::vector<size_t> ByScore(const std::vector<Meetings>& meetings) {
    std::vector<size_t> begins;
    for (size_t i = 0; i < meetings.size(); ++i) {
      if (i == 0 || meetings[i].score != meetings[i - 1].score) begins.push_back(i);
    }
    return begins;
  }

  static std::vector<size_t> Leaders(const std::vector<Meetings>& meetings) {
    std::vector<int64_t> best_from(meetings.size() + 1, 0);
    for (size_t i = meetings.size(); i-- > 0;) {
      best_from[i] = std::max(best_from[i + 1], meetings[i].best);
    }
    std::vector<size_t> begins = {0};
    for (size_t i = 1; i < meetings.size() && meetings[i - 1].score > best_from[i]; ++i) {
      begins.push_back(i);
    }
    return begins;
  }

  const TieBreakValues& values_;
  const bool round_robin_;
  const Tenths win_;
  std::vector<int> ranks_;
  std::vector<std::pair<int, Tenths>> met_;
};

}  // namespace

Column DirectEncounter(const TieBreakValues& values, const std::vector<int>& ranks,
                       bool round_robin, Tenths win) {
  std::vector<int> order(ranks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return ranks[a] < ranks[b]; });
  Splitter splitter(values, ranks, round_robin, win);
  std::vector<std::vector<int>> open;
  for (size_t from = 0, to = 0; from < order.size(); from = to) {
    while (to < order.size() && ranks[order[to]] == ranks[order[from]]) ++to;
    if (to - from < 2) continue;
    open.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(from),
                      order.begin() + static_cast<std::ptrdiff_t>(to));
  }
  Column places(ranks.size(), 0);
  while (!open.empty()) {
    std::vector<int> group = std::move(open.back());
    open.pop_back();
    std::vector<size_t> begins = splitter.Split(group);
    if (begins.size() < 2) continue;
    const int first = splitter.ranks()[group[0]];
    begins.push_back(group.size());
    for (size_t part = 0; part + 1 < begins.size(); ++part) {
      for (size_t i = begins[part]; i < begins[part + 1]; ++i) {
        splitter.ranks()[group[i]] = first + static_cast<int>(begins[part]);
        places[group[i]] = 1;  // decided; the place follows below
      }
      if (begins[part + 1] - begins[part] < 2) continue;
      open.emplace_back(group.begin() + static_cast<std::ptrdiff_t>(begins[part]),
                        group.begin() + static_cast<std::ptrdiff_t>(begins[part + 1]));
    }
  }
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (*places[i] != 0) places[i] = splitter.ranks()[i] - ranks[i] + 1;
  }
  return places;
}

}  // namespace astragal::algorithms
