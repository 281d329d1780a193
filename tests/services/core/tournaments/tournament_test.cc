// Tournaments as logs: whole events by schedule with results by chance, what directors may and may
// not do, and that the log alone is the tournament.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "services/base/tournament_reasons.h"
#include "services/core/tournaments/command.h"
#include "services/core/tournaments/pairing_match.h"
#include "services/core/tournaments/rating_corrections.h"
#include "services/core/tournaments/rounds.h"
#include "tests/services/core/tournaments/event.h"

namespace astragal::core {
namespace {

using base::Reason;
using base::ReasonOf;
using testing::IsEmpty;

// What two states of one tournament have in common if they are equal.
void ExpectSame(const TournamentState& one, const TournamentState& other) {
  EXPECT_EQ(one.version, other.version);
  EXPECT_EQ(one.status, other.status);
  ASSERT_EQ(one.rounds.size(), other.rounds.size());
  for (size_t i = 0; i < one.rounds.size(); ++i) {
    EXPECT_EQ(one.rounds[i].stage, other.rounds[i].stage);
    EXPECT_EQ(one.rounds[i].boards, other.rounds[i].boards) << "round " << i + 1;
  }
  const std::vector<Standing> a = StandingsOf(one);
  const std::vector<Standing> b = StandingsOf(other);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].player, b[i].player);
    EXPECT_EQ(a[i].rank, b[i].rank);
    EXPECT_EQ(a[i].values, b[i].values);
  }
}

// Nobody is in a round twice, and in a Swiss nobody meets anybody twice.
void ExpectSound(const TournamentState& state) {
  std::set<std::pair<int, int>> met;
  for (const TournamentRound& round : state.rounds) {
    std::set<int> seated;
    for (const TournamentBoard& board : round.boards) {
      EXPECT_TRUE(seated.insert(board.first).second);
      if (board.IsBye()) continue;
      EXPECT_TRUE(seated.insert(board.second).second);
      // A match that was forfeited has not been played: they may be paired again.
      const bool forfeited = board.first_outcome == Outcome::kForfeitWin;
      const auto pair = std::minmax(board.first, board.second);
      const bool swiss = state.terms.format == TournamentFormat::kSwiss;
      EXPECT_FALSE(swiss && met.contains(pair)) << pair.first << ", " << pair.second;
      if (!forfeited) met.insert(pair);
    }
  }
}

struct Case {
  const char* name;
  TournamentFormat format;
  bool draws;
};
constexpr Case kCases[] = {
    {"Swiss", TournamentFormat::kSwiss, true},
    {"SwissToLosses", TournamentFormat::kSwissToLosses, false},
    {"RoundRobin", TournamentFormat::kRoundRobin, true},
    {"SingleElimination", TournamentFormat::kSingleElimination, false},
    {"DoubleElimination", TournamentFormat::kDoubleElimination, false},
};

class EveryFormat : public testing::TestWithParam<Case> {};

TEST_P(EveryFormat, GoesFromRegistrationToStandingsByItself) {
  for (const int players : {2, 3, 5, 8, 13, 32}) {
    SCOPED_TRACE(players);
    std::mt19937 random(static_cast<uint32_t>(players));
    TournamentTerms terms = Terms(GetParam().format);
    terms.most_players = static_cast<uint32_t>(players);
    Event event(terms);
    event.Register(players);
    event.Steps();
    for (int rounds = 0; rounds < 60 && event.state().status == TournamentStatus::kRunning;
         ++rounds) {
      event.Play(random, GetParam().draws);
      event.Steps();
    }
    ASSERT_EQ(event.state().status, TournamentStatus::kFinished);
    ExpectSound(event.state());
    ExpectSame(event.state(), event.Replayed());
    const std::vector<Standing> standings = StandingsOf(event.state());
    ASSERT_EQ(standings.size(), static_cast<size_t>(players));
    EXPECT_EQ(standings.front().rank, 1);
    EXPECT_TRUE(GetParam().draws || standings[1].rank > 1) << "one winner";
  }
}

TEST_P(EveryFormat, GoesOnWhenPlayersLeave) {
  std::mt19937 random(7);
  TournamentTerms terms = Terms(GetParam().format);
  terms.most_players = 12;
  Event event(terms);
  event.Register(12);
  event.Steps();
  for (int rounds = 0; rounds < 60 && event.state().status == TournamentStatus::kRunning;
       ++rounds) {
    event.Play(random, GetParam().draws);
    const int leaver = 1 + static_cast<int>(random() % 12);
    event.Do(event.By(PlayerNumber(leaver), Kind::kWithdrawn)).IgnoreError();
    event.Steps();
  }
  EXPECT_EQ(event.state().status, TournamentStatus::kFinished);
  ExpectSame(event.state(), event.Replayed());
}

INSTANTIATE_TEST_SUITE_P(All, EveryFormat, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

class DirectedTest : public testing::Test {
 protected:
  static TournamentTerms Manual() {
    TournamentTerms terms = Terms(TournamentFormat::kSwiss);
    terms.automatic = false;
    terms.rounds = 3;
    return terms;
  }
  absl::Status Owner(Kind kind) { return event_.Do(event_.By(kOwner, kind)); }
  void StartWith(int players) {
    event_.Register(players);
    ASSERT_TRUE(Owner(Kind::kStarted).ok());
  }
  const TournamentState& state() const { return event_.state(); }

  Event event_{Manual()};
  std::mt19937 random_{3};
};

TEST_F(DirectedTest, NothingIsDoneByScheduleThatADirectorKeepsForHimself) {
  StartWith(6);
  event_.Steps();
  EXPECT_THAT(state().rounds, IsEmpty());
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  event_.Later(1'000'000);
  event_.Steps();
  EXPECT_EQ(state().rounds.back().stage, RoundStage::kDrafted);
  ASSERT_TRUE(Owner(Kind::kRoundPublished).ok());
  event_.Play(random_, false);
  event_.Steps();
  EXPECT_EQ(state().rounds.back().stage, RoundStage::kClosed);
}

TEST_F(DirectedTest, ADraftThatNobodyWaitsForIsNoDraft) {
  StartWith(12);
  int asked = 0;
  TournamentCommand draft = event_.By(kOwner, Kind::kRoundDrafted);
  draft.go_on = [&asked] {
    ++asked;
    return absl::CancelledError("the caller does not wait any longer");
  };
  const uint32_t version = state().version;
  EXPECT_TRUE(absl::IsCancelled(event_.Do(draft)));
  EXPECT_EQ(asked, 1) << "the engine stops at once";
  EXPECT_EQ(state().version, version);
  EXPECT_THAT(state().rounds, IsEmpty());
  // Somebody who waits gets it, and one who leaves makes no other while the caller is gone.
  draft.go_on = nullptr;
  ASSERT_TRUE(event_.Do(draft).ok());
  TournamentCommand leave = event_.By(PlayerNumber(3), Kind::kWithdrawn);
  leave.go_on = [] { return absl::DeadlineExceededError("the time of the call is up"); };
  const std::vector<TournamentBoard> boards = state().rounds.back().boards;
  EXPECT_TRUE(absl::IsDeadlineExceeded(event_.Do(leave)));
  EXPECT_EQ(state().rounds.back().boards, boards);
  EXPECT_EQ(state().players[2].status, EntrantStatus::kIn);
}

TEST_F(DirectedTest, AListOfADaySeedsThePlayersAndTheLogSaysWhich) {
  event_.Register(5);  // with 1999, 1998, ...: player 1 would be the first
  TournamentCommand start = event_.By(kOwner, Kind::kStarted);
  start.seed_snapshot = "official";
  EXPECT_FALSE(event_.Do(start).ok()) << "no list, and never by something else instead";
  start.seeds = SeedList{"2026-11-01",
                         {{PlayerNumber(2), 1'500},
                          {PlayerNumber(3), 1'700},
                          {PlayerNumber(5), 1'600},
                          {PlayerNumber(9), 2'500}}};  // who does not play
  ASSERT_TRUE(event_.Do(start).ok());
  std::vector<std::pair<base::PlayerId, int>> seeded;
  for (const TournamentPlayer& player : state().players)
    seeded.emplace_back(player.id, player.rating);
  const std::vector<std::pair<base::PlayerId, int>> expected = {{PlayerNumber(3), 1'700},
                                                                {PlayerNumber(5), 1'600},
                                                                {PlayerNumber(2), 1'500},
                                                                {PlayerNumber(1), 0},
                                                                {PlayerNumber(4), 0}};
  EXPECT_EQ(seeded, expected);
  EXPECT_EQ(SeedDayOf(event_.log().back()), "2026-11-01");
  ExpectSame(state(), event_.Replayed());
}

TEST_F(DirectedTest, WithoutAListTheLogOfAStartHasNoDay) {
  StartWith(4);
  EXPECT_EQ(state().players.front().rating, 1'999);
  EXPECT_EQ(SeedDayOf(event_.log().back()), "");
}

TEST_F(DirectedTest, RolesAreKept) {
  StartWith(4);
  const base::PlayerId director = PlayerNumber(500);
  EXPECT_EQ(ReasonOf(event_.Do(event_.By(director, Kind::kRoundDrafted))), Reason::kScopeMissing);
  TournamentCommand give = event_.By(kOwner, Kind::kRoleGiven, director);
  give.number = static_cast<int>(TournamentRole::kDirector);
  ASSERT_TRUE(event_.Do(give).ok());
  EXPECT_TRUE(event_.Do(event_.By(director, Kind::kRoundDrafted)).ok());
  EXPECT_EQ(ReasonOf(event_.Do(event_.By(director, Kind::kRoleGiven, PlayerNumber(1)))),
            Reason::kScopeMissing);
  EXPECT_EQ(ReasonOf(event_.Do(event_.By(PlayerNumber(1), Kind::kWithdrawn, PlayerNumber(2)))),
            Reason::kScopeMissing);
}

TEST_F(DirectedTest, ADraftFollowsWhatChangesAndLockedBoardsStay) {
  StartWith(6);
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  TournamentCommand edit = event_.By(kOwner, Kind::kRoundDrafted);
  edit.boards.resize(1);
  edit.boards[0].first = 0;
  edit.boards[0].second = 1;
  ASSERT_TRUE(event_.Do(edit).ok());
  EXPECT_TRUE(state().rounds[0].boards[0].locked);
  ASSERT_TRUE(event_.Do(event_.By(PlayerNumber(6), Kind::kWithdrawn)).ok());
  ASSERT_EQ(state().rounds.size(), 1U);
  EXPECT_EQ(state().rounds[0].boards[0].second, 1) << "the locked board is still there";
  ASSERT_EQ(state().rounds[0].boards.size(), 3U);
  EXPECT_EQ(state().rounds[0].boards[2].first_outcome, Outcome::kPairingBye);
  for (const TournamentBoard& board : state().rounds[0].boards) EXPECT_NE(board.second, 5);
  edit.boards[0].second = 9;
  EXPECT_EQ(ReasonOf(event_.Do(edit)), Reason::kBadField);
}

TEST_F(DirectedTest, WarningsAreAcceptedByTheirCodes) {
  StartWith(4);
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  ASSERT_TRUE(Owner(Kind::kRoundPublished).ok());
  TournamentCommand close = event_.By(kOwner, Kind::kRoundClosed);
  const absl::Status refused = event_.Do(close);
  EXPECT_EQ(ReasonOf(refused), base::kWarningsNotAccepted);
  EXPECT_EQ(base::DetailsOf(refused)["warnings"], "RESULTS_MISSING");
  const uint32_t version = state().version;
  close.accepts = {"RESULTS_MISSING"};
  EXPECT_TRUE(event_.Do(close).ok());
  EXPECT_EQ(state().version, version + 1);
  // What is missing counts as drawn for the pairing only, and the end waits for it.
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  EXPECT_EQ(StandingsOf(state()).front().points, 0);
  TournamentCommand finish = event_.By(kOwner, Kind::kFinished);
  EXPECT_EQ(ReasonOf(event_.Do(finish)), base::kTournamentState);
}

TEST_F(DirectedTest, TieBreaksChangeWithAWarningOnceItHasStartedAndWithoutBefore) {
  event_.Register(4);
  TournamentCommand change = event_.By(kOwner, Kind::kTieBreaksChanged);
  change.tie_breaks = {*algorithms::ParseTieBreak("PTS"), *algorithms::ParseTieBreak("BH/C1")};
  ASSERT_TRUE(event_.Do(change).ok());
  EXPECT_THAT(ColumnsOf(state().terms), testing::ElementsAre("PTS", "BH/C1"));
  ASSERT_TRUE(Owner(Kind::kStarted).ok());

  TournamentCommand again = event_.By(kOwner, Kind::kTieBreaksChanged);
  again.tie_breaks = {*algorithms::ParseTieBreak("PTS"), *algorithms::ParseTieBreak("SB")};
  EXPECT_EQ(base::DetailsOf(event_.Do(again))["warnings"], "TIE_BREAKS_CHANGED");
  again.accepts = {"TIE_BREAKS_CHANGED"};
  again.reason.clear();
  EXPECT_EQ(ReasonOf(event_.Do(again)), Reason::kBadField) << "why must be said";
  again.reason = "as announced";
  ASSERT_TRUE(event_.Do(again).ok());
  EXPECT_THAT(ColumnsOf(state().terms), testing::ElementsAre("PTS", "SB"));
  ExpectSame(state(), event_.Replayed());
  EXPECT_EQ(event_.Replayed().terms, state().terms);

  TournamentCommand usual = event_.By(kOwner, Kind::kTieBreaksChanged);
  usual.accepts = {"TIE_BREAKS_CHANGED"};
  ASSERT_TRUE(event_.Do(usual).ok());
  EXPECT_THAT(state().terms.tie_breaks, IsEmpty());
  TournamentCommand stranger = event_.By(PlayerNumber(1), Kind::kTieBreaksChanged);
  EXPECT_EQ(ReasonOf(event_.Do(stranger)), Reason::kScopeMissing);
}

TEST_F(DirectedTest, AnOverriddenResultChangesStandingsAndADraftButNoPublishedRound) {
  StartWith(6);
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  ASSERT_TRUE(Owner(Kind::kRoundPublished).ok());
  event_.Play(random_, false);
  event_.Steps();
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  const auto points = [this](int player) {
    for (const Standing& row : StandingsOf(state())) {
      if (row.player == player) return row.points;
    }
    return -1;
  };
  const auto turn = [this](const char* reason) {
    const TournamentBoard& board = state().rounds[0].boards[0];
    TournamentCommand command = event_.By(kOwner, Kind::kResultOverridden);
    command.round = 1;
    command.board = 1;
    command.reason = reason;
    const bool won = board.first_outcome == Outcome::kWin;
    command.number = static_cast<int>(won ? Outcome::kLoss : Outcome::kWin) |
                     static_cast<int>(won ? Outcome::kWin : Outcome::kLoss) << 8;
    return command;
  };
  EXPECT_EQ(ReasonOf(event_.Do(turn(""))), Reason::kBadField) << "needs a reason";
  const int first = state().rounds[0].boards[0].first;
  const int before = points(first);
  const base::Instant drafted = state().rounds[1].drafted_at;
  event_.Later(10);
  ASSERT_TRUE(event_.Do(turn("a mistake")).ok());
  EXPECT_NE(points(first), before);
  EXPECT_NE(state().rounds[1].drafted_at, drafted) << "the draft follows";
  ASSERT_TRUE(Owner(Kind::kRoundPublished).ok());
  const std::vector<TournamentBoard> published = state().rounds[1].boards;
  ASSERT_TRUE(event_.Do(turn("it was none")).ok());
  EXPECT_EQ(points(first), before);
  EXPECT_EQ(state().rounds[1].boards, published);
}

TEST_F(DirectedTest, ARatingFollowsAnOverrideOnceIfTheDirectorSaysSo) {
  StartWith(4);
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  ASSERT_TRUE(Owner(Kind::kRoundPublished).ok());
  event_.Play(random_, false);
  const auto decide = [this](Outcome first, Outcome second, bool rating) {
    TournamentCommand command = event_.By(kOwner, Kind::kResultOverridden);
    command.round = 1;
    command.board = 1;
    command.number = static_cast<int>(first) | static_cast<int>(second) << 8 |
                     static_cast<int64_t>(rating) << 17;
    return event_.Do(command);
  };
  ASSERT_TRUE(decide(Outcome::kLoss, Outcome::kWin, false).ok());
  EXPECT_THAT(state().ratings_due, IsEmpty());
  ASSERT_TRUE(decide(Outcome::kLoss, Outcome::kWin, true).ok());
  ASSERT_TRUE(decide(Outcome::kZeroBye, Outcome::kZeroBye, true).ok());
  ASSERT_EQ(state().ratings_due.size(), 2u) << "one after the other";
  EXPECT_TRUE(NextLook(state(), event_.now()).has_value());

  const TournamentBoard& board = state().rounds[0].boards[0];
  const RatingChange lost = RatingChangeOf(state(), state().ratings_due[0]);
  const RatingChange annulled = RatingChangeOf(state(), state().ratings_due[1]);
  EXPECT_EQ(lost.match, MatchIdOf(state(), {0, 0}));
  EXPECT_FALSE(lost.annul);
  EXPECT_THAT(
      lost.places,
      testing::ElementsAre(std::pair(state().players[static_cast<size_t>(board.first)].id, 2),
                           std::pair(state().players[static_cast<size_t>(board.second)].id, 1)));
  EXPECT_TRUE(annulled.annul);
  EXPECT_NE(lost.request.bytes, annulled.request.bytes);
  EXPECT_EQ(RatingChangeOf(event_.Replayed(), event_.Replayed().ratings_due[0]).request.bytes,
            lost.request.bytes)
      << "whoever asks asks the same";

  TournamentCommand done = event_.By({}, Kind::kRatingCorrected);
  done.number = int64_t{state().ratings_due[0].version} << 1 | 1;
  ASSERT_TRUE(event_.Do(done).ok());
  EXPECT_EQ(ReasonOf(event_.Do(done)), base::kTournamentState) << "once";
  ASSERT_EQ(state().ratings_due.size(), 1u);
  EXPECT_TRUE(RatingChangeOf(state(), state().ratings_due[0]).annul);
  done.by = kOwner;
  EXPECT_EQ(ReasonOf(event_.Do(done)), Reason::kScopeMissing) << "the server's alone";
}

TEST(Sides, AreChosenByWhoIsSeededHigher) {
  TournamentTerms terms = Terms(TournamentFormat::kRoundRobin);
  terms.sides = SidePolicy::kChoice;
  Event event(terms);
  for (int i = 1; i <= 4; ++i) {
    TournamentCommand command = event.By(PlayerNumber(i), Kind::kRegistered);
    command.number = 2'000 - i;
    command.begins_second = i == 2;
    ASSERT_TRUE(event.Do(command).ok());
  }
  ASSERT_TRUE(event.Do(event.By(kOwner, Kind::kStarted)).ok());
  std::mt19937 random(5);
  size_t pairs = 0;
  event.Steps();
  while (event.state().status == TournamentStatus::kRunning) {
    const size_t round = event.state().rounds.size() - 1;
    for (size_t board = 0; board < event.state().rounds[round].boards.size(); ++board) {
      const std::vector<base::PlayerId> seats = SeatsOf(event.state(), {round, board});
      const bool of_two = std::ranges::find(seats, PlayerNumber(2)) != seats.end();
      if (of_two && seats[0] != PlayerNumber(1)) {
        EXPECT_EQ(seats[1], PlayerNumber(2)) << "2 leaves it to those below";
      } else {
        EXPECT_LT(event.state().IndexOf(seats[0]), event.state().IndexOf(seats[1]));
      }
      ++pairs;
    }
    ASSERT_LE(pairs, 6u);
    event.Play(random, true);
    event.Steps();
  }
  EXPECT_EQ(pairs, 6u);

  Event dice(Terms(TournamentFormat::kSwiss));
  TournamentCommand wish = dice.By(PlayerNumber(1), Kind::kRegistered);
  wish.begins_second = true;
  EXPECT_EQ(ReasonOf(dice.Do(wish)), Reason::kBadField) << "nobody chooses there";
}

TEST_F(DirectedTest, WhoHasNotSeenAChangeIsToldSoButResultsStaleNobody) {
  StartWith(4);
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  TournamentCommand publish = event_.By(kOwner, Kind::kRoundPublished);
  publish.expected_version = state().version - 1;
  EXPECT_EQ(ReasonOf(event_.Do(publish)), Reason::kStaleVersion);
  publish.expected_version = state().version;
  ASSERT_TRUE(event_.Do(publish).ok());
  TournamentCommand pause = event_.By(kOwner, Kind::kPlayerPaused, PlayerNumber(1));
  pause.expected_version = state().version;
  event_.Play(random_, false);
  EXPECT_TRUE(event_.Do(pause).ok());
}

TEST_F(DirectedTest, LateOnesComeUntilMoreThanHalfOfTheRoundsHaveBegun) {
  StartWith(6);
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  EXPECT_TRUE(event_.Do(event_.By(PlayerNumber(7), Kind::kRegistered)).ok()) << "1 of 3";
  EXPECT_EQ(state().players.back().first_round, 2);
  ASSERT_TRUE(Owner(Kind::kRoundPublished).ok());
  event_.Play(random_, false);
  event_.Steps();
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  EXPECT_EQ(ReasonOf(event_.Do(event_.By(PlayerNumber(8), Kind::kRegistered))),
            base::kTournamentState)
      << "2 of 3";
}

TEST_F(DirectedTest, HalfAPointForARestOnce) {
  StartWith(6);
  TournamentCommand bye = event_.By(PlayerNumber(2), Kind::kByeRequested);
  bye.round = 1;
  bye.number = static_cast<int>(Outcome::kHalfBye);
  ASSERT_TRUE(event_.Do(bye).ok());
  bye.round = 2;
  EXPECT_EQ(ReasonOf(event_.Do(bye)), base::kTournamentState);
  TournamentCommand given = event_.By(kOwner, Kind::kByeRequested, PlayerNumber(2));
  given.round = 2;
  given.number = bye.number;
  EXPECT_EQ(ReasonOf(event_.Do(given)), base::kWarningsNotAccepted);
  ASSERT_TRUE(Owner(Kind::kRoundDrafted).ok());
  const auto& boards = state().rounds[0].boards;
  const auto rest = std::ranges::find(boards, Outcome::kHalfBye, &TournamentBoard::first_outcome);
  ASSERT_NE(rest, boards.end());
  EXPECT_EQ(rest->first, 1);
}

TEST(TournamentTermsTest, BytesAreReadBack) {
  TournamentTerms terms = Terms(TournamentFormat::kDoubleElimination);
  terms.rounds = 300;
  terms.reset = false;
  terms.starts_at = base::Instant{42};
  terms.check_in_ms = 600'000;
  terms.pairing_bye = 5;
  terms.tie_breaks = algorithms::DefaultTieBreaks(true);
  terms.play.match = MatchTerms{};
  terms.duration_ms = 3'600'000;
  terms.consolation_rounds = 2;
  terms.last_chance_rounds = 1;
  terms.scoring = Scoring::kRace;
  terms.conditions.least_rating = 1'400;
  terms.conditions.invite = base::Sha256("1984");
  terms.conditions.least_completion = 80;
  EXPECT_EQ(DecodeTournamentTerms(EncodeTerms(terms)).value(), terms);
  std::string second = EncodeTerms(terms);
  second[0] = 2;
  second.pop_back();
  TournamentTerms unasked = terms;
  unasked.conditions.least_completion = 0;
  EXPECT_EQ(DecodeTournamentTerms(second).value(), unasked) << "as logs of old have them";
  EXPECT_FALSE(DecodeTournamentTerms("").ok());
  std::string longer = EncodeTerms(terms) + "x";
  EXPECT_FALSE(DecodeTournamentTerms(longer).ok());
  terms.next_stage.emplace().qualify = 8;
  terms.next_stage->third_place = true;
  terms.next_stage->break_ms = 60'000;
  EXPECT_EQ(DecodeTournamentTerms(EncodeTerms(terms)).value(), terms);
  EXPECT_EQ(UsualRounds(2), 1);
  EXPECT_EQ(UsualRounds(64), 8);
  EXPECT_EQ(UsualRounds(10'000), 16);
}

}  // namespace
}  // namespace astragal::core
