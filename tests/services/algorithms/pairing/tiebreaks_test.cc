// Tie-breaks against tables of the reference tool and of a real event, and the rules of unplayed
// rounds and of direct encounter one by one.
#include "services/algorithms/pairing/tiebreaks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "services/algorithms/pairing/trf.h"
#include "tests/services/algorithms/pairing/files.h"

namespace astragal::algorithms {
namespace {

using testing::ElementsAre;

std::vector<TieBreak> ParseAll(const std::vector<std::string>& words) {
  std::vector<TieBreak> tie_breaks;
  for (const std::string& word : words) {
    const auto parsed = ParseTieBreak(word);
    EXPECT_TRUE(parsed.has_value()) << word;
    if (parsed.has_value()) tie_breaks.push_back(*parsed);
  }
  return tie_breaks;
}

// As the reference tables have it.
std::string TableText(const Crosstable& table, const std::vector<TieBreak>& tie_breaks,
                      bool round_robin) {
  std::string text = "Rank\tStartNo";
  for (const TieBreak& tie_break : tie_breaks) text += "\t" + FormatTieBreak(tie_break);
  text += "\n";
  for (const StandingsRow& row : ComputeStandings(table, tie_breaks, {round_robin, {}})) {
    text += std::to_string(row.rank) + "\t" + std::to_string(table.players[row.player].number);
    for (size_t i = 0; i < tie_breaks.size(); ++i) {
      text += "\t" + FormatTieBreakValue(tie_breaks[i].kind, row.values[i]);
    }
    text += "\n";
  }
  return text;
}

TEST(TieBreaksTest, TablesEqualTheReference) {
  const auto manifest = nlohmann::json::parse(tests::ReadData("tiebreaks/manifest.json"));
  int tables = 0;
  for (const auto& event : manifest["cases"]) {
    const std::string name = event["name"];
    const auto file = ParseTrf(tests::ReadData("tiebreaks/" + name + ".trf"));
    ASSERT_TRUE(file.ok()) << name << ": " << file.status();
    const std::vector<TieBreak> tie_breaks = ParseAll(event["tie_break_order"]);
    const bool round_robin = event["rules"] != "swiss";
    EXPECT_EQ(TableText(file->table, tie_breaks, round_robin),
              tests::ReadData("tiebreaks/" + name + ".tsv"))
        << name;
    ++tables;
  }
  EXPECT_GE(tables, 8);
}

// 110 players; rounds that were not played are not in the file and count nothing, as in round
// robins.
TEST(TieBreaksTest, ARealEventEqualsItsPublishedTable) {
  const auto event = nlohmann::json::parse(tests::ReadData("tiebreaks/real_rapid110.json"));
  Crosstable table;
  table.rounds_played = 11;
  for (const auto& player : event["players"]) {
    Entrant entrant;
    entrant.number = player["id"];
    entrant.rounds.resize(11);
    for (const auto& game : player["games"]) {
      RoundEntry& entry = entrant.rounds[game["round"].get<int>() - 1];
      entry.opponent = game["opponent"].get<int>() - 1;
      const double score = game["score"];
      entry.outcome = score == 1 ? Outcome::kWin : score == 0 ? Outcome::kLoss : Outcome::kDraw;
    }
    table.players.push_back(entrant);
  }
  const std::vector<TieBreak> tie_breaks = ParseAll({"PTS", "BH/C1", "BH", "SB"});
  const char* names[] = {"score", "bh_c1", "bh", "sb"};
  ASSERT_EQ(table.players.size(), 110u);
  for (const StandingsRow& row : ComputeStandings(table, tie_breaks, {true, {}})) {
    const auto& player = event["players"][row.player];
    for (size_t i = 0; i < tie_breaks.size(); ++i) {
      const double given = player[names[i]];
      EXPECT_EQ(*row.values[i], std::llround(given * UnitOf(tie_breaks[i].kind)))
          << "player " << player["id"] << " " << names[i];
    }
  }
}

// A table from words, a row a player: "2w" wins against player 2, "3d", "1l", "4+" and "4-"
// forfeits, "H" "F" "Z" "U" byes, "." nothing.
Crosstable TableOf(const std::vector<std::string>& rows) {
  static const std::map<char, Outcome> kOutcomes = {
      {'w', Outcome::kWin},        {'d', Outcome::kDraw},        {'l', Outcome::kLoss},
      {'+', Outcome::kForfeitWin}, {'-', Outcome::kForfeitLoss}, {'H', Outcome::kHalfBye},
      {'F', Outcome::kFullBye},    {'Z', Outcome::kZeroBye},     {'U', Outcome::kPairingBye},
      {'.', Outcome::kNothing}};
  Crosstable table;
  for (const std::string& row : rows) {
    Entrant entrant;
    entrant.number = static_cast<int>(table.players.size()) + 1;
    std::istringstream words(row);
    for (std::string word; words >> word;) {
      RoundEntry entry;
      entry.outcome = kOutcomes.at(word.back());
      if (word.size() > 1) entry.opponent = std::stoi(word) - 1;
      entrant.rounds.push_back(entry);
    }
    table.rounds_played = static_cast<int>(entrant.rounds.size());
    table.players.push_back(entrant);
  }
  return table;
}

std::string ValueOf(const Crosstable& table, int number, const std::string& word, bool rr = false) {
  const TieBreak tie_break = *ParseTieBreak(word);
  for (const StandingsRow& row : ComputeStandings(table, {tie_break}, {rr, {}})) {
    if (row.player == number - 1) return FormatTieBreakValue(tie_break.kind, row.values[0]);
  }
  return "nobody";
}

TEST(TieBreaksTest, UnplayedRounds) {
  struct Case {
    const char* name;
    std::vector<std::string> rows;
    int number;
    const char* tie_break;
    const char* value;
  };
  const Case cases[] = {
      {"a pairing bye is a dummy with the own score", {"2w U", "1l 3w", "Z 2l"}, 1, "BH", "2.0"},
      {"but no more than a draw a round", {"U F 2w F", "Z Z 1l Z"}, 1, "BH", "6.5"},
      {"who did not come is no better than they are", {"2+ 3w", "1- H", "Z 1l"}, 1, "BH", "0.5"},
      {"an absence for good is a draw", {"2w Z Z", "1l 3w 3w", "Z 2l 2l"}, 2, "BH", "2.0"},
      {"who came back was not away", {"2w Z 3w", "1l 3w U", "Z 2l 1l"}, 2, "BH", "3.5"},
      {"the voluntary round is cut first", {"2w H 3w", "1l 3w Z", "Z 2l 1l"}, 1, "BH/C1", "1.5"},
      {"a full bye is a win and none on the board", {"F 2w", "Z 1l"}, 1, "WON", "1"},
      {"and a win all the same", {"F 2w", "Z 1l"}, 1, "WIN", "2"},
      {"nobody met", {"U", "Z"}, 1, "AOB", "-"},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(ValueOf(TableOf(test.rows), test.number, test.tie_break), test.value) << test.name;
  }
}

std::vector<int64_t> DirectEncounters(const std::vector<std::string>& rows, bool round_robin) {
  std::vector<int64_t> places(rows.size());
  const Crosstable table = TableOf(rows);
  for (const StandingsRow& row :
       ComputeStandings(table, ParseAll({"PTS", "DE"}), {round_robin, {}})) {
    places[row.player] = *row.values[1];
  }
  return places;
}

TEST(TieBreaksTest, DirectEncounter) {
  // Two who met.
  EXPECT_THAT(DirectEncounters({"2w 3l", "1l 4w", "4l 1w", "3w 2l"}, false),
              ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(DirectEncounters({"2w 3l", "1l 3w", "U 1w", "Z Z"}, false), ElementsAre(1, 2, 0, 0));
  // A circle decides nothing.
  EXPECT_THAT(DirectEncounters({"2w 3l .", "1l . 3w", ". 1w 2l"}, true), ElementsAre(0, 0, 0));
  // Not all have met: whoever cannot be caught comes first, the rest stays as it is.
  EXPECT_THAT(DirectEncounters({"2w 3w . Z", "1l . F F", ". 1l F F"}, false), ElementsAre(1, 2, 2));
  // Several meetings count by their average.
  EXPECT_THAT(DirectEncounters({"2w 2l 2d 3l", "1l 1w 1d 3l", "Z Z Z 1w"}, true),
              ElementsAre(0, 0, 0));
}

TEST(TieBreaksTest, NamesAreReadAndWritten) {
  for (const char* name : {"PTS", "DE", "BH", "BH/C1", "BH/C2", "BH/M1", "FB/C1", "SB/C1", "PS/C1",
                           "WIN", "WON", "BPG", "KS", "AOB", "ARO", "LOT"}) {
    const auto parsed = ParseTieBreak(name);
    ASSERT_TRUE(parsed.has_value()) << name;
    EXPECT_EQ(FormatTieBreak(*parsed), name);
  }
  for (const char* name :
       {"", "BX", "BH/", "BH/C", "BH/C0", "BH/X1", "PTS/C1", "PS/M1", "BH/C12"}) {
    EXPECT_FALSE(ParseTieBreak(name).has_value()) << name;
  }
}

TEST(TieBreaksTest, LotsDecideLast) {
  const Crosstable table = TableOf({"2d", "1d", "4d", "3d"});
  std::vector<int> order;
  const TieBreakRules rules{false, {40, 30, 20, 10}};
  for (const StandingsRow& row : ComputeStandings(table, DefaultTieBreaks(false), rules)) {
    order.push_back(row.player);
  }
  EXPECT_THAT(order, ElementsAre(3, 2, 1, 0));
}

}  // namespace
}  // namespace astragal::algorithms
