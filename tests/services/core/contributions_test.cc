// What the seats add to the dice: pledges, contributions, the two waits, and the throws that
// follow.
#include "services/core/contributions.h"

#include <algorithm>

#include "services/algorithms/dice.h"
#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using core::kContributionWindowMs;
using storage::EventKind;
using storage::EventRecord;
using storage::GameStatus;
using testing::ElementsAre;

core::Command PledgeBy(int player, uint64_t request, const std::string& contribution) {
  core::Command command = JoinBy(player, request);
  command.body_hash = Body("pledge " + contribution);
  command.what = core::Pledge{base::Sha256(contribution)};
  return command;
}

core::Command ContributeBy(int player, uint64_t request, const std::string& contribution) {
  core::Command command = JoinBy(player, request);
  command.body_hash = Body("contribute " + contribution);
  command.what = core::Contribute{contribution};
  return command;
}

core::Command JoinPledging(int player, uint64_t request, const std::string& contribution) {
  core::Command command = JoinBy(player, request);
  command.body_hash = Body("join and pledge " + contribution);
  command.what = core::Join{{}, base::Sha256(contribution)};
  return command;
}

class ContributionsTest : public CoreTest {
 protected:
  GameId Created(bool invite = false, uint64_t request = 1) {
    core::CreateGame create = NewRace(request);
    create.invite_contributions = invite;
    return Create(*a_, create)->after->facts->id;
  }
  GameStatus Status(GameId id) { return StateOf(id)->status; }
  // Time in which the first node lives: only such a node says whose time is up.
  void Pass(int64_t ms) {
    for (int64_t passed = 0; passed < ms; passed += 500) {
      a_->games.Poll();
      Advance(std::min<int64_t>(500, ms - passed));
    }
    a_->games.Poll();
    RunAll();
  }
  std::vector<EventKind> Kinds(GameId id) {
    std::vector<EventKind> kinds;
    for (const EventRecord& event : store_.Log(id)) kinds.push_back(event.kind);
    return kinds;
  }
  // Every throw so far is what the secret and these contributions give.
  void ExpectThrowsFrom(GameId id, std::vector<std::string> contributions) {
    const core::StatePtr state = StateOf(id);
    const storage::StoredGame stored = *store_.Load(id);
    const std::string secret =
        *box_.Open(stored.facts.sealed_secret, base::AsView(stored.facts.id.bytes()));
    algorithms::DiceSource source{{}, id, 0, std::move(contributions)};
    std::ranges::copy(secret, source.secret.begin());
    uint64_t index = 0;
    for (const EventRecord& event : store_.Log(id)) {
      if (event.kind != EventKind::kThrow) continue;
      const auto kind = static_cast<size_t>(host::ChanceKind(event.number));
      const auto& weights = state->ruleset->about().throw_kinds[kind].weights;
      EXPECT_EQ(host::ChanceOutcome(event.number),
                algorithms::DrawOutcome(source, index++, weights));
    }
    EXPECT_GT(index, 0u);
  }
};

TEST_F(ContributionsTest, WithoutAPledgeTheGameStartsAtOnce) {
  const GameId id = Created();
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  EXPECT_EQ(Status(id), GameStatus::kRunning);
  ExpectThrowsFrom(id, {"", ""});
}

TEST_F(ContributionsTest, AllHashesComeBeforeAnyContribution) {
  const GameId id = Created();
  ASSERT_TRUE(Do(*a_, id, PledgeBy(1, 10, "alice's")).ok());
  EXPECT_EQ(ReasonOf(Do(*a_, id, ContributeBy(1, 11, "alice's"))), Reason::kPledgesOpen);
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  EXPECT_EQ(Status(id), GameStatus::kContributing);
  EXPECT_EQ(ReasonOf(Do(*a_, id, PlayBy(1, 12, {int64_t{1}}))), Reason::kGameNotRunning);
  EXPECT_EQ(ReasonOf(Do(*a_, id, ContributeBy(1, 13, "alice's"))), Reason::kPledgesOpen);
  ASSERT_TRUE(Do(*b_, id, PledgeBy(2, 14, "bob's")).ok());
  EXPECT_EQ(ReasonOf(Do(*a_, id, PledgeBy(2, 15, "another"))), Reason::kContributionsClosed);
  EXPECT_EQ(ReasonOf(Do(*a_, id, ContributeBy(2, 16, "another"))), Reason::kBadField);
  ASSERT_TRUE(Do(*a_, id, ContributeBy(2, 17, "bob's")).ok());
  EXPECT_EQ(Status(id), GameStatus::kContributing);
  EXPECT_EQ(ReasonOf(Do(*a_, id, ContributeBy(2, 18, "bob's"))), Reason::kContributionsClosed);
  ASSERT_TRUE(Do(*a_, id, ContributeBy(1, 19, "alice's")).ok());
  EXPECT_EQ(Status(id), GameStatus::kRunning);
  ExpectThrowsFrom(id, {"alice's", "bob's"});
  EXPECT_THAT(Kinds(id),
              ElementsAre(EventKind::kCreated, EventKind::kSeated, EventKind::kPledged,
                          EventKind::kSeated, EventKind::kPledged, EventKind::kContributed,
                          EventKind::kContributed, EventKind::kStarted, EventKind::kThrow));
  ExpectSoundLog(id);
  Restart();  // what the head caches is what the log says
  ASSERT_TRUE(PlayTurn(*a_, id, 30).ok());
  ExpectThrowsFrom(id, {"alice's", "bob's"});
}

TEST_F(ContributionsTest, ThePledgeMayComeWithTheSeat) {
  const GameId id = Created();
  ASSERT_TRUE(Do(*a_, id, JoinPledging(2, 2, "bob's")).ok());
  EXPECT_EQ(Status(id), GameStatus::kContributing);
  Pass(kContributionWindowMs + 2);
  EXPECT_EQ(ReasonOf(Do(*a_, id, PledgeBy(1, 10, "late"))), Reason::kContributionsClosed);
  EXPECT_EQ(ReasonOf(Do(*a_, id, ContributeBy(1, 11, "late"))), Reason::kContributionsClosed);
  ASSERT_TRUE(Do(*a_, id, ContributeBy(2, 12, "bob's")).ok());
  EXPECT_EQ(Status(id), GameStatus::kRunning);
  ExpectThrowsFrom(id, {"", "bob's"});
  ExpectSoundLog(id);
}

TEST_F(ContributionsTest, WhatIsHeldBackIsEmptyAndTheGameGoesOn) {
  const GameId id = Created();
  ASSERT_TRUE(Do(*a_, id, PledgeBy(1, 10, "alice's")).ok());
  ASSERT_TRUE(Do(*a_, id, JoinPledging(2, 2, "bob's")).ok());
  ASSERT_TRUE(Do(*a_, id, ContributeBy(1, 11, "alice's")).ok());
  Pass(kContributionWindowMs - 2);
  EXPECT_EQ(Status(id), GameStatus::kContributing);
  Pass(4);
  EXPECT_EQ(Status(id), GameStatus::kRunning);
  EXPECT_EQ(ReasonOf(Do(*a_, id, ContributeBy(2, 12, "bob's"))), Reason::kContributionsClosed);
  ExpectThrowsFrom(id, {"alice's", ""});
  ExpectSoundLog(id);
}

TEST_F(ContributionsTest, AnInvitationWaitsForNobodyInParticular) {
  const GameId id = Created(true);
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  EXPECT_EQ(Status(id), GameStatus::kContributing);
  Pass(kContributionWindowMs + 2);
  EXPECT_EQ(Status(id), GameStatus::kRunning) << "nobody pledged";
  ExpectThrowsFrom(id, {"", ""});
  ExpectSoundLog(id);
}

TEST_F(ContributionsTest, AnotherNodeGoesOnWhenTheFirstIsGone) {
  const GameId id = Created(true);
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  Restart();
  for (int i = 0; i < 12 && StateOf(id, *b_)->status != GameStatus::kRunning; ++i) {
    b_->games.Poll();
    Advance(500);
  }
  EXPECT_EQ(StateOf(id, *b_)->status, GameStatus::kRunning);
}

// Whoever is not told whether it was stored asks again under the same request; the window is over
// when the database is back.
TEST_F(ContributionsTest, ADatabaseThatFailsInTheWindowLosesAndDoublesNothing) {
  uint64_t request = 100;
  for (const BatchFault fault :
       {BatchFault::kAway, BatchFault::kDoubtStored, BatchFault::kDoubtLost}) {
    const GameId id = Created(true, ++request);
    ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
    const core::Command commands[] = {PledgeBy(1, 10, "alice's"), PledgeBy(2, 11, "bob's"),
                                      ContributeBy(1, 12, "alice's"), ContributeBy(2, 13, "bob's")};
    for (const core::Command& command : commands) {
      store_.Fail(fault);
      (void)Do(*a_, id, command);
      const Result again = Do(*a_, id, command);
      ASSERT_TRUE(again.ok()) << again.status();
    }
    EXPECT_EQ(Status(id), GameStatus::kRunning);
    const std::vector<EventKind> kinds = Kinds(id);
    EXPECT_EQ(std::ranges::count(kinds, EventKind::kPledged), 2);
    EXPECT_EQ(std::ranges::count(kinds, EventKind::kContributed), 2);
    ExpectThrowsFrom(id, {"alice's", "bob's"});
    ExpectSoundLog(id);
  }
  const GameId id = Created(true, ++request);
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  ASSERT_TRUE(Do(*a_, id, PledgeBy(1, 20, "alice's")).ok());
  store_.SetAway(true);
  Pass(3 * kContributionWindowMs);
  store_.SetAway(false);
  for (int i = 0; i < 20 && Status(id) == GameStatus::kContributing; ++i) Pass(500);
  EXPECT_EQ(Status(id), GameStatus::kRunning);
  ExpectSoundLog(id);
}

TEST_F(ContributionsTest, WhoLeavesTakesThePledgeAlong) {
  core::CreateGame create = NewRace();
  create.seat.reset();
  const GameId id = Create(*a_, create)->after->facts->id;
  ASSERT_TRUE(Do(*a_, id, JoinPledging(2, 2, "bob's")).ok());
  core::Command leave = JoinBy(2, 3);
  leave.body_hash = Body("leave");
  leave.what = core::Leave{};
  ASSERT_TRUE(Do(*a_, id, leave).ok());
  ASSERT_TRUE(Do(*a_, id, JoinBy(1, 4)).ok());
  ASSERT_TRUE(Do(*a_, id, JoinBy(3, 5)).ok());
  EXPECT_EQ(Status(id), GameStatus::kRunning);
  ExpectThrowsFrom(id, {"", ""});
}

TEST_F(ContributionsTest, ItCanBeCalledOffAndTheSecretIsPublished) {
  const GameId id = Created(true);
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  core::Command abort = JoinBy(2, 3);
  abort.body_hash = Body("abort");
  abort.what = core::Abort{};
  ASSERT_TRUE(Do(*a_, id, abort).ok());
  EXPECT_EQ(Status(id), GameStatus::kAborted);
  const EventRecord last = store_.Log(id).back();
  const auto finish = core::DecodeFinish(last, 2);
  ASSERT_TRUE(finish.ok());
  EXPECT_EQ(algorithms::DiceCommitment(id, finish->secret), StateOf(id)->facts->commitment);
}

TEST_F(ContributionsTest, OnlySeatsAndOnlyBeforeTheStart) {
  const GameId id = Created();
  EXPECT_EQ(ReasonOf(Do(*a_, id, PledgeBy(2, 9, "x"))), Reason::kNotSeated);
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  EXPECT_EQ(ReasonOf(Do(*a_, id, PledgeBy(2, 10, "x"))), Reason::kContributionsClosed);
}

TEST(ContributionsLayout, ReadsWhatItWrites) {
  core::Contributions contributions;
  contributions.invited = true;
  contributions.since = {1'700'000'000'000'001};
  AddPledge(contributions, 1, base::Sha256("b"));
  AddPledge(contributions, 0, base::Sha256("a"));
  ClosePledges(contributions, {1'700'000'000'000'002});
  EXPECT_FALSE(AddContribution(contributions, 1, "a"));
  EXPECT_FALSE(AddContribution(contributions, 2, "c"));
  EXPECT_TRUE(AddContribution(contributions, 1, "b"));
  EXPECT_FALSE(AllGiven(contributions));
  base::ByteWriter out;
  Put(contributions, out);
  base::ByteReader in(out.bytes());
  EXPECT_EQ(core::GetContributions(in), contributions);
  EXPECT_TRUE(in.at_end());
  EXPECT_THAT(GivenBySeat(contributions, 3), ElementsAre("", "b", ""));
}

}  // namespace
}  // namespace astragal::tests
