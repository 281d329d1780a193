// The worked examples of the rule sheet, P1 to P17, under their own names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {
namespace {

using ::testing::ElementsAreArray;

using Words = std::vector<std::string>;

// The coins of both sides and the pot, as changes.
struct Coins {
  int64_t red;
  int64_t green;
  int64_t pot;
  bool operator==(const Coins&) const = default;
};
void PrintTo(const Coins& coins, std::ostream* out) {
  *out << "red " << coins.red << ", green " << coins.green << ", pot " << coins.pot;
}

Coins CoinsOf(const Bytes& position) {
  return {Counter(position, "coins", 0), Counter(position, "coins", 1),
          Counter(position, "pot", -1)};
}

struct Example {
  const char* name;
  const char* position;
  int score;
  Words moves;         // legal moves; none: the throw has the effects below
  const char* played;  // the move whose effects stand below; "" if none
  Words effects;       // of the throw if no move is legal, otherwise of the move
  Coins change;
};

const Example kExamples[] = {
    {"P1", "red throws", 0, {}, "", {"throw red 0", "pass red", "turn green"}, {0, 0, 0}},
    {"P2",
     "red throws",
     3,
     {"in/+3", "in/-3"},
     "in/-3",
     {"enter red hand>57", "turn green"},
     {0, 0, 0}},
    {"P3",
     "red throws",
     10,
     {"in/+10", "in/-10"},
     "in/-10",
     {"enter red hand>50", "pay red 1 pot", "turn green"},
     {-1, 0, 1}},
    {"P4",
     "red throws; red anticlockwise on 20; green clockwise on 12",
     1,
     {"in/+1", "20/21"},
     "in/+1",
     {"enter red hand>1", "turn green"},
     {0, 0, 0}},
    {"P5",
     "red throws; red anticlockwise on 20; green clockwise on 12",
     2,
     {"20/22"},
     "20/22",
     {"move red 20>22", "extra red"},
     {0, 0, 0}},
    {"P6",
     "red throws; red anticlockwise on 1 20",
     1,
     {"1/2", "20/21"},
     "1/2",
     {"move red 1>2", "turn green"},
     {0, 0, 0}},
    {"P7",
     "red throws; red anticlockwise on 20; green anticlockwise on 31",
     1,
     {"20/21"},
     "20/21",
     {"move red 20>21", "turn green"},
     {0, 0, 0}},
    {"P8",
     "red throws; red anticlockwise on 12; green anticlockwise on 45",
     3,
     {"12/15*"},
     "12/15",
     {"move red 12>15", "capture green 15>hand", "pay green 1 pot", "turn green"},
     {0, -1, 1}},
    {"P9",
     "green throws; red anticlockwise on 45; green anticlockwise on 13",
     2,
     {"13/15*"},
     "13/15*",
     {"move green 43>45", "capture red 45>hand", "pay red 1 pot", "turn red"},
     {-1, 0, 1}},
    {"P10",
     "red throws; red anticlockwise on 13; green anticlockwise on 46",
     3,
     {},
     "",
     {"throw red 3", "pay red 1 pot", "pass red", "turn green"},
     {-1, 0, 1}},
    {"P11",
     "red throws; red anticlockwise on 55 off 2",
     4,
     {"55/home"},
     "55/home",
     {"bear_off red 55>home", "take red 1", "turn green"},
     {1, 0, -1}},
    {"P12",
     "red throws; red anticlockwise hand 3 on 55 off 2",
     10,
     {},
     "",
     {"throw red 10", "pay red 1 pot", "pass red", "turn green"},
     {-1, 0, 1}},
    {"P13",
     "red throws; red anticlockwise on 57 off 5",
     2,
     {"57/home"},
     "57/home",
     {"bear_off red 57>home", "take red 1", "take red 39", "finish red 1", "finish green 2"},
     {40, 0, -40}},
    {"P14",
     "red throws; red anticlockwise on 57 off 5; green anticlockwise on 29",
     2,
     {},
     "",
     {"throw red 2", "pay red 1 pot", "pass red", "turn green"},
     {-1, 0, 1}},
    {"P15",
     "red throws; red anticlockwise on 8",
     2,
     {"8/10"},
     "8/10",
     {"move red 8>10", "pay red 1 pot", "turn green"},
     {-1, 0, 1}},
    {"P16",
     "red throws; red anticlockwise hand 4 on - off 2",
     4,
     {"in/+4"},
     "in/+4",
     {"enter red hand>4", "turn green"},
     {0, 0, 0}},
    {"P17",
     "red throws; red anticlockwise on 2 4 6; green clockwise on 22",
     2,
     {},
     "",
     {"throw red 2", "pay red 1 pot", "pass red", "turn green"},
     {-1, 0, 1}},
};

class WorkedExamples : public ::testing::TestWithParam<Example> {};

TEST_P(WorkedExamples, IsAsTheSheetSays) {
  const Example& example = GetParam();
  const Bytes before = FromText(example.position);
  const Bytes thrown = Throw(before, example.score);
  EXPECT_THAT(Moves(thrown), ElementsAreArray(example.moves));
  Bytes after = thrown;
  if (example.moves.empty()) {
    EXPECT_THAT(ThrowEffects(before, example.score), ElementsAreArray(example.effects));
  } else {
    EXPECT_THAT(PlayEffects(thrown, example.played), ElementsAreArray(example.effects));
    after = Play(thrown, example.played);
  }
  const Coins was = CoinsOf(before);
  const Coins is = CoinsOf(after);
  EXPECT_EQ((Coins{is.red - was.red, is.green - was.green, is.pot - was.pot}), example.change);
}

INSTANTIATE_TEST_SUITE_P(Sheet, WorkedExamples, ::testing::ValuesIn(kExamples),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace astragal::patolli_test
