// The worked examples A1 to A20 of the rule sheet, under their own names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/plugins/ashtapada/driver.h"

namespace astragal::ashtapada_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// South throws `throws` on this board.
Position South(const std::string& pieces, const std::vector<int>& throws) {
  return Throw(FromText("throw=south " + pieces), throws);
}

// Where the listed moves of South end, as own indices.
std::set<int> Ends(const Position& position) {
  std::set<int> ends;
  for (const int64_t code : Actions(position)) {
    const Position after = Apply(position, 0, code);
    for (const uint8_t piece : after.PiecesOf(0)) {
      if (ashtapada::HasMoved(piece)) ends.insert(ashtapada::IndexOf(piece));
    }
  }
  return ends;
}

TEST(WorkedExamples, A1_NoOneEverythingIsDiscarded) {
  const Position before = Throw(FromText("throw=south"), {4, 8});
  EXPECT_THAT(ThrowEffects(before, 3),
              ElementsAre("throw south 3", "discard south 3", "pass south", "turn north"));
  EXPECT_EQ(ToText(Throw(before, {3})), "throw=north south=- north=-");
}

TEST(WorkedExamples, A2_ThrowsBeforeTheFirstOneAreDiscarded) {
  const Position position = South("", {4, 1, 8, 2});
  EXPECT_EQ(ToText(position), "play=south left=1+2+8 used=4 south=- north=-");
  EXPECT_THAT(Moves(position), ElementsAre("enter"));
  EXPECT_THAT(Moves(Play(position, "enter")), ElementsAre("stop", "E1 2", "E1 8", "E1 2+8"));
}

TEST(WorkedExamples, A3_TwoOnesEnterTwoOrMoveOne) {
  const Position position = South("", {1, 1, 3});
  EXPECT_THAT(Moves(position), ElementsAre("enter"));
  const Position entered = Play(position, "enter");
  EXPECT_THAT(Moves(entered), ElementsAre("stop", "enter", "E1 1", "E1 3", "E1 1+3"));
  EXPECT_THAT(Moves(Play(entered, "enter")), ElementsAre("stop", "E1 3"));
}

TEST(WorkedExamples, A4_AllFifteenSubSums) {
  const Position position = South("south=5", {4, 1, 8, 2});
  EXPECT_EQ(Actions(position).size(), 16u);
  EXPECT_THAT(Moves(position), Contains("enter"));
  EXPECT_THAT(Moves(position), Contains("H3 1+2+4+8"));
}

TEST(WorkedExamples, A5_CaptureByFourThenTheThreeWithAnotherPiece) {
  const Position position = South("south=5,1 north=23", {4, 3});
  EXPECT_THAT(PlayEffects(position, "H3 4"), ElementsAre("move south H3>H7", "capture north H7"));
  EXPECT_THAT(PlayEffects(position, "H3 3"), ElementsAre("move south H3>H6"));
  const Position after = Play(position, "H3 4");
  EXPECT_THAT(Moves(after), ElementsAre("stop", "F1 3"));
  EXPECT_THAT(PlayEffects(after, "F1 3"), ElementsAre("move south F1>H2", "extra south"));
  // With no other piece to move the 3 is lost.
  const Position alone = South("south=5 north=23", {4, 3});
  EXPECT_THAT(PlayEffects(alone, "H3 4"), ElementsAre("move south H3>H7", "capture north H7",
                                                      "discard south 3", "extra south"));
  EXPECT_EQ(ToText(Play(alone, "H3 4")), "throw=south south=9 north=-");
}

TEST(WorkedExamples, A6_ThreeQuietMoves) {
  const Position position = South("south=5 north=18", {4, 3});
  EXPECT_THAT(Moves(position), ElementsAre("H3 3", "H3 4", "H3 3+4"));
  for (const std::string& move : Moves(position)) {
    EXPECT_EQ(Play(position, move).piece[1][3], ashtapada::PieceAt(18)) << move;
  }
}

TEST(WorkedExamples, A7_NoCaptureOnAMarkedBox) {
  const Position position = South("south=4 north=21", {3});
  EXPECT_EQ(ToText(Play(position, "H2 3")), "throw=north south=7 north=21");
}

TEST(WorkedExamples, A8_ASingleSharesWithTwins) {
  const Position position = South("south=8 north=26,26", {4, 2});
  EXPECT_THAT(PlayEffects(position, "H6 4"),
              ElementsAre("move south H6>F8", "discard south 2", "turn north"));
  EXPECT_EQ(ToText(Play(position, "H6 4")), "throw=north south=12 north=26,26");
}

TEST(WorkedExamples, A9_TwinsCaptureTwins) {
  const Position position = South("south=8,8 north=26,26", {4, 2});
  EXPECT_THAT(Moves(position),
              ElementsAre("H6 2", "H6 4", "H6 2+4", "H6 twins 2", "H6 twins 4", "H6 twins 2+4"));
  EXPECT_THAT(PlayEffects(position, "H6 twins 4"),
              ElementsAre("move south H6>F8", "move south H6>F8", "capture north F8",
                          "capture north F8", "discard south 2", "extra south"));
  EXPECT_THAT(PlayEffects(position, "H6 4"), ElementsAre("move south H6>F8"));
}

TEST(WorkedExamples, A10_SingleOrTwinsCaptureASingleton) {
  const Position position = South("south=8,8 north=26", {4, 2});
  EXPECT_THAT(PlayEffects(position, "H6 4"), Contains("capture north F8"));
  EXPECT_THAT(PlayEffects(position, "H6 twins 4"), Contains("capture north F8"));
}

TEST(WorkedExamples, A11_ThreeTogetherAreUnprotected) {
  const Position position = South("south=8 north=26,26,26", {4, 2});
  EXPECT_EQ(ToText(Play(position, "H6 4")), "throw=south south=12 north=-");
}

TEST(WorkedExamples, A12_ThreeTogetherMoveSinglyOnly) {
  EXPECT_THAT(Moves(South("south=8,8,8", {2})), ElementsAre("H6 2"));
}

TEST(WorkedExamples, A13_NoTwinsOnAMarkedBox) {
  EXPECT_THAT(Moves(South("south=7,7", {2})), ElementsAre("H5 2"));
}

TEST(WorkedExamples, A14_TheKeepNeedsTheExactNumber) {
  const Position position = South("south=58,keep,keep,keep", {2});
  EXPECT_THAT(Moves(position), ElementsAre("C3 2"));
  EXPECT_EQ(ToText(Play(position, "C3 2")), "throw=north south=keep,keep,keep,keep north=-");
  const Position before = FromText("throw=south south=58,keep,keep,keep");
  EXPECT_THAT(ThrowEffects(before, 3),
              ElementsAre("throw south 3", "discard south 3", "pass south", "turn north"));
}

TEST(WorkedExamples, A15_AnotherPieceMayLeaveOnceTheLastIsIn) {
  const Position position = South("south=59,keep,keep,keep", {1, 1, 2});
  EXPECT_THAT(Moves(position), ElementsAre("D3 1"));
  const Position in = Play(position, "D3 1");
  EXPECT_THAT(Moves(in), ElementsAre("stop", "off"));
  EXPECT_THAT(PlayEffects(in, "off"), Contains("off south D4"));
  EXPECT_EQ(ToText(Play(in, "off")), "throw=north south=keep,keep,keep,off north=-");
}

TEST(WorkedExamples, A16_TwoPiecesBorneOff) {
  const Position position = South("south=keep,keep,keep,keep", {1, 4, 1, 3});
  EXPECT_THAT(Moves(position), ElementsAre("off"));
  const Position one_off = Play(position, "off");
  EXPECT_THAT(Moves(one_off), ElementsAre("stop", "off"));
  EXPECT_EQ(ToText(Play(one_off, "off")), "throw=north south=keep,keep,off,off north=-");
}

TEST(WorkedExamples, A17_TheLastPieceOffWinsAtOnce) {
  const Position position = South("south=off,off,off,keep north=3", {1, 2});
  EXPECT_THAT(PlayEffects(position, "off"),
              ElementsAre("off south D4", "finish south 1", "discard south 2"));
  const Position over = Play(position, "off");
  EXPECT_EQ(Table().actor(&over), ASTRAGAL_OVER);
  EXPECT_THAT(Places(over), ElementsAre(1, 2));
}

TEST(WorkedExamples, A18_TheOneMustBringTheLastPieceIn) {
  const Position position = South("south=keep,keep,keep,59", {1, 2});
  EXPECT_THAT(Moves(position), ElementsAre("D3 1"));
}

TEST(WorkedExamples, A19_OneOrBothTwinsEnterTheKeep) {
  const Position position = South("south=58,58,keep,keep", {2});
  EXPECT_THAT(Moves(position), ElementsAre("C3 2", "C3 twins 2"));
  EXPECT_EQ(ToText(Play(position, "C3 twins 2")), "throw=north south=keep,keep,keep,keep north=-");
}

TEST(WorkedExamples, A20_ExactlyIntoTheKeepAndNoFurther) {
  const Position position = South("south=50,40", {8, 4, 2});
  EXPECT_EQ(Actions(position).size(), 12u);
  EXPECT_THAT(Ends(position), UnorderedElementsAre(42, 44, 46, 48, 50, 52, 54, 56, 58, 60));
  EXPECT_THAT(Moves(position), Contains("F4 2+8"));
  EXPECT_EQ(PlayRefusal(position, "41 8"),
            "You have no piece there that has not moved in this series.");
  EXPECT_EQ(PlayRefusal(position, "F5 2"),
            "You have no piece there that has not moved in this series.");
  EXPECT_THAT(ParseRefusal(position, 0, "F4 4+8"),
              "No throws can move a piece that far from there.");
}

}  // namespace
}  // namespace astragal::ashtapada_test
