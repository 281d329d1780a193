// PgAffairStore and PgPresenceStore against their contracts: what is a player's and what not,
// limits, nodes that live and nodes that do not.
#include "storage/affair_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

using base::GameId;
using base::PlayerId;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Nothing was made since then.
constexpr base::Instant kNever{int64_t{4'000'000'000} * 1'000'000};

class AffairStoreTest : public testing::Test {
 protected:
  GameCommit Stored(const GameCommit& commit) {
    const auto report = open_->games().Commit({commit});
    EXPECT_TRUE(report.ok() && report->outcomes[0] == CommitOutcome::kCommitted);
    return commit;
  }
  GameCommit Created(PlayerId player) { return Stored(make_.Create(player, make_.NewRequest())); }
  // One more event, in this status, with these seats.
  GameCommit Goes(const GameCommit& before, GameStatus status, std::vector<SeatRecord> seats) {
    GameCommit commit = make_.Play(before.head.id, before.head.sequence);
    commit.head.status = status;
    commit.seats = std::move(seats);
    return Stored(commit);
  }
  std::vector<GameId> GamesOf(PlayerId player, size_t most = 10) {
    const auto marks = open_->affairs().GamesOf({&player, 1}, most, kNever);
    EXPECT_TRUE(marks.ok()) << marks.status();
    std::vector<GameId> games;
    for (const GameMark& mark : *marks) games.push_back(mark.game);
    return games;
  }

  tests::TestDatabase database_;
  std::unique_ptr<Database> open_ = database_.Open();
  tests::GameMaker make_;
  const PlayerId alice_ = make_.NewId<PlayerId>();
  const PlayerId bob_ = make_.NewId<PlayerId>();
};

TEST_F(AffairStoreTest, AGameIsItsPlayersUntilItEnds) {
  const GameCommit open = Created(alice_);
  EXPECT_THAT(GamesOf(alice_), UnorderedElementsAre(open.head.id));
  EXPECT_THAT(GamesOf(bob_), IsEmpty());
  const GameCommit running = Goes(open, GameStatus::kRunning, {{0, alice_, 0, 0}, {1, bob_, 0, 0}});
  const GameCommit other = Created(bob_);
  const std::vector<PlayerId> both = {bob_, alice_};
  const auto marks = open_->affairs().GamesOf(both, 10, kNever);
  ASSERT_TRUE(marks.ok());
  EXPECT_THAT(*marks, UnorderedElementsAre(GameMark{0, open.head.id, running.head.sequence},
                                           GameMark{0, other.head.id, other.head.sequence},
                                           GameMark{1, open.head.id, running.head.sequence}));
  EXPECT_THAT(GamesOf(bob_, 1), UnorderedElementsAre(other.head.id)) << "the newest";
  // Called off, with nothing in its seats but that it is over.
  Goes(running, GameStatus::kAborted, {{0, alice_, 0, 0}, {1, bob_, 0, 0}});
  EXPECT_THAT(GamesOf(alice_), IsEmpty());
  EXPECT_THAT(GamesOf(bob_), UnorderedElementsAre(other.head.id));
  const auto recent = open_->affairs().GamesOf({&alice_, 1}, 10, {});
  ASSERT_TRUE(recent.ok()) << recent.status();
  ASSERT_EQ(recent->size(), 1U) << "it has ended, and was created lately";
  // A seat that is given back.
  Goes(other, GameStatus::kOpen, {{0, {}, 0, 0}});
  EXPECT_THAT(GamesOf(bob_), IsEmpty());
}

TEST_F(AffairStoreTest, GamesAreLoadedTogether) {
  const GameCommit one = Created(alice_), other = Created(bob_);
  const std::vector<GameId> ids = {one.head.id, make_.NewId<GameId>(), other.head.id};
  const auto games = open_->affairs().LoadGames(ids);
  ASSERT_TRUE(games.ok()) << games.status();
  ASSERT_EQ(games->size(), 2U);
  for (const StoredGame& game : *games) {
    const auto alone = open_->games().Load(game.facts.id);
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ(game.head.position, alone->head.position);
    EXPECT_EQ(game.head.proceedings, alone->head.proceedings);
    EXPECT_EQ(game.head.chain_hash, alone->head.chain_hash);
    EXPECT_EQ(game.seats, alone->seats);
    EXPECT_EQ(game.facts.terms, alone->facts.terms);
  }
  EXPECT_THAT(*open_->affairs().LoadGames({}), IsEmpty());
  EXPECT_THAT(*open_->affairs().GamesOf({}, 10, kNever), IsEmpty());
}

TEST_F(AffairStoreTest, ProposalsAreTheirPlayersAndChallengesBothSides) {
  const auto now = open_->Now().value();
  const auto make = [&](ProposalKind kind, PlayerId player, PlayerId opponent, int64_t ms) {
    ProposalRecord proposal;
    proposal.id = make_.NewId<base::ProposalId>();
    proposal.kind = kind;
    proposal.player = player;
    proposal.opponent = opponent;
    proposal.terms = "terms";
    proposal.created_at = now;
    proposal.expires_at = {now.micros + ms * 1'000};
    EXPECT_TRUE(
        open_->lobby()
            .CreateProposal(proposal, 20, {player, make_.NewRequest(), make_.NewHash(), "answer"})
            .ok());
    return proposal.id;
  };
  const auto seek = make(ProposalKind::kSeek, alice_, {}, 60'000);
  const auto challenge = make(ProposalKind::kChallenge, alice_, bob_, 60'000);
  make(ProposalKind::kChallenge, alice_, bob_, -1);
  const std::vector<PlayerId> both = {alice_, bob_};
  const auto marks = open_->affairs().ProposalsOf(both, 10, kNever);
  ASSERT_TRUE(marks.ok()) << marks.status();
  std::vector<std::pair<uint32_t, base::ProposalId>> found;
  for (const ProposalMark& mark : *marks) found.emplace_back(mark.player, mark.proposal);
  EXPECT_THAT(found, UnorderedElementsAre(std::pair(0U, seek), std::pair(0U, challenge),
                                          std::pair(1U, challenge)));
  ASSERT_TRUE(open_->lobby()
                  .CloseProposal(challenge, ProposalState::kDeclined, bob_,
                                 {bob_, make_.NewRequest(), make_.NewHash(), "answer"})
                  .ok());
  EXPECT_EQ(open_->affairs().ProposalsOf(both, 10, kNever)->size(), 1U);
  EXPECT_EQ(open_->affairs().ProposalsOf(both, 10, {})->size(), 3U) << "to both of them";
}

// What a look at a thousand players costs, for those who size a server.
TEST_F(AffairStoreTest, AThousandPlayersAreOneQuestion) {
  std::vector<PlayerId> players;
  for (int i = 0; i < 1'000; ++i) players.push_back(make_.NewId<PlayerId>());
  for (size_t from = 0; from < players.size(); from += 500) {
    std::vector<GameCommit> batch;
    for (size_t i = from; i < from + 500; ++i) {
      batch.push_back(make_.Create(players[i], make_.NewRequest()));
    }
    ASSERT_TRUE(open_->games().Commit(batch).ok());
  }
  ASSERT_EQ(open_->affairs().GamesOf(players, 200, kNever)->size(), players.size());
  const auto began = std::chrono::steady_clock::now();
  ASSERT_TRUE(open_->affairs().GamesOf(players, 200, kNever).ok());
  ASSERT_TRUE(open_->affairs().ProposalsOf(players, 100, kNever).ok());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  std::cout << "marks of 1,000 players: " << took.count() << " ms" << std::endl;
}

class PresenceStoreTest : public AffairStoreTest {
 protected:
  std::vector<std::pair<PlayerId, bool>> In(Database& node, GameId game) {
    const auto rows = node.presence().Read({&game, 1});
    EXPECT_TRUE(rows.ok()) << rows.status();
    std::vector<std::pair<PlayerId, bool>> found;
    for (const AttendeeRow& row : *rows) found.emplace_back(row.attendee.player, row.own);
    return found;
  }
  void Beat(Database& node) { ASSERT_TRUE(node.games().Beat({}).ok()); }

  std::unique_ptr<Database> other_ = database_.OpenAs("other");
  const GameId game_ = make_.NewId<GameId>();
};

TEST_F(PresenceStoreTest, ARowCountsWhileItsNodeLives) {
  const std::vector<Attendee> alice = {{game_, alice_}}, bob = {{game_, bob_}};
  ASSERT_TRUE(open_->presence().Write(alice, {}).ok());
  EXPECT_THAT(In(*other_, game_), IsEmpty()) << "no heartbeat yet";
  Beat(*open_);
  Beat(*other_);
  ASSERT_TRUE(other_->presence().Write(bob, {}).ok());
  EXPECT_THAT(In(*other_, game_),
              UnorderedElementsAre(std::pair(alice_, false), std::pair(bob_, true)));
  ASSERT_TRUE(open_->presence().Write(alice, {}).ok()) << "again is no harm";
  ASSERT_TRUE(open_->presence().Sweep().ok());
  EXPECT_EQ(In(*open_, game_).size(), 2U);
  // The first node's heart has stopped.
  auto connection = database_.Connect();
  ASSERT_TRUE(
      connection->Script("UPDATE nodes SET seen_at = seen_at - 6000000 WHERE name <> 'other'")
          .ok());
  EXPECT_THAT(In(*other_, game_), UnorderedElementsAre(std::pair(bob_, true)));
  ASSERT_TRUE(other_->presence().Sweep().ok());
  EXPECT_EQ(connection->Script("SELECT count(*) FROM presence")->Int(0, 0), 1);
  ASSERT_TRUE(other_->presence().Write({}, bob).ok());
  EXPECT_EQ(connection->Script("SELECT count(*) FROM presence")->Int(0, 0), 0);
}

}  // namespace
}  // namespace astragal::storage
