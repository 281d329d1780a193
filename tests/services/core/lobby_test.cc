// The lobby over two nodes and one simulated store: who may do what, races, repeats, restarts.
#include "services/core/lobby.h"

#include <set>

#include "services/core/matchmaker.h"
#include "tests/services/core/sim/lobby_fixture.h"

namespace astragal::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(LobbyTest, ASeekBecomesAGame) {
  NewProposal asked = Asked();
  asked.terms.seat = 1;
  asked.terms.rated = true;
  asked.terms.options = {{"length", "9"}};
  asked.terms.clock = {storage::ClockKind::kFischer, 60'000, 1'000, 0};
  const Proposal seek = Made(1, asked);
  EXPECT_EQ(seek.record.state, ProposalState::kOpen);
  EXPECT_EQ(seek.terms.rules_version, catalog_->Find("race")->about().rules_version);
  EXPECT_EQ(seek.record.expires_at.micros - clock_.Now().micros, Lobby::kSeekMs * 1'000);

  const Accepted accepted = Accept(lobby_b_, seek.record.id, Stamp(2));
  ASSERT_TRUE(accepted.ok()) << accepted.status();
  const core::GameState& game = *accepted->game->after;
  EXPECT_EQ(game.status, storage::GameStatus::kRunning);
  EXPECT_EQ(game.SeatOf(Player(1)), 1);
  EXPECT_EQ(game.SeatOf(Player(2)), 0);
  EXPECT_TRUE(game.facts->terms.rated);
  EXPECT_EQ(game.facts->terms.clock, asked.terms.clock);
  EXPECT_EQ(accepted->proposal.record.game, game.facts->id);
  EXPECT_EQ(accepted->proposal.record.state, ProposalState::kTaken);
  EXPECT_EQ(lobby_a_.Get(seek.record.id, {})->record.game, game.facts->id);
  ExpectSoundLog(game.facts->id);
}

TEST_F(LobbyTest, WhatIsProposedMustMakeSense) {
  struct Case {
    const char* field;
    ProposalKind kind;
    void (*spoil)(NewProposal&);
  };
  const Case cases[] = {
      {"terms.ruleset_id", ProposalKind::kSeek,
       [](NewProposal& asked) { asked.terms.ruleset = ""; }},
      {"terms.options.length", ProposalKind::kSeek,
       [](NewProposal& asked) {
         asked.terms.options = {{"length", "no"}};
       }},
      {"terms.preset", ProposalKind::kSeek, [](NewProposal& asked) { asked.terms.preset = "no"; }},
      {"open_seconds", ProposalKind::kSeek, [](NewProposal& asked) { asked.open_ms = -1; }},
      {"open_seconds", ProposalKind::kSeek,
       [](NewProposal& asked) { asked.open_ms = Lobby::kMaxOpenMs + 1; }},
      {"open_seconds", ProposalKind::kTicket,
       [](NewProposal& asked) { asked.open_ms = Lobby::kMaxTicketMs + 1; }},
      {"terms.seat", ProposalKind::kTicket, [](NewProposal& asked) { asked.terms.seat = 0; }},
      {"terms.seat", ProposalKind::kSeek, [](NewProposal& asked) { asked.terms.seat = 2; }},
      {"opponent_id", ProposalKind::kChallenge,
       [](NewProposal& asked) { asked.opponent = Player(1); }},
      {"terms.visibility", ProposalKind::kSeek,
       [](NewProposal& asked) { asked.terms.visibility = storage::Visibility::kPrivate; }},
      {"terms.visibility", ProposalKind::kTicket,
       [](NewProposal& asked) { asked.terms.visibility = storage::Visibility::kPrivate; }},
      {"terms.clock_policy.reserve_ms", ProposalKind::kSeek,
       [](NewProposal& asked) {
         asked.terms.clock = {storage::ClockKind::kFischer, -1, 0, 0};
       }},
      {"terms.match.length", ProposalKind::kSeek,
       [](NewProposal& asked) {
         asked.terms.match = core::MatchTerms{};
         asked.terms.match->length = 0;
       }},
      {"terms.options", ProposalKind::kSeek,
       [](NewProposal& asked) {
         asked.terms.options = {{"seats", "3"}};
       }},
  };
  for (const Case& each : cases) {
    NewProposal asked = Asked(each.kind, each.kind == ProposalKind::kChallenge ? 2 : 0);
    each.spoil(asked);
    const auto refused = lobby_a_.Propose(asked, Stamp(1));
    ASSERT_FALSE(refused.ok()) << each.field;
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument) << refused.status();
    EXPECT_EQ(Detail(refused.status(), "field"), each.field) << refused.status();
  }
  NewProposal unknown = Asked();
  unknown.terms.ruleset = "chess";
  EXPECT_EQ(Why(lobby_a_.Propose(unknown, Stamp(1)).status()), Reason::kNotFound);
  NewProposal only_looking = Asked();
  only_looking.validate_only = true;
  EXPECT_TRUE(Made(1, only_looking).record.id.is_nil());
  EXPECT_THAT(lobby_store_.ListSeeks({}, 10).value(), IsEmpty());
}

TEST_F(LobbyTest, EveryMutationIsDoneOnce) {
  const MutationStamp propose = Stamp(1), accept = Stamp(2), withdraw = Stamp(1),
                      decline = Stamp(4);
  const auto seek = lobby_a_.Propose(Asked(), propose);
  const auto same = lobby_b_.Propose(Asked(), propose);
  EXPECT_EQ(seek->record, same->record);
  MutationStamp other_body = propose;
  other_body.body_hash = Body("other");
  EXPECT_EQ(Why(lobby_b_.Propose(Asked(), other_body).status()), Reason::kRequestIdReused);

  const Accepted first = Accept(lobby_a_, seek->record.id, accept);
  const Accepted again = Accept(lobby_b_, seek->record.id, accept);
  ExpectSameAnswer(*first->game, *again->game);
  EXPECT_EQ(first->proposal.record, again->proposal.record);
  const Accepted anew = Accept(lobby_b_, seek->record.id, Stamp(2));
  ExpectSameAnswer(*first->game, *anew->game);
  other_body = accept;
  other_body.body_hash = Body("other");
  EXPECT_EQ(Why(Accept(lobby_b_, Seek(3).record.id, other_body).status()),
            Reason::kRequestIdReused);

  const Proposal mine = Seek(1);
  EXPECT_EQ(lobby_a_.Close(mine.record.id, ProposalState::kWithdrawn, withdraw)->record,
            lobby_b_.Close(mine.record.id, ProposalState::kWithdrawn, withdraw)->record);
  const Proposal challenge = Made(1, Asked(ProposalKind::kChallenge, 4));
  EXPECT_EQ(lobby_a_.Close(challenge.record.id, ProposalState::kDeclined, decline)->record.state,
            lobby_b_.Close(challenge.record.id, ProposalState::kDeclined, decline)->record.state);
  EXPECT_EQ(Why(lobby_b_.Close(mine.record.id, ProposalState::kWithdrawn, Stamp(1)).status()),
            Reason::kProposalClosed);
}

TEST_F(LobbyTest, OnlyWhoIsConcernedMayAnswer) {
  const ProposalId seek = Seek(1).record.id;
  const ProposalId challenge = Made(1, Asked(ProposalKind::kChallenge, 2)).record.id;
  const ProposalId ticket = Made(1, Asked(ProposalKind::kTicket)).record.id;
  EXPECT_TRUE(lobby_a_.Get(seek, {}).ok());
  for (const int stranger : {0, 3}) {
    const auto viewer = stranger == 0 ? base::PlayerId() : Player(3);
    EXPECT_EQ(Why(lobby_a_.Get(challenge, viewer).status()), Reason::kNotFound);
    EXPECT_EQ(Why(lobby_a_.Get(ticket, viewer).status()), Reason::kNotFound);
  }
  EXPECT_TRUE(lobby_a_.Get(challenge, Player(2)).ok());
  EXPECT_EQ(Why(Accept(lobby_a_, challenge, Stamp(3)).status()), Reason::kNotFound);
  EXPECT_EQ(Why(Accept(lobby_a_, ticket, Stamp(3)).status()), Reason::kNotFound);
  EXPECT_EQ(Why(Accept(lobby_a_, seek, Stamp(1)).status()), Reason::kBadField);
  EXPECT_EQ(Why(Accept(lobby_a_, challenge, Stamp(1)).status()), Reason::kBadField);
  const auto close = [&](ProposalId id, ProposalState state, int player) {
    return Why(lobby_a_.Close(id, state, Stamp(player)).status());
  };
  EXPECT_EQ(close(seek, ProposalState::kWithdrawn, 2), Reason::kNotFound);
  EXPECT_EQ(close(challenge, ProposalState::kWithdrawn, 2), Reason::kNotFound);
  EXPECT_EQ(close(challenge, ProposalState::kDeclined, 1), Reason::kNotFound);
  EXPECT_EQ(close(challenge, ProposalState::kDeclined, 3), Reason::kNotFound);
  EXPECT_EQ(close(challenge, ProposalState::kDeclined, 2), Reason::kUnspecified);
  EXPECT_EQ(close(ticket, ProposalState::kWithdrawn, 1), Reason::kUnspecified);
  EXPECT_THAT(Games(), IsEmpty());
}

TEST_F(LobbyTest, RacingAcceptsMakeOneGameAndAllLearnWhich) {
  int won_by_a = 0;
  for (int round = 0; round < 200; ++round) {
    const ProposalId seek = Seek(1).record.id;
    Letter on_a, on_b, again_on_a;
    lobby_a_.Accept(seek, Stamp(2), on_a.Done());
    lobby_b_.Accept(seek, Stamp(3), on_b.Done());
    lobby_a_.Accept(seek, Stamp(3), again_on_a.Done());  // the same player's other device
    for (uint64_t bits = static_cast<uint64_t>(round) * 0x9E3779B9 + 1;
         on_a.answers + on_b.answers + again_on_a.answers < 3; bits = bits * 5 + 3) {
      Node& node = (bits >> 4 & 1) == 0 ? *a_ : *b_;
      if (!node.scheduler.RunOne()) {
        RunAll();
        clock_.Advance(1'000);
      }
    }
    const bool a_won = on_a.result.ok();
    won_by_a += a_won ? 1 : 0;
    ASSERT_EQ(on_b.result.ok(), !a_won) << on_b.result.status();
    ASSERT_EQ(again_on_a.result.ok(), !a_won) << again_on_a.result.status();
    const GameId game = lobby_store_.GetProposal(seek)->game;
    ASSERT_FALSE(game.is_nil());
    for (const Letter* letter : {&on_a, &on_b, &again_on_a}) {
      if (letter->result.ok()) {
        EXPECT_EQ(letter->result->game->after->facts->id, game);
      } else {
        EXPECT_EQ(Why(letter->result.status()), Reason::kProposalClosed);
        EXPECT_EQ(Detail(letter->result.status(), "game_id"), game.ToText());
      }
    }
    ASSERT_THAT(Games(), SizeIs(static_cast<size_t>(round + 1)));
  }
  EXPECT_GT(won_by_a, 20);
  EXPECT_LT(won_by_a, 180);
}

TEST_F(LobbyTest, WithdrawingAgainstAccepting) {
  int withdrawn = 0;
  for (int round = 0; round < 40; ++round) {
    const ProposalId seek = Seek(1).record.id;
    Letter letter;
    lobby_b_.Accept(seek, Stamp(2), letter.Done());
    for (int steps = 0; steps < round % 5; ++steps) b_->scheduler.RunOne();
    const auto closed = lobby_a_.Close(seek, ProposalState::kWithdrawn, Stamp(1));
    const Accepted accepted = Await(letter);
    ASSERT_NE(closed.ok(), accepted.ok()) << closed.status() << accepted.status();
    EXPECT_EQ(Why(closed.ok() ? accepted.status() : closed.status()), Reason::kProposalClosed);
    EXPECT_EQ(StateOfProposal(seek),
              closed.ok() ? ProposalState::kWithdrawn : ProposalState::kTaken);
    withdrawn += closed.ok() ? 1 : 0;
  }
  EXPECT_GT(withdrawn, 5);
  EXPECT_LT(withdrawn, 35);
}

TEST_F(LobbyTest, AProposalThatIsHeldIsTriedAgain) {
  const ProposalId seek = Seek(1).record.id;
  lobby_store_.HoldTakes(3);
  EXPECT_TRUE(Accept(lobby_a_, seek, Stamp(2)).ok());
  const ProposalId stuck = Seek(1).record.id;
  lobby_store_.HoldTakes(1'000);
  const Accepted given_up = Accept(lobby_a_, stuck, Stamp(2));
  EXPECT_EQ(Why(given_up.status()), Reason::kStoreUnavailable);
  lobby_store_.HoldTakes(0);
  EXPECT_TRUE(Accept(lobby_a_, stuck, Stamp(2)).ok());
}

TEST_F(LobbyTest, ADoubtIsCleared) {
  for (const BatchFault fault : {BatchFault::kDoubtStored, BatchFault::kDoubtLost}) {
    const ProposalId seek = Seek(1).record.id;
    const size_t before = Games().size();
    store_.Fail(fault);
    const Accepted accepted = Accept(lobby_a_, seek, Stamp(2));
    ASSERT_TRUE(accepted.ok()) << accepted.status();
    EXPECT_EQ(Games().size(), before + 1);
    EXPECT_EQ(lobby_store_.GetProposal(seek)->game, accepted->game->after->facts->id);
  }
}

TEST_F(LobbyTest, AServerThatStopsAnswersWhoWaits) {
  const ProposalId seek = Seek(1).record.id;
  lobby_store_.HoldTakes(1'000);
  Letter letter;
  lobby_a_.Accept(seek, Stamp(2), letter.Done());
  a_->scheduler.RunAll();
  EXPECT_EQ(letter.answers, 0);
  a_->scheduler.Stop();
  EXPECT_EQ(letter.answers, 1);
  EXPECT_EQ(Why(letter.result.status()), Reason::kDraining);
}

TEST_F(LobbyTest, WhatHasExpiredIsClosed) {
  NewProposal asked = Asked();
  asked.open_ms = 60'000;
  const ProposalId seek = Made(1, asked).record.id;
  clock_.Advance(60'000'000);
  EXPECT_EQ(lobby_a_.Get(seek, {})->record.state, ProposalState::kExpired);
  const Accepted late = Accept(lobby_a_, seek, Stamp(2));
  EXPECT_EQ(Why(late.status()), Reason::kProposalClosed);
  EXPECT_EQ(Detail(late.status(), "state"), "5");
  core::Matchmaker(lobby_a_).Round();
  EXPECT_EQ(StateOfProposal(seek), ProposalState::kExpired);
  clock_.Advance(core::Matchmaker::kKeptMs * 1'000 + 1'000'000);
  core::Matchmaker(lobby_a_).Round();
  EXPECT_EQ(Why(lobby_store_.GetProposal(seek).status()), Reason::kNotFound);
}

TEST_F(LobbyTest, APlayerHasTwentyOpenProposals) {
  for (size_t i = 0; i < Lobby::kMaxOpen; ++i) Seek(1);
  EXPECT_EQ(Why(lobby_a_.Propose(Asked(), Stamp(1)).status()), Reason::kRateLimited);
  Seek(2);
}

TEST_F(LobbyTest, AnyMeansBothSeatsInTheLongRun) {
  std::set<int> seats;
  for (int round = 0; round < 20; ++round) {
    const Proposal seek = Seek(1);
    EXPECT_EQ(lobby_a_.GameOf(seek, Player(2)).players, lobby_b_.GameOf(seek, Player(2)).players);
    const Accepted accepted = Accept(lobby_a_, seek.record.id, Stamp(2));
    seats.insert(*accepted->game->after->SeatOf(Player(1)));
  }
  EXPECT_THAT(seats, ElementsAre(0, 1));
}

TEST_F(LobbyTest, APrivateGameIsThereForItsPlayersOnly) {
  NewProposal asked = Asked(ProposalKind::kChallenge, 2);
  asked.terms.visibility = storage::Visibility::kPrivate;
  const Accepted accepted = Accept(lobby_b_, Made(1, asked).record.id, Stamp(2));
  ASSERT_TRUE(accepted.ok()) << accepted.status();
  const GameId game = accepted->game->after->facts->id;
  EXPECT_TRUE(a_->games.Get(game, Player(1)).ok());
  EXPECT_TRUE(a_->games.Get(game, Player(2)).ok());
  EXPECT_EQ(Why(a_->games.Get(game, Player(3)).status()), Reason::kNotFound);
  EXPECT_EQ(Why(a_->games.Get(game, {}).status()), Reason::kNotFound);
}

TEST_F(LobbyTest, AnUnlistedGameIsNamedToItsPlayersOnly) {
  NewProposal asked = Asked();
  asked.terms.visibility = storage::Visibility::kUnlisted;
  const ProposalId seek = Made(1, asked).record.id;
  ASSERT_TRUE(Accept(lobby_b_, seek, Stamp(2)).ok());
  EXPECT_FALSE(lobby_a_.Get(seek, Player(1))->record.game.is_nil());
  EXPECT_FALSE(lobby_a_.Get(seek, Player(2))->record.game.is_nil());
  EXPECT_TRUE(lobby_a_.Get(seek, Player(3))->record.game.is_nil());
  EXPECT_TRUE(lobby_a_.Get(seek, {})->record.game.is_nil());
  EXPECT_EQ(Detail(Accept(lobby_b_, seek, Stamp(3)).status(), "game_id"), "");
}

TEST_F(LobbyTest, AMatchBeginsWithItsFirstGame) {
  NewProposal asked = Asked();
  asked.terms.match =
      core::MatchTerms{storage::MatchKind::kBestOf, 5, storage::FirstMover::kLoser, false, false};
  const Accepted accepted = Accept(lobby_b_, Made(1, asked).record.id, Stamp(2));
  ASSERT_TRUE(accepted.ok()) << accepted.status();
  const storage::GameTerms& terms = accepted->game->after->facts->terms;
  EXPECT_EQ(terms.match_game, 1);
  const storage::MatchRecord match = match_store_.GetMatch(terms.match).value().record;
  EXPECT_EQ(match.kind, storage::MatchKind::kBestOf);
  EXPECT_EQ(match.length, 5);
  EXPECT_EQ(match.first_mover, storage::FirstMover::kLoser);
  EXPECT_EQ(match.created_by, Player(1));
}

// ---- Rematch

TEST_F(LobbyTest, ARematchSwapsSeatsAndIsAcceptedByAskingToo) {
  const GameId first = Finished();
  const int seat = *StateOf(first)->SeatOf(Player(1));
  const Accepted asked = Rematch(lobby_a_, first, Stamp(1));
  ASSERT_TRUE(asked.ok()) << asked.status();
  EXPECT_FALSE(asked->game);
  EXPECT_EQ(asked->proposal.record.opponent, Player(2));
  const Accepted again = Rematch(lobby_b_, first, Stamp(1));
  EXPECT_EQ(again->proposal.record, asked->proposal.record);

  const Accepted accepted = Rematch(lobby_b_, first, Stamp(2));
  ASSERT_TRUE(accepted.ok() && accepted->game) << accepted.status();
  const core::GameState& game = *accepted->game->after;
  EXPECT_EQ(game.SeatOf(Player(1)), 1 - seat);
  EXPECT_EQ(game.facts->options, StateOf(first)->facts->options);
  for (const int player : {1, 2}) {
    const Accepted later = Rematch(lobby_a_, first, Stamp(player));
    ASSERT_TRUE(later.ok() && later->game) << later.status();
    EXPECT_EQ(later->game->after->facts->id, game.facts->id);
  }
}

TEST_F(LobbyTest, WhoBothAskAtOnceGetOneGame) {
  for (int round = 0; round < 20; ++round) {
    const GameId first = Finished();
    const size_t before = Games().size();
    Accepted other = absl::UnknownError("not asked");
    Letter on_b;
    if (round % 2 == 0) {
      // The other one's is stored between this one's look and its own proposal.
      lobby_store_.before_create = [&] {
        lobby_store_.before_create = nullptr;
        lobby_b_.Rematch(first, Stamp(2), on_b.Done());
        b_->scheduler.RunAll();
      };
    } else {
      lobby_b_.Rematch(first, Stamp(2), on_b.Done());
    }
    const Accepted on_a = Rematch(lobby_a_, first, Stamp(1));
    const Accepted answer_b = Await(on_b);
    ASSERT_TRUE(on_a.ok() && answer_b.ok()) << on_a.status() << answer_b.status();
    EXPECT_NE(on_a->game.has_value(), answer_b->game.has_value());
    EXPECT_EQ(Games().size(), before + 1);
  }
}

TEST_F(LobbyTest, ARematchIsForPlayersOfAGameThatIsOver) {
  const Accepted running = Accept(lobby_b_, Seek(1).record.id, Stamp(2));
  const GameId id = running->game->after->facts->id;
  EXPECT_EQ(Why(Rematch(lobby_a_, id, Stamp(1)).status()), Reason::kGameStillRunning);
  const GameId over = Finished();
  EXPECT_EQ(Why(Rematch(lobby_a_, over, Stamp(3)).status()), Reason::kNotSeated);
  const Accepted asked = Rematch(lobby_a_, over, Stamp(1));
  const ProposalId challenge = asked->proposal.record.id;
  ASSERT_TRUE(lobby_a_.Close(challenge, ProposalState::kDeclined, Stamp(2)).ok());
  for (const int player : {1, 2}) {
    const Accepted closed = Rematch(lobby_a_, over, Stamp(player));
    EXPECT_EQ(Why(closed.status()), Reason::kProposalClosed);
    EXPECT_EQ(Detail(closed.status(), "state"), "4");
  }
}

}  // namespace
}  // namespace astragal::tests
