// How games, turns, tables and lines look.
#include "services/cli/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "services/cli/board_text.h"
#include "services/cli/client.h"
#include "services/cli/event_text.h"
#include "services/cli/game_text.h"
#include "services/cli/lines.h"
#include "services/cli/random_game.h"
#include "services/cli/replay_view.h"
#include "services/cli/seats.h"

namespace astragal::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using v1::Effect;

v1::Game TwoSeats() {
  v1::Game game;
  game.set_game_id("g1");
  game.set_ruleset_id("long_narde");
  game.set_status(v1::GAME_STATUS_RUNNING);
  for (int i = 0; i < 2; ++i) {
    v1::Seat& seat = *game.add_seats();
    seat.set_seat(i);
    seat.set_name(i == 0 ? "white" : "black");
  }
  game.mutable_seats(0)->set_player_id("p0");
  game.mutable_seats(0)->set_player_name("alice");
  return game;
}

void AddEffect(google::protobuf::RepeatedPtrField<Effect>& effects, Effect::Kind kind, int seat,
               int64_t amount = 0) {
  Effect& effect = *effects.Add();
  effect.set_kind(kind);
  effect.set_seat(seat);
  effect.set_amount(amount);
}

v1::Event Throw(uint32_t sequence, int seat, const std::string& notation, bool passes = false) {
  v1::Event event;
  event.set_sequence(sequence);
  event.mutable_throw_()->set_notation(notation);
  AddEffect(*event.mutable_throw_()->mutable_effects(), Effect::KIND_THROW, seat);
  if (passes) AddEffect(*event.mutable_throw_()->mutable_effects(), Effect::KIND_PASS, seat);
  return event;
}

v1::Event Play(uint32_t sequence, int seat, const std::string& notation) {
  v1::Event event;
  event.set_sequence(sequence);
  event.mutable_action()->set_seat(seat);
  event.mutable_action()->mutable_action()->set_notation(notation);
  return event;
}

TEST(TableTest, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(TableText({{"A", "LONG"}, {"word", "x"}, {"é", "y"}, {"z"}}),
            "A     LONG\n"
            "word  x\n"
            "é     y\n"
            "z\n");
}

TEST(ColumnsTest, FillLinesWithinTheWidth) {
  EXPECT_EQ(ColumnsText({"24/18", "24/21", "6/off", "5/1"}, 18, 2),
            "  24/18  24/21\n"
            "  6/off  5/1\n");
  EXPECT_EQ(ColumnsText({"longer-than-the-line"}, 5, 0), "longer-than-the-line\n");
}

TEST(WrapTest, BreaksAtSpaces) {
  EXPECT_EQ(WrapText("one two three\nfour", 9, 2), "  one two\n  three\n  four\n");
}

TEST(SeatsTest, AreNamedWhateverComes) {
  const Seats seats(TwoSeats());
  EXPECT_EQ(seats.Name(1), "black");
  EXPECT_EQ(seats.Name(7), "seat 7");
  EXPECT_EQ(seats.Name(-1), "nobody");
  EXPECT_EQ(seats.Who(0), "white (alice)");
  EXPECT_EQ(seats.Who(1), "black (free)");
  EXPECT_EQ(seats.SeatOf("p0"), 0);
  EXPECT_EQ(seats.SeatOf(""), std::nullopt);
}

TEST(SeatsTest, AreTypedByNumberOrName) {
  EXPECT_EQ(*ReadSeat("1", {"white", "black"}), 1);
  EXPECT_EQ(*ReadSeat("Black", {"white", "black"}), 1);
  for (const char* typed : {"", "red", "-1", "1x"}) {
    const auto read = ReadSeat(typed, {"white", "black"});
    ASSERT_FALSE(read.ok()) << typed;
    EXPECT_THAT(std::string(read.status().message()), HasSubstr("white, black"));
  }
}

TEST(GameOptionTest, IsNameAndValue) {
  google::protobuf::Map<std::string, std::string> options;
  EXPECT_TRUE(ReadGameOption("a=b=c", options).ok());
  EXPECT_TRUE(ReadGameOption("empty=", options).ok());
  EXPECT_EQ(options["a"], "b=c");
  for (const char* typed : {"", "name", "=value", "a=again"}) {
    EXPECT_FALSE(ReadGameOption(typed, options).ok()) << typed;
  }
}

TEST(EventTextTest, SaysWhatFollowed) {
  const Seats seats(TwoSeats());
  v1::Event play = Play(3, 0, "7/12*");
  auto& effects = *play.mutable_action()->mutable_action()->mutable_effects();
  AddEffect(effects, Effect::KIND_MOVE, 0);
  AddEffect(effects, Effect::KIND_CAPTURE, 1);
  AddEffect(effects, Effect::KIND_PAY, 0, 2);
  EXPECT_EQ(EventText(play, seats), "white plays 7/12*, black loses a piece, pays 2");
  EXPECT_EQ(EventText(Throw(4, 1, "6-6", true), seats), "black throws 6-6, cannot move");
  EXPECT_THAT(EventText(v1::Event(), seats), HasSubstr("too old"));
}

std::vector<std::string> TurnsOf(const std::vector<v1::Event>& events) {
  TurnLines turns{Seats(TwoSeats())};
  std::vector<std::string> lines;
  const auto add = [&](const std::optional<TurnLine>& line) {
    if (line) {
      lines.push_back(std::to_string(line->first_sequence) + "-" +
                      std::to_string(line->last_sequence) + " " + line->text);
    }
  };
  for (const v1::Event& event : events) add(turns.Add(event));
  add(turns.Close());
  return lines;
}

TEST(TurnLinesTest, GatherThrowsAndActionsOfOneSeat) {
  v1::Event created;
  created.set_sequence(1);
  created.mutable_created();
  EXPECT_THAT(TurnsOf({created, Throw(2, 0, "6-3"), Play(3, 0, "24/18"), Play(4, 0, "18/15"),
                       Throw(5, 1, "5-5", true), Throw(6, 0, "2-1"), Play(7, 0, "24/22")}),
              ElementsAre("1-1 the game is created", "2-4 white  6-3: 24/18 18/15",
                          "5-5 black  5-5  (cannot move)", "6-7 white  2-1: 24/22"));
}

TEST(TurnLinesTest, SeriesOfThrowsAndExtraTurns) {
  EXPECT_THAT(TurnsOf({Throw(1, 0, "4"), Throw(2, 0, "2"), Play(3, 0, "a"), Play(4, 0, "b"),
                       Throw(5, 0, "1"), Play(6, 0, "c"), Play(7, 1, "d")}),
              ElementsAre("1-4 white  4 2: a b", "5-6 white  1: c", "7-7 black  d"));
}

TEST(ReplayViewTest, FewBoardsAreStartMiddleAndEnd) {
  std::ostringstream out;
  ReplayView::Options options;
  options.boards = Boards::kFew;
  options.last = 8;
  ReplayView view(options, Seats(TwoSeats()), out);
  for (uint32_t i = 1; i <= 8; ++i) {
    v1::StreamReplayResponse step;
    *step.mutable_event() = i % 2 == 1 ? Throw(i, 0, "1") : Play(i, 0, "m");
    step.mutable_position()->set_board("board " + std::to_string(i) + "\n");
    view.Step(step);
  }
  view.End();
  EXPECT_EQ(out.str(),
            "    1  white  1: m\n\nboard 2\n\n"
            "    3  white  1: m\n\nboard 4\n\n"
            "    5  white  1: m\n"
            "    7  white  1: m\n\nboard 8\n\n");
}

TEST(BoardTextTest, ThrowsStillToPlayAndPlayed) {
  v1::Position position;
  position.set_actor(0);
  EXPECT_EQ(TurnText(position, Seats(TwoSeats())), "white (alice) to act");
  position.add_throws()->set_value(6);
  v1::Throw& used = *position.add_throws();
  used.set_value(3);
  used.set_used(true);
  EXPECT_EQ(TurnText(position, Seats(TwoSeats())), "white (alice) to act; to play: 6 (played: 3)");
  position.set_actor(-2);
  EXPECT_EQ(TurnText(position, Seats(TwoSeats())), "the game is over");
}

TEST(LinesTest, CutInputIntoTrimmedLines) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::string text = " 24/18 \r\n\nlast without a break" + std::string(5'000, 'x');
  ASSERT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(ends[1]);
  Lines lines(ends[0]);
  std::vector<std::string> got;
  while (lines.Wait()) got.push_back(lines.Take());
  close(ends[0]);
  ASSERT_EQ(got.size(), 3u);
  EXPECT_EQ(got[0], "24/18");
  EXPECT_EQ(got[1], "");
  EXPECT_EQ(got[2].size(), Lines::kMaxLength);
}

TEST(RequestIdTest, IsARandomUuidOfVersion4) {
  base::SystemRandom random;
  const std::string id = NewRequestId(random);
  EXPECT_THAT(id, testing::MatchesRegex(
                      "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  EXPECT_NE(id, NewRequestId(random));
}

TEST(PickBelowTest, ReachesEveryNumberAboutEquallyOften) {
  constexpr uint64_t kSeed = 7;
  std::mt19937_64 random(kSeed);
  std::array<int, 5> counts{};
  for (int i = 0; i < 50'000; ++i) ++counts[PickBelow(random, counts.size())];
  // Ten standard deviations of a binomial (n = 50,000, p = 1/5): about 894.
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 900) << "seed " << kSeed;
}

}  // namespace
}  // namespace astragal::cli
