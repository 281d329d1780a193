// The worked examples N1 to N25 of the rule sheet, each under its name. Points are the sheet's
// absolute numbers; checkers that are not named are off.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/plugins/long_narde/game.h"

namespace astragal::long_narde {
namespace {

using Points = std::map<int, int>;  // absolute point to checkers

std::string OwnText(int seat, const Points& points) {
  std::map<int, int, std::greater<int>> own;
  for (const auto& [point, count] : points) own[OwnPoint(IndexOfAbsolute(seat, point))] = count;
  std::string text;
  for (const auto& [point, count] : own) {
    if (!text.empty()) text += ' ';
    text += std::to_string(point);
    text += ':';
    text += std::to_string(count);
  }
  return text;
}

struct Example {
  const char* name;
  Points white;
  Points black;
  int mover;
  bool first_turn;
  const char* roll;
  int dice_used;
  std::vector<Points> ends;  // the mover's side
};

Position Before(const Points& white, const Points& black, int mover, bool first_turn,
                const std::string& options = "head_first_turn=doubles_346") {
  const std::string seat = mover == kWhite ? "white" : "black";
  return Parse("white " + OwnText(kWhite, white) + " black " + OwnText(kBlack, black) + " roll " +
               seat + (first_turn ? " first " + seat : "") + " " + options);
}

const Points kWhiteStart = {{24, 15}};
const Points kBlackStart = {{12, 15}};
const Points kN11White = {{5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 1}, {16, 1}, {24, 9}};

const std::vector<Example> kExamples = {
    {"N1",
     kWhiteStart,
     kBlackStart,
     kWhite,
     true,
     "3-3",
     4,
     {{{18, 2}, {24, 13}}, {{21, 1}, {15, 1}, {24, 13}}}},
    {"N2", kWhiteStart, kBlackStart, kWhite, true, "6-6", 2, {{{18, 2}, {24, 13}}}},
    {"N3", kWhiteStart, kBlackStart, kWhite, false, "6-6", 1, {{{18, 1}, {24, 14}}}},
    {"N4", {{24, 14}, {4, 1}}, kBlackStart, kBlack, true, "4-4", 2, {{{8, 2}, {12, 13}}}},
    {"N5", {{24, 14}, {4, 1}}, kBlackStart, kBlack, true, "2-2", 3, {{{6, 1}, {12, 14}}}},
    {"N6", {{24, 14}, {4, 1}}, kBlackStart, kBlack, true, "5-5", 4, {{{16, 1}, {12, 14}}}},
    {"N7", {{13, 1}}, {{6, 15}}, kWhite, false, "6-1", 1, {{{7, 1}}}},
    {"N8", {{20, 1}}, {{14, 1}, {13, 1}, {12, 13}}, kWhite, false, "6-1", 1, {{{19, 1}}}},
    {"N9", {{20, 1}}, {{14, 1}, {12, 14}}, kWhite, false, "6-3", 2, {{{11, 1}}}},
    {"N10", {{24, 1}}, {{21, 1}, {12, 14}}, kWhite, false, "3-3", 0, {}},
    {"N18", {{6, 15}}, kBlackStart, kWhite, false, "6-5", 2, {{{6, 13}, {1, 1}}}},
    {"N19", {{5, 1}, {2, 1}}, kBlackStart, kWhite, false, "6-6", 2, {{}}},
    {"N20", {{6, 1}, {2, 2}}, kBlackStart, kWhite, false, "4-3", 2, {{{2, 2}}}},
    {"N21",
     {{7, 1}, {6, 3}, {1, 2}},
     kBlackStart,
     kWhite,
     false,
     "6-1",
     2,
     {{{6, 3}, {1, 2}}, {{6, 2}, {5, 1}, {1, 3}}}},
    {"N22", kWhiteStart, {{18, 1}, {13, 2}}, kBlack, false, "6-2", 2, {{{13, 1}}, {{13, 2}}}},
    {"N23", kWhiteStart, {{17, 1}, {15, 1}}, kBlack, false, "6-3", 2, {{}, {{14, 1}}}},
    {"N24",
     {{3, 2}, {1, 1}},
     kBlackStart,
     kWhite,
     false,
     "2-1",
     2,
     {{{3, 1}, {1, 1}}, {{2, 1}, {1, 2}}}},
};

class WorkedExample : public ::testing::TestWithParam<Example> {};

TEST_P(WorkedExample, HasTheEndsOfTheSheet) {
  const Example& example = GetParam();
  const TurnEnds turn =
      EndsOf(Before(example.white, example.black, example.mover, example.first_turn), example.roll);
  std::set<std::string> expected;
  for (const Points& end : example.ends) expected.insert(OwnText(example.mover, end));
  EXPECT_EQ(turn.ends, expected);
  EXPECT_EQ(turn.dice_used, example.dice_used);
}

INSTANTIATE_TEST_SUITE_P(Sheet, WorkedExample, ::testing::ValuesIn(kExamples),
                         [](const auto& test) { return test.param.name; });

bool HoldsAll(const std::string& side, const std::vector<int>& points) {
  for (const int point : points) {
    if ((' ' + side).find(' ' + std::to_string(point) + ':') == std::string::npos) return false;
  }
  return true;
}

TEST(WorkedExamples, N11BlockInFrontOfAllOfBlack) {
  const TurnEnds turn = EndsOf(Before(kN11White, kBlackStart, kWhite, false), "6-1");
  EXPECT_EQ(turn.ends.size(), 31u);
  for (const std::string& end : turn.ends) EXPECT_FALSE(HoldsAll(end, {5, 6, 7, 8, 9, 10})) << end;
}

TEST(WorkedExamples, N12BlackHasPassedTheBlock) {
  const TurnEnds turn = EndsOf(Before(kN11White, {{12, 14}, {3, 1}}, kWhite, false), "6-1");
  int blocks = 0;
  for (const std::string& end : turn.ends) blocks += HoldsAll(end, {5, 6, 7, 8, 9, 10});
  EXPECT_GT(blocks, 0);
}

TEST(WorkedExamples, N13BlackIsStillBehindTheBlock) {
  const TurnEnds turn = EndsOf(Before(kN11White, {{12, 14}, {11, 1}}, kWhite, false), "6-1");
  EXPECT_EQ(turn.ends.size(), 31u);
}

TEST(WorkedExamples, N14BlockInFrontOfAllOfWhite) {
  Position position = Before(
      kWhiteStart, {{17, 1}, {18, 1}, {19, 1}, {20, 1}, {21, 1}, {23, 1}, {12, 9}}, kBlack, false);
  Play(position, "2-1");
  const int64_t step = StepAction(IndexOfAbsolute(kBlack, 23), 1);
  EXPECT_FALSE(Apply(position, kBlack, step));
}

TEST(WorkedExamples, N15BlockOverTheOpponentsSeam) {
  const TurnEnds turn =
      EndsOf(Before({{24, 6}, {16, 1}, {15, 1}, {14, 1}, {13, 1}, {12, 2}, {10, 3}}, {{9, 15}},
                    kWhite, false),
             "5-1");
  int blocks = 0;
  for (const std::string& end : turn.ends) blocks += HoldsAll(end, {11, 12, 13, 14, 15, 16});
  EXPECT_GT(blocks, 0);
}

// The position of record LN066.
TEST(WorkedExamples, N16BlockOverTheMoversOwnSeam) {
  const Points white = {{1, 1},  {6, 1},  {10, 1}, {13, 1}, {16, 1},
                        {21, 1}, {22, 1}, {23, 1}, {24, 7}};
  const std::vector<int> block = {1, 24, 23, 22, 21, 20};
  const Points behind = {{2, 1}, {3, 4}, {4, 5}, {5, 2}, {12, 3}};
  const TurnEnds turn = EndsOf(Before(white, behind, kWhite, false), "5-4");
  EXPECT_EQ(turn.ends.size(), 38u);
  for (const std::string& end : turn.ends) EXPECT_FALSE(HoldsAll(end, block)) << end;
  // With one Black checker past it the same six points are allowed.
  const Points passed = {{2, 1}, {3, 4}, {4, 5}, {5, 2}, {12, 2}, {19, 1}};
  int blocks = 0;
  for (const std::string& end : EndsOf(Before(white, passed, kWhite, false), "5-4").ends) {
    blocks += HoldsAll(end, block);
  }
  EXPECT_GT(blocks, 0);
}

// The positions of records LN126 and LN139.
TEST(WorkedExamples, N17JudgedAfterEachStepOrAfterTheTurn) {
  struct Case {
    const char* name;
    Points white;
    Points black;
    const char* roll;
    size_t each_step;
    size_t turn_end;
  };
  const Case cases[] = {
      {"one end more",
       {{7, 1}, {8, 3}, {16, 1}, {24, 10}},
       {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {11, 1}, {12, 9}},
       "5-4",
       20,
       21},
      {"a turn instead of none",
       {{7, 2},
        {8, 2},
        {11, 1},
        {15, 1},
        {16, 1},
        {17, 1},
        {18, 1},
        {19, 1},
        {20, 1},
        {21, 1},
        {22, 1},
        {23, 1},
        {24, 1}},
       {{1, 2}, {2, 5}, {3, 1}, {4, 1}, {5, 1}, {12, 4}, {14, 1}},
       "6-5",
       0,
       1},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(EndsOf(Before(c.white, c.black, kBlack, false), c.roll).ends.size(), c.each_step)
        << c.name;
    EXPECT_EQ(
        EndsOf(Before(c.white, c.black, kBlack, false, "prime_check=turn_end"), c.roll).ends.size(),
        c.turn_end)
        << c.name;
  }
}

TEST(WorkedExamples, N25PointsOfAWin) {
  struct Case {
    int black_off;
    int64_t points;
  };
  for (const Case& c : {Case{0, 2}, Case{1, 1}}) {
    Position position = Before({{1, 1}}, {{12, 15 - c.black_off}}, kWhite, false);
    Play(position, "2-1");
    Play(position, "1/off");
    const auto result = [&] {
      std::vector<astragal_seat_result> list(2);
      Table().result(&position, list.data());
      return list;
    }();
    EXPECT_EQ(Table().actor(&position), ASTRAGAL_OVER);
    EXPECT_EQ(result[kWhite].place, 1);
    EXPECT_EQ(result[kWhite].points, c.points);
    EXPECT_EQ(result[kBlack].place, 2);
    EXPECT_EQ(result[kBlack].points, 0);
  }
}

// Section 4 of the sheet: ends of the first turn of the side that moves first.
TEST(FirstTurnTable, Doubles346) {
  const std::map<std::string, std::vector<Points>> table = {
      {"1-1", {{{20, 1}}}}, {"2-1", {{{21, 1}}}}, {"2-2", {{{16, 1}}}},
      {"3-1", {{{20, 1}}}}, {"3-2", {{{19, 1}}}}, {"3-3", {{{18, 2}}, {{21, 1}, {15, 1}}}},
      {"4-1", {{{19, 1}}}}, {"4-2", {{{18, 1}}}}, {"4-3", {{{17, 1}}}},
      {"4-4", {{{16, 2}}}}, {"5-1", {{{18, 1}}}}, {"5-2", {{{17, 1}}}},
      {"5-3", {{{16, 1}}}}, {"5-4", {{{15, 1}}}}, {"5-5", {{{4, 1}}}},
      {"6-1", {{{17, 1}}}}, {"6-2", {{{16, 1}}}}, {"6-3", {{{15, 1}}}},
      {"6-4", {{{14, 1}}}}, {"6-5", {{{13, 1}}}}, {"6-6", {{{18, 2}}}},
  };
  ASSERT_EQ(table.size(), 21u);
  for (const auto& [roll, ends] : table) {
    std::set<std::string> expected;
    for (Points end : ends) {
      int checkers = 0;
      for (const auto& [point, count] : end) checkers += count;
      end[24] = 15 - checkers;
      expected.insert(OwnText(kWhite, end));
    }
    EXPECT_EQ(EndsOf(Before(kWhiteStart, kBlackStart, kWhite, true), roll).ends, expected) << roll;
  }
}

TEST(FirstTurnTable, AnyRoll) {
  const Position start = Before(kWhiteStart, kBlackStart, kWhite, true, "");
  for (int high = 1; high <= 6; ++high) {
    for (int low = 1; low <= high; ++low) {
      const size_t expected = high != low ? 2 : high == 4 || high == 6 ? 1 : high == 3 ? 2 : 3;
      std::string roll = std::to_string(high);
      roll += '-';
      roll += std::to_string(low);
      EXPECT_EQ(EndsOf(start, roll).ends.size(), expected) << roll;
    }
  }
}

}  // namespace
}  // namespace astragal::long_narde
