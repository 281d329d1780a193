// Tables and brackets as text, CSV, JSON, HTML and SVG.
#include "services/algorithms/pairing/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace astragal::algorithms {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Crosstable ThreePlayers() {
  Crosstable table;
  table.rounds_played = 2;
  const char* const names[] = {"J\xC3\xB6rg", "=SUM(A1)", "\"O\", <P>"};
  for (int i = 0; i < 3; ++i) {
    Entrant entrant;
    entrant.number = i + 1;
    entrant.name = names[i];
    entrant.rating = i == 2 ? 0 : 1500;
    entrant.rounds.resize(2);
    table.players.push_back(entrant);
  }
  table.players[0].rounds = {{1, Side::kFirst, Outcome::kWin}, {2, Side::kNone, Outcome::kDraw}};
  table.players[1].rounds = {{0, Side::kSecond, Outcome::kLoss},
                             {kNobody, Side::kNone, Outcome::kPairingBye}};
  table.players[2].rounds = {{}, {0, Side::kNone, Outcome::kDraw}};
  return table;
}

Grid Standings(const Crosstable& table) {
  const std::vector<TieBreak> order = {*ParseTieBreak("PTS"), *ParseTieBreak("SB")};
  return StandingsGrid(table, order, ComputeStandings(table, order));
}

TEST(GridTest, Text) {
  const Crosstable table = ThreePlayers();
  const std::vector<TieBreak> order = {*ParseTieBreak("PTS")};
  EXPECT_EQ(FormatGrid(CrosstableGrid(table, ComputeStandings(table, order)), GridFormat::kText),
            "Rank  No  Name      Rating  R1   R2   Pts\n"
            "1     1   J\xC3\xB6rg      1500    2w1  3:=  1.5\n"
            "2     2   =SUM(A1)  1500    1b0  bye  1.0\n"
            "3     3   \"O\", <P>               1:=  0.5\n");
}

TEST(GridTest, CsvCalculatesNothingAndQuotes) {
  EXPECT_EQ(FormatGrid(Standings(ThreePlayers()), GridFormat::kCsv),
            "Rank,No,Name,PTS,SB\r\n"
            "1,1,J\xC3\xB6rg,1.5,1.25\r\n"
            "2,2,'=SUM(A1),1.0,1.00\r\n"
            "3,3,\"\"\"O\"\", <P>\",0.5,0.75\r\n");
}

TEST(GridTest, JsonIsReadBack) {
  const auto json = nlohmann::json::parse(FormatGrid(Standings(ThreePlayers()), GridFormat::kJson));
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[2]["Name"], "\"O\", <P>");
  EXPECT_EQ(json[0]["PTS"], "1.5");
  EXPECT_EQ(nlohmann::json::parse(FormatGrid({{"A"}, {}}, GridFormat::kJson)).size(), 0u);
}

TEST(GridTest, HtmlIsEscaped) {
  const std::string html = FormatGrid(Standings(ThreePlayers()), GridFormat::kHtml);
  EXPECT_THAT(html, StartsWith("<table>"));
  EXPECT_THAT(html, HasSubstr("&lt;P&gt;"));
  EXPECT_THAT(html, testing::Not(HasSubstr("<P>")));
}

TEST(GridTest, Brackets) {
  const BracketPlan plan = PlanBracket(3, {.lower = true});
  const BracketState state = EvaluateBracket(plan, {});
  const std::vector<std::string> names = {"Ann", "Bob & Co"};
  const std::string text = FormatGrid(BracketGrid(plan, state, names), GridFormat::kText);
  EXPECT_THAT(text, HasSubstr("main   1      1      Ann               Ann     walk_over\n"));
  EXPECT_THAT(text, HasSubstr("main   1      2      Bob & Co  seed 3          ready\n"));
  const std::string svg = DrawBracket(plan, state, names);
  EXPECT_THAT(svg, StartsWith("<svg"));
  EXPECT_THAT(svg, HasSubstr("Bob &amp; Co"));
  EXPECT_THAT(svg, HasSubstr("lower"));
}

}  // namespace
}  // namespace astragal::algorithms
