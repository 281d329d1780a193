// The numbered rules where the worked examples say nothing, leaving, and who starts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/plugins/ashtapada/driver.h"

namespace astragal::ashtapada_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

TEST(Rule1, AllPiecesStartInHand) {
  EXPECT_EQ(ToText(Start(OptionValues({}))), "order=south south=- north=-");
}

TEST(Rule2, TiesThrowAgainAmongTheTied) {
  const Position start = Start(OptionValues({{"players", "4"}}));
  const Position last = Throw(start, {8, 3, 8});
  EXPECT_EQ(ToText(last),
            "order=east thrown=south:8,west:3,north:8 south=- west=- north=- east=- players=4");
  EXPECT_THAT(ThrowEffects(last, 1), ElementsAre("throw east 1", "extra south", "extra north"));
  const Position again = Throw(last, {1});
  EXPECT_EQ(ToText(again),
            "order=south thrown=west:out,east:out south=- west=- north=- east=- players=4");
  EXPECT_EQ(ToText(Throw(again, {2, 3})), "throw=north south=- west=- north=- east=- players=4");
  EXPECT_THAT(ThrowEffects(Throw(again, {2}), 3), ElementsAre("throw north 3", "turn north"));
}

TEST(Rule2, EightIsTheHighestThrow) {
  EXPECT_EQ(ToText(Throw(Start(OptionValues({})), {4, 8})), "throw=north south=- north=-");
}

TEST(Rule3, PiecesInTheKeepAreOnTheBoardAndBorneOffOnesAreNot) {
  EXPECT_EQ(ToText(Throw(FromText("throw=south south=keep,4"), {4, 2})),
            "play=south left=2+4 south=4,keep north=-");
  EXPECT_EQ(ToText(Throw(FromText("throw=south south=off,off"), {4, 1, 2})),
            "play=south left=1+2 used=4 south=off,off north=-");
}

TEST(Rule3, DiscardsAgainInAnExtraSeries) {
  const Position extra = FromText("throw=south south=off");
  EXPECT_THAT(ThrowEffects(extra, 4), ElementsAre("throw south 4", "discard south 4"));
}

TEST(Rule3, ASeriesEndsAtSixtyFourThrows) {
  Position position = FromText("throw=south south=5");
  for (int i = 0; i < 63; ++i) position = Throw(position, {8});
  EXPECT_EQ(Table().actor(&position), ASTRAGAL_CHANCE);
  EXPECT_EQ(ToText(Throw(position, {8})), "play=south left=8*64 south=5 north=-");
}

TEST(Rule4, APieceMayEnterAndThenMove) {
  const Position position = FromText("play=south left=1+3");
  EXPECT_THAT(Moves(Play(position, "enter")), Contains("E1 3"));
}

TEST(Rule5, APieceMovesOnceInASeries) {
  const Position moved = Play(FromText("play=south left=1+3 south=5,20"), "H3 1");
  EXPECT_EQ(ToText(moved), "play=south left=3 used=1 acted south=6*,20 north=-");
  EXPECT_THAT(Moves(moved), ElementsAre("stop", "A5 3"));
}

TEST(Rule5, AnUnmovedPieceOfSeveralIsMeant) {
  const Position moved = Play(FromText("play=south left=1+3 south=5,6"), "H3 1");
  EXPECT_EQ(ToText(moved), "play=south left=3 used=1 acted south=6,6* north=-");
  EXPECT_EQ(ToText(Play(moved, "H4 3")), "throw=north south=6,9 north=-");
}

TEST(Rule6, TwinsEndWhenAThirdArrivesOrOneHasMoved) {
  const Position two = FromText("play=south left=1+3 south=7,8,8");
  EXPECT_THAT(Moves(two), Contains("H6 twins 3"));
  EXPECT_THAT(Moves(Play(two, "H5 1")), Not(Contains("H6 twins 3")));
  const Position joined = FromText("play=south left=3 used=1 acted south=8,8*");
  EXPECT_THAT(Moves(joined), ElementsAre("stop", "H6 3"));
  EXPECT_EQ(PlayRefusal(joined, "H6 twins 3"), "There are no twins of yours there that can move.");
}

TEST(Rule7, EachEnemyIsJudgedForItself) {
  // South's 9 is H7: West's 16, North's 23. A single takes West's one, not North's twins.
  const Position position = FromText("play=south left=2 players=3 south=7 west=16 north=23,23");
  EXPECT_EQ(PlaceName(position, position.SquareOf(2, 16)), "H7");
  EXPECT_EQ(ToText(Play(position, "H5 2")), "throw=south south=9 west=- north=23,23 players=3");
}

TEST(Rule7, PiecesThatShareASquareDoNotFight) {
  const Position shared = FromText("play=south left=2 south=12,5 north=26,26");
  EXPECT_THAT(PlayEffects(shared, "H3 2"), ElementsAre("move south H3>H5", "turn north"));
}

TEST(Rule8, AnyNumberSharesAMarkedBox) {
  const Position position = FromText("play=south left=2 south=5 north=21,21,21,21");
  EXPECT_EQ(ToText(Play(position, "H3 2")), "throw=north south=7 north=21,21,21,21");
}

TEST(Rule9, BeyondTheKeepIsRefused) {
  EXPECT_EQ(PlayRefusal(FromText("play=south left=3+1 south=58,3"), "3 1+3"), "");
  EXPECT_EQ(ParseRefusal(FromText("play=south left=3+1 south=58,3"), 0, "58 3"),
            "No throws can move a piece that far from there.");
}

TEST(Rule10, UnusedThrowsAreLost) {
  const Position position = FromText("play=south left=1+8 south=59,off,off,off");
  EXPECT_THAT(PlayEffects(position, "D3 1"),
              ElementsAre("move south D3>D4", "discard south 8", "turn north"));
}

TEST(Rule12, OneFurtherSeriesForSeveralCaptures) {
  const Position position =
      FromText("play=south left=1+2 south=8,11 north=23,26");  // both one step or so away
  const Position first = Play(position, "H6 1");
  EXPECT_THAT(ToText(first), ::testing::HasSubstr("captured"));
  const Position second = Throw(Play(first, "stop"), {2});
  EXPECT_EQ(ToText(second), "play=south left=2 south=9,11 north=26");
  EXPECT_EQ(ToText(Play(second, "H7 2")), "throw=north south=11,11 north=26");
}

TEST(Rule12, ACaptureCountsWhenThePlayerStops) {
  const Position position = FromText("play=south left=4+3 south=5,1 north=23");
  EXPECT_THAT(PlayEffects(Play(position, "H3 4"), "stop"),
              ElementsAre("stop south", "discard south 3", "extra south"));
}

TEST(Rule13, WinningEndsTheGameEvenAfterACapture) {
  const Position position =
      FromText("play=south left=1+2 used=8 acted captured south=off,off,off,keep");
  const Position over = Play(position, "off");
  EXPECT_EQ(ToText(over), "over south=off,off,off,off north=- place=south:1");
}

TEST(Leave, PiecesGoOffAndTheTurnPasses) {
  const Position position = FromText("play=west left=1+2 players=4 south=4 west=5 north=6 east=7");
  const Position after = Leave(position, 2);
  EXPECT_EQ(ToText(after), "throw=north south=4 west=- north=6 east=7 place=west:4 players=4");
  EXPECT_THAT(Places(after), ElementsAre(0, 0, 4, 0));
  const Position second = Leave(after, 0);
  EXPECT_EQ(ToText(second),
            "throw=north south=- west=- north=6 east=7 place=south:3,west:4 players=4");
  const Position over = Leave(second, 3);
  EXPECT_EQ(Table().actor(&over), ASTRAGAL_OVER);
  EXPECT_THAT(Places(over), ElementsAre(3, 1, 4, 2));
  EXPECT_EQ(Results(over)[1].points, 1);
}

TEST(Leave, AnotherSeatsTurnGoesOn) {
  const Position position = FromText("play=west left=1+2 players=3 south=4 west=5 north=6");
  EXPECT_EQ(ToText(Leave(position, 0)),
            "play=west left=1+2 south=- west=5 north=6 place=south:3 players=3");
}

TEST(Leave, WinnerTakesFirstAndOthersShareWhatIsLeft) {
  const Position position = FromText(
      "play=south left=1 players=4 south=keep,off,off,off west=- north=5 east=6 place=west:4");
  EXPECT_THAT(Places(Play(position, "off")), ElementsAre(1, 2, 4, 2));
}

TEST(Leave, WhileItIsThrownWhoStarts) {
  const Position start = Start(OptionValues({{"players", "3"}}));
  // South threw 8, West leaves before throwing: North still throws.
  const Position without_west = Leave(Throw(start, {8}), 2);
  EXPECT_THAT(ToText(without_west), ::testing::StartsWith("order=north thrown=south:8 "));
  // West was the last to throw: the highest of the others starts.
  EXPECT_THAT(ToText(Leave(Throw(start, {2, 3}), 1)), ::testing::StartsWith("throw=west "));
  // A tie between South and West, and South leaves.
  EXPECT_THAT(ToText(Leave(Throw(start, {4, 4, 1}), 0)), ::testing::StartsWith("throw=west "));
  EXPECT_THAT(ToText(Leave(Throw(start, {4, 4, 1}), 1)), ::testing::StartsWith("order=south "));
}

TEST(Leave, IsRefusedWhenTheSeatHasItsPlace) {
  Position position = FromText("throw=south players=3 place=west:3");
  astragal_error error{};
  error.struct_size = sizeof(error);
  EXPECT_EQ(Table().leave(&position, 2, &error), ASTRAGAL_REFUSED);
  EXPECT_STREQ(error.message, "This seat has its place already.");
  EXPECT_EQ(Table().leave(&position, 3, &error), ASTRAGAL_REFUSED);
}

TEST(Concession, OnePointUntilSomebodyHasWon) {
  astragal_concession concession{};
  const Position position = FromText("throw=south south=4");
  ASSERT_EQ(Table().concession(&position, 1, &concession), ASTRAGAL_OK);
  EXPECT_EQ(concession.fewest, 1);
  EXPECT_EQ(concession.most, 1);
  const Position later =
      FromText("throw=north players=3 south=off,off,off,off place=south:1 play_for_places=on");
  ASSERT_EQ(Table().concession(&later, 1, &concession), ASTRAGAL_OK);
  EXPECT_EQ(concession.most, 0);
  EXPECT_EQ(Table().concession(&later, 0, &concession), ASTRAGAL_REFUSED);
}

TEST(Refusals, SayWhyAndChangeNothing) {
  struct Case {
    const char* name;
    const char* position;
    const char* action;
    const char* why;
  };
  const Case cases[] = {
      {"no_one", "play=south left=2 south=5", "enter", "Entering needs a throw of 1."},
      {"no_hand", "play=south left=1 south=5,5,5,5", "enter", "You have no piece in hand."},
      {"no_throw", "play=south left=2 south=5", "H3 4", "You do not have these throws left."},
      {"too_early", "play=south left=1 south=5,keep", "off",
       "You may bear off when all your pieces are in the keep, and not with one that came there in "
       "this series."},
      {"just_moved", "play=south left=1 used=2 acted south=keep*,keep*,off,7", "off",
       "You may bear off when all your pieces are in the keep, and not with one that came there in "
       "this series."},
      {"off_no_one", "play=south left=2 south=5,keep", "off", "Bearing off needs a throw of 1."},
      {"no_piece", "play=south left=2 south=5", "H4 2",
       "You have no piece there that has not moved in this series."},
      {"not_long", "play=south left=2 south=5", "pick H3",
       "Name the throws together with the piece."},
      {"no_pick", "play=south left=2 south=5", "go", "Pick a piece first."},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(PlayRefusal(FromText(c.position), c.action), c.why);
  }
}

}  // namespace
}  // namespace astragal::ashtapada_test
