// The ruleset against the slow generator of reference.h on positions of random games: all 21 rolls,
// every option, the legal steps at every moment of a random path through the turn, and every end.
//
// ASTRAGAL_REFERENCE_POSITIONS is the number of positions (100,000 is the full form; the default
// keeps the test short). ASTRAGAL_SEED repeats a run.
#include "tests/plugins/long_narde/reference.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/plugins/long_narde/game.h"

namespace astragal::long_narde {
namespace {

constexpr uint64_t kDefaultPositions = 3000;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

reference::Board ToReference(const Position& position) {
  reference::Board board;
  for (int i = 0; i < kPoints; ++i) {
    if (position.count[kWhite][i] > 0) {
      board.points[AbsolutePoint(kWhite, i)] = static_cast<signed char>(position.count[kWhite][i]);
    }
    if (position.count[kBlack][i] > 0) {
      board.points[AbsolutePoint(kBlack, i)] = static_cast<signed char>(-position.count[kBlack][i]);
    }
  }
  for (int seat : {kWhite, kBlack}) board.off[seat] = static_cast<signed char>(position.off[seat]);
  return board;
}

std::string ChoiceOf(const Position& position, Option option) {
  return kOptions[option].choices[position.option[option]];
}

// The sheet's words again, not the ruleset's table.
int FromHeadAllowed(const Position& position, int high, int low) {
  if (position.first_turn[position.mover] == 0) return 1;
  const std::string rule = ChoiceOf(position, kHeadFirstTurn);
  if (rule == "any_roll") return 2;
  if (rule == "none" || high != low) return 1;
  if (rule == "any_double") return 2;
  if (rule == "doubles_346") return high == 3 || high == 4 || high == 6 ? 2 : 1;
  return high == 4 || high == 6 ? 2 : 1;  // doubles_46
}

std::set<reference::Step> ListedSteps(const Position& position) {
  std::set<reference::Step> steps;
  for (const int64_t action : Actions(position)) {
    steps.insert({AbsolutePoint(position.mover, StepIndex(action)), StepDie(action)});
  }
  return steps;
}

std::set<reference::Board> ListedEnds(const Position& rolled, int seat) {
  std::set<reference::Board> ends;
  std::set<Position> level = {rolled};
  while (!level.empty()) {
    std::set<Position> next;
    for (const Position& from : level) {
      for (const int64_t action : Actions(from)) {
        Position after = from;
        EXPECT_TRUE(Apply(after, seat, action));
        if (Table().actor(&after) == seat) {
          next.insert(after);
        } else {
          ends.insert(ToReference(after));
        }
      }
    }
    level = std::move(next);
  }
  return ends;
}

// One roll from a position in which the mover is to roll; false at the first difference.
bool CompareRoll(const Position& before, int outcome, int high, int low, RandomEngine& random) {
  const int seat = before.mover;
  Position position = before;
  Apply(position, ASTRAGAL_CHANCE, ASTRAGAL_CHANCE_ACTION(kRollThrow, outcome));

  reference::Turn turn({ChoiceOf(before, kPrimeRule), ChoiceOf(before, kPrimeCheck)}, seat);
  reference::Moment moment;
  moment.board = ToReference(before);
  moment.dice = high == low ? std::vector<int>(4, high) : std::vector<int>{low, high};
  moment.from_head = FromHeadAllowed(before, high, low);

  if (Table().actor(&position) != seat) {
    EXPECT_EQ(turn.DiceUsed(moment), 0);
    return turn.DiceUsed(moment) == 0;
  }
  EXPECT_EQ(ListedEnds(position, seat), turn.Ends(moment));
  int played = 0;
  while (Table().actor(&position) == seat) {
    EXPECT_EQ(ListedSteps(position), turn.LegalSteps(moment));
    if (testing::Test::HasFailure()) return false;
    const std::vector<int64_t> actions = Actions(position);
    const int64_t action = actions[random() % actions.size()];
    moment = turn.After(moment, {AbsolutePoint(seat, StepIndex(action)), StepDie(action)});
    Apply(position, seat, action);
    ++played;
  }
  return played > 0;
}

TEST(Reference, AgreesOnRandomReachablePositions) {
  const uint64_t wanted = FromEnvironment("ASTRAGAL_REFERENCE_POSITIONS", kDefaultPositions);
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", std::random_device{}());
  RandomEngine random(seed);
  uint64_t positions = 0;
  for (uint64_t game = 0; positions < wanted; ++game) {
    Position position = StartWith(RandomOptions(random));
    while (Table().actor(&position) != ASTRAGAL_OVER && positions < wanted) {
      const int actor = Table().actor(&position);
      if (actor != ASTRAGAL_CHANCE) {
        const std::vector<int64_t> actions = Actions(position);
        Apply(position, actor, actions[random() % actions.size()]);
        continue;
      }
      if (position.phase == kRoll) {
        ++positions;
        int outcome = 0;
        for (int high = 1; high <= 6; ++high) {
          for (int low = 1; low <= high; ++low, ++outcome) {
            ASSERT_TRUE(CompareRoll(position, outcome, high, low, random))
                << "ASTRAGAL_SEED=" << seed << " game " << game << ": " << Format(position) << ", "
                << high << '-' << low;
          }
        }
      }
      Apply(position, actor, RandomThrow(position, random));
    }
  }
  std::printf("%llu positions, all 21 rolls, ASTRAGAL_SEED=%llu\n",
              static_cast<unsigned long long>(positions), static_cast<unsigned long long>(seed));
}

}  // namespace
}  // namespace astragal::long_narde
