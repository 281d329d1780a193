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

TEST(Options, HeadFirstTurn) {
  struct Case {
    const char* value;
    const char* roll;
    size_t leavers;
  };
  for (const Case& c :
       {Case{"any_roll", "2-1", 2}, Case{"any_roll", "1-1", 2}, Case{"any_roll", "6-6", 2},
        Case{"doubles_346", "2-1", 1}, Case{"doubles_346", "1-1", 1}, Case{"doubles_346", "3-3", 2},
        Case{"doubles_346", "4-4", 2}, Case{"doubles_346", "6-6", 2}, Case{"doubles_346", "5-5", 1},
        Case{"doubles_46", "3-3", 1}, Case{"doubles_46", "4-4", 2}, Case{"doubles_46", "6-6", 2},
        Case{"any_double", "1-1", 2}, Case{"any_double", "5-5", 2}, Case{"any_double", "2-1", 1},
        Case{"none", "6-6", 1}, Case{"none", "4-4", 1}, Case{"none", "2-1", 1}}) {
    EXPECT_EQ(HeadLeaversOnFirstTurn("head_first_turn=" + std::string(c.value), c.roll), c.leavers)
        << c.value << ' ' << c.roll;
  }
}

TEST(Options, HeadFirstTurnIsOverAfterAPassedTurn) {
  // White's first roll cannot be played; its next turn is not a first one.
  Position position =
      Parse("white 24:15 black 24:13 7:1 6:1 roll white first white head_first_turn=any_roll");
  Play(position, "6-5");  // Black stands on White's 18 and 19
  EXPECT_EQ(position.mover, kBlack);
  EXPECT_EQ(position.first_turn[kWhite], 0);
}

// White holds 20 to 16 (own) and can make it six from 15 with a 1 from 16... or by 24/21 with a 3.
struct PrimeCase {
  const char* name;
  const char* black;
  bool ahead;
  bool home;
  bool never;
  bool none;
};

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
TEST(Options, PrimeRule) {
  for (const PrimeCase& c : {PrimeCase{"all of Black behind", "24:15", false, false, false, true},
                             PrimeCase{"one right behind", "24:14 10:1", false, false, false, true},
                             PrimeCase{"one past it at home", "24:14 3:1", true, true, false, true},
                             PrimeCase{"one borne off", "24:14", true, true, false, true}}) {
    EXPECT_EQ(CanClose(c.black, "opponent_ahead"), c.ahead) << c.name;
    EXPECT_EQ(CanClose(c.black, "opponent_home"), c.home) << c.name;
    EXPECT_EQ(CanClose(c.black, "never"), c.never) << c.name;
    EXPECT_EQ(CanClose(c.black, "none"), c.none) << c.name;
  }
}

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

TEST(Options, Scoring) {
  struct Case {
    const char* name;
    const char* black;
    int64_t mars;
    int64_t koks;
  };
  // White's home is Black's own 18 to 13, White's head Black's own 12.
  for (const Case& c :
       {Case{"one off", "24:14", 1, 1}, Case{"none off, all past", "6:15", 2, 2},
        Case{"one in White's home", "18:1 6:14", 2, 3},
        Case{"one on the last point of it", "13:1 6:14", 2, 3},
        Case{"one on White's head", "12:1 6:14", 2, 3}, Case{"one just past it", "11:1 6:14", 2, 2},
        Case{"one just before it", "19:1 6:14", 2, 2},
        Case{"one in it but one off", "18:1 6:13", 1, 1}}) {
    EXPECT_EQ(PointsFor(c.black, "mars"), c.mars) << c.name;
    EXPECT_EQ(PointsFor(c.black, "mars_koks"), c.koks) << c.name;
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

TEST(Options, FirstPlayer) {
  Position position = StartWith({0, 0, 0, 0, 0, kWhiteBegins});
  EXPECT_EQ(position.phase, kRoll);
  EXPECT_EQ(position.mover, kWhite);
  position = StartWith({0, 0, 0, 0, 0, kBlackBegins});
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
