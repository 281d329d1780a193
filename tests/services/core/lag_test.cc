// What the network takes: measured by pings, believed from nobody, given back to the clock.
#include "services/core/lag.h"

#include <gtest/gtest.h>

#include <string>

#include "services/base/status.h"
#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using core::Lag;

class LagTest : public testing::Test {
 protected:
  void Pass(int64_t ms) { clock_.Advance(ms * 1'000); }
  // A ping that comes back after `ms`.
  void Measure(int player, int64_t ms) {
    const std::string ping = lag_.Ping(Player(static_cast<uint8_t>(player)));
    Pass(ms);
    const auto took = lag_.Answer(Player(static_cast<uint8_t>(player)), ping, clock_.Now());
    ASSERT_TRUE(took.ok()) << took.status();
    EXPECT_EQ(*took, ms * 1'000);
  }
  Reason Refused(int player, const std::string& ping) {
    return base::ReasonOf(
        lag_.Answer(Player(static_cast<uint8_t>(player)), ping, clock_.Now()).status());
  }

  base::ManualClock clock_;
  SeededRandom random_{7};
  Lag lag_{clock_, random_};
};

TEST_F(LagTest, TheLeastOfTheLastFewCounts) {
  EXPECT_EQ(lag_.Of(Player(1)), 0);
  Measure(1, 80);
  EXPECT_EQ(lag_.Of(Player(1)), 80'000);
  EXPECT_EQ(lag_.Of(Player(2)), 0);
  Measure(1, 900);
  EXPECT_EQ(lag_.Of(Player(1)), 80'000) << "slow once gains nothing";
  Measure(1, 50);
  EXPECT_EQ(lag_.Of(Player(1)), 50'000);
  for (size_t i = 0; i < Lag::kMaxSamples; ++i) Measure(1, 200);
  EXPECT_EQ(lag_.Of(Player(1)), 200'000) << "the old ones are forgotten";
  Pass(Lag::kFreshForMs);
  EXPECT_EQ(lag_.Of(Player(1)), 0) << "all of them";
}

TEST_F(LagTest, OnlyWhatWasSentToHimCounts) {
  const std::string ping = lag_.Ping(Player(1));
  EXPECT_NE(ping, lag_.Ping(Player(1)));
  EXPECT_EQ(Refused(2, ping), Reason::kNotFound);
  EXPECT_EQ(Refused(1, ping + "0"), Reason::kNotFound);
  EXPECT_EQ(Refused(1, ""), Reason::kNotFound);
  Pass(30);
  EXPECT_TRUE(lag_.Answer(Player(1), ping, clock_.Now()).ok());
  EXPECT_EQ(Refused(1, ping), Reason::kNotFound) << "once";
  EXPECT_EQ(lag_.Of(Player(1)), 30'000);
}

TEST_F(LagTest, UnansweredPingsAreForgotten) {
  const std::string first = lag_.Ping(Player(1));
  for (size_t i = 0; i < Lag::kMaxPings; ++i) lag_.Ping(Player(1));
  EXPECT_EQ(Refused(1, first), Reason::kNotFound);
}

class LagInGames : public CoreTest {
 protected:
  GameId Clocked(storage::ClockPolicy clock) {
    core::CreateGame create = NewRace(77);
    create.seat.reset();
    create.players = {Player(1), Player(2)};
    create.terms.clock = clock;
    const Result created = Create(*a_, create);
    EXPECT_TRUE(created.ok()) << created.status();
    return created->after->facts->id;
  }
  // The network takes this long to both players.
  void Measure(int64_t ms) {
    for (const auto& player : {Player(1), Player(2)}) {
      const std::string ping = a_->lag.Ping(player);
      base::Instant back = clock_.Now();
      back.micros += ms * 1'000;
      ASSERT_TRUE(a_->lag.Answer(player, ping, back).ok());
    }
  }
  void LetPass(int64_t ms) {
    for (int64_t passed = 0; passed < ms; passed += 100) {
      clock_.Advance(100'000);
      RunAll();
      if (passed % 500 == 0) a_->games.Poll();
      RunAll();
    }
  }
  static constexpr storage::ClockPolicy kFischer{storage::ClockKind::kFischer, 10'000, 0, 0};
};

TEST_F(LagInGames, IsInTheActionAndEveryFoldShowsTheSameClocks) {
  const GameId id = Clocked(kFischer);
  Measure(300);
  const auto seat = static_cast<size_t>(StateOf(id)->Actor());
  LetPass(2'000);
  const Result played = PlayTurn(*a_, id, 500);
  ASSERT_TRUE(played.ok()) << played.status();
  std::vector<int64_t> lags;
  for (const core::EventPtr& event : played->events) {
    if (event->record.kind != storage::EventKind::kAction) continue;
    lags.push_back(core::DecodeAction(event->record)->lag_us);
  }
  EXPECT_EQ(lags, (std::vector<int64_t>{300'000, 0})) << "once a turn";
  const core::GameClock clock = played->after->proceedings.clock;
  EXPECT_EQ(clock.reserve_us[seat], 10'000'000 - 2'000'000 + 300'000);
  EXPECT_EQ(clock.lag_us[seat], 300'000);
  // Another node reads it from the store, a replay folds it from the log.
  EXPECT_EQ(StateOf(id, *b_)->proceedings.clock, clock);
  absl::StatusOr<core::Replay> replay = core::Replay::Open(a_->games.world(), id);
  ASSERT_TRUE(replay.ok() && replay->SkipTo(played->after->sequence).ok());
  EXPECT_EQ(replay->state().proceedings.clock, clock);
  ExpectSoundLog(id);
}

TEST_F(LagInGames, TheDeadlineWaitsForWhatIsUnderWay) {
  for (const bool in_time : {true, false}) {
    SCOPED_TRACE(in_time);
    Restart();
    core::CreateGame create = NewRace(in_time ? 81 : 82);
    create.seat.reset();
    create.players = {Player(1), Player(2)};
    create.terms.clock = kFischer;
    const GameId id = Create(*a_, create)->after->facts->id;
    const int mover = ToAct(id);
    LetPass(9'000);
    Measure(400);
    LetPass(in_time ? 1'300 : 1'500);
    const uint64_t request = in_time ? 601 : 602;
    const Result played = Do(*a_, id, PlayBy(mover, request, {int64_t{1}, int64_t{1}}));
    EXPECT_EQ(played.ok(), in_time) << played.status();
    const core::StatePtr state = StateOf(id);
    EXPECT_EQ(state->ending, in_time ? storage::Ending::kNone : storage::Ending::kTimedOut);
    if (!in_time) {
      EXPECT_EQ(state->updated_at.micros, state->facts->created_at.micros + 10'500'000)
          << "the timer, at the first step after what was allowed";
    }
    ExpectSoundLog(id);
  }
}

TEST_F(LagInGames, ANodeThatKnowsNoLagGivesNothing) {
  const GameId id = Clocked(kFischer);
  Measure(300);
  LetPass(2'000);
  const Result played = PlayTurn(*b_, id, 700);
  ASSERT_TRUE(played.ok()) << played.status();
  EXPECT_TRUE(played->after->proceedings.clock.lag_us.empty());
  ExpectSoundLog(id);
}

}  // namespace
}  // namespace astragal::tests
