// Notation and position text: what is written is read back, and what people type is understood.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "plugins/ashtapada/action.h"
#include "tests/plugins/ashtapada/driver.h"

namespace astragal::ashtapada_test {
namespace {

using ashtapada::Action;

TEST(ActionCode, OrderAndBounds) {
  EXPECT_EQ(ashtapada::Encode({ashtapada::kStop, 0, 0, {}}), 0);
  const int64_t largest = ashtapada::Encode({ashtapada::kGo, 0, 0, {}});
  EXPECT_LT(largest, int64_t{1} << 46);
  Action action;
  EXPECT_FALSE(ashtapada::Decode(-1, action));
  EXPECT_FALSE(ashtapada::Decode(int64_t{1} << 46, action));
  EXPECT_FALSE(ashtapada::Decode(1, action));  // stopping uses no throw
}

TEST(ActionCode, EveryCodeThatDecodesEncodesToItself) {
  Random random(1);
  int known = 0;
  for (int i = 0; i < 2000000; ++i) {
    // Bits of the kind, from, size and few throws.
    int64_t code = static_cast<int64_t>(random() & ((uint64_t{1} << 46) - 1));
    for (int score = 0; score < 5; ++score) code &= ~(int64_t{0x7C} << (7 * score));
    Action action;
    if (!ashtapada::Decode(code, action)) continue;
    ++known;
    ASSERT_EQ(ashtapada::Encode(action), code);
  }
  EXPECT_GT(known, 1000);
}

TEST(Notation, EveryActionReadsBack) {
  const Position position = FromText("throw=north entry_box=left");
  Random random(2);
  int written = 0;
  for (int i = 0; i < 200000; ++i) {
    int64_t code = static_cast<int64_t>(random() & ((uint64_t{1} << 46) - 1));
    for (int score = 0; score < 5; ++score) code &= ~(int64_t{0x60} << (7 * score));
    for (int score = 1; score < 5; ++score) code &= ~(int64_t{0x7C} << (7 * score));
    Action action;
    const std::string text = Notation(position, 1, code);
    ASSERT_EQ(ashtapada::Decode(code, action), !text.empty());
    if (text.empty()) continue;
    ++written;
    ASSERT_LE(text.size(), ASTRAGAL_MAX_NAME_BYTES);
    ASSERT_EQ(Parse(position, 1, text), code) << text;
  }
  EXPECT_GT(written, 1000);
}

TEST(Notation, WhatPlayersType) {
  const Position position = FromText("throw=south");
  struct Case {
    const char* typed;
    const char* canonical;
  };
  const Case cases[] = {
      {"h3 4+1", "H3 1+4"},
      {"5 1 4", "H3 1+4"},
      {"H3: 1, 4", "H3 1+4"},
      {"5x2 4", "H3 twins 4"},
      {"h3 TWINS 4", "H3 twins 4"},
      {"H3x2 4", "H3 twins 4"},
      {"H3 both 4", "H3 twins 4"},
      {"H3 1*3+1", "H3 1+1+1+1"},
      {"  Enter ", "enter"},
      {"bear off", "off"},
      {"end", "stop"},
      {"Pick h3", "pick H3"},
      {"pick 5 twins", "pick H3 twins"},
      {"add 8", "add 8"},
      {"E1 1*50", "E1 1*50"},
      {"H3 1+1+1+1+1+1+8", "H3 1*6+8"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Notation(position, 0, Parse(position, 0, c.typed)), c.canonical) << c.typed;
  }
}

TEST(Notation, WhatCannotBeRead) {
  const Position position = FromText("throw=south");
  for (const char* text : {"",     " ",     "H3",      "H3 5",     "H3 1+",   "Z9 1", "E4 1",
                           "D4 1", "60 1",  "61 1",    "H3 2+3",   "H3 1*99", "pick", "pick H3 1",
                           "add",  "add 5", "add 1+1", "H3 twins", "hello",   "58 3", "\xff\xfe"}) {
    EXPECT_NE(ParseRefusal(position, 0, text), "") << text;
  }
  EXPECT_EQ(ParseRefusal(position, 0, "D4 1"), "From the keep a piece leaves with 'off'.");
}

TEST(Notation, Throws) {
  const Position position = FromText("throw=south");
  EXPECT_EQ(Notation(position, ASTRAGAL_CHANCE, ThrowOf(position, 8)), "8");
  EXPECT_NE(ParseRefusal(position, ASTRAGAL_CHANCE, "5"), "");
}

TEST(PositionText, CanonicalAndTyped) {
  struct Case {
    const char* typed;
    const char* canonical;
  };
  const Case cases[] = {
      {"throw=south", "throw=south south=- north=-"},
      {"PLAY=South left=8,1,2 south=h3,KEEP,-", "play=south left=1+2+8 south=5,keep north=-"},
      {"north=e1 players=3 west=off,A4 throw=west",
       "throw=west south=- west=0,off north=14 players=3"},
      {"play=south left=1 used=2+8*3 acted captured south=5*,6 north=hand",
       "play=south left=1 used=2+8+8+8 acted captured south=5*,6 north=-"},
      {"forgo=any pieces=2 throw=north entry_box=LEFT north=E8",
       "throw=north south=- north=0 pieces=2 entry_box=left forgo=any"},
      {"over place=south:1 south=off,off,off,off",
       "over south=off,off,off,off north=- place=south:1"},
      {"order=west thrown=south:8,north:out players=3",
       "order=west thrown=south:8,north:out south=- west=- north=- players=3"},
  };
  for (const Case& c : cases) {
    const Position position = FromText(c.typed);
    EXPECT_EQ(ToText(position), c.canonical);
    const Position again = FromText(c.canonical);
    EXPECT_EQ(std::memcmp(&again, &position, sizeof(Position)), 0) << c.typed;
  }
}

TEST(PositionText, RefusalsNameTheWord) {
  struct Case {
    const char* text;
    const char* why;
  };
  const Case cases[] = {
      {"", "position: Say who plays (play=south), throws (throw=south) or over."},
      {"throw=west", "turn: 'west' has no seat in this game."},
      {"throw=south players=5", "players: The option players has no value '5'."},
      {"throw=south forgo=maybe", "forgo: The option forgo has no value 'maybe'."},
      {"throw=south south=62",
       "south: '62' is no own index (0 to 59), square of the route, keep or "
       "off."},
      {"throw=south south=1,2,3,4,5", "south: South has only 4 pieces."},
      {"throw=south west=1", "position: 'west' is not known here."},
      {"throw=south hello", "position: 'hello' is not known here."},
      {"play=south south=5", "play: South has nothing to play: write throw= and the next seat."},
      {"play=south left=5 south=5", "left: Write throws of 1, 2, 3, 4 and 8, as in left=1+1+8."},
      {"play=south left=2+3 south=5", "left: A series ends with its first 2 or 3."},
      {"play=south left=1*65 south=5", "left: Write throws of 1, 2, 3, 4 and 8, as in left=1+1+8."},
      {"play=south left=1*60 used=8*5 south=5", "left: A series has at most 64 throws."},
      {"throw=south left=2 south=5", "left: This series has ended."},
      {"throw=south left=4",
       "left: With no piece on the board throws before the first 1 are lost."},
      {"throw=south south=5*", "south: Only the seat to act can have moved."},
      {"play=south left=1 south=5*", "south: Only the seat to act can have moved."},
      {"play=south left=1 acted south=hand*,5", "south: A piece cannot have moved to that place."},
      {"throw=south south=off,off,off,off", "south: This seat has finished."},
      {"throw=south place=north:2", "place: The last seat left has the place that is left."},
      {"throw=south players=3 place=north:2",
       "place: The first and the last places are given first."},
      {"throw=south players=3 place=south:3", "turn: The seat to act is out of the game."},
      {"over", "place: The game is not over yet."},
      {"order=south thrown=south:4", "thrown: It must be open who starts."},
      {"play=south left=1 captured south=5", "captured: A capture needs an action."},
      {"throw=south first_player=east", "first_player: The first player has no seat in this game."},
      {"play=south left=1 pick=5:1 south=5", "pick: This piece cannot have been picked."},
  };
  for (const Case& c : cases) EXPECT_EQ(TextRefusal(c.text), c.why) << c.text;
}

TEST(PositionText, LongestFitsTheBorder) {
  const Position position = FromText(
      "play=south left=1*21+4*21+8*21+2 south=1*,1*,4,4,8,8,11,11 acted captured "
      "north=14,17,20,21,24,27,0,3 west=14,17,20,21,24,27,0,3 east=14,17,20,21,24,27,0,3 "
      "players=4 pieces=8 forgo=none marked_box=block twin_move=half triplets=as_twins "
      "entry_box=left twin_formation=off throw_weights=even first_player=east play_for_places=on");
  EXPECT_LE(ToText(position).size(), ASTRAGAL_MAX_TEXT_BYTES);
  EXPECT_EQ(ToText(FromText(ToText(position))), ToText(position));
}

TEST(Check, AnyBytesComeIn) {
  Random random(3);
  Position base = FromText("play=south left=1+4+2 south=5,keep north=7");
  int accepted = 0;
  for (int i = 0; i < 200000; ++i) {
    Position position = base;
    unsigned char* const bytes = reinterpret_cast<unsigned char*>(&position);
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      bytes[random() % sizeof(Position)] = static_cast<unsigned char>(random() % 130);
    }
    if (!IsPosition(position)) continue;
    ++accepted;
    // What is accepted can be used.
    const int actor = Table().actor(&position);
    ASSERT_EQ(actor >= 0, !Actions(position).empty()) << ToText(position);
    const Position again = FromText(ToText(position));
    ASSERT_EQ(std::memcmp(&again, &position, sizeof(Position)), 0) << ToText(position);
    Board(position);
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace astragal::ashtapada_test
