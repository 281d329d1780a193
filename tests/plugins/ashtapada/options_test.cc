// Every value of every option, by name: what it changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/plugins/ashtapada/driver.h"

namespace astragal::ashtapada_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

// The seats in the order in which they throw for the start.
std::vector<std::string> OrderOfSeats(const std::string& players) {
  Position position = Start(OptionValues({{"players", players}}));
  std::vector<std::string> seats;
  for (size_t i = 0; i < Table().seats(&position); ++i) {
    seats.push_back(ashtapada::kSeatNames[position.turn]);
    position = Throw(position, {1});
  }
  return seats;
}

TEST(Players, Two) { EXPECT_THAT(OrderOfSeats("2"), ElementsAre("south", "north")); }
TEST(Players, Three) { EXPECT_THAT(OrderOfSeats("3"), ElementsAre("south", "west", "north")); }
TEST(Players, Four) {
  EXPECT_THAT(OrderOfSeats("4"), ElementsAre("south", "west", "north", "east"));
}
TEST(Players, IsTheOptionOfSeats) {
  EXPECT_NE(Table().about->options[ashtapada::kPlayers].flags & ASTRAGAL_OPTION_SEATS, 0u);
}

class Pieces : public ::testing::TestWithParam<int> {};
TEST_P(Pieces, PerPlayer) {
  const Position start = Start(OptionValues({{"pieces", std::to_string(GetParam())}}));
  std::vector<astragal_piece> pieces(Table().about->max_pieces);
  ASSERT_EQ(Table().pieces(&start, pieces.data(), Table().about->max_pieces), 2u);
  EXPECT_EQ(pieces[0].count, GetParam());
  EXPECT_EQ(pieces[1].count, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Two_to_eight, Pieces, ::testing::Range(2, 9));

struct Entry {
  const char* box;
  const char* seat;
  const char* entry;
  const char* second;
  const char* keep;
};
class EntryBox : public ::testing::TestWithParam<Entry> {};
TEST_P(EntryBox, RouteStartsAndEnds) {
  const Entry& c = GetParam();
  const std::string options =
      std::string(" players=4 entry_box=") + c.box + " " + c.seat + "=0,1,keep";
  const std::string board = Board(FromText(std::string("throw=") + c.seat + options));
  const Position position = FromText(std::string("throw=") + c.seat + options);
  std::vector<astragal_piece> pieces(Table().about->max_pieces);
  pieces.resize(Table().pieces(&position, pieces.data(), Table().about->max_pieces));
  std::vector<std::string> squares;
  for (const astragal_piece& piece : pieces) {
    if (piece.place < ashtapada::kSquares) squares.push_back(PlaceName(position, piece.place));
  }
  EXPECT_THAT(squares, ::testing::UnorderedElementsAre(c.entry, c.second, c.keep)) << board;
}
INSTANTIATE_TEST_SUITE_P(Right, EntryBox,
                         ::testing::Values(Entry{"right", "south", "E1", "F1", "D4"},
                                           Entry{"right", "east", "H5", "H6", "E4"},
                                           Entry{"right", "north", "D8", "C8", "E5"},
                                           Entry{"right", "west", "A4", "A3", "D5"}));
INSTANTIATE_TEST_SUITE_P(Left, EntryBox,
                         ::testing::Values(Entry{"left", "south", "D1", "C1", "E4"},
                                           Entry{"left", "east", "H4", "H3", "E5"},
                                           Entry{"left", "north", "E8", "F8", "D5"},
                                           Entry{"left", "west", "A5", "A6", "D4"}));

const char kTwins[] = "play=south left=2+4 south=8,8 north=26,26 ";

TEST(TwinFormation, SameSquare) {
  const Position position = FromText(std::string(kTwins) + "twin_formation=same_square");
  EXPECT_THAT(Moves(position), Contains("H6 twins 4"));
  EXPECT_THAT(PlayEffects(position, "H6 4"), Not(Contains("capture north F8")));
}
TEST(TwinFormation, Off) {
  const Position position = FromText(std::string(kTwins) + "twin_formation=off");
  EXPECT_THAT(Moves(position), ElementsAre("H6 2", "H6 4", "H6 2+4"));
  EXPECT_THAT(PlayEffects(position, "H6 4"), Contains("capture north F8"));
}

TEST(TwinMove, Full) {
  const Position position = FromText(std::string(kTwins) + "twin_move=full");
  EXPECT_THAT(PlayEffects(position, "H6 twins 4"), Contains("move south H6>F8"));
}
TEST(TwinMove, Half) {
  const Position position = FromText("play=south left=1+2+8 south=8,8 north=26,26 twin_move=half");
  EXPECT_THAT(Moves(position), Not(Contains("H6 twins 1")));  // half of 1 is no move
  EXPECT_THAT(PlayEffects(position, "H6 twins 2"), Contains("move south H6>H7"));
  EXPECT_THAT(PlayEffects(position, "H6 twins 1+2"), Contains("move south H6>H7"));
  EXPECT_THAT(PlayEffects(position, "H6 twins 8"), Contains("capture north F8"));
  EXPECT_EQ(PlayRefusal(position, "H6 twins 1"), "A half of 1 is not a move.");
}

TEST(Triplets, Plain) {
  const Position position = FromText("play=south left=2 south=8,8,8 north=24,24,24 triplets=plain");
  EXPECT_THAT(Moves(position), ElementsAre("H6 2"));
  const Position attack = FromText("play=south left=2 south=9 north=25,25,25 triplets=plain");
  EXPECT_THAT(PlayEffects(attack, "H7 2"), Contains("capture north G8"));
}
TEST(Triplets, AsTwins) {
  const Position position = FromText("play=south left=2 south=8,8,8 triplets=as_twins");
  EXPECT_THAT(Moves(position), ElementsAre("H6 2", "H6 twins 2"));
  const Position single = FromText("play=south left=2 south=9 north=25,25,25 triplets=as_twins");
  EXPECT_THAT(PlayEffects(single, "H7 2"), Not(Contains("capture north G8")));
  const Position pair = FromText("play=south left=2 south=9,9,9 north=25,25,25 triplets=as_twins");
  EXPECT_EQ(ToText(Play(pair, "H7 twins 2")),
            "throw=south south=9,11,11 north=- triplets=as_twins");
}

TEST(MarkedBox, Share) {
  const Position position = FromText("play=south left=3 south=4 north=21 marked_box=share");
  EXPECT_THAT(Moves(position), ElementsAre("H2 3"));
}
TEST(MarkedBox, Block) {
  const std::string board = "south=4 north=21 marked_box=block";
  EXPECT_EQ(ToText(Throw(FromText("throw=south " + board), {3})), "throw=north " + board);
  EXPECT_EQ(PlayRefusal(FromText("play=south left=1+3 " + board), "H2 3"),
            "An enemy on that marked box keeps you from it.");
  // North's 14 is South's entry box; own pieces share it.
  const Position entry = FromText("play=south left=1+3 south=1 north=14 marked_box=block");
  EXPECT_EQ(PlayRefusal(entry, "enter"), "An enemy stands on your entry box.");
  const Position own = FromText("play=south left=1+3 south=0,0 marked_box=block");
  EXPECT_THAT(Moves(own), Contains("enter"));
}

TEST(Forgo, AfterFirst) {
  const Position position = FromText("play=south left=1+2 south=4 forgo=after_first");
  EXPECT_EQ(PlayRefusal(position, "stop"), "You may stop only after your first action.");
  const Position acted = Play(position, "enter");
  EXPECT_THAT(Moves(acted), Contains("stop"));
  EXPECT_THAT(PlayEffects(acted, "stop"),
              ElementsAre("stop south", "discard south 2", "turn north"));
}
TEST(Forgo, Any) {
  const Position position = FromText("play=south left=1+2 south=4 forgo=any");
  EXPECT_EQ(ToText(Play(position, "stop")), "throw=north south=4 north=- forgo=any");
}
TEST(Forgo, None) {
  // One piece only: used together the throws are all used, one alone leaves the other.
  const Position position = FromText("play=south left=2+4 south=4 forgo=none");
  EXPECT_THAT(Moves(position), ElementsAre("H2 2+4"));
  EXPECT_EQ(PlayRefusal(position, "H2 2"),
            "As many throws as possible must be used: this leaves more unused.");
  EXPECT_EQ(PlayRefusal(position, "stop"),
            "As many throws as possible must be used: you may not stop.");
}
TEST(Forgo, NoneStopsWhenNothingFits) {
  const Position position = FromText("play=south left=3+8 south=57 forgo=none");
  EXPECT_EQ(ToText(Play(position, "C4 3")), "throw=north south=keep north=- forgo=none");
}

TEST(ThrowWeights, Fair) {
  const Position position = Start(OptionValues({{"throw_weights", "fair"}}));
  const astragal_throw_kind& kind = Table().about->throw_kinds[Table().chances(&position)];
  EXPECT_THAT(std::vector<uint32_t>(kind.weights, kind.weights + kind.outcome_count),
              ElementsAre(4, 6, 4, 1, 1));
}
TEST(ThrowWeights, Even) {
  const Position position = Start(OptionValues({{"throw_weights", "even"}}));
  const astragal_throw_kind& kind = Table().about->throw_kinds[Table().chances(&position)];
  EXPECT_THAT(std::vector<uint32_t>(kind.weights, kind.weights + kind.outcome_count),
              ElementsAre(1, 1, 1, 1, 1));
}

TEST(FirstPlayer, HighestThrow) {
  const Position start = Start(OptionValues({{"players", "3"}, {"first_player", "highest_throw"}}));
  EXPECT_EQ(ToText(Throw(start, {2, 8, 3})), "throw=west south=- west=- north=- players=3");
}
class FirstPlayer : public ::testing::TestWithParam<const char*> {};
TEST_P(FirstPlayer, Named) {
  const std::string seat = GetParam();
  const Position start = Start(OptionValues({{"players", "4"}, {"first_player", seat}}));
  EXPECT_THAT(ToText(start), ::testing::StartsWith("throw=" + seat));
  const int number = static_cast<int>(
      std::find(ashtapada::kSeatNames, ashtapada::kSeatNames + 4, seat) - ashtapada::kSeatNames);
  EXPECT_EQ(Table().about->first_player_values[number], start.option[ashtapada::kFirstPlayer]);
}
INSTANTIATE_TEST_SUITE_P(Seats, FirstPlayer, ::testing::Values("south", "west", "north", "east"));
TEST(FirstPlayer, MustHaveASeat) {
  EXPECT_EQ(StartRefusal({{"first_player", "west"}}),
            "first_player: West does not play in a game of 2.");
  EXPECT_EQ(StartRefusal({{"first_player", "west"}, {"players", "3"}}), "");
  EXPECT_EQ(StartRefusal({{"first_player", "east"}, {"players", "3"}}),
            "first_player: East does not play in a game of 3.");
}

const char kLastPiece[] =
    "play=south left=1+2 players=3 south=off,off,off,keep west=4 north=5 play_for_places=";

TEST(PlayForPlaces, Off) {
  const Position over = Play(FromText(std::string(kLastPiece) + "off"), "off");
  EXPECT_EQ(Table().actor(&over), ASTRAGAL_OVER);
  EXPECT_THAT(Places(over), ElementsAre(1, 2, 2));
}
TEST(PlayForPlaces, On) {
  const Position position = FromText(std::string(kLastPiece) + "on");
  EXPECT_THAT(PlayEffects(position, "off"),
              ElementsAre("off south D4", "finish south 1", "discard south 2", "turn west"));
  const Position after = Play(position, "off");
  EXPECT_EQ(ToText(after),
            "throw=west south=off,off,off,off west=4 north=5 place=south:1 players=3 "
            "play_for_places=on");
  EXPECT_THAT(Places(after), ElementsAre(1, 0, 0));
  const Position last = FromText(
      "play=north left=1 players=3 south=off,off,off,off west=4 north=off,off,off,keep "
      "place=south:1 play_for_places=on");
  EXPECT_THAT(PlayEffects(last, "off"),
              ElementsAre("off north E5", "finish north 2", "finish west 3"));
  const Position over = Play(last, "off");
  EXPECT_EQ(Table().actor(&over), ASTRAGAL_OVER);
  EXPECT_THAT(Places(over), ElementsAre(1, 2, 3));
  EXPECT_EQ(Results(over)[0].points, 1);
  EXPECT_EQ(Results(over)[1].points, 0);
}

TEST(Presets, Standard) { EXPECT_EQ(PresetValues("standard"), OptionValues({})); }
TEST(Presets, Strict) { EXPECT_EQ(PresetValues("strict"), OptionValues({{"forgo", "none"}})); }

TEST(Options, BalanceIsKeptByThreeOnly) {
  std::vector<std::string> keepers;
  for (uint32_t i = 0; i < Table().about->option_count; ++i) {
    const astragal_option& option = Table().about->options[i];
    if ((option.flags & ASTRAGAL_OPTION_KEEPS_BALANCE) != 0) keepers.push_back(option.name);
  }
  EXPECT_THAT(keepers, ElementsAre("players", "first_player", "play_for_places"));
}

}  // namespace
}  // namespace astragal::ashtapada_test
