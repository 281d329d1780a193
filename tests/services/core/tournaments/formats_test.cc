// Tables, arenas and ladders as logs; conditions; and corrections of results, by format.
#include "services/core/tournaments/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "services/base/tournament_reasons.h"
#include "tests/services/core/tournaments/event.h"

namespace astragal::core {
namespace {

using base::Reason;
using base::ReasonOf;
using testing::ElementsAre;

void DecideAll(Event& event, std::mt19937& random, bool draws) {
  for (size_t round = 0; round < event.state().rounds.size(); ++round) {
    for (size_t board = 0; board < event.state().rounds[round].boards.size(); ++board) {
      if (event.state().rounds[round].boards[board].IsOpen()) {
        event.Decide(random, round, board, draws);
      }
    }
  }
}

TEST(Tables, EverybodySitsOnceARoundAndPointsAddUp) {
  for (const int players : {3, 4, 5, 7, 9, 10, 12, 33}) {
    SCOPED_TRACE(players);
    std::mt19937 random(static_cast<uint32_t>(players));
    TournamentTerms terms = Terms(TournamentFormat::kTables);
    terms.most_players = static_cast<uint32_t>(players);
    Event event(terms);
    event.Register(players);
    event.Steps();
    ASSERT_EQ(event.state().rounds_planned, UsualTableRounds(players));
    while (event.state().status == TournamentStatus::kRunning) {
      const TournamentRound& round = event.state().rounds.back();
      std::set<int> seated;
      for (const TournamentBoard& board : round.boards) {
        const std::vector<int> there = board.Players();
        EXPECT_TRUE(board.IsBye() || there.size() >= 3);
        for (const int player : there) EXPECT_TRUE(seated.insert(player).second);
      }
      EXPECT_EQ(seated.size(), static_cast<size_t>(players));
      DecideAll(event, random, false);
      event.Steps();
    }
    ASSERT_EQ(event.state().status, TournamentStatus::kFinished);
    // The mean of a table is three points a seat, and so is a bye.
    const std::vector<Standing> standings = StandingsOf(event.state());
    int points = 0;
    for (const Standing& row : standings) points += row.points;
    EXPECT_EQ(points, 30 * players * event.state().rounds_planned);
    EXPECT_EQ(event.Replayed().rounds.back().boards, event.state().rounds.back().boards);
  }
}

TEST(Tables, APlaceIsCorrectedByADirector) {
  std::mt19937 random(1);
  TournamentTerms terms = Terms(TournamentFormat::kTables);
  terms.most_players = 4;
  Event event(terms);
  event.Register(4);
  event.Steps();
  DecideAll(event, random, false);
  TournamentCommand command = event.By(kOwner, Kind::kResultOverridden);
  command.round = command.board = 1;
  command.results.emplace_back().places = {1, 1, 3};
  EXPECT_EQ(ReasonOf(event.Do(command)), Reason::kBadField);
  command.results[0].places = {1, 1, 3, 3};
  ASSERT_TRUE(event.Do(command).ok());
  std::vector<int> points;
  for (const Standing& row : StandingsOf(event.state())) points.push_back(row.points);
  EXPECT_THAT(points, ElementsAre(50, 50, 10, 10));
}

TEST(Arena, WavesPairWhoeverWaitsUntilTheTimeIsUp) {
  std::mt19937 random(5);
  TournamentTerms terms = Terms(TournamentFormat::kArena);
  terms.most_players = 9;
  terms.duration_ms = 120'000;
  Event event(terms);
  event.Register(9);
  event.Steps();
  ASSERT_EQ(event.state().rounds.size(), 1U);
  std::map<int, int> last;  // opponent
  size_t seen = 0;
  while (event.state().status == TournamentStatus::kRunning) {
    for (; seen < event.state().rounds.size(); ++seen) {
      for (const TournamentBoard& board : event.state().rounds[seen].boards) {
        EXPECT_FALSE(last.contains(board.first) && last[board.first] == board.second);
        last[board.first] = board.second;
        last[board.second] = board.first;
      }
    }
    // Each open match ends in this second with a chance of one in three.
    for (size_t round = 0; round < event.state().rounds.size(); ++round) {
      for (size_t board = 0; board < event.state().rounds[round].boards.size(); ++board) {
        if (!event.state().rounds[round].boards[board].IsOpen() || random() % 3 != 0) continue;
        event.Decide(random, round, board, true);
      }
    }
    event.Later(1'000);
    event.Steps();
    const std::vector<bool> playing = Playing(event.state());
    size_t open = 0;
    for (const TournamentRound& round : event.state().rounds) open += round.Open();
    EXPECT_EQ(static_cast<size_t>(std::ranges::count(playing, true)), 2 * open)
        << "nobody plays twice at a time";
  }
  EXPECT_GT(event.state().rounds.size(), 10U);
  const std::vector<Standing> standings = StandingsOf(event.state());
  EXPECT_GE(standings.front().points, standings.back().points);
  EXPECT_EQ(event.Replayed().version, event.state().version);
}

TEST(Arena, MatchesThatDoNotEndInTheGraceCountForNothing) {
  TournamentTerms terms = Terms(TournamentFormat::kArena);
  terms.most_players = 2;
  terms.duration_ms = 60'000;
  Event event(terms);
  event.Register(2);
  event.Steps();
  event.Later(60'000);
  event.Steps();
  EXPECT_EQ(event.state().status, TournamentStatus::kRunning) << "it may end";
  event.Later(GraceMs(event.state()));
  event.Steps();
  EXPECT_EQ(event.state().status, TournamentStatus::kFinished);
  EXPECT_EQ(StandingsOf(event.state()).front().points, 0);
}

TEST(LadderTest, AChallengerWhoWinsGoesAbove) {
  TournamentTerms terms = Terms(TournamentFormat::kLadder);
  Event event(terms);
  event.Register(30);
  ASSERT_TRUE(event.Do(event.By(kOwner, Kind::kStarted)).ok());
  const auto challenge = [&](int by, int of) {
    return event.Do(event.By(PlayerNumber(by), Kind::kChallenged, PlayerNumber(of)));
  };
  EXPECT_EQ(ReasonOf(challenge(30, 1)), base::kTournamentState) << "out of reach";
  EXPECT_EQ(ReasonOf(challenge(3, 5)), base::kTournamentState) << "downwards";
  ASSERT_TRUE(challenge(12, 2).ok());
  EXPECT_EQ(ReasonOf(challenge(11, 2)), base::kTournamentState) << "he plays";
  TournamentCommand result = event.By({}, Kind::kResults);
  result.round = 1;
  result.results.push_back({1, Outcome::kWin, Outcome::kLoss});
  ASSERT_TRUE(event.Do(result).ok());
  event.Steps();
  EXPECT_EQ(LadderOf(event.state())[1], 11);
  EXPECT_EQ(LadderOf(event.state())[2], 1);
  ASSERT_TRUE(challenge(11, 2).ok());
  ASSERT_TRUE(event.Do(event.By(PlayerNumber(31), Kind::kRegistered)).ok());
  EXPECT_EQ(LadderOf(event.state()).back(), 30) << "late ones come last";
}

TEST(Conditions, AreAskedOfPlayersAndToldToDirectors) {
  TournamentTerms terms = Terms(TournamentFormat::kSwiss);
  terms.automatic = false;
  terms.conditions.least_rating = 1'400;
  terms.conditions.settled = true;
  terms.conditions.least_completion = 80;
  terms.conditions.invite = base::Sha256("1984");
  Event event(terms);
  TournamentCommand command = event.By(PlayerNumber(1), Kind::kRegistered);
  command.facts = EntrantFacts{};
  EXPECT_EQ(ReasonOf(event.Do(command)), base::kTournamentState);
  command.facts->rating = 1'500;
  EXPECT_EQ(ReasonOf(event.Do(command)), base::kTournamentState);
  command.facts->provisional = false;
  EXPECT_EQ(ReasonOf(event.Do(command)), base::kTournamentState);
  command.facts->invite = terms.conditions.invite;
  command.facts->completion = 79;
  EXPECT_EQ(ReasonOf(event.Do(command)), base::kTournamentState);
  command.facts->completion = 80;
  EXPECT_TRUE(event.Do(command).ok());
  TournamentCommand add = event.By(kOwner, Kind::kRegistered, PlayerNumber(2));
  add.facts = EntrantFacts{};
  EXPECT_EQ(ReasonOf(event.Do(add)), base::kWarningsNotAccepted);
  add.accepts = {"CONDITIONS_NOT_MET"};
  EXPECT_TRUE(event.Do(add).ok());
}

// Four players, the semifinals won by 1 and 2, and the final published.
class Correction : public testing::Test {
 protected:
  void SetUp() override {
    event_.Register(4);
    event_.Steps();
    Win(0, 0);
    Win(0, 1);
    event_.Steps();
    ASSERT_EQ(event_.state().rounds.size(), 2U);
    ASSERT_EQ(event_.state().rounds[1].stage, RoundStage::kPlaying);
  }
  // The first of the board wins.
  void Win(size_t round, size_t board) {
    TournamentCommand result = event_.By({}, Kind::kResults);
    result.round = static_cast<int>(round) + 1;
    result.results.push_back({static_cast<uint32_t>(board) + 1, Outcome::kWin, Outcome::kLoss});
    ASSERT_TRUE(event_.Do(result).ok());
  }
  TournamentCommand Turn() {
    TournamentCommand command = event_.By(kOwner, Kind::kResultOverridden);
    command.round = command.board = 1;
    command.number = static_cast<int>(Outcome::kLoss) | static_cast<int>(Outcome::kWin) << 8;
    return command;
  }
  static TournamentTerms Cup() {
    TournamentTerms terms = Terms(TournamentFormat::kSingleElimination);
    terms.most_players = 4;
    return terms;
  }
  Event event_{Cup()};
};

TEST_F(Correction, WhoWentOnByMistakeIsReplaced) {
  const int wrong = event_.state().rounds[0].boards[0].first;
  const int right = event_.state().rounds[0].boards[0].second;
  TournamentCommand turn = Turn();
  EXPECT_EQ(ReasonOf(event_.Do(turn)), base::kWarningsNotAccepted);
  turn.accepts = {"WENT_ON"};
  ASSERT_TRUE(event_.Do(turn).ok());
  event_.Steps();
  ASSERT_EQ(event_.state().rounds.size(), 3U) << "the final is paired again";
  std::vector<int> final = event_.state().rounds[2].boards[0].Players();
  EXPECT_EQ(std::ranges::count(final, wrong), 0);
  EXPECT_EQ(std::ranges::count(final, right), 1);
  Win(2, 0);
  event_.Steps();
  EXPECT_EQ(event_.state().status, TournamentStatus::kFinished);
}

TEST_F(Correction, OrStaysIfTheDirectorSaysSo) {
  TournamentCommand turn = Turn();
  turn.number |= int64_t{1} << 16;
  ASSERT_TRUE(event_.Do(turn).ok());
  event_.Steps();
  EXPECT_EQ(event_.state().rounds.size(), 2U);
  EXPECT_TRUE(event_.state().rounds[1].boards[0].IsOpen());
  Win(1, 0);
  event_.Steps();
  EXPECT_EQ(event_.state().status, TournamentStatus::kFinished);
}

TEST(Corrections, APublishedRoundStaysAndTheDirectorSeesWhatItWouldBe) {
  TournamentTerms terms = Terms(TournamentFormat::kSwiss);
  terms.most_players = 8;
  terms.rounds = 4;
  Event event(terms);
  event.Register(8);
  event.Steps();
  for (size_t board = 0; board < 4; ++board) {
    TournamentCommand result = event.By({}, Kind::kResults);
    result.round = 1;
    result.results.push_back({static_cast<uint32_t>(board) + 1, Outcome::kWin, Outcome::kLoss});
    ASSERT_TRUE(event.Do(result).ok());
  }
  event.Steps();
  const std::vector<TournamentBoard> published = event.state().rounds[1].boards;
  TournamentCommand turn = event.By(kOwner, Kind::kResultOverridden);
  turn.round = turn.board = 1;
  turn.number = static_cast<int>(Outcome::kLoss) | static_cast<int>(Outcome::kWin) << 8;
  const auto plan = PlanCommand(event.state(), turn, event.now());
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->after.rounds[1].boards, published);
  ASSERT_EQ(plan->would_have_paired.size(), 4U);
  EXPECT_FALSE(SamePairs(plan->would_have_paired, published));
}

// Eight players: losers of the first two rounds play on, and those of the consolation's first
// round.
TEST(Consolation, LosersPlayOnAndTheMainPlacesStay) {
  std::mt19937 random(4);
  TournamentTerms terms = Terms(TournamentFormat::kSingleElimination);
  terms.most_players = 8;
  terms.consolation_rounds = 2;
  terms.last_chance_rounds = 1;
  ASSERT_TRUE(CheckTerms(terms).ok());
  Event event(terms);
  event.Register(8);
  event.Steps();
  while (event.state().status == TournamentStatus::kRunning) {
    std::set<int> seated;
    for (const TournamentBoard& board : event.state().rounds.back().boards) {
      for (const int player : board.Players()) EXPECT_TRUE(seated.insert(player).second);
    }
    DecideAll(event, random, false);
    event.Steps();
  }
  ASSERT_EQ(event.state().status, TournamentStatus::kFinished);
  const Bracket bracket = BracketOf(event.state());
  EXPECT_NE(bracket.state.consolation, kNobody);
  EXPECT_NE(bracket.state.last_chance, kNobody);
  const std::vector<Standing> standings = StandingsOf(event.state());
  EXPECT_EQ(standings.front().player, bracket.state.winner);
  EXPECT_EQ(standings[1].rank, 2);
  terms.format = TournamentFormat::kDoubleElimination;
  EXPECT_EQ(ReasonOf(CheckTerms(terms)), Reason::kBadField);
}

TEST(RoundRobinTest, WhoLeavesEarlyHasNeverBeenThere) {
  TournamentTerms terms = Terms(TournamentFormat::kRoundRobin);
  terms.most_players = 6;
  Event event(terms);
  event.Register(6);
  event.Steps();
  std::mt19937 random(2);
  DecideAll(event, random, false);
  ASSERT_TRUE(event.Do(event.By(kOwner, Kind::kWithdrawn, PlayerNumber(6))).ok());
  event.Steps();
  while (event.state().status == TournamentStatus::kRunning) {
    DecideAll(event, random, false);
    event.Steps();
  }
  int points = 0;
  for (const Standing& row : StandingsOf(event.state())) {
    points += row.points;
    if (row.player == 5) {
      EXPECT_EQ(row.points, 0);
    }
  }
  EXPECT_EQ(points, 10 * 10) << "the ten matches of the five others";
}

}  // namespace
}  // namespace astragal::core
