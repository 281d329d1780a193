// Moves as players type them, and why a move is refused.
#include <gtest/gtest.h>

#include <string>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {
namespace {

struct Read {
  const char* text;
  const char* canonical;
};

// Red plays 3 with pieces on 12 and 56, Green stands where 12 lands.
const char* const kMidgame = "red plays 3; red anticlockwise on 12 56; green anticlockwise on 45";

TEST(Notation, WhatPlayersType) {
  const Read reads[] = {
      {"12/15", "12/15*"},       {"12/15*", "12/15*"},
      {"12-15", "12/15*"},       {"12 15", "12/15*"},
      {"12 -> 15", "12/15*"},    {"12 to 15", "12/15*"},
      {"12", "12/15*"},          {" 12/15 ", "12/15*"},
      {"56/home", "56/home"},    {"56/HOME", "56/home"},
      {"56/off", "56/home"},     {"56/59", "56/home"},
      {"56", "56/home"},         {"56 home", "56/home"},
      {"in/+3", "in/+3"},        {"in", "in/+3"},
      {"in 3", "in/+3"},         {"enter", "in/+3"},
      {"in/-3", "in/-3"},        {"in/3 cw", "in/-3"},
      {"in clockwise", "in/-3"}, {"in 3 anticlockwise", "in/+3"},
      {"in acw", "in/+3"},       {"1/11", "1/11"},
      {"in/+1", "in/+1"},
  };
  const Bytes position = FromText(kMidgame);
  for (const Read& read : reads) {
    SCOPED_TRACE(read.text);
    int64_t action = -1;
    astragal_error error{};
    error.struct_size = sizeof(error);
    const std::string text = read.text;
    EXPECT_EQ(Table().parse(position.get(), 0, text.data(), static_cast<uint32_t>(text.size()),
                            &action, &error),
              ASTRAGAL_OK)
        << error.message;
    EXPECT_EQ(Notation(position, 0, action), read.canonical);
  }
}

struct Refused {
  const char* position;
  const char* text;
  const char* message;
};

TEST(Notation, WhyAMoveIsRefused) {
  const char* const kFirst = "red plays 3";
  const char* const kBlocked =
      "red plays 2; red anticlockwise hand 0 on 2 4 13 57 off 2; green clockwise on 29 31 15";
  const Refused cases[] = {
      {kFirst, "",
       "parse: '' is no move. Write in/+3 or in/-3 to enter, 12/15 to move, 55/home to "
       "bear off."},
      {kFirst, "go",
       "parse: 'go' is no move. Write in/+3 or in/-3 to enter, 12/15 to move, "
       "55/home to bear off."},
      {kFirst, "in",
       "parse: Say which way Red will run: in/+3 is anticlockwise, in/-3 "
       "clockwise."},
      {kFirst, "in/+3!",
       "parse: '!' does not belong to the move. Write in/+3 or in/-3 to enter, "
       "12/15 to move, 55/home to bear off."},
      {kFirst, "in/+5",
       "parse: No throw takes a piece from 0 to 5; the sticks show 1 to 4 or 10, "
       "and home is 59."},
      {kFirst, "12/", "parse: Say where the piece on 12 goes: a square up to 58 or home."},
      {kFirst, "12/11",
       "parse: No throw takes a piece from 12 to 11; the sticks show 1 to 4 or "
       "10, and home is 59."},
      {kFirst, "58",
       "parse: No throw takes a piece from 58 to 61; the sticks show 1 to 4 or 10, "
       "and home is 59."},
      {kFirst, "in/+2", "The throw is 3, this move would take 2."},
      {kFirst, "12/15", "Red has no piece on 12."},
      {kMidgame, "in/+3", "Only a throw of 1 brings a piece in now, not 3."},
      {"red plays 1; red clockwise on 12", "in/+1", "Red runs clockwise in this game."},
      {kBlocked, "in/+2", "Red has no piece in hand."},
      {kBlocked, "2/4", "An own piece stands on 4."},
      {kBlocked, "57/home", "An enemy piece blocks the last square."},
      {"red plays 2; red anticlockwise on 13 14; green clockwise on 14; middle_attack=off", "14/16",
       "An enemy piece that cannot be taken stands on 16."},
  };
  for (const Refused& c : cases) {
    SCOPED_TRACE(std::string(c.position) + " | " + c.text);
    EXPECT_EQ(PlayRefusal(FromText(c.position), c.text), c.message);
  }
}

TEST(Notation, EveryActionThereIsRoundTrips) {
  const Bytes positions[] = {FromText("red throws"), FromText(kMidgame),
                             FromText("green plays 1; green clockwise on 20")};
  int actions = 0;
  for (const Bytes& position : positions) {
    for (int seat = 0; seat < 2; ++seat) {
      for (int64_t action = -5; action < 20000; ++action) {
        const std::string text = Notation(position, seat, action);
        if (text.empty()) continue;
        ++actions;
        int64_t read = -1;
        ASSERT_EQ(Table().parse(position.get(), seat, text.data(),
                                static_cast<uint32_t>(text.size()), &read, nullptr),
                  ASTRAGAL_OK)
            << text;
        EXPECT_EQ(read, action) << text;
        EXPECT_LE(text.size(), size_t{ASTRAGAL_MAX_NAME_BYTES});
      }
    }
  }
  // 10 entries and, for the steps 1 to 4 and 10, the starts 1..58, 57, 56, 55 and 49.
  EXPECT_EQ(actions, 3 * 2 * (10 + 58 + 57 + 56 + 55 + 49));
}

TEST(Notation, ThrowsAreWrittenAsTheirScore) {
  const Bytes start = FromText("red throws");
  for (const int score : {0, 1, 2, 3, 4, 10}) {
    const std::string text = Notation(start, ASTRAGAL_CHANCE, ThrowOf(score));
    EXPECT_EQ(text, std::to_string(score));
    int64_t read = -1;
    EXPECT_EQ(Table().parse(start.get(), ASTRAGAL_CHANCE, text.data(),
                            static_cast<uint32_t>(text.size()), &read, nullptr),
              ASTRAGAL_OK);
    EXPECT_EQ(read, ThrowOf(score));
  }
}

}  // namespace
}  // namespace astragal::patolli_test
