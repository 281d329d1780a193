// Every value of every option, by name.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/plugins/long_narde/game.h"

namespace astragal::long_narde {
namespace {

constexpr const char* kStart = "white 24:15 black 24:15 roll white first both ";

size_t HeadLeaversOnFirstTurn(const std::string& options, const std::string& roll) {
  size_t most = 0;
  for (const std::string& end : EndsOf(Parse(kStart + options), roll).ends) {
    const std::string head = end.substr(0, end.find(' '));  // "24:13"
    most = std::max<size_t>(most, 15 - std::stoul(head.substr(3)));
  }
  return most;
}

// A value of an option, and what it makes of each case.
struct HeadFirstTurnValue {
  const char* value;
  std::vector<std::pair<const char*, size_t>> leavers;  // by roll
};
class HeadFirstTurn : public ::testing::TestWithParam<HeadFirstTurnValue> {};

TEST_P(HeadFirstTurn, LetsSoManyLeave) {
  for (const auto& [roll, leavers] : GetParam().leavers) {
    const std::string option = "head_first_turn=" + std::string(GetParam().value);
    EXPECT_EQ(HeadLeaversOnFirstTurn(option, roll), leavers) << roll;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Value, HeadFirstTurn,
    ::testing::Values(HeadFirstTurnValue{"any_roll", {{"2-1", 2}, {"1-1", 2}, {"6-6", 2}}},
                      HeadFirstTurnValue{
                          "doubles_346",
                          {{"2-1", 1}, {"1-1", 1}, {"3-3", 2}, {"4-4", 2}, {"6-6", 2}, {"5-5", 1}}},
                      HeadFirstTurnValue{"doubles_46", {{"3-3", 1}, {"4-4", 2}, {"6-6", 2}}},
                      HeadFirstTurnValue{"any_double", {{"1-1", 2}, {"5-5", 2}, {"2-1", 1}}},
                      HeadFirstTurnValue{"none", {{"6-6", 1}, {"4-4", 1}, {"2-1", 1}}}),
    [](const auto& test) { return test.param.value; });

TEST(Options, HeadFirstTurnIsOverAfterAPassedTurn) {
  // White's first roll cannot be played; its next turn is not a first one.
  Position position =
      Parse("white 24:15 black 24:13 7:1 6:1 roll white first white head_first_turn=any_roll");
  Play(position, "6-5");  // Black stands on White's 18 and 19
  EXPECT_EQ(position.mover, kBlack);
  EXPECT_EQ(position.first_turn[kWhite], 0);
}

// White holds 20 to 16 (own) and can make it six from 15 with a 1 from 16... or by 24/21 with a 3.
bool CanClose(const std::string& black, const std::string& rule) {
  Position position = Parse("white 24:10 20:1 19:1 18:1 17:1 16:1 black " + black +
                            " roll white prime_rule=" + rule);
  Play(position, "3-1");
  for (const std::string& step : StepTexts(position)) {
    if (step == "24/21") return true;
  }
  return false;
}

// The six points 21 to 16 are indices 15 to 20 of Black's route; own points 9 to 4.
struct PrimeRuleValue {
  const char* value;
  bool all_behind, one_right_behind, one_past_at_home, one_off;  // whether Black so allows it
};
class PrimeRule : public ::testing::TestWithParam<PrimeRuleValue> {};

TEST_P(PrimeRule, AllowsSixInARow) {
  const PrimeRuleValue& rule = GetParam();
  EXPECT_EQ(CanClose("24:15", rule.value), rule.all_behind);
  EXPECT_EQ(CanClose("24:14 10:1", rule.value), rule.one_right_behind);
  EXPECT_EQ(CanClose("24:14 3:1", rule.value), rule.one_past_at_home);
  EXPECT_EQ(CanClose("24:14", rule.value), rule.one_off);
}

INSTANTIATE_TEST_SUITE_P(Value, PrimeRule,
                         ::testing::Values(PrimeRuleValue{"opponent_ahead", 0, 0, 1, 1},
                                           PrimeRuleValue{"opponent_home", 0, 0, 1, 1},
                                           PrimeRuleValue{"never", 0, 0, 0, 0},
                                           PrimeRuleValue{"none", 1, 1, 1, 1}),
                         [](const auto& test) { return test.param.value; });

TEST(Options, PrimeRuleOpponentAheadOfTheBlockButNotHome) {
  // White makes 11 to 6 with 17/11; Black's checker on its own 16 has passed none of Black's home.
  const std::string board = "white 24:9 17:1 10:1 9:1 8:1 7:1 6:1 black 24:14 ";
  struct Case {
    const char* where;
    const char* rule;
    bool legal;
  };
  // White's own 5 is Black's own 17, index 7: beyond the block (indices 1 to 6), not at home.
  for (const Case& c : {Case{"17:1", "opponent_ahead", true}, Case{"17:1", "opponent_home", false},
                        Case{"6:1", "opponent_ahead", true}, Case{"6:1", "opponent_home", true}}) {
    Position position = Parse(board + c.where + " roll white prime_rule=" + c.rule);
    Play(position, "6-5");
    const std::vector<std::string> steps = StepTexts(position);
    EXPECT_EQ(std::count(steps.begin(), steps.end(), "17/11"), c.legal ? 1 : 0)
        << c.where << ' ' << c.rule;
  }
}

TEST(Options, PrimeCheckEachStep) {
  const Position position = Parse(
      "white 7:1 8:3 16:1 24:10 black 13:1 14:1 15:1 16:1 17:1 23:1 24:9 roll black "
      "prime_check=each_step");
  EXPECT_EQ(EndsOf(position, "5-4").ends.size(), 20u);
}

TEST(Options, PrimeCheckTurnEnd) {
  const Position position = Parse(
      "white 7:1 8:3 16:1 24:10 black 13:1 14:1 15:1 16:1 17:1 23:1 24:9 roll black "
      "prime_check=turn_end");
  EXPECT_EQ(EndsOf(position, "5-4").ends.size(), 21u);
}

int64_t PointsFor(const std::string& black, const std::string& scoring) {
  Position position = Parse("white 3:1 black " + black + " roll white scoring=" + scoring);
  Play(position, "3-1");
  Play(position, "3/off");
  astragal_seat_result result[2] = {};
  Table().result(&position, result);
  EXPECT_EQ(result[kBlack].points, 0);
  return result[kWhite].points;
}

struct ScoringCase {
  const char* name;
  const char* black;
  int64_t mars;
  int64_t koks;
};
// White's home is Black's own 18 to 13, White's head Black's own 12.
constexpr ScoringCase kScoringCases[] = {{"one off", "24:14", 1, 1},
                                         {"none off, all past", "6:15", 2, 2},
                                         {"one in White's home", "18:1 6:14", 2, 3},
                                         {"one on the last point of it", "13:1 6:14", 2, 3},
                                         {"one on White's head", "12:1 6:14", 2, 3},
                                         {"one just past it", "11:1 6:14", 2, 2},
                                         {"one just before it", "19:1 6:14", 2, 2},
                                         {"one in it but one off", "18:1 6:13", 1, 1}};

TEST(Options, ScoringMars) {
  for (const ScoringCase& c : kScoringCases) {
    EXPECT_EQ(PointsFor(c.black, "mars"), c.mars) << c.name;
  }
}

TEST(Options, ScoringMarsKoks) {
  for (const ScoringCase& c : kScoringCases) {
    EXPECT_EQ(PointsFor(c.black, "mars_koks"), c.koks) << c.name;
  }
}

TEST(Options, ScoringWinOnly) {
  for (const ScoringCase& c : kScoringCases) {
    EXPECT_EQ(PointsFor(c.black, "win_only"), 1) << c.name;
  }
}

struct Ending {
  int actor;
  int place[2];
  int64_t points[2];
};

Ending EndingOf(const Position& position) {
  astragal_seat_result result[2] = {};
  Table().result(&position, result);
  return {Table().actor(&position),
          {result[0].place, result[1].place},
          {result[0].points, result[1].points}};
}

TEST(Options, LastRollOff) {
  Position position = Parse("white 1:1 black 1:1 roll white began white");
  Play(position, "2-1");
  Play(position, "1/off");
  EXPECT_EQ(EndingOf(position).actor, ASTRAGAL_OVER);
  EXPECT_EQ(EndingOf(position).points[kWhite], 1);
}

TEST(Options, LastRollSecondPlayerCanDraw) {
  Position position = Parse("white 1:1 black 1:1 roll white began white last_roll=second_player");
  Play(position, "2-1");
  Play(position, "1/off");
  ASSERT_EQ(EndingOf(position).actor, ASTRAGAL_CHANCE);
  EXPECT_EQ(position.mover, kBlack);
  astragal_concession concession = {sizeof(concession), 0, 0, 0};
  EXPECT_EQ(Table().concession(&position, kWhite, &concession), ASTRAGAL_REFUSED);
  EXPECT_EQ(Table().concession(&position, kBlack, &concession), ASTRAGAL_OK);
  Play(position, "3-2");
  Play(position, "1/off");
  const Ending ending = EndingOf(position);
  EXPECT_EQ(ending.actor, ASTRAGAL_OVER);
  EXPECT_EQ(ending.place[kWhite], 1);
  EXPECT_EQ(ending.place[kBlack], 1);
  EXPECT_EQ(ending.points[kWhite] + ending.points[kBlack], 0);
}

TEST(Options, LastRollSecondPlayerCanMiss) {
  Position position = Parse("white 1:1 black 6:1 roll white began white last_roll=second_player");
  Play(position, "2-1");
  Play(position, "1/off");
  Play(position, "2-1");
  Play(position, "6/4");
  Play(position, "4/3");
  const Ending ending = EndingOf(position);
  EXPECT_EQ(ending.actor, ASTRAGAL_OVER);
  EXPECT_EQ(ending.place[kWhite], 1);
  EXPECT_EQ(ending.place[kBlack], 2);
  EXPECT_EQ(ending.points[kWhite], 1);
}

TEST(Options, LastRollSecondPlayerNeedsOneCheckerLeftAndTheSecondSeat) {
  for (const char* text : {"white 1:1 black 1:2 roll white began white last_roll=second_player",
                           "white 1:1 black 1:1 roll white began black last_roll=second_player"}) {
    Position position = Parse(text);
    Play(position, "2-1");
    Play(position, "1/off");
    EXPECT_EQ(EndingOf(position).actor, ASTRAGAL_OVER) << text;
  }
}

TEST(Options, FirstPlayerWhite) {
  const Position position = StartWith({0, 0, 0, 0, 0, kWhiteBegins});
  EXPECT_EQ(position.phase, kRoll);
  EXPECT_EQ(position.mover, kWhite);
}

TEST(Options, FirstPlayerBlack) {
  const Position position = StartWith({0, 0, 0, 0, 0, kBlackBegins});
  EXPECT_EQ(position.phase, kRoll);
  EXPECT_EQ(position.mover, kBlack);
}

TEST(Options, FirstPlayerRollOff) {
  struct Case {
    const char* dice;
    int actor_kind;  // throw kind that follows
    int mover;
  };
  for (const Case& c : {Case{"3-3", kOpeningThrow, kWhite}, Case{"4-3", kRollThrow, kWhite},
                        Case{"1-6", kRollThrow, kBlack}}) {
    Position position = StartWith({0, 0, 0, 0, 0, kRollOff});
    Play(position, c.dice);
    EXPECT_EQ(Table().chances(&position), c.actor_kind) << c.dice;
    EXPECT_EQ(position.mover, c.mover) << c.dice;
  }
}

TEST(Presets, SetWhatTheSheetSays) {
  struct Case {
    const char* name;
    std::string options;
  };
  const Case cases[] = {{"standard", ""},
                        {"federation", "head_first_turn=doubles_346 last_roll=second_player "},
                        {"azerbaijani", "head_first_turn=doubles_46 "},
                        {"three_points", "scoring=mars_koks "}};
  const astragal_about& about = *Table().about;
  ASSERT_EQ(about.preset_count, std::size(cases));
  for (uint32_t i = 0; i < about.preset_count; ++i) {
    EXPECT_STREQ(about.presets[i].name, cases[i].name);
    std::string settings;
    for (uint32_t k = 0; k < about.presets[i].setting_count; ++k) {
      const astragal_setting& setting = about.presets[i].settings[k];
      settings += about.options[setting.option].name;
      settings += '=';
      settings += about.options[setting.option].choices[setting.value];
      settings += ' ';
    }
    EXPECT_EQ(settings, cases[i].options);
  }
}

}  // namespace
}  // namespace astragal::long_narde
