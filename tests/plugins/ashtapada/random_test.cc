// Random games: nothing is lost, everything ends, and the slow rules agree.
//
//   ASTRAGAL_RANDOM_GAMES=100000 build/tests/ashtapada_random_test --gtest_filter='RandomGames*'
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "plugins/ashtapada/action.h"
#include "tests/plugins/ashtapada/driver.h"
#include "tests/plugins/ashtapada/slow_rules.h"

namespace astragal::ashtapada_test {
namespace {

// Every piece is somewhere, by the table alone.
int CountPieces(const Position& position) {
  astragal_piece pieces[ashtapada::kSeats * ashtapada::kMaxPieces];
  const uint32_t count = Table().pieces(&position, pieces, std::size(pieces));
  int sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += pieces[i].count;
  return sum;
}

struct Campaign {
  const char* preset;
  const char* players;
};
class RandomGames : public ::testing::TestWithParam<Campaign> {};

TEST_P(RandomGames, EndAndLoseNothing) {
  const uint64_t games = FromEnvironment("ASTRAGAL_RANDOM_GAMES", 100);
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 1);
  SCOPED_TRACE("ASTRAGAL_SEED=" + std::to_string(seed));
  Random random(seed);
  std::vector<int64_t> values = PresetValues(GetParam().preset);
  values[ashtapada::kPlayers] = std::atoi(GetParam().players);
  uint64_t steps = 0;
  uint64_t longest = 0;
  size_t widest = 0;
  std::vector<uint64_t> won(ashtapada::kSeats);
  std::vector<int64_t> actions(Table().about->max_actions);
  for (uint64_t game = 0; game < games; ++game) {
    Position position = Start(values);
    uint64_t length = 0;
    for (;; ++length) {
      const int actor = Table().actor(&position);
      if (actor == ASTRAGAL_OVER) break;
      ASSERT_LT(length, Table().about->max_game_actions);
      int64_t action = 0;
      if (actor == ASTRAGAL_CHANCE) {
        action = DrawThrow(position, random);
      } else {
        const uint32_t count =
            Table().actions(&position, actions.data(), static_cast<uint32_t>(actions.size()));
        ASSERT_GT(count, 0u) << ToText(position);
        ASSERT_LE(count, actions.size());
        widest = std::max<size_t>(widest, count);
        action = actions[random() % count];
      }
      ASSERT_EQ(TryApply(position, actor, action), "");
      ASSERT_EQ(CountPieces(position), values[ashtapada::kPlayers] * values[ashtapada::kPieces])
          << ToText(position);
    }
    ASSERT_TRUE(IsPosition(position));
    steps += length;
    longest = std::max(longest, length);
    int winner = 0;
    while (Results(position)[winner].place != 1) ++winner;
    ++won[winner];
  }
  std::printf("%s, %s players: %llu games, %.1f steps each, longest %llu, widest %zu, won",
              GetParam().preset, GetParam().players, static_cast<unsigned long long>(games),
              static_cast<double>(steps) / static_cast<double>(games),
              static_cast<unsigned long long>(longest), widest);
  for (int seat = 0; seat < values[ashtapada::kPlayers]; ++seat) {
    std::printf(" %llu", static_cast<unsigned long long>(won[seat]));
  }
  std::printf("\n");
}

INSTANTIATE_TEST_SUITE_P(Presets, RandomGames,
                         ::testing::Values(Campaign{"standard", "2"}, Campaign{"standard", "3"},
                                           Campaign{"standard", "4"}, Campaign{"strict", "2"},
                                           Campaign{"strict", "3"}, Campaign{"strict", "4"}),
                         [](const auto& campaign) {
                           return std::string(campaign.param.preset) + "_" + campaign.param.players;
                         });

// ---- Against the slow rules.

// The plugin's action with the own index in place of the square.
std::string SlowName(const Position& position, int64_t code) {
  ashtapada::Action action;
  EXPECT_TRUE(ashtapada::Decode(code, action));
  if (action.kind == ashtapada::kEnter) return "enter";
  if (action.kind == ashtapada::kBearOff) return "off";
  std::string name = std::to_string(action.from) + (action.size == 2 ? " twins " : " ");
  bool first = true;
  for (int score = 0; score < ashtapada::kScores; ++score) {
    for (int i = 0; i < action.throws[score]; ++i) {
      name += (first ? "" : "+") + std::to_string(ashtapada::kScoreValues[score]);
      first = false;
    }
  }
  static_cast<void>(position);
  return name;
}

std::vector<int> Indices(std::vector<SlowPiece> pieces) {
  std::vector<int> indices;
  for (const SlowPiece& piece : pieces) indices.push_back(piece.index);
  std::sort(indices.begin(), indices.end());
  return indices;
}

std::string TurnOf(const Position& position) {
  return position.phase == ashtapada::kOver ? "" : ashtapada::kSeatNames[position.turn];
}

void CompareAfter(const SlowAction& slow, const Position& after, const std::string& before) {
  SCOPED_TRACE(before + " / " + slow.name);
  const SlowGame game = Observe(after);
  for (const auto& [seat, pieces] : slow.after.pieces) {
    ASSERT_EQ(Indices(game.pieces.at(seat)), Indices(pieces)) << seat;
  }
  ASSERT_EQ(TurnOf(after), SlowNext(slow.after));
  if (after.phase != ashtapada::kActing) return;
  ASSERT_EQ(game.left, slow.after.left);
  ASSERT_EQ(game.captured, slow.after.captured);
  ASSERT_EQ(game.pieces.at(game.turn), slow.after.pieces.at(game.turn));
}

void CompareActions(const Position& position) {
  const std::string text = ToText(position);
  const SlowGame game = Observe(position);
  std::map<std::string, SlowAction> slow;
  for (const SlowAction& action : SlowActions(game)) slow.emplace(action.name, action);
  const std::string& forgo = game.options.at("forgo");
  const bool may_stop = forgo == "any" || (forgo == "after_first" && game.acted);
  std::set<std::string> found;
  for (const int64_t code : Actions(position)) {
    if (code == 0) {
      ASSERT_TRUE(may_stop) << text;
      continue;
    }
    const std::string name = SlowName(position, code);
    ASSERT_TRUE(found.insert(name).second) << text << " / " << name;
    ASSERT_EQ(slow.count(name), 1u) << text << " / " << name;
    ASSERT_NO_FATAL_FAILURE(
        CompareAfter(slow.at(name), Apply(position, position.turn, code), text));
  }
  ASSERT_EQ(found.size(), slow.size()) << text;
  ASSERT_EQ(Actions(position).front() == 0, may_stop) << text;
}

// Throws a series and compares what remains of it; returns when somebody acts or the turn passed.
void CompareSeries(Position& position, Random& random) {
  const SlowGame before = Observe(position);
  std::vector<int> throws;
  const int thrower = position.turn;
  while (position.phase == ashtapada::kThrowing) {
    const int64_t action = DrawThrow(position, random);
    throws.push_back(ashtapada::kScoreValues[ASTRAGAL_CHANCE_OUTCOME(action)]);
    position = Apply(position, ASTRAGAL_CHANCE, action);
    if (throws.back() == 2 || throws.back() == 3) break;
  }
  SlowGame game = before;
  game.left = SlowSeries(before, throws);
  if (position.phase == ashtapada::kActing) {
    ASSERT_EQ(Observe(position).left, game.left);
    ASSERT_EQ(position.turn, thrower);
    ASSERT_EQ(SlowNext(game), TurnOf(position));
  } else {
    ASSERT_TRUE(SlowActions(game).empty());
    ASSERT_EQ(SlowNext(game), TurnOf(position));
  }
}

TEST(SlowRules, AgreeOnReachablePositions) {
  const uint64_t wanted = FromEnvironment("ASTRAGAL_ASHTAPADA_POSITIONS", 6000);
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 3);
  SCOPED_TRACE("ASTRAGAL_SEED=" + std::to_string(seed));
  Random random(seed);
  uint64_t compared = 0;
  while (compared < wanted) {
    Position position = Start(RandomOptions(random));
    // Games of all lengths, so that options that make them long do not crowd out the others.
    for (int step = 0; step < 1500 && position.phase != ashtapada::kOver; ++step) {
      if (position.phase == ashtapada::kThrowing) {
        ASSERT_NO_FATAL_FAILURE(CompareSeries(position, random));
        continue;
      }
      const bool is_small = position.left.Size() <= 6;  // the slow rules try every order
      if (position.phase == ashtapada::kActing && is_small && random() % 8 == 0) {
        ASSERT_NO_FATAL_FAILURE(CompareActions(position));
        ++compared;
      }
      RandomStep(position, random);
    }
  }
}

// ---- What the border promises, over random games with random options.

void ExpectRefusedUnchanged(const Position& position, int actor, int64_t action) {
  Position tried = position;
  ASSERT_NE(TryApply(tried, actor, action), "") << ToText(position) << " / " << action;
  ASSERT_EQ(std::memcmp(&tried, &position, sizeof(Position)), 0);
}

// Effects move the pieces as apply does: counted by place and seat.
void ExpectEffectsAgree(const Position& before, int actor, int64_t action, const Position& after) {
  std::map<std::pair<int, int>, int> balance;
  std::vector<astragal_piece> pieces(Table().about->max_pieces);
  const auto add = [&](const Position& position, int sign) {
    const uint32_t count = Table().pieces(&position, pieces.data(), Table().about->max_pieces);
    for (uint32_t i = 0; i < count; ++i) {
      balance[{pieces[i].place, pieces[i].seat}] += sign * pieces[i].count;
    }
  };
  add(before, 1);
  std::vector<astragal_effect> effects(Table().about->max_effects);
  const uint32_t count =
      Table().effects(&before, actor, action, effects.data(), Table().about->max_effects);
  ASSERT_LE(count, Table().about->max_effects);
  for (uint32_t i = 0; i < count; ++i) {
    if (effects[i].piece < 0) continue;
    --balance[{effects[i].from, effects[i].seat}];
    ++balance[{effects[i].to, effects[i].seat}];
  }
  add(after, -1);
  for (const auto& [key, value] : balance) {
    ASSERT_EQ(value, 0) << "place " << key.first << " seat " << key.second << " after "
                        << ToText(before);
  }
}

void CheckBorder(const Position& position, Random& random) {
  const int actor = Table().actor(&position);
  ASSERT_TRUE(IsPosition(position)) << ToText(position);
  const Position again = FromText(ToText(position));
  ASSERT_EQ(std::memcmp(&again, &position, sizeof(Position)), 0) << ToText(position);
  const std::vector<int64_t> actions = Actions(position);
  ASSERT_EQ(actor >= 0, !actions.empty());
  ASSERT_TRUE(std::is_sorted(actions.begin(), actions.end()));
  ASSERT_EQ(std::adjacent_find(actions.begin(), actions.end()), actions.end());
  for (const int64_t action : actions) {
    const std::string text = Notation(position, actor, action);
    ASSERT_EQ(Parse(position, actor, text), action) << text;
    const Position after = Apply(position, actor, action);
    ASSERT_TRUE(IsPosition(after)) << ToText(position) << " / " << text << "\n" << ToText(after);
    ASSERT_NO_FATAL_FAILURE(ExpectEffectsAgree(position, actor, action, after));
    for (const int bit : {0, 7, 14, 21, 28, 35, 36, 37, 40, 43, static_cast<int>(random() % 46)}) {
      const int64_t neighbour = action ^ (int64_t{1} << bit);
      if (std::binary_search(actions.begin(), actions.end(), neighbour)) continue;
      ASSERT_NO_FATAL_FAILURE(ExpectRefusedUnchanged(position, actor, neighbour));
    }
  }
}

TEST(Border, HoldsOverRandomGames) {
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 4);
  SCOPED_TRACE("ASTRAGAL_SEED=" + std::to_string(seed));
  Random random(seed);
  for (int game = 0; game < 80; ++game) {
    Position position = Start(RandomOptions(random));
    for (int step = 0; step < 1500 && position.phase != ashtapada::kOver; ++step) {
      if (random() % 8 == 0) {
        ASSERT_NO_FATAL_FAILURE(CheckBorder(position, random));
      }
      if (random() % 700 == 0 && position.IsPlaying(position.turn)) {
        position = Leave(position, position.turn);
        ASSERT_TRUE(IsPosition(position)) << ToText(position);
        continue;
      }
      const Position before = position;
      const auto [actor, action] = RandomStep(position, random);
      ASSERT_NO_FATAL_FAILURE(ExpectEffectsAgree(before, actor, action, position));
    }
  }
}

}  // namespace
}  // namespace astragal::ashtapada_test
