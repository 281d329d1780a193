#include "services/algorithms/pairing/elimination.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace astragal::algorithms {
namespace {

using From = BracketSlot::From;
using Slots = std::vector<BracketSlot>;

constexpr std::string_view kStageNames[] = {"main",        "lower",       "final",
                                            "third_place", "consolation", "last_chance"};

class Planner {
 public:
  explicit Planner(BracketPlan& plan) : plan_(plan) {}

  // Plays round after round until one is left. Returns the matches of each round.
  std::vector<std::vector<int>> KnockOut(BracketStage stage, Slots slots) {
    std::vector<std::vector<int>> rounds;
    while (slots.size() > 1) {
      rounds.push_back(Round(stage, static_cast<int>(rounds.size()), slots));
      slots = Ends(rounds.back(), From::kWinnerOf);
    }
    return rounds;
  }

  // A stage fed by the losers of `feeds`: those of the first round meet each other, those of each
  // further round meet the ones left of it. Returns the matches of each round.
  std::vector<std::vector<int>> Fed(BracketStage stage,
                                    const std::vector<std::vector<int>>& feeds) {
    std::vector<std::vector<int>> rounds;
    Slots left = Ends(feeds[0], From::kLoserOf);
    const auto play = [&](const Slots& slots) {
      rounds.push_back(Round(stage, static_cast<int>(rounds.size()), slots));
      left = Ends(rounds.back(), From::kWinnerOf);
    };
    for (size_t i = 1; i < feeds.size(); ++i) {
      const Slots dropped = Turned(Ends(feeds[i], From::kLoserOf), i);
      while (left.size() > dropped.size()) play(left);
      Slots both;
      for (size_t k = 0; k < dropped.size(); ++k) {
        both.push_back(left[k]);
        both.push_back(dropped[k]);
      }
      play(both);
    }
    while (left.size() > 1) play(left);
    return rounds;
  }

  int Match(BracketStage stage, int round, int board, BracketSlot first, BracketSlot second) {
    plan_.matches.push_back({stage, round, board, {first, second}, false});
    return static_cast<int>(plan_.matches.size()) - 1;
  }

 private:
  std::vector<int> Round(BracketStage stage, int round, const Slots& slots) {
    std::vector<int> matches;
    for (size_t i = 0; i + 1 < slots.size(); i += 2) {
      matches.push_back(Match(stage, round, static_cast<int>(i / 2), slots[i], slots[i + 1]));
    }
    return matches;
  }

  static Slots Ends(const std::vector<int>& matches, From from) {
    Slots slots;
    for (const int match : matches) slots.push_back({from, match});
    return slots;
  }

  // Who drops later enters in another order each time, so that those who have met meet late. Slots
  // are exchanged in halves, quarters and so on, as the bits of `feed` say, the lowest bit the
  // halves: 1 exchanges the halves, 2 the quarters of each half, 3 reverses both. Two who have met
  // meet again only where the parts come together in which their feeds differ.
  static Slots Turned(const Slots& slots, size_t feed) {
    size_t mask = 0;
    for (size_t part = slots.size() / 2; part > 0; part /= 2, feed /= 2) {
      if (feed % 2 != 0) mask |= part;
    }
    Slots turned;
    for (size_t i = 0; i < slots.size(); ++i) turned.push_back(slots[i ^ mask]);
    return turned;
  }

  BracketPlan& plan_;
};

// The first `count` rounds, but never the last one.
std::vector<std::vector<int>> FirstRounds(const std::vector<std::vector<int>>& rounds, int count) {
  const size_t kept = std::min(static_cast<size_t>(std::max(count, 0)), rounds.size() - 1);
  return {rounds.begin(), rounds.begin() + static_cast<std::ptrdiff_t>(kept)};
}

class Evaluator {
 public:
  Evaluator(const BracketPlan& plan, const std::vector<BracketResult>& results,
            const std::vector<bool>& out, const std::vector<std::array<int, 2>>& given)
      : plan_(plan), results_(results), out_(out), given_(given) {}

  BracketState Evaluate() {
    state_.matches.resize(plan_.matches.size());
    state_.over = true;
    for (size_t i = 0; i < plan_.matches.size(); ++i) {
      Decide(static_cast<int>(i));
      const MatchStatus status = state_.matches[i].status;
      if (status == MatchStatus::kReady || status == MatchStatus::kWaiting) state_.over = false;
    }
    for (size_t i = 0; i < plan_.matches.size(); ++i) Crown(plan_.matches[i], state_.matches[i]);
    return std::move(state_);
  }

 private:
  bool IsOut(int entrant) const {
    return entrant != kNobody && static_cast<size_t>(entrant) < out_.size() && out_[entrant];
  }

  bool IsOver(int match) const {
    const MatchStatus status = state_.matches[match].status;
    return status != MatchStatus::kWaiting && status != MatchStatus::kReady;
  }

  // Whether the slot is known, and who is in it.
  bool Known(const BracketSlot& slot, int& player) const {
    player = kNobody;
    if (slot.from == From::kEmpty) return true;
    if (slot.from == From::kSeed) {
      player = slot.index;
      return true;
    }
    const BracketMatchState& before = state_.matches[slot.index];
    player = slot.from == From::kWinnerOf ? before.winner : before.loser;
    return IsOver(slot.index);
  }

  BracketResult ResultOf(int match) {
    if (static_cast<size_t>(match) >= results_.size()) return BracketResult::kOpen;
    const BracketResult result = results_[match];
    if (result == BracketResult::kOpen || static_cast<size_t>(match) >= given_.size())
      return result;
    if (given_[match] == state_.matches[match].players) return result;
    state_.dropped.push_back(match);
    return BracketResult::kOpen;
  }

  void Decide(int index) {
    const BracketMatch& match = plan_.matches[index];
    BracketMatchState& state = state_.matches[index];
    const bool first_known = Known(match.slots[0], state.players[0]);
    const bool second_known = Known(match.slots[1], state.players[1]);
    if (!first_known || !second_known) return;
    if (match.if_needed && !ResetNeeded(index)) {
      state.status = MatchStatus::kEmpty;
      return;
    }
    const auto [first, second] = state.players;
    if (first == kNobody && second == kNobody) {
      state.status = MatchStatus::kEmpty;
      return;
    }
    if (first == kNobody || second == kNobody) {
      state.status = MatchStatus::kWalkOver;
      const int there = first == kNobody ? second : first;
      (IsOut(there) ? state.loser : state.winner) = there;
      return;
    }
    Play(ResultOf(index), state);
  }

  void Play(BracketResult result, BracketMatchState& state) {
    const auto [first, second] = state.players;
    const bool first_out = IsOut(first);
    const bool second_out = IsOut(second);
    state.status = MatchStatus::kDecided;
    if (result == BracketResult::kOpen && (first_out || second_out)) {
      state.status = MatchStatus::kWalkOver;
      result = first_out && second_out ? BracketResult::kNobodyWins
               : first_out             ? BracketResult::kSecondWins
                                       : BracketResult::kFirstWins;
    }
    if (result == BracketResult::kOpen) {
      state.status = MatchStatus::kReady;
    } else if (result == BracketResult::kFirstWins) {
      state.winner = first;
      state.loser = second;
    } else if (result == BracketResult::kSecondWins) {
      state.winner = second;
      state.loser = first;
    }
  }

  // The reset stands directly behind the final it may repeat.
  bool ResetNeeded(int index) const {
    const BracketMatchState& final = state_.matches[index - 1];
    return final.winner != kNobody && final.loser != kNobody && final.winner == final.players[1];
  }

  void Crown(const BracketMatch& match, const BracketMatchState& state) {
    if (state.winner == kNobody || !state_.over) return;
    switch (match.stage) {
      case BracketStage::kMain:
      case BracketStage::kFinal:
        // Matches come in order: the last one with a winner is the final.
        state_.winner = state.winner;
        break;
      case BracketStage::kConsolation:
        state_.consolation = state.winner;
        break;
      case BracketStage::kLastChance:
        state_.last_chance = state.winner;
        break;
      default:
        break;
    }
  }

  const BracketPlan& plan_;
  const std::vector<BracketResult>& results_;
  const std::vector<bool>& out_;
  const std::vector<std::array<int, 2>>& given_;
  BracketState state_;
};

}  // namespace

std::string_view NameOf(BracketStage stage) { return kStageNames[static_cast<size_t>(stage)]; }

std::vector<int> SeedOrder(int size) {
  std::vector<int> order = {0};
  for (int filled = 2; filled <= size; filled *= 2) {
    std::vector<int> wider;
    for (const int seed : order) {
      wider.push_back(seed);
      wider.push_back(filled - 1 - seed);
    }
    order = std::move(wider);
  }
  return order;
}

BracketPlan PlanBracket(int entrants, const BracketOptions& options) {
  BracketPlan plan{entrants, options, {}};
  Planner planner(plan);
  Slots seeds;
  const int size = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(entrants, 2))));
  for (const int seed : SeedOrder(size)) {
    seeds.push_back(seed < entrants ? BracketSlot{From::kSeed, seed} : BracketSlot{});
  }
  const std::vector<std::vector<int>> main = planner.KnockOut(BracketStage::kMain, seeds);
  const int last = main.back().front();
  if (options.lower) {
    const std::vector<std::vector<int>> lower = planner.Fed(BracketStage::kLower, main);
    const BracketSlot beaten = lower.empty() ? BracketSlot{From::kLoserOf, last}
                                             : BracketSlot{From::kWinnerOf, lower.back().front()};
    const BracketSlot unbeaten{From::kWinnerOf, last};
    planner.Match(BracketStage::kFinal, 0, 0, unbeaten, beaten);
    if (options.reset) {
      plan.matches[planner.Match(BracketStage::kFinal, 1, 0, unbeaten, beaten)].if_needed = true;
    }
  } else if (options.third_place && main.size() > 1) {
    const std::vector<int>& semifinals = main[main.size() - 2];
    planner.Match(BracketStage::kThirdPlace, 0, 0, {From::kLoserOf, semifinals[0]},
                  {From::kLoserOf, semifinals[1]});
  }
  if (options.consolation_rounds <= 0 || options.lower) return plan;
  const auto feeds = FirstRounds(main, options.consolation_rounds);
  if (feeds.empty()) return plan;
  const auto consolation = planner.Fed(BracketStage::kConsolation, feeds);
  if (options.last_chance_rounds <= 0 || consolation.empty()) return plan;
  const auto further = FirstRounds(consolation, options.last_chance_rounds);
  if (!further.empty()) planner.Fed(BracketStage::kLastChance, further);
  return plan;
}

BracketState EvaluateBracket(const BracketPlan& plan, const std::vector<BracketResult>& results,
                             const std::vector<bool>& out,
                             const std::vector<std::array<int, 2>>& given) {
  return Evaluator(plan, results, out, given).Evaluate();
}

std::vector<int> BracketPlaces(const BracketPlan& plan, const BracketState& state) {
  // By entrant, the last match that counts for places and was lost; later ones are nearer to the
  // end.
  std::vector<int> lost_in(static_cast<size_t>(plan.entrants), kNobody);
  int main_rounds = 0;
  for (const BracketMatch& match : plan.matches) {
    if (match.stage == BracketStage::kMain) main_rounds = std::max(main_rounds, match.round + 1);
  }
  // Stages are numbered in the order of their weight; who loses the match for third place comes
  // directly behind who wins it and lost the semifinal only.
  const auto level = [main_rounds](const BracketMatch& match) {
    if (match.stage != BracketStage::kThirdPlace) {
      return std::make_pair(static_cast<int>(match.stage), 2 * match.round);
    }
    return std::make_pair(static_cast<int>(BracketStage::kMain), 2 * (main_rounds - 2) - 1);
  };
  std::vector<std::pair<int, int>> levels;
  std::vector<int> places(lost_in.size(), 0);
  for (size_t i = 0; i < plan.matches.size(); ++i) {
    const BracketMatch& match = plan.matches[i];
    const BracketMatchState& played = state.matches[i];
    if (match.stage == BracketStage::kConsolation || match.stage == BracketStage::kLastChance)
      break;
    const bool over =
        played.status != MatchStatus::kWaiting && played.status != MatchStatus::kReady;
    if (!over) continue;
    for (const int player : played.players) {
      if (player == kNobody || player == played.winner) continue;
      if (match.if_needed && played.status == MatchStatus::kEmpty) continue;
      lost_in[player] = static_cast<int>(i);
    }
  }
  if (!state.over) return places;
  for (const int match : lost_in) {
    if (match != kNobody) levels.push_back(level(plan.matches[match]));
  }
  std::sort(levels.rbegin(), levels.rend());
  for (size_t i = 0; i < places.size(); ++i) {
    if (static_cast<int>(i) == state.winner) {
      places[i] = 1;
    } else if (lost_in[i] != kNobody) {
      const auto better =
          std::find(levels.begin(), levels.end(), level(plan.matches[lost_in[i]])) - levels.begin();
      places[i] = static_cast<int>(better) + (state.winner == kNobody ? 1 : 2);
    }
  }
  return places;
}

}  // namespace astragal::algorithms
