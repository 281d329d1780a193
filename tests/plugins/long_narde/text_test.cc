// Notation, position text and the board of letters.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/plugins/long_narde/game.h"
#include "tests/support/golden.h"

namespace astragal::long_narde {
namespace {

int64_t ParseAction(const Position& position, int seat, const std::string& text, Answer& answer) {
  int64_t action = -1;
  answer = Ask([&](astragal_error* error) {
    return Table().parse(&position, seat, text.data(), static_cast<uint32_t>(text.size()), &action,
                         error);
  });
  return action;
}

TEST(Notation, ReadsWhatPlayersType) {
  const Position position = Parse("white 24:14 18:1 black 24:15 move white 6-3 left 3 head 1");
  struct Case {
    const char* text;
    int64_t action;
  };
  for (const Case& c :
       {Case{"24/18", 24 * 8 + 6}, Case{" 24 / 21 ", 24 * 8 + 3}, Case{"24-21", 24 * 8 + 3},
        Case{"24>21", 24 * 8 + 3}, Case{"head/21", 24 * 8 + 3}, Case{"H/21", 24 * 8 + 3},
        Case{"3/off", 3 * 8 + 3}, Case{"2/OFF", 2 * 8 + 3}, Case{"2/o", 2 * 8 + 3},
        Case{"4/off", 4 * 8 + 4}, Case{"4/off:6", 4 * 8 + 6}}) {
    Answer answer;
    EXPECT_EQ(ParseAction(position, kWhite, c.text, answer), c.action) << c.text;
    EXPECT_TRUE(answer) << c.text;
  }
}

TEST(Notation, SaysWhatIsWrong) {
  const Position position = Parse("white 24:15 black 24:15 move white 6-3 first both");
  struct Case {
    const char* text;
    const char* field;
    const char* message;
  };
  for (const Case& c :
       {Case{"", "from", "A step begins with the point it leaves, 24 to 1, as in '24/18'."},
        Case{"25/20", "from", "A step begins with the point it leaves, 24 to 1, as in '24/18'."},
        Case{"24", "to", "After the point comes '/' and where the checker goes, as in '24/18'."},
        Case{"24/15", "to",
             "24 to 15 is 9 steps; write each die by itself, as in '24/18', then '18/15'."},
        Case{"18/24", "to", "Checkers run from 24 down to 1, never back."},
        Case{"7/off", "to", "No die bears off from 7."},
        Case{"4/off:3", "to", "After 'off:' comes a die of 4 to 6."},
        Case{"24/18 18/15", "to", "One step at a time: '18/15' is too much."}}) {
    Answer answer;
    ParseAction(position, kWhite, c.text, answer);
    EXPECT_EQ(answer.code, ASTRAGAL_REFUSED) << c.text;
    EXPECT_EQ(answer.field, c.field) << c.text;
    EXPECT_EQ(answer.message, c.message) << c.text;
  }
}

TEST(Notation, NamesTheDieWhenTwoCanBearOff) {
  const Position position = Parse("white 4:2 black 24:15 move white 6-5");
  EXPECT_EQ(StepTexts(position), (std::vector<std::string>{"4/off", "4/off:6"}));
}

// Every number that could be an action, in every situation: what is written is read back.
TEST(Notation, RoundTripsEveryAction) {
  for (const char* text :
       {"white 4:2 black 24:15 move white 6-5", "white 24:15 black 24:15 move black 6-6 first both",
        "white 24:15 black 24:15 roll white first both",
        "white 24:15 black 24:15 opening first both"}) {
    const Position position = Parse(text);
    int written = 0;
    for (int seat : {kWhite, kBlack}) {
      for (int64_t action = 0; action < 256; ++action) {
        const std::string notation = FormatAction(position, seat, action);
        if (notation.empty()) continue;
        ++written;
        Answer answer;
        EXPECT_EQ(ParseAction(position, seat, notation, answer), action) << text << notation;
      }
    }
    EXPECT_EQ(written, 2 * 24 * 6);
  }
}

TEST(PositionText, IsReadAsWritten) {
  for (const char* text :
       {"white 24:15 black 24:15 opening first both",
        "white 24:15 black 24:15 roll black first both began black first_player=black",
        "white 24:14 18:1 black 24:15 move white 6-3 left 3 head 1 first both began white",
        "white 24:13 21:2 black 24:15 move white 3-3 left 3-3 head 2 first both began white",
        "white 6:1 black 1:1 roll black began white last last_roll=second_player",
        "white black 3:2 over white began black",
        "white black over black began white last last_roll=second_player",
        "white 24:5 4:10 black 24:15 move white 2-1 began black prime_rule=never "
        "prime_check=turn_end scoring=win_only"}) {
    Position position{};
    const bool valid = static_cast<bool>(TryParse(text, position));
    if (std::string(text).find("roll black began white last ") != std::string::npos) {
      EXPECT_FALSE(valid) << "White has not finished: " << text;
      continue;
    }
    ASSERT_TRUE(valid) << text << ": " << TryParse(text, position).message;
    EXPECT_EQ(Format(position), text);
  }
}

TEST(PositionText, MayBeShorter) {
  EXPECT_EQ(Format(Parse("ROLL Black  white 24:15  black 24:15 scoring=MARS")),
            "white 24:15 black 24:15 roll black began black");
  EXPECT_EQ(Format(Parse("white 24:15 black 24:15 move white 3-6")),
            "white 24:15 black 24:15 move white 6-3 began white");
}

TEST(PositionText, SaysWhatIsWrong) {
  struct Case {
    const char* text;
    const char* field;
    const char* message;
  };
  for (const Case& c :
       {Case{"", "", "What comes next is missing: 'opening', 'roll', 'move' or 'over'."},
        Case{"white 24:15 roll white", "black", "The checkers of black are missing."},
        Case{"white 24:16 black 24:15 roll white", "white",
             "'24:16' is not point:checkers, as in 24:15."},
        Case{"white 24:15 3:1 black 24:15 roll white", "white", "A side has 15 checkers, not 16."},
        Case{"white 24:14 12:1 black 24:15 roll white", "white", "Both sides stand on White's 12."},
        Case{"white 24:15 black 24:15 move white", "move",
             "After the seat come its dice, as in 6-3."},
        Case{"white 24:15 black 24:15 move white 6-3 left 5", "left", "No die shows 5."},
        Case{"white 24:15 black 24:15 move white 6-6 left 6 head 2", "head",
             "More checkers left the head than this turn allows."},
        Case{"white 24:15 black 24:15 roll white prime_rule=maybe", "prime_rule",
             "There is no 'prime_rule=maybe'."},
        Case{"white 24:15 black 24:15 roll white colour=red", "", "There is no option 'colour'."},
        Case{"white 24:15 black 24:15 roll white hello", "", "'hello' is not known here."},
        Case{"white black 24:15 roll black", "off", "A side has finished: the game is over."},
        Case{"white 24:15 black 24:15 over white", "over",
             "The game is not over: both sides have checkers left."},
        Case{"white 24:1 black 12:1 4:1 24:13 move white 3-3", "", ""}}) {
    Position position{};
    const Answer answer = TryParse(c.text, position);
    if (c.message[0] == '\0') continue;
    EXPECT_EQ(answer.code, ASTRAGAL_REFUSED) << c.text;
    EXPECT_EQ(answer.field, c.field) << c.text;
    EXPECT_EQ(answer.message, c.message) << c.text;
  }
}

TEST(PositionText, RefusesATurnInWhichNothingCanBePlayed) {
  Position position{};
  const Answer answer = TryParse("white 24:1 black 9:1 24:14 move white 3-3", position);
  EXPECT_EQ(answer.message, "Nothing can be played with these dice: the turn is over.");
}

TEST(BoardText, IsTheGolden) {
  std::string boards;
  for (const char* text :
       {"white 24:15 black 24:15 opening first both",
        "white 24:9 18:2 13:1 7:1 6:1 3:1 black 24:8 20:2 14:1 10:3 5:1 move black 4-4 left 4-4",
        "white 6:3 5:7 1:1 black 4:2 3:6 2:1 roll white",
        "white black 18:3 1:12 over white scoring=mars_koks",
        "white black over black began white last last_roll=second_player"}) {
    const Position position = Parse(text);
    boards += Format(position);
    boards += '\n';
    boards += Board(position);
    boards += '\n';
  }
  tests::ExpectGolden(boards, "tests/plugins/long_narde/data/boards.txt");
}

}  // namespace
}  // namespace astragal::long_narde
