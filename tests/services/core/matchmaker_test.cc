// The automatic queue, and the picture of the lobby that watchers get.
#include "services/core/matchmaker.h"

#include <set>

#include "services/base/lobby_reasons.h"
#include "services/core/completion.h"
#include "services/core/lobby_board.h"
#include "tests/services/core/sim/lobby_fixture.h"

namespace astragal::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// ---- The queue

TEST_F(LobbyTest, TicketsArePairedOnceByWhicheverNode) {
  core::Matchmaker on_a(lobby_a_), on_b(lobby_b_);
  for (int player = 1; player <= 100; ++player) Made(player, Asked(ProposalKind::kTicket));
  for (int round = 0; round < 5; ++round) {
    on_a.Round();
    on_b.Round();
    Advance(500);
  }
  const std::vector<storage::GameSummary> games = Games();
  ASSERT_THAT(games, SizeIs(50));
  std::set<base::PlayerId> players;
  for (const storage::GameSummary& game : games) {
    for (const storage::SeatRecord& seat : game.seats) {
      EXPECT_TRUE(players.insert(seat.player).second);
    }
  }
  EXPECT_THAT(players, SizeIs(100));
  EXPECT_THAT(lobby_store_.ListTickets("", {}, 1'000).value(), IsEmpty());
}

TEST_F(LobbyTest, TicketsOfOnePoolAreThoseWithTheSameTerms) {
  NewProposal long_race = Asked(ProposalKind::kTicket);
  const auto length = catalog_->Find("race")->about().options[1].default_value;
  NewProposal spelled_out = long_race;
  spelled_out.terms.options = {{"length", std::to_string(length)}};
  NewProposal other_length = long_race;
  other_length.terms.options = {{"length", std::to_string(length + 1)}};
  NewProposal rated = long_race;
  rated.terms.rated = true;
  // An answer does not name the pool: the stored ticket does.
  const auto pool_of = [&](int player, const NewProposal& asked) {
    return lobby_store_.GetProposal(Made(player, asked).record.id)->pool;
  };
  const std::string pool = pool_of(1, long_race);
  EXPECT_FALSE(pool.empty());
  EXPECT_EQ(pool_of(2, spelled_out), pool);
  EXPECT_NE(pool_of(3, other_length), pool);
  EXPECT_NE(pool_of(4, rated), pool);
  const auto twice = lobby_a_.Propose(long_race, Stamp(1));
  EXPECT_EQ(Why(twice.status()), Reason::kAlreadyExists);
  EXPECT_EQ(Detail(twice.status(), "proposal_id"),
            lobby_store_.ListOf(Player(1), {}, 1)->front().id.ToText());
  core::Matchmaker(lobby_a_).Round();
  RunAll();
  ASSERT_THAT(Games(), SizeIs(1));
  EXPECT_THAT(Games()[0].seats,
              UnorderedElementsAre(testing::Field(&storage::SeatRecord::player, Player(1)),
                                   testing::Field(&storage::SeatRecord::player, Player(2))));
}

TEST_F(LobbyTest, WhatATicketAsksOfTheOtherOnesCompletionIsNeverGivenUp) {
  completion_[Player(2)] = 79;
  completion_[Player(3)] = 80;
  NewProposal demanding = Asked(ProposalKind::kTicket);
  demanding.terms.least_completion = 80;
  demanding.open_ms = Lobby::kMaxTicketMs;
  NewProposal plain = Asked(ProposalKind::kTicket);
  plain.open_ms = Lobby::kMaxTicketMs;
  EXPECT_EQ(lobby_store_.GetProposal(Made(1, demanding).record.id)->pool,
            lobby_store_.GetProposal(Made(2, plain).record.id)->pool);
  core::Matchmaker matchmaker(lobby_a_);
  for (int minute = 0; minute < 10; ++minute) {
    matchmaker.Round();
    Advance(60'000);
  }
  EXPECT_THAT(Games(), IsEmpty());
  Made(3, plain);
  matchmaker.Round();
  RunAll();
  ASSERT_THAT(Games(), SizeIs(1));
  // Either of those who wait may have him.
  EXPECT_THAT(Games()[0].seats,
              testing::Contains(testing::Field(&storage::SeatRecord::player, Player(3))));
}

TEST_F(LobbyTest, WhoeverHasCompletedTooLittleIsRefusedAndTheProposalStaysOpen) {
  completion_[Player(2)] = 89;
  completion_[Player(3)] = 90;
  NewProposal demanding = Asked();
  demanding.terms.least_completion = 90;
  const ProposalId seek = Made(1, demanding).record.id;
  const absl::Status refused = Accept(lobby_b_, seek, Stamp(2)).status();
  EXPECT_EQ(Why(refused), base::kCompletionTooLow);
  EXPECT_EQ(Detail(refused, "completion_percent"), "89");
  EXPECT_EQ(Detail(refused, "min_completion_percent"), "90");
  EXPECT_EQ(StateOfProposal(seek), ProposalState::kOpen);
  EXPECT_THAT(Games(), IsEmpty());
  const MutationStamp stamp = Stamp(3);
  const Accepted accepted = Accept(lobby_b_, seek, stamp);
  ASSERT_TRUE(accepted.ok()) << accepted.status();
  // What he was given stays his, whatever has become of him.
  completion_[Player(3)] = 0;
  EXPECT_EQ(Accept(lobby_b_, seek, stamp)->game->after->facts->id,
            accepted->game->after->facts->id);
}

TEST(Completion, IsOfTheLastRatedGamesAndWholeForNewcomers) {
  storage::Conduct conduct;
  EXPECT_EQ(core::CompletionPercent(conduct), 100);
  conduct.games = 3;
  conduct.completed = 2;
  EXPECT_EQ(core::CompletionPercent(conduct), 66);
  conduct.completed = 0;
  EXPECT_EQ(core::CompletionPercent(conduct), 0);
}

TEST_F(LobbyTest, ATicketRemembersTheLastOpponent) {
  Finished();
  EXPECT_EQ(Made(1, Asked(ProposalKind::kTicket)).terms.last_opponent, Player(2));
  EXPECT_TRUE(Made(3, Asked(ProposalKind::kTicket)).terms.last_opponent.is_nil());
}

TEST_F(LobbyTest, ManyTicketsAreGoneThroughInTurns) {
  core::Matchmaker matchmaker(lobby_a_);
  // One pool larger than a page, and others behind it.
  const size_t many = core::Matchmaker::kMaxTickets;
  for (size_t i = 0; i < many + 10; ++i) {
    storage::ProposalRecord ticket = Made(1, Asked(ProposalKind::kTicket)).record;
    (void)lobby_a_.Close(ticket.id, ProposalState::kWithdrawn, Stamp(1));
    ticket.id = ProposalId::Make(clock_.Now(), a_->random);
    ticket.pool = i < many + 4 ? "a" : "b";
    base::IdBytes player = Player(9).bytes();
    player[1] = static_cast<uint8_t>(i >> 8);
    player[2] = static_cast<uint8_t>(i);
    ticket.player = base::PlayerId(player);
    const storage::Answer answer{ticket.player, Request(++requests_), {}, ""};
    ASSERT_TRUE(lobby_store_.CreateProposal(ticket, 20, answer).ok());
  }
  for (int round = 0; round < 4; ++round) {
    matchmaker.Round();
    RunAll();
  }
  EXPECT_THAT(lobby_store_.ListTickets("", {}, 1'000).value(), IsEmpty());
  EXPECT_THAT(Games(), SizeIs((many + 10) / 2));
}

// ---- The board

struct Viewer : core::LobbyViewer {
  int told = 0;
  void OnPicture() override { ++told; }
};

std::vector<ProposalId> Ids(const std::vector<core::ProposalPtr>& proposals) {
  std::vector<ProposalId> ids;
  for (const core::ProposalPtr& proposal : proposals) ids.push_back(proposal->record.id);
  return ids;
}

TEST_F(LobbyTest, TheBoardShowsWhatChanges) {
  core::LobbyBoard board(lobby_store_, a_->scheduler);
  const ProposalId first = Seek(1).record.id;
  clock_.Advance(1'000);
  Made(1, Asked(ProposalKind::kChallenge, 2));
  auto viewer = std::make_shared<Viewer>();
  const core::PicturePtr start = board.Subscribe(viewer).value();
  EXPECT_THAT(Ids(start->seeks), ElementsAre(first));
  const int told = viewer->told;
  board.Poll();
  EXPECT_EQ(viewer->told, told) << "nothing happened";

  const ProposalId second = Seek(3).record.id;
  ASSERT_TRUE(Accept(lobby_b_, first, Stamp(2)).ok());
  board.Poll();
  EXPECT_EQ(viewer->told, told + 1);
  const core::LobbyDifference change = core::Compare(*start, *board.picture());
  EXPECT_THAT(Ids(change.opened), ElementsAre(second));
  ASSERT_THAT(Ids(change.closed), ElementsAre(first));
  EXPECT_EQ(change.closed[0]->record.state, ProposalState::kTaken);
  EXPECT_FALSE(change.closed[0]->record.game.is_nil());

  // Nobody looks: nothing is read; who comes then sees what there is.
  viewer.reset();
  Seek(4);
  board.Poll();
  EXPECT_THAT(board.picture()->seeks, SizeIs(1));
  auto late = std::make_shared<Viewer>();
  EXPECT_THAT(board.Subscribe(late).value()->seeks, SizeIs(2));
}

TEST_F(LobbyTest, ADatabaseThatIsAwayIsSaid) {
  const ProposalId seek = Seek(1).record.id;
  lobby_store_.SetAway(true);
  EXPECT_EQ(Why(lobby_a_.Propose(Asked(), Stamp(1)).status()), Reason::kStoreUnavailable);
  EXPECT_EQ(Why(lobby_a_.Get(seek, {}).status()), Reason::kStoreUnavailable);
  EXPECT_EQ(Why(Accept(lobby_a_, seek, Stamp(2)).status()), Reason::kStoreUnavailable);
  core::LobbyBoard board(lobby_store_, a_->scheduler);
  EXPECT_FALSE(board.Subscribe(std::make_shared<Viewer>()).ok());
  core::Matchmaker(lobby_a_).Round();
  lobby_store_.SetAway(false);
  EXPECT_TRUE(Accept(lobby_a_, seek, Stamp(2)).ok());
}

}  // namespace
}  // namespace astragal::tests
