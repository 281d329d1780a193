// Tournament report files: every reference file read and written back, and what is said about lines
// that are wrong.
#include "services/algorithms/pairing/trf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/services/algorithms/pairing/files.h"

namespace astragal::algorithms {
namespace {

using testing::HasSubstr;

// A player line: number, rating, points, then the rounds as they stand in the file.
std::string Player(int number, const std::string& points, const std::string& rounds) {
  std::string line(89, ' ');
  const auto put = [&line](size_t end, const std::string& text) {
    line.replace(end - text.size(), text.size(), text);
  };
  put(3, "001");
  put(8, std::to_string(number));
  put(20, "Player");
  put(52, "1500");
  put(84, points);
  return line + rounds + "\n";
}

std::string Three(const std::string& more = "") {
  return Player(1, "1.0", "     2 w 1") + Player(2, "0.0", "     1 b 0") +
         Player(3, "1.0", "  0000 - U") + "142 5\n" + more;
}

TEST(TrfTest, EveryReferenceFileIsReadAndWrittenBackToTheSame) {
  int read = 0;
  for (const char* folder : {"swiss", "tiebreaks"}) {
    for (const std::string& name : tests::DataNames(folder, ".trf")) {
      const auto file = ParseTrf(tests::ReadData(std::string(folder) + "/" + name + ".trf"));
      ASSERT_TRUE(file.ok()) << name << ": " << file.status();
      const auto text = FormatTrf(*file);
      ASSERT_TRUE(text.ok()) << name << ": " << text.status();
      const auto again = ParseTrf(*text);
      ASSERT_TRUE(again.ok()) << name << ": " << again.status();
      EXPECT_EQ(*file, *again) << name;
      EXPECT_EQ(*text, *FormatTrf(*again)) << name;
      ++read;
    }
  }
  EXPECT_GE(read, 38);
}

// The name of the first player put in the file as these bytes, padded to columns 15 to 47.
std::string Named(const std::string& bytes, size_t columns) {
  std::string text = Three();
  return text.replace(14, 33, bytes + std::string(33 - columns, ' '));
}

TEST(TrfTest, NamesArePaddedInCharactersOrInBytesAndMayBeLatin1) {
  const std::string utf8 = "M\xC3\xBCller, J\xC3\xB6rg";
  struct Case {
    const char* name;
    std::string text;
  };
  const Case cases[] = {{"padded in characters", Named(utf8, 12)},
                        {"padded in bytes", Named(utf8, 14)},
                        {"ISO 8859-1", Named("M\xFCller, J\xF6rg", 12)}};
  for (const Case& test : cases) {
    const auto file = ParseTrf(test.text);
    ASSERT_TRUE(file.ok()) << test.name << ": " << file.status();
    const Entrant& player = file->table.players[0];
    EXPECT_EQ(player.name, utf8) << test.name;
    ASSERT_EQ(player.rounds.size(), 1U) << test.name;
    EXPECT_EQ(player.rounds[0].opponent, 1) << test.name;
    EXPECT_EQ(player.rounds[0].outcome, Outcome::kWin) << test.name;
  }
  // A character cut in two by its column of bytes is left out.
  std::string cut = Three();
  cut.replace(14, 33, std::string(32, 'a') + "\xC3");
  cut = "012 Open\n" + cut;
  EXPECT_TRUE(ParseTrf(cut).ok()) << ParseTrf(cut).status();
}

TEST(TrfTest, ReadsWhatLinesSay) {
  const auto file = ParseTrf("012 Open\n" + Three("152 B\n"
                                                  "162  W 3.0    D 1.0    P 2.0\n"
                                                  "192 FIDE_DUTCH_2025\n"
                                                  "240 H   2    2\n"
                                                  "250       1.0   1   3    1    2\n"
                                                  "260   1   2    1    3\n"
                                                  "XXP 2 3\n"
                                                  "### mine\n"));
  // The points of the players are those of another system: the line says so.
  EXPECT_THAT(std::string(file.status().message()), HasSubstr("Line 2: the points are 1.0"));
  const auto read = ParseTrf("012 Open\n" + Three("152 B\n"
                                                  "240 H   2    2\n"
                                                  "250       1.0   1   3    1    2\n"
                                                  "260   1   2    1    3\n"
                                                  "XXP 2 3\n"
                                                  "### mine\n"));
  ASSERT_TRUE(read.ok()) << read.status();
  const Crosstable& table = read->table;
  EXPECT_EQ(table.players.size(), 3u);
  EXPECT_EQ(table.players[0].name, "Player");
  EXPECT_EQ(table.players[0].rating, 1500);
  EXPECT_EQ(table.rounds_played, 1);
  EXPECT_EQ(table.rounds_planned, 5);
  EXPECT_EQ(table.first_side, Side::kSecond);
  EXPECT_EQ(table.players[0].rounds[0], (RoundEntry{1, Side::kFirst, Outcome::kWin}));
  EXPECT_EQ(table.players[2].rounds[0].outcome, Outcome::kPairingBye);
  EXPECT_FALSE(AbsentFromNext(table, 0));
  EXPECT_TRUE(AbsentFromNext(table, 1));
  EXPECT_EQ(table.players[1].lent, (std::vector<Tenths>{10, 10, 10}));
  EXPECT_EQ(table.players[2].lent, std::vector<Tenths>());
  ASSERT_EQ(table.forbidden.size(), 2u);
  EXPECT_EQ(table.forbidden[0], (ForbiddenGroup{{0, 2}, 1, 2}));
  EXPECT_EQ(table.forbidden[1], (ForbiddenGroup{{1, 2}, 1, 5}));
  EXPECT_EQ(read->before, std::vector<std::string>{"012 Open"});
  EXPECT_EQ(read->after, std::vector<std::string>{"### mine"});
}

TEST(TrfTest, LineEndsAndUnicodeDoNotMoveColumns) {
  std::string text = Three();
  const size_t name = text.find("Player");
  text.replace(name, 6, "J\xC3\xB6rg\xE2\x82\xAC\xF0\x9F\x8E\xB2");
  const auto unix_ends = ParseTrf(text);
  ASSERT_TRUE(unix_ends.ok()) << unix_ends.status();
  EXPECT_EQ(unix_ends->table.players[0].name, "J\xC3\xB6rg\xE2\x82\xAC\xF0\x9F\x8E\xB2");
  for (const char* end : {"\r", "\r\n"}) {
    std::string other = text;
    for (size_t at = 0; (at = other.find('\n', at)) != std::string::npos; at += 2) {
      other.replace(at, 1, end);
    }
    const auto read = ParseTrf(other);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, *unix_ends);
  }
}

TEST(TrfTest, BakuLendsToAnEvenHalf) {
  Crosstable table;
  table.players.resize(42);
  table.rounds_planned = 9;
  table.rounds_played = 8;
  LendBaku(table);
  EXPECT_EQ(table.players[21].lent, (std::vector<Tenths>{10, 10, 10, 5, 5}));
  EXPECT_EQ(table.players[22].lent, std::vector<Tenths>());
}

TEST(TrfTest, SaysWhichLineIsWrongAndWhy) {
  struct Case {
    const char* name;
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"no number", Three("001 abcd" + std::string(80, ' ')), "Line 5: columns 5 to 8"},
      {"no points", Three("001    4" + std::string(80, ' ')), "Line 5: columns 81 to 84"},
      {"twice", Three(Player(3, "0.0", "")), "number 3 is there twice"},
      {"opponent without line", Player(1, "1.0", "     7 w 1"), "Line 1: opponent 7 has no line"},
      {"themselves", Player(1, "1.0", "     1 w 1"), "Line 1: a player against themselves"},
      {"unknown result", Player(1, "1.0", "     2 w ?"), "Line 1: round 1: unknown result '?'"},
      {"side", Player(1, "1.0", "     2 x 1"), "round 1: the side is w, b or -"},
      {"bye with opponent", Player(1, "1.0", "     2 w U"), "an opponent and the result of a bye"},
      {"win without opponent", Player(1, "1.0", "  0000 - 1"), "a result without an opponent"},
      {"other opponent",
       Player(1, "1.0", "     2 w 1") + Player(2, "0.0", "     3 b 0") +
           Player(3, "0.0", "     1 b 0"),
       "Player 1, round 1: the opponent names somebody else"},
      {"same side", Player(1, "1.0", "     2 w 1") + Player(2, "0.0", "     1 w 0"),
       "both have the same side"},
      {"points", Player(1, "2.0", "     2 w 1") + Player(2, "0.0", "     1 b 0"),
       "Line 1: the points are 2.0, the results give 1.0"},
      {"rounds", Three("142 0\n"), "Line 5: no number of rounds"},
      {"the points of the coming bye may be in",
       Three("142 1\nXXR 1\n") + Player(4, "0.5", "  0000 - Z  0000 - H"), ""},
      {"side of round 1", Three("152 X\n"), "Line 5: the first side is W or B"},
      {"bye letter", Three("240 X   2    1\n"), "Line 5: a bye is H, F or Z"},
      {"bye of nobody", Three("240 H   2    9\n"), "Line 5: no player 9"},
      {"forbidden", Three("260   2   1    1    2\n"), "Line 5: columns 5 to 7"},
      {"given points", Three("299 ...\n"), "Line 5: points that no rule gives"},
  };
  for (const Case& test : cases) {
    const auto file = ParseTrf(test.text);
    if (*test.message == '\0') {
      EXPECT_TRUE(file.ok()) << test.name << ": " << file.status();
      continue;
    }
    ASSERT_FALSE(file.ok()) << test.name;
    EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument) << test.name;
    EXPECT_THAT(std::string(file.status().message()), HasSubstr(test.message)) << test.name;
  }
}

}  // namespace
}  // namespace astragal::algorithms
