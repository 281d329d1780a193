// Positions as text, as a person types them, and which bytes and texts are no position.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {
namespace {

TEST(PositionText, WhatIsLeftOutIsFilledIn) {
  EXPECT_EQ(ToText(FromText("RED plays 3;green acw on 45,  47 ; red + on 12")),
            "red plays 3; red anticlockwise hand 5 on 12 off 0 coins -20; green anticlockwise "
            "hand 4 on 45 47 off 0 coins -20; pot 40");
  EXPECT_EQ(ToText(FromText("green throws; stake=5 purse=9 wedge_ranks=both; red cw off 2")),
            "green throws; red clockwise hand 4 on - off 2 coins -5; green undecided hand 6 on - "
            "off 0 coins -5; pot 10; wedge_ranks=both stake=5 purse=9");
  EXPECT_EQ(ToText(FromText("red won; red + off 6 coins 25; green - on 5 coins -25")),
            "red won; red anticlockwise hand 0 on - off 6 coins 25; green clockwise hand 5 on 5 "
            "off 0 coins -25; pot 0");
}

struct Bad {
  const char* text;
  const char* message;
};

TEST(PositionText, WhyATextIsRefused) {
  const Bad cases[] = {
      {"", "Say whose turn it is, as in 'red throws'."},
      {"blue throws", "'blue' is not understood; an option is written like penalty=2."},
      {"red", "Say whose turn it is, as in 'red throws'."},
      {"red plays",
       "Say once whose turn it is: red throws, red plays 3, red opens, red opens "
       "against 3 or red won."},
      {"red throws; green throws",
       "Say once whose turn it is: red throws, red plays 3, red "
       "opens, red opens against 3 or red won."},
      {"red throws; red + on 3; red + on 4", "Red is described twice."},
      {"red throws; red + on 3 3", "Two own pieces stand on 3."},
      {"red throws; red + on 59", "Pieces stand on own squares 1 to 58, not 59."},
      {"red throws; red + on 3 sideways",
       "Expected a direction, hand, on, off or coins at "
       "'sideways'."},
      {"red throws; red + hand 9", "hand takes a number from 0 to 6, not '9'."},
      {"red throws; red + hand 5", "Red has six pieces, not 5."},
      {"red throws; red + on 1 2 3 4 5 6 7", "Red has six pieces, not 7."},
      {"red throws; red on 5",
       "Red has brought in a piece: say whether it runs anticlockwise or "
       "clockwise."},
      {"red throws; red + on 10; green + on 40", "Red and Green stand on one square."},
      {"red throws; pot 41", "Balances and pot add up to zero, not to 1."},
      {"red throws; red coins 30", "The pot cannot be negative."},
      {"red throws; pot 41 3", "Expected a ';' after the pot at '3'."},
      {"red throws; penalty=11", "penalty is a number from 1 to 10."},
      {"red throws; penalty=x", "penalty is a number from 1 to 10."},
      {"red throws; wedge_ranks=second", "'second' is no value of wedge_ranks."},
      {"red throws; purse=19",
       "A purse of 19 cannot pay a stake of 20; it is 0 (unlimited) or at "
       "least the stake."},
      {"red throws; red coins -30; purse=29", "Red cannot have a balance of -30."},
      {"red plays 5", "A throw to play is 1 to 4 or 10, not 5."},
      {"red plays 4; red + on 57", "Red cannot move with 4: the turn would have passed on."},
      {"red opens", "Nobody throws for the first turn in this game."},
      {"red opens against 7; first_player=highest_throw", "The sticks show 0 to 4 or 10, not 7."},
      {"red opens; red + on 3; first_player=highest_throw",
       "The throws for the first turn come before moves."},
      {"red throws; red + off 6",
       "The game is over when a side has six pieces home, and only "
       "then."},
      {"red won; red + off 5",
       "The game is over when a side has six pieces home, and only "
       "then."},
      {"green won; red + off 6", "Exactly the winner has six pieces home."},
      {"red won; red + off 6", "The winner has taken the pot."},
  };
  for (const Bad& c : cases) EXPECT_EQ(Refusal(c.text), c.message) << c.text;
}

TEST(PositionText, RoundTripsInRandomGamesWithRandomOptions) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    Bytes position = Start(RandomOptions(random));
    while (true) {
      ASSERT_EQ(FromText(ToText(position)), position) << "seed " << seed;
      if (Table().actor(position.get()) == ASTRAGAL_OVER) break;
      RandomStep(position, random);
    }
  }
}

// Any bytes may come in; what passes is a position that everything can be asked about.
TEST(Check, ArbitraryBytes) {
  std::mt19937_64 random(7);
  const size_t size = Table().about->position_size;
  ASSERT_LE(size, 128u);
  int accepted = 0;
  for (int round = 0; round < 400; ++round) {
    Bytes valid = Start(RandomOptions(random));
    for (uint64_t steps = random() % 500; steps > 0; --steps) {
      if (Table().actor(valid.get()) != ASTRAGAL_OVER) RandomStep(valid, random);
    }
    for (int change = 0; change < 200; ++change) {
      Bytes bytes = valid;
      bytes.data[random() % size] = static_cast<unsigned char>(random() % 256);
      if (change % 4 == 0) bytes.data[random() % size] ^= 1;
      astragal_error error{};
      error.struct_size = sizeof(error);
      if (Table().check(bytes.get(), &error) != ASTRAGAL_OK) {
        EXPECT_NE(error.message[0], '\0');
        continue;
      }
      ++accepted;
      ASSERT_EQ(FromText(ToText(bytes)), bytes);
      EXPECT_FALSE(Board(bytes).empty());
      EXPECT_LE(Pieces(bytes).size(), size_t{Table().about->max_pieces});
      if (Table().actor(bytes.get()) != ASTRAGAL_OVER) RandomStep(bytes, random);
    }
  }
  EXPECT_GT(accepted, 100);
}

TEST(Check, TotallyRandomBytesAreRefused) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 100000; ++round) {
    Bytes bytes;
    for (unsigned char& byte : bytes.data) byte = static_cast<unsigned char>(random());
    astragal_error error{};
    error.struct_size = sizeof(error);
    EXPECT_NE(Table().check(bytes.get(), &error), ASTRAGAL_OK);
  }
}

}  // namespace
}  // namespace astragal::patolli_test
