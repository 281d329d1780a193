// The replay under keys, without a terminal.
#include "services/cli/replay_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace astragal::cli {
namespace {

using testing::HasSubstr;

constexpr char kRight = ReplayPlayer::kRight, kLeft = ReplayPlayer::kLeft;
constexpr char kUp = ReplayPlayer::kUp, kDown = ReplayPlayer::kDown;
constexpr char kHome = ReplayPlayer::kHome, kEnd = ReplayPlayer::kEnd;
constexpr char kEnter = ReplayPlayer::kEnter;

// Events 1 to 8: created, started, then three turns of a throw and an action each, white first.
ReplayPlayer MakePlayer() {
  v1::Game game;
  for (const char* name : {"white", "black"}) {
    v1::Seat* seat = game.add_seats();
    seat->set_seat(game.seats_size() - 1);
    seat->set_name(name);
  }
  ReplayPlayer player(game);
  for (uint32_t n = 1; n <= 8; ++n) {
    v1::StreamReplayResponse step;
    step.mutable_event()->set_sequence(n);
    step.mutable_position()->set_board("board " + std::to_string(n));
    const int seat = static_cast<int>((n - 3) / 2 % 2);
    if (n == 1) step.mutable_event()->mutable_created();
    if (n == 2) step.mutable_event()->mutable_started();
    if (n >= 3 && n % 2 == 1) {
      v1::Effect* effect = step.mutable_event()->mutable_throw_()->add_effects();
      effect->set_kind(v1::Effect::KIND_THROW);
      effect->set_seat(seat);
      step.mutable_event()->mutable_throw_()->set_notation("6-" + std::to_string(n));
    }
    if (n >= 3 && n % 2 == 0) {
      step.mutable_event()->mutable_action()->set_seat(seat);
      step.mutable_event()->mutable_action()->mutable_action()->set_notation("24/18");
    }
    player.Add(step);
  }
  player.Close();
  return player;
}

struct Typing {
  std::string name;
  std::string keys;
  uint32_t shown;
};

class Keys : public testing::TestWithParam<Typing> {};

TEST_P(Keys, LeadTo) {
  ReplayPlayer player = MakePlayer();
  for (const char key : GetParam().keys) ASSERT_TRUE(player.Press(key));
  EXPECT_EQ(player.sequence(), GetParam().shown);
  EXPECT_THAT(player.Screen(), HasSubstr("board " + std::to_string(GetParam().shown) + "\n"));
}

INSTANTIATE_TEST_SUITE_P(
    Player, Keys,
    testing::Values(Typing{"nothing", "", 1}, Typing{"right", {kRight, kRight}, 3},
                    Typing{"left_at_the_start", {kLeft}, 1},
                    Typing{"right_and_left", {kRight, kRight, kLeft}, 2}, Typing{"end", {kEnd}, 8},
                    Typing{"right_at_the_end", {kEnd, kRight}, 8}, Typing{"home", {kEnd, kHome}, 1},
                    Typing{"next_turns", {kDown, kDown, kDown}, 6},
                    Typing{"rest_of_a_turn", {kRight, kRight, kDown}, 4},
                    Typing{"turn_back", {kEnd, kUp}, 6},
                    Typing{"turn_back_from_its_middle", {'7', kEnter, kUp}, 6},
                    Typing{"turns_back_to_the_start", {kRight, kUp, kUp, kUp}, 1},
                    Typing{"turns_on_to_the_end", {kEnd, kDown}, 8},
                    Typing{"enter_is_the_next_turn", {kEnter}, 2},
                    Typing{"number", {'5', kEnter}, 5}, Typing{"number_zero", {'0', kEnter}, 1},
                    Typing{"number_beyond", {'9', '9', '9', kEnter}, 8},
                    Typing{"number_far_beyond", "99999999999999\n", 8},
                    Typing{"number_dropped", {'5', kRight, kEnter}, 4}),
    [](const auto& one) { return one.param.name; });

TEST(ReplayPlayerTest, PlaysByItselfAndStopsAtTheEnd) {
  ReplayPlayer player = MakePlayer();
  EXPECT_FALSE(player.wait_ms());
  player.Press(' ');
  const int steady = *player.wait_ms();
  player.Press('+');
  EXPECT_LT(*player.wait_ms(), steady);
  player.Press('-');
  player.Press('-');
  EXPECT_GT(*player.wait_ms(), steady);
  for (int i = 0; i < 6; ++i) {
    player.Tick();
    ASSERT_TRUE(player.wait_ms()) << i;
  }
  player.Tick();
  EXPECT_EQ(player.sequence(), 8u);
  EXPECT_FALSE(player.wait_ms());
  player.Press(' ');
  EXPECT_EQ(player.sequence(), 1u) << "from the start again";
  player.Press(kRight);
  EXPECT_FALSE(player.wait_ms()) << "whoever steps has stopped";
  EXPECT_FALSE(player.Press('q'));
}

TEST(ReplayPlayerTest, ShowsEventAndTurn) {
  ReplayPlayer player = MakePlayer();
  for (const char key : std::string("6\n")) player.Press(key);
  EXPECT_THAT(player.Screen(), HasSubstr("6 of 8  black plays 24/18\n"));
  EXPECT_THAT(player.Screen(), HasSubstr("turn: black  6-5: 24/18\n"));
}

TEST(TurnedRoundTest, WordsStayReadable) {
  const std::string board =
      "White   13 14   19\n"
      "      +------+-----+\n"
      "      |  X   |   O |\n"
      "      | 15   | ( < |\n"
      "coins -20\n";
  EXPECT_EQ(TurnedRound(board),
            "           -20 coins\n"
            "| > ) |   15 |\n"
            "| O   |   X  |\n"
            "+-----+------+\n"
            "  19   14 13   White\n");
  EXPECT_EQ(TurnedRound(TurnedRound(board)), board);
}

struct Bytes {
  std::string name;
  std::string bytes;
  std::string keys;
  std::string left;
};

class Terminals : public testing::TestWithParam<Bytes> {};

TEST_P(Terminals, SendKeys) {
  std::string bytes = GetParam().bytes;
  EXPECT_EQ(TakeKeys(bytes), GetParam().keys);
  EXPECT_EQ(bytes, GetParam().left);
}

INSTANTIATE_TEST_SUITE_P(Bytes, Terminals,
                         testing::Values(Bytes{"plain", "f 12\nq", "f 12\nq", ""},
                                         Bytes{"arrows", "\x1b[A\x1b[B\x1b[C\x1b[D", "^v><", ""},
                                         Bytes{"application_arrows", "\x1bOC\x1bOD", "><", ""},
                                         Bytes{"home_and_end", "\x1b[H\x1b[4~", "HE", ""},
                                         Bytes{"cut_off", "f\x1b[", "f", "\x1b["},
                                         Bytes{"unknown_sequence", "\x1bXf", "f", ""},
                                         Bytes{"letters_that_are_no_keys", "H^v<>Ezq", "q", ""},
                                         Bytes{"return", "7\r", "7\n", ""}),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace astragal::cli
