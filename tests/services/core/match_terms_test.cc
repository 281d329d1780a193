// What was agreed on for a match: who begins each game, clocks that go on, time that loses it, and
// what makes no match.
#include <gmock/gmock.h>

#include <functional>
#include <string>

#include "services/core/next_game.h"
#include "tests/services/core/sim/match_fixture.h"

namespace astragal::tests {
namespace {

using storage::ClockKind;
using testing::ElementsAre;

TEST_F(MatchesTest, WithoutAnOptionThePlayersChangeSeats) {
  struct Case {
    FirstMover mover;
    int loser;  // of the first game
    std::vector<int> second;
  };
  const Case cases[] = {
      {FirstMover::kRules, 1, {1, 2}},     {FirstMover::kWinner, 1, {2, 1}},
      {FirstMover::kWinner, 2, {1, 2}},    {FirstMover::kLoser, 1, {1, 2}},
      {FirstMover::kLoser, 2, {2, 1}},     {FirstMover::kAlternate, 1, {2, 1}},
      {FirstMover::kAlternate, 2, {2, 1}},
  };
  for (const Case& c : cases) {
    const MatchId id = Created(First(), Terms(MatchKind::kGames, 5, c.mover));
    EXPECT_THAT(Seating(id), ElementsAre(1, 2));
    Resign(id, c.loser);
    EXPECT_EQ(Seating(id), c.second) << static_cast<int>(c.mover) << " " << c.loser;
    EXPECT_EQ(Beginner(id), c.second[0]);
    // Points follow the player, not the seat.
    Resign(id, c.loser);
    EXPECT_EQ(Points(id)[static_cast<size_t>(2 - c.loser)], 4);
    if (c.mover == FirstMover::kAlternate) {
      EXPECT_THAT(Seating(id), ElementsAre(1, 2));
    }
  }
}

TEST_F(MatchesTest, LongNardesWinnerBeginsByItsOption) {
  const MatchId id =
      Created(First("long_narde"), Terms(MatchKind::kPoints, 5, FirstMover::kWinner));
  const auto option = [&] {
    const core::StatePtr state = StateOf(Last(id));
    const size_t index = *state->ruleset->about().FindOption("first_player");
    return state->ruleset->OptionText(index, state->facts->options[index]);
  };
  EXPECT_EQ(option(), "roll_off");
  Resign(id, 1);
  EXPECT_THAT(Points(id), ElementsAre(0, 2)) << "a mars was possible still";
  EXPECT_EQ(option(), "black");
  EXPECT_EQ(Beginner(id), 2);
  EXPECT_THAT(Seating(id), ElementsAre(1, 2));
  Resign(id, 2);
  EXPECT_EQ(option(), "white");
  EXPECT_EQ(Beginner(id), 1);
  Resign(id, 1);
  EXPECT_THAT(Points(id), ElementsAre(2, 4));
  Resign(id, 1);
  EXPECT_THAT(Points(id), ElementsAre(2, 5));
  EXPECT_EQ(Now(id)->Stage(), MatchStage::kOver);
}

TEST_F(MatchesTest, WhereNobodySaysSoTheMatchRulesOfTheRulesetDo) {
  struct Case {
    const char* ruleset;
    MatchKind kind;
    FirstMover mover;
  };
  const Case cases[] = {
      {"long_narde", MatchKind::kPoints, FirstMover::kWinner},
      {"long_narde", MatchKind::kBestOf, FirstMover::kWinner},
      {"long_narde", MatchKind::kGames, FirstMover::kAlternate},
      {"race", MatchKind::kPoints, FirstMover::kRules},
      {"race", MatchKind::kBestOf, FirstMover::kRules},
      {"race", MatchKind::kGames, FirstMover::kAlternate},
  };
  for (const Case& c : cases) {
    const MatchId id = Created(First(c.ruleset), Terms(c.kind, 3, std::nullopt));
    EXPECT_EQ(Now(id)->match.record.first_mover, c.mover)
        << c.ruleset << " " << static_cast<int>(c.kind);
  }
}

TEST_F(MatchesTest, AfterADrawWhoeverBeganBeginsAgain) {
  const MatchId id = Created(First(), Terms(MatchKind::kGames, 9, FirstMover::kWinner));
  Resign(id, 1);
  ASSERT_EQ(Beginner(id), 2);
  Agree(id, storage::OfferKind::kDraw);
  EXPECT_EQ(Now(id)->games.size(), 3U);
  EXPECT_EQ(Now(id)->score.games, 2);
  EXPECT_EQ(Beginner(id), 2);
}

TEST_F(MatchesTest, AMatchClockGoesOn) {
  MatchTerms terms = Terms(MatchKind::kGames, 5, FirstMover::kWinner);
  terms.match_clock = true;
  const MatchId id = Created(First("race", {ClockKind::kDelay, 60'000, 2'000, 0}), terms);
  EXPECT_TRUE(StateOf(Last(id))->facts->terms.reserves_ms.empty());
  const int slow = Beginner(id);
  LetPass(12'000);
  Resign(id, slow);
  const core::StatePtr second = StateOf(Last(id));
  const std::vector<int64_t>& reserves = second->facts->terms.reserves_ms;
  ASSERT_EQ(reserves.size(), 2U);
  // Player `slow` lost: the other one begins, in the first seat.
  ASSERT_EQ(Seating(id), (std::vector<int>{3 - slow, slow}));
  EXPECT_EQ(reserves[0], 60'000);
  EXPECT_NEAR(static_cast<double>(reserves[1]), 50'000, 100) << "the delay was free";
  EXPECT_EQ(second->proceedings.clock.reserve_us[1], reserves[1] * 1'000);
  ExpectSoundLog(Last(id));
}

TEST_F(MatchesTest, WhoHasNothingLeftHasAnIncrement) {
  MatchTerms terms = Terms(MatchKind::kGames, 5);
  terms.match_clock = true;
  const MatchId id = Created(First("race", {ClockKind::kFischer, 10'000, 3'000, 0}), terms);
  const auto slow = static_cast<size_t>(Beginner(id) - 1);
  LetPass(12'000);
  ASSERT_EQ(Now(id)->games.front().game.ending, storage::Ending::kTimedOut);
  const std::vector<int64_t> reserves = StateOf(Last(id))->facts->terms.reserves_ms;
  ASSERT_EQ(reserves.size(), 2U);
  EXPECT_EQ(reserves[slow], 3'000);
  EXPECT_EQ(reserves[1 - slow], 10'000);
}

TEST_F(MatchesTest, WithoutAMatchClockEachGameHasItsOwn) {
  const MatchId id =
      Created(First("race", {ClockKind::kDelay, 60'000, 2'000, 0}), Terms(MatchKind::kGames, 5));
  LetPass(12'000);
  Resign(id, 1);
  EXPECT_TRUE(StateOf(Last(id))->facts->terms.reserves_ms.empty());
}

TEST_F(MatchesTest, TimeoutLosesTheGameOrTheMatch) {
  for (const bool loses : {false, true}) {
    MatchTerms terms = Terms(MatchKind::kPoints, 9);
    terms.timeout_loses = loses;
    const MatchId id = Created(First("race", {ClockKind::kPerTurn, 0, 2'000, 0}), terms);
    const int slow = Beginner(id);
    LetPass(3'000);
    EXPECT_EQ(Now(id)->games.front().game.ending, storage::Ending::kTimedOut);
    EXPECT_EQ(Now(id)->Stage() == MatchStage::kOver, loses);
    EXPECT_EQ(Now(id)->score.ended_on_time, loses);
    EXPECT_EQ(Points(id)[static_cast<size_t>(2 - slow)], 2);
    if (loses) {
      EXPECT_EQ(Now(id)->score.winner, 2 - slow);
    }
  }
}

TEST_F(MatchesTest, WhatMakesNoMatchIsRefused) {
  const storage::ClockPolicy delay{ClockKind::kDelay, 60'000, 2'000, 0};
  const storage::ClockPolicy per_turn{ClockKind::kPerTurn, 0, 2'000, 0};
  struct Case {
    const char* name;
    const char* field;
    storage::ClockPolicy clock;
    std::function<void(core::CreateGame&, MatchTerms&)> spoil;
  };
  const Case cases[] = {
      {"no kind", "terms.kind", {}, [](auto&, auto& m) { m.kind = MatchKind{}; }},
      {"no length", "terms.length", {}, [](auto&, auto& m) { m.length = 0; }},
      {"long", "terms.length", {}, [](auto&, auto& m) { m.length = 1'000; }},
      {"mover", "terms.first_mover", {}, [](auto&, auto& m) { m.first_mover = FirstMover{9}; }},
      {"clock", "terms.match_clock", {}, [](auto&, auto& m) { m.match_clock = true; }},
      {"no reserve", "terms.match_clock", per_turn, [](auto&, auto& m) { m.match_clock = true; }},
      {"no increment",
       "terms.match_clock",
       {ClockKind::kFischer, 60'000, 0, 0},
       [](auto&, auto& m) { m.match_clock = true; }},
      {"time", "terms.timeout_loses", {}, [](auto&, auto& m) { m.timeout_loses = true; }},
      {"alone", "player_ids", {}, [](auto& g, auto&) { g.players.pop_back(); }},
      {"twice", "player_ids", {}, [](auto& g, auto&) { g.players[1] = g.players[0]; }},
      {"nobody", "player_ids", {}, [](auto& g, auto&) { g.players[1] = {}; }},
      {"too many", "player_ids", delay, [](auto& g, auto&) { g.players.push_back(Player(3)); }},
      {"option",
       "options.none",
       {},
       [](auto& g, auto&) {
         g.options = {{"none", "1"}};
       }},
  };
  for (const Case& c : cases) {
    core::CreateGame first = First("race", c.clock);
    MatchTerms terms = Terms(MatchKind::kPoints, 3);
    c.spoil(first, terms);
    const MatchResult refused = Create(first, terms);
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument) << c.name;
    EXPECT_EQ(Detail(refused.status(), "field"), c.field) << c.name;
  }
  EXPECT_TRUE(store_.Backup().games.empty());
}

}  // namespace
}  // namespace astragal::tests
