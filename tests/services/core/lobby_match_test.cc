// Proposals that become matches: they go on by themselves, nobody can stop them, and their rematch
// is another match.
#include "services/base/derived_request.h"
#include "services/core/matches.h"
#include "services/core/matchmaker.h"
#include "tests/services/core/sim/lobby_fixture.h"

namespace astragal::tests {
namespace {

using core::MatchPtr;
using core::MatchStage;
using core::MatchTerms;
using storage::FirstMover;
using storage::MatchKind;
using testing::SizeIs;

class LobbyMatchTest : public LobbyTest {
 protected:
  LobbyMatchTest() {
    a_->on_match_game_over = [this](const core::GameState& game) { matches_a_.OnGameOver(game); };
    b_->on_match_game_over = [this](const core::GameState& game) { matches_b_.OnGameOver(game); };
  }
  static NewProposal AskedMatch(const MatchTerms& match,
                                ProposalKind kind = ProposalKind::kChallenge) {
    NewProposal asked = Asked(kind, kind == ProposalKind::kChallenge ? 2 : 0);
    asked.terms.match = match;
    if (kind != ProposalKind::kTicket) asked.terms.seat = 0;
    return asked;
  }
  // The match of an accepted proposal of player 1.
  base::MatchId Begun(const NewProposal& asked) {
    const Accepted accepted = Accept(lobby_b_, Made(1, asked).record.id, Stamp(2));
    EXPECT_TRUE(accepted.ok()) << accepted.status();
    return accepted.ok() ? accepted->game->after->facts->terms.match : base::MatchId();
  }
  MatchPtr Now(base::MatchId id) {
    const auto match = matches_a_.Read(id, {});
    EXPECT_TRUE(match.ok()) << match.status();
    return *match;
  }
  GameId Last(base::MatchId id) { return Now(id)->games.back().game.id; }
  void Resign(base::MatchId id, int player) {
    EXPECT_TRUE(Do(*a_, Last(id), ResignBy(player, ++requests_)).ok());
    RunAll();
  }

  template <typename What>
  void Does(GameId game, int player, What what) {
    core::Command command = JoinBy(player, ++requests_);
    command.body_hash = Body("body " + std::to_string(requests_));
    command.what = std::move(what);
    const Result done = Do(*a_, game, std::move(command));
    EXPECT_TRUE(done.ok()) << done.status();
  }
  // Both pledge once they see the commitment, then both contribute, and the game begins.
  void Contribute(GameId game) {
    EXPECT_EQ(StateOf(game)->status, storage::GameStatus::kContributing);
    EXPECT_NE(StateOf(game)->facts->commitment, base::Bytes32{});
    for (int player = 1; player <= 2; ++player) {
      Does(game, player, core::Pledge{base::Sha256("of " + std::to_string(player))});
    }
    for (int player = 1; player <= 2; ++player) {
      Does(game, player, core::Contribute{"of " + std::to_string(player)});
    }
    EXPECT_EQ(StateOf(game)->status, storage::GameStatus::kRunning);
    EXPECT_EQ(StateOf(game)->proceedings.contributions.seats.size(), 2u);
  }
  // Time in which the first node lives.
  void Pass(int64_t ms) {
    for (int64_t passed = 0; passed < ms; passed += 500) {
      a_->games.Poll();
      Advance(500);
    }
  }

  core::Matches matches_a_{a_->games, match_store_};
  core::Matches matches_b_{b_->games, match_store_};
};

TEST_F(LobbyMatchTest, AProposedMatchGoesOnToItsEnd) {
  for (const ProposalKind kind : {ProposalKind::kSeek, ProposalKind::kChallenge}) {
    const base::MatchId id =
        Begun(AskedMatch({MatchKind::kPoints, 3, FirstMover::kWinner, false, false}, kind));
    Resign(id, 1);
    ASSERT_THAT(Now(id)->games, SizeIs(2));
    EXPECT_EQ(StateOf(Last(id))->facts->created_by, Player(1));
    Resign(id, 1);
    EXPECT_EQ(Now(id)->Stage(), MatchStage::kOver);
    EXPECT_EQ(Now(id)->score.players[1].points, 3);
  }
}

TEST_F(LobbyMatchTest, TicketsAreForTheSameMatch) {
  const NewProposal to_three =
      AskedMatch({MatchKind::kPoints, 3, std::nullopt, false, false}, ProposalKind::kTicket);
  // What is usual and was not said, said.
  NewProposal the_same = to_three;
  the_same.terms.match->first_mover = FirstMover::kRules;
  NewProposal to_five = to_three;
  to_five.terms.match->length = 5;
  const ProposalId waits = Made(3, to_five).record.id;
  const ProposalId one = Made(1, to_three).record.id;
  Made(2, the_same);
  core::Matchmaker(lobby_a_).Round();
  RunAll();
  EXPECT_EQ(StateOfProposal(waits), ProposalState::kOpen);
  const GameId game = lobby_store_.GetProposal(one)->game;
  ASSERT_FALSE(game.is_nil());
  const base::MatchId id = StateOf(game)->facts->terms.match;
  Resign(id, 1);
  EXPECT_THAT(Now(id)->games, SizeIs(2));
}

TEST_F(LobbyMatchTest, EveryGameOfAnInvitingMatchWaitsForContributions) {
  NewProposal asked = AskedMatch({MatchKind::kPoints, 3, FirstMover::kWinner, false, false});
  asked.terms.invite_contributions = true;
  const base::MatchId id = Begun(asked);
  const GameId first = Last(id);
  Contribute(first);
  Resign(id, 1);
  ASSERT_THAT(Now(id)->games, SizeIs(2));
  // The next one is there at once; nobody adds to it, and it begins nevertheless.
  EXPECT_EQ(StateOf(Last(id))->status, storage::GameStatus::kContributing);
  EXPECT_NE(StateOf(Last(id))->facts->commitment, StateOf(first)->facts->commitment);
  Pass(core::kContributionWindowMs + 1'000);
  EXPECT_EQ(StateOf(Last(id))->status, storage::GameStatus::kRunning);
  Resign(id, 1);
  EXPECT_EQ(Now(id)->Stage(), MatchStage::kOver);
  // So it is with their rematch.
  ASSERT_TRUE(Rematch(lobby_a_, Last(id), Stamp(1)).ok());
  const Accepted again = Rematch(lobby_b_, Last(id), Stamp(2));
  ASSERT_TRUE(again.ok() && again->game) << again.status();
  EXPECT_TRUE(again->proposal.terms.invite_contributions);
  Contribute(again->game->after->facts->id);
}

TEST_F(LobbyMatchTest, WhoInvitesContributionsIsPairedWithWhoDoes) {
  NewProposal inviting = Asked(ProposalKind::kTicket);
  inviting.terms.invite_contributions = true;
  const ProposalId plain = Made(1, Asked(ProposalKind::kTicket)).record.id;
  const ProposalId one = Made(2, inviting).record.id;
  core::Matchmaker(lobby_a_).Round();
  RunAll();
  EXPECT_EQ(StateOfProposal(one), ProposalState::kOpen);
  Made(3, inviting);
  core::Matchmaker(lobby_a_).Round();
  RunAll();
  EXPECT_EQ(StateOfProposal(plain), ProposalState::kOpen);
  const GameId game = lobby_store_.GetProposal(one)->game;
  ASSERT_FALSE(game.is_nil());
  EXPECT_EQ(StateOf(game)->status, storage::GameStatus::kContributing);
}

// Whoever could use up the request of a game before it is created would be its only stopper.
TEST_F(LobbyMatchTest, RequestsOfWhatTheServerStartsAreNobodysOwn) {
  const Proposal seek =
      Made(1, AskedMatch({MatchKind::kGames, 3, std::nullopt, false, false}, ProposalKind::kSeek));
  const core::CreateGame first = lobby_a_.GameOf(seek, Player(2));
  EXPECT_TRUE(base::IsDerived(first.request));
  EXPECT_EQ(first.request, lobby_b_.GameOf(seek, Player(3)).request);
  // A game of the proposer's own, under the id of his proposal, is another matter.
  core::CreateGame own = NewRace();
  own.request.bytes = seek.record.id.bytes();
  ASSERT_TRUE(Create(*a_, own).ok());
  const Accepted accepted = Accept(lobby_b_, seek.record.id, Stamp(2));
  ASSERT_TRUE(accepted.ok()) << accepted.status();
  const base::MatchId id = accepted->game->after->facts->terms.match;
  own.request.bytes = id.bytes();
  ASSERT_TRUE(Create(*a_, own).ok());
  Resign(id, 1);
  ASSERT_THAT(Now(id)->games, SizeIs(2));
  const auto second = store_.Events(Last(id), 0, 1);
  EXPECT_TRUE(base::IsDerived(second->front().request->request));
}

TEST_F(LobbyMatchTest, ARematchIsAnotherMatchFromTheStart) {
  NewProposal asked = AskedMatch({MatchKind::kPoints, 3, FirstMover::kLoser, false, false});
  asked.terms.options = {{"length", "9"}};
  const base::MatchId id = Begun(asked);
  const GameId first = Last(id);
  Resign(id, 1);
  EXPECT_EQ(Why(Rematch(lobby_a_, first, Stamp(1)).status()), Reason::kGameStillRunning)
      << "the match goes on";
  Resign(id, 1);
  const GameId last = Last(id);
  ASSERT_NE(first, last);
  // Whichever of its games they name, it is one rematch.
  const Accepted by_one = Rematch(lobby_a_, last, Stamp(1));
  ASSERT_TRUE(by_one.ok()) << by_one.status();
  const Accepted by_two = Rematch(lobby_b_, first, Stamp(2));
  ASSERT_TRUE(by_two.ok() && by_two->game) << by_two.status();
  EXPECT_EQ(by_one->proposal.record.id, by_two->proposal.record.id);
  const core::GameState& game = *by_two->game->after;
  EXPECT_EQ(game.facts->options, StateOf(first)->facts->options);
  EXPECT_EQ(game.SeatOf(Player(1)), 1) << "seat 0 in the first game of the match before";
  EXPECT_NE(game.facts->terms.match, id);
  EXPECT_EQ(game.facts->terms.match_game, 1);
  EXPECT_EQ(core::TermsOf(Now(game.facts->terms.match)->match.record),
            core::TermsOf(Now(id)->match.record));
}

}  // namespace
}  // namespace astragal::tests
