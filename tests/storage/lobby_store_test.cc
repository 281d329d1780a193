// PgLobbyStore against its contract: lists, limits, requests that are sent twice, and races.
#include "storage/lobby_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "services/base/status.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

using base::Reason;
using base::ReasonOf;
using testing::ElementsAre;
using testing::IsEmpty;
using Ids = std::vector<base::ProposalId>;

constexpr size_t kMostOpen = 20;
constexpr int64_t kHourUs = int64_t{3'600} * 1'000'000;

class LobbyStoreTest : public testing::Test {
 protected:
  ProposalRecord Proposal(ProposalKind kind = ProposalKind::kSeek) {
    ProposalRecord proposal;
    proposal.id = make_.NewId<base::ProposalId>();
    proposal.kind = kind;
    proposal.player = make_.NewId<base::PlayerId>();
    if (kind == ProposalKind::kChallenge) proposal.opponent = make_.NewId<base::PlayerId>();
    proposal.terms = std::string("terms\0'\"\\", 9);
    if (kind == ProposalKind::kTicket) proposal.pool = "long_narde:0123";
    proposal.rating = 1'623;
    proposal.created_at = now_;
    proposal.expires_at = {now_.micros + kHourUs};
    return proposal;
  }
  Answer NewAnswer(base::PlayerId account) {
    return {account, make_.NewRequest(), make_.NewHash(), std::string("answer\0bytes", 12)};
  }
  ProposalRecord Made(const ProposalRecord& proposal) {
    const auto made = store_.CreateProposal(proposal, kMostOpen, NewAnswer(proposal.player));
    EXPECT_TRUE(made.ok()) << made.status();
    return proposal;
  }
  ProposalRecord Made(ProposalKind kind) { return Made(Proposal(kind)); }
  static Ids IdsOf(const std::vector<ProposalRecord>& proposals) {
    Ids ids;
    for (const ProposalRecord& proposal : proposals) ids.push_back(proposal.id);
    return ids;
  }
  GameCommit Taking(const ProposalRecord& proposal) {
    GameCommit commit = make_.Create(proposal.player, {proposal.id.bytes()});
    commit.takes = {proposal.id};
    return commit;
  }

  tests::TestDatabase database_;
  std::unique_ptr<Database> open_ = database_.Open();
  PgLobbyStore& store_ = open_->lobby();
  tests::GameMaker make_;
  const base::Instant now_ = open_->Now().value();
};

TEST_F(LobbyStoreTest, ProposalsAreReadBack) {
  for (const ProposalKind kind :
       {ProposalKind::kSeek, ProposalKind::kChallenge, ProposalKind::kTicket}) {
    const ProposalRecord made = Made(kind);
    EXPECT_EQ(store_.GetProposal(made.id).value(), made);
  }
  const auto nobody = make_.NewId<base::ProposalId>();
  EXPECT_EQ(ReasonOf(store_.GetProposal(nobody).status()), Reason::kNotFound);
  const ProposalRecord one = Made(ProposalKind::kSeek);
  EXPECT_THAT(store_.GetProposals({nobody, one.id}).value(), ElementsAre(one));
}

TEST_F(LobbyStoreTest, ARepeatedRequestGetsTheFirstAnswerAndChangesNothing) {
  const ProposalRecord first = Proposal();
  const Answer answer = NewAnswer(first.player);
  EXPECT_FALSE(store_.CreateProposal(first, kMostOpen, answer)->repeated);
  ProposalRecord second = Proposal();
  second.player = first.player;
  Answer other = answer;
  other.payload = "other";
  const auto repeat = store_.CreateProposal(second, kMostOpen, other);
  ASSERT_TRUE(repeat.ok()) << repeat.status();
  EXPECT_TRUE(repeat->repeated);
  EXPECT_EQ(repeat->answer.payload, answer.payload);
  EXPECT_FALSE(store_.GetProposal(second.id).ok());
  EXPECT_EQ(store_.FindAnswer(first.player, answer.request)->value().body_hash, answer.body_hash);
  EXPECT_EQ(store_.FindAnswer(first.player, make_.NewRequest()).value(), std::nullopt);

  const Answer kept = NewAnswer(first.player);
  EXPECT_FALSE(store_.KeepAnswer(kept)->repeated);
  Answer again = kept;
  again.payload = "other";
  EXPECT_EQ(store_.KeepAnswer(again)->answer.payload, kept.payload);
}

TEST_F(LobbyStoreTest, AnIdIsOneProposal) {
  const ProposalRecord first = Made(ProposalKind::kChallenge);
  ProposalRecord twin = Proposal();
  twin.id = first.id;
  const auto refused = store_.CreateProposal(twin, kMostOpen, NewAnswer(twin.player));
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kAlreadyExists);
  EXPECT_EQ(base::DetailsOf(refused.status())["proposal_id"], first.id.ToText());
  EXPECT_EQ(store_.GetProposal(first.id).value(), first);
}

TEST_F(LobbyStoreTest, OfTwoWithOneIdAtOnceOneIsMade) {
  for (int round = 0; round < 25; ++round) {
    ProposalRecord twins[] = {Proposal(), Proposal()};
    twins[1].id = twins[0].id;
    const Answer answers[] = {NewAnswer(twins[0].player), NewAnswer(twins[1].player)};
    absl::StatusOr<Mutation> made[2];
    const auto create = [&](size_t i) {
      made[i] = store_.CreateProposal(twins[i], kMostOpen, answers[i]);
    };
    std::thread other(create, 1);
    create(0);
    other.join();
    ASSERT_NE(made[0].ok(), made[1].ok());
    const size_t winner = made[0].ok() ? 0 : 1;
    EXPECT_EQ(ReasonOf(made[1 - winner].status()), Reason::kAlreadyExists);
    EXPECT_EQ(store_.GetProposal(twins[0].id)->player, twins[winner].player);
    // The refusal left no answer behind.
    EXPECT_EQ(store_.FindAnswer(twins[1 - winner].player, answers[1 - winner].request).value(),
              std::nullopt);
  }
}

TEST_F(LobbyStoreTest, APlayerHasSoManyOpenOnes) {
  ProposalRecord proposal = Proposal();
  const auto add = [&](size_t most) {
    proposal.id = make_.NewId<base::ProposalId>();
    return store_.CreateProposal(proposal, most, NewAnswer(proposal.player));
  };
  ASSERT_TRUE(add(2).ok());
  ASSERT_TRUE(add(2).ok());
  EXPECT_EQ(ReasonOf(add(2).status()), Reason::kRateLimited);
  const base::ProposalId own = store_.ListOf(proposal.player, {}, 1)->front().id;
  ASSERT_TRUE(store_
                  .CloseProposal(own, ProposalState::kWithdrawn, proposal.player,
                                 NewAnswer(proposal.player))
                  .ok());
  EXPECT_TRUE(add(2).ok());
}

TEST_F(LobbyStoreTest, APlayerWaitsOnceInAPool) {
  const ProposalRecord first = Made(ProposalKind::kTicket);
  ProposalRecord second = Proposal(ProposalKind::kTicket);
  second.player = first.player;
  const auto refused = store_.CreateProposal(second, kMostOpen, NewAnswer(first.player));
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kAlreadyExists);
  EXPECT_EQ(base::DetailsOf(refused.status())["proposal_id"], first.id.ToText());
  second.pool = "patolli:0123";
  Made(second);
}

TEST_F(LobbyStoreTest, OnlyWhoMayCloseCan) {
  const ProposalRecord challenge = Made(ProposalKind::kChallenge);
  const auto close = [&](ProposalState state, base::PlayerId by) {
    return store_.CloseProposal(challenge.id, state, by, NewAnswer(by)).status();
  };
  EXPECT_EQ(ReasonOf(close(ProposalState::kWithdrawn, challenge.opponent)), Reason::kNotFound);
  EXPECT_EQ(ReasonOf(close(ProposalState::kDeclined, challenge.player)), Reason::kNotFound);
  EXPECT_EQ(ReasonOf(close(ProposalState::kDeclined, make_.NewId<base::PlayerId>())),
            Reason::kNotFound);
  const Answer answer = NewAnswer(challenge.opponent);
  const auto decline = [&] {
    return store_.CloseProposal(challenge.id, ProposalState::kDeclined, challenge.opponent, answer);
  };
  EXPECT_FALSE(decline()->repeated);
  EXPECT_TRUE(decline()->repeated);
  EXPECT_EQ(store_.GetProposal(challenge.id)->state, ProposalState::kDeclined);
  const absl::Status late = close(ProposalState::kWithdrawn, challenge.player);
  EXPECT_EQ(ReasonOf(late), Reason::kProposalClosed);
  EXPECT_EQ(base::DetailsOf(late)["state"], "4");

  ProposalRecord expired = Proposal();
  expired.expires_at = {now_.micros - 1};
  Made(expired);
  const absl::Status over = store_
                                .CloseProposal(expired.id, ProposalState::kWithdrawn,
                                               expired.player, NewAnswer(expired.player))
                                .status();
  EXPECT_EQ(base::DetailsOf(over)["state"], "5");
}

TEST_F(LobbyStoreTest, AcceptingAgainstWithdrawingHasOneWinner) {
  int taken = 0;
  for (int round = 0; round < 60; ++round) {
    const ProposalRecord seek = Made(ProposalKind::kSeek);
    const GameCommit commit = Taking(seek);
    const Answer answer = NewAnswer(seek.player);
    CommitOutcome outcome = CommitOutcome::kRejected;
    std::thread accepts([&] { outcome = open_->games().Commit({commit}).value().outcomes[0]; });
    const auto closed =
        store_.CloseProposal(seek.id, ProposalState::kWithdrawn, seek.player, answer);
    accepts.join();
    const ProposalRecord after = store_.GetProposal(seek.id).value();
    if (closed.ok()) {
      EXPECT_EQ(outcome, CommitOutcome::kTaken);
      EXPECT_EQ(after.state, ProposalState::kWithdrawn);
      EXPECT_TRUE(after.game.is_nil());
    } else {
      EXPECT_EQ(ReasonOf(closed.status()), Reason::kProposalClosed);
      EXPECT_EQ(outcome, CommitOutcome::kCommitted);
      EXPECT_EQ(after.game, commit.head.id);
      ++taken;
    }
  }
  RecordProperty("taken", taken);
}

TEST_F(LobbyStoreTest, ListsHoldWhatIsOpen) {
  const ProposalRecord first = Made(ProposalKind::kSeek);
  const ProposalRecord challenge = Made(ProposalKind::kChallenge);
  const ProposalRecord second = Made(ProposalKind::kSeek);
  ProposalRecord expired = Proposal();
  expired.expires_at = {now_.micros - 1};
  Made(expired);
  const ProposalRecord third = Made(ProposalKind::kSeek);
  ASSERT_EQ(open_->games().Commit({Taking(second)})->outcomes[0], CommitOutcome::kCommitted);

  EXPECT_EQ(IdsOf(store_.ListSeeks({}, 10).value()), (Ids{third.id, first.id}));
  EXPECT_EQ(IdsOf(store_.ListSeeks({}, 1).value()), (Ids{third.id}));
  EXPECT_EQ(IdsOf(store_.ListSeeks(third.id, 10).value()), (Ids{first.id}));

  ProposalRecord own = Proposal(ProposalKind::kTicket);
  own.player = challenge.opponent;
  Made(own);
  EXPECT_EQ(IdsOf(store_.ListOf(challenge.opponent, {}, 10).value()), (Ids{own.id, challenge.id}));
  EXPECT_EQ(IdsOf(store_.ListOf(challenge.opponent, own.id, 10).value()), (Ids{challenge.id}));
  EXPECT_EQ(IdsOf(store_.ListOf(challenge.opponent, {}, 1).value()), (Ids{own.id}));
  EXPECT_EQ(IdsOf(store_.ListOf(challenge.player, {}, 10).value()), (Ids{challenge.id}));
}

TEST_F(LobbyStoreTest, TicketsComeByPoolAndAge) {
  const auto in_pool = [&](const char* pool) {
    ProposalRecord ticket = Proposal(ProposalKind::kTicket);
    ticket.pool = pool;
    return Made(ticket).id;
  };
  const base::ProposalId b1 = in_pool("b"), a1 = in_pool("a"), b2 = in_pool("b"), a2 = in_pool("a");
  Made(ProposalKind::kSeek);
  EXPECT_EQ(IdsOf(store_.ListTickets("", {}, 10).value()), (Ids{a1, a2, b1, b2}));
  EXPECT_EQ(IdsOf(store_.ListTickets("", {}, 3).value()), (Ids{a1, a2, b1}));
  EXPECT_EQ(IdsOf(store_.ListTickets("b", b1, 10).value()), (Ids{b2}));
}

TEST_F(LobbyStoreTest, WhatIsOverIsMarkedAndLaterForgotten) {
  ProposalRecord expired = Proposal();
  expired.expires_at = {now_.micros - 1};
  Made(expired);
  const ProposalRecord open = Made(ProposalKind::kSeek);
  EXPECT_EQ(store_.ExpireProposals(10).value(), 1u);
  EXPECT_EQ(store_.ExpireProposals(10).value(), 0u);
  EXPECT_EQ(store_.GetProposal(expired.id)->state, ProposalState::kExpired);
  EXPECT_EQ(store_.GetProposal(open.id)->state, ProposalState::kOpen);

  ProposalRecord old = Proposal();
  old.expires_at = {now_.micros - 8 * 24 * kHourUs};
  Made(old);
  EXPECT_EQ(store_.SweepProposals(7 * 24 * kHourUs / 1'000, 10).value(), 1u);
  EXPECT_FALSE(store_.GetProposal(old.id).ok());
  EXPECT_TRUE(store_.GetProposal(expired.id).ok());
}

}  // namespace
}  // namespace astragal::storage
