// PgGameStore against its contract: outcomes of commits, what is read back, lists.
#include "storage/game_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "services/base/status.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

using testing::ElementsAre;

class GameStoreTest : public testing::Test {
 protected:
  std::vector<CommitOutcome> Commit(const std::vector<GameCommit>& batch) {
    absl::StatusOr<CommitReport> report = store_.Commit(batch);
    EXPECT_TRUE(report.ok()) << report.status();
    if (!report.ok()) return {};
    return report->outcomes;
  }
  GameCommit Created() {
    GameCommit created = make_.Create();
    EXPECT_THAT(Commit({created}), ElementsAre(CommitOutcome::kCommitted));
    return created;
  }
  std::vector<EventRecord> Events(base::GameId id) {
    return store_.Events(id, 0, GameStore::kMaxEvents).value();
  }

  tests::TestDatabase database_;
  std::unique_ptr<Database> open_ = database_.Open();
  GameStore& store_ = open_->games();
  tests::GameMaker make_;
};

TEST_F(GameStoreTest, TermsProceedingsAndDeadlineAreReadBack) {
  GameCommit created = make_.Create();
  GameTerms& terms = created.create->terms;
  terms = {
      Visibility::kPrivate,         true, {ClockKind::kBronstein, 60'000, 8'000, 30'000}, {1, 2},
      make_.NewId<base::MatchId>(), 7};
  created.head.proceedings = std::string("\0\x01proceedings", 13);
  created.head.deadline = base::Instant{1'700'000'000'000'000};
  ASSERT_THAT(Commit({created}), ElementsAre(CommitOutcome::kCommitted));
  const StoredGame game = store_.Load(created.head.id).value();
  EXPECT_EQ(game.facts.terms, terms);
  EXPECT_EQ(game.head.proceedings, created.head.proceedings);
  EXPECT_EQ(game.head.deadline, created.head.deadline);
}

TEST_F(GameStoreTest, HiddenGamesAreInNoListButTheirPlayersOwn) {
  const base::PlayerId creator = make_.NewId<base::PlayerId>();
  std::vector<base::GameId> ids;
  for (const Visibility visibility :
       {Visibility::kPublic, Visibility::kUnlisted, Visibility::kPrivate}) {
    GameCommit created = make_.Create(creator, make_.NewRequest());
    created.create->terms.visibility = visibility;
    ASSERT_THAT(Commit({created}), ElementsAre(CommitOutcome::kCommitted));
    ids.push_back(created.head.id);
  }
  const auto listed = [&](const GameFilter& filter) {
    std::vector<base::GameId> found;
    const std::vector<GameSummary> page = store_.List(filter, {}, 10).value();
    for (const GameSummary& game : page) found.push_back(game.id);
    return found;
  };
  EXPECT_THAT(listed({}), ElementsAre(ids[0]));
  EXPECT_THAT(listed({"long_narde", {}, {}, false}), ElementsAre(ids[0]));
  EXPECT_THAT(listed({{}, GameStatus::kOpen, {}, false}), ElementsAre(ids[0]));
  EXPECT_THAT(listed({"long_narde", GameStatus::kOpen, {}, false}), ElementsAre(ids[0]));
  EXPECT_THAT(listed({{}, {}, creator, false}), ElementsAre(ids[0]));
  EXPECT_THAT(listed({{}, {}, creator, true}), ElementsAre(ids[2], ids[1], ids[0]));
  EXPECT_THAT(listed({"long_narde", GameStatus::kOpen, creator, true}),
              ElementsAre(ids[2], ids[1], ids[0]));
}

TEST_F(GameStoreTest, ADueGameIsGivenToOneCallerAtATime) {
  const auto at = [](int64_t seconds) { return base::Instant{seconds * 1'000'000}; };
  GameCommit created = make_.Create();
  created.head.deadline = at(100);
  ASSERT_THAT(Commit({created}), ElementsAre(CommitOutcome::kCommitted));
  const base::GameId id = created.head.id;
  EXPECT_THAT(store_.TakeDue(at(99), 10).value(), ElementsAre());
  EXPECT_THAT(store_.TakeDue(at(100), 10).value(), ElementsAre(id));
  EXPECT_THAT(store_.TakeDue(at(100), 10).value(), ElementsAre()) << "it is leased";
  EXPECT_THAT(store_.TakeDue(at(103), 10).value(), ElementsAre(id)) << "the lease has ended";
  // A later deadline is found when the old one has come, an earlier one counts at once.
  GameCommit later = make_.Play(id, 2);
  later.head.deadline = at(200);
  ASSERT_THAT(Commit({later}), ElementsAre(CommitOutcome::kCommitted));
  EXPECT_THAT(store_.TakeDue(at(110), 10).value(), ElementsAre());
  EXPECT_THAT(store_.TakeDue(at(200), 10).value(), ElementsAre(id));
  GameCommit earlier = make_.Play(id, 3);
  earlier.head.deadline = at(150);
  ASSERT_THAT(Commit({earlier}), ElementsAre(CommitOutcome::kCommitted));
  EXPECT_THAT(store_.TakeDue(at(150), 10).value(), ElementsAre(id));
  GameCommit over = make_.Play(id, 4);
  over.head.status = GameStatus::kFinished;
  ASSERT_THAT(Commit({over}), ElementsAre(CommitOutcome::kCommitted));
  EXPECT_THAT(store_.TakeDue(at(1'000'000), 10).value(), ElementsAre());
}

TEST_F(GameStoreTest, SilenceOfAllNodesIsAnOutage) {
  EXPECT_THAT(store_.Beat({}).value(), ElementsAre());
  EXPECT_THAT(store_.Beat({}).value(), ElementsAre());
  auto connection = database_.Connect();
  ASSERT_TRUE(connection->Script("UPDATE nodes SET seen_at = seen_at - 10000000").ok());
  const std::vector<Outage> outages = store_.Beat({}).value();
  ASSERT_EQ(outages.size(), 1u);
  EXPECT_NEAR(static_cast<double>(outages[0].ended_at.micros - outages[0].began_at.micros),
              10'000'000, 2'000'000);
  EXPECT_EQ(store_.Beat({}).value(), outages) << "who does not know it hears of it";
  EXPECT_THAT(store_.Beat(outages[0].ended_at).value(), ElementsAre());
}

TEST_F(GameStoreTest, AProposalBecomesOneGame) {
  const auto proposal = make_.NewId<base::ProposalId>();
  auto connection = database_.Connect();
  const auto propose = [&](const base::ProposalId& id, int state, const std::string& expires) {
    return connection
        ->Script(
            "INSERT INTO proposals (id, kind, state, player, terms, pool, rating, created_at, "
            "expires_at) VALUES ('" +
            UuidText(id.bytes()) + "', 1, " + std::to_string(state) + ", '" +
            UuidText(make_.NewId<base::PlayerId>().bytes()) + "', '', '', 1500, 0, " + expires +
            ")")
        .status();
  };
  ASSERT_TRUE(propose(proposal, 1, "9000000000000000").ok());
  const auto taking = [&](const base::ProposalId& id) {
    GameCommit created = make_.Create();
    created.takes = {id};
    return created;
  };
  const GameCommit first = taking(proposal);
  EXPECT_THAT(Commit({first, taking(proposal)}),
              ElementsAre(CommitOutcome::kCommitted, CommitOutcome::kBusy));
  EXPECT_THAT(Commit({taking(proposal)}), ElementsAre(CommitOutcome::kTaken));
  const auto rows = connection->Script("SELECT state, game FROM proposals");
  EXPECT_EQ(rows->Int(0, 0), 2);
  EXPECT_EQ(rows->Uuid<base::GameId>(0, 1), first.head.id);
  const auto withdrawn = make_.NewId<base::ProposalId>();
  ASSERT_TRUE(propose(withdrawn, 3, "9000000000000000").ok());
  const auto expired = make_.NewId<base::ProposalId>();
  ASSERT_TRUE(propose(expired, 1, "1").ok());
  for (const base::ProposalId& id : {withdrawn, expired, make_.NewId<base::ProposalId>()}) {
    const GameCommit refused = taking(id);
    EXPECT_THAT(Commit({refused}), ElementsAre(CommitOutcome::kTaken));
    EXPECT_TRUE(absl::IsNotFound(store_.Load(refused.head.id).status()));
  }
}

TEST_F(GameStoreTest, WhatIsCommittedIsReadBack) {
  const GameCommit created = Created();
  const StoredGame game = store_.Load(created.head.id).value();
  EXPECT_EQ(game.facts.id, created.create->id);
  EXPECT_EQ(game.facts.ruleset, created.create->ruleset);
  EXPECT_EQ(game.facts.rules_version, created.create->rules_version);
  EXPECT_EQ(game.facts.build, created.create->build);
  EXPECT_EQ(game.facts.options, created.create->options);
  EXPECT_EQ(game.facts.seats, created.create->seats);
  EXPECT_EQ(game.facts.created_by, created.create->created_by);
  EXPECT_EQ(game.facts.created_at, created.create->created_at);
  EXPECT_EQ(game.facts.restore_epoch, created.create->restore_epoch);
  EXPECT_EQ(game.facts.commitment, created.create->commitment);
  EXPECT_EQ(game.facts.sealed_secret, created.create->sealed_secret);
  EXPECT_EQ(game.head.id, created.head.id);
  EXPECT_EQ(game.head.sequence, created.head.sequence);
  EXPECT_EQ(game.head.chain_hash, created.head.chain_hash);
  EXPECT_EQ(game.head.status, created.head.status);
  EXPECT_EQ(game.head.ending, created.head.ending);
  EXPECT_EQ(game.head.actor, created.head.actor);
  EXPECT_EQ(game.head.throws_drawn, created.head.throws_drawn);
  EXPECT_EQ(game.head.position, created.head.position);
  EXPECT_EQ(game.head.updated_at, created.head.updated_at);
  EXPECT_EQ(game.head.changed_sequence, created.head.changed_sequence);
  EXPECT_EQ(game.head.build, created.head.build);
  EXPECT_EQ(game.seats, created.seats);
  EXPECT_EQ(Events(created.head.id), created.events);
}

TEST_F(GameStoreTest, ACommitMovesHeadSeatsAndLogTogether) {
  const GameCommit created = Created();
  GameCommit last = make_.Play(created.head.id, 2);
  last.head.status = GameStatus::kFinished;
  last.head.ending = Ending::kPlayed;
  last.seats = {{1, make_.NewId<base::PlayerId>(), 1, 2}, {0, created.seats[0].player, 2, -2}};
  EXPECT_THAT(Commit({last}), ElementsAre(CommitOutcome::kCommitted));
  const StoredGame game = store_.Load(created.head.id).value();
  EXPECT_EQ(game.head.sequence, 3u);
  EXPECT_EQ(game.head.status, GameStatus::kFinished);
  EXPECT_EQ(game.head.position, last.head.position);
  EXPECT_THAT(game.seats, ElementsAre(last.seats[1], last.seats[0]));
  EXPECT_EQ(Events(created.head.id).size(), 3u);
}

TEST_F(GameStoreTest, AHeadThatMovedOnIsLeftAlone) {
  const GameCommit created = Created();
  EXPECT_THAT(Commit({make_.Play(created.head.id, 1)}), ElementsAre(CommitOutcome::kMovedOn));
  EXPECT_THAT(Commit({make_.Play(created.head.id, 3)}), ElementsAre(CommitOutcome::kMovedOn));
  EXPECT_THAT(Commit({make_.Play(make_.NewId<base::GameId>(), 1)}),
              ElementsAre(CommitOutcome::kMovedOn));
  GameCommit again = make_.Create();
  again.create->id = again.head.id = created.head.id;
  for (EventRecord& event : again.events) event.game = created.head.id;
  EXPECT_THAT(Commit({again}), ElementsAre(CommitOutcome::kMovedOn));
  EXPECT_EQ(Events(created.head.id), created.events);
}

TEST_F(GameStoreTest, AHeadLockedByAnotherTransactionIsBusyAndTheOthersAreCommitted) {
  const GameCommit one = Created();
  const GameCommit other = Created();
  auto locker = database_.Connect();
  ASSERT_TRUE(locker->Script("BEGIN").ok());
  ASSERT_TRUE(locker
                  ->Run({"lock", "SELECT FROM heads WHERE game_id = $1::uuid FOR UPDATE"},
                        Params().Uuid(one.head.id.bytes()))
                  .ok());
  const std::vector<GameCommit> batch = {make_.Play(one.head.id, 2), make_.Play(other.head.id, 2)};
  EXPECT_THAT(Commit(batch), ElementsAre(CommitOutcome::kBusy, CommitOutcome::kCommitted));
  ASSERT_TRUE(locker->Script("ROLLBACK").ok());
  EXPECT_THAT(Commit({batch[0]}), ElementsAre(CommitOutcome::kCommitted));
}

TEST_F(GameStoreTest, ARepeatedRequestIsADuplicateWhereverTheHeadIs) {
  const GameCommit created = Created();
  const auto player = make_.NewId<base::PlayerId>();
  const base::RequestId request = make_.NewRequest();
  const GameCommit first = make_.Play(created.head.id, 2, player, request);
  EXPECT_THAT(Commit({first}), ElementsAre(CommitOutcome::kCommitted));
  EXPECT_THAT(Commit({make_.Play(created.head.id, 2, player, request)}),
              ElementsAre(CommitOutcome::kDuplicateRequest));
  EXPECT_THAT(Commit({make_.Play(created.head.id, 3, player, request)}),
              ElementsAre(CommitOutcome::kDuplicateRequest));
  // Another player, or another game, may use the same id.
  EXPECT_THAT(Commit({make_.Play(created.head.id, 3, make_.NewId<base::PlayerId>(), request)}),
              ElementsAre(CommitOutcome::kCommitted));
  const GameCommit elsewhere = Created();
  EXPECT_THAT(Commit({make_.Play(elsewhere.head.id, 2, player, request)}),
              ElementsAre(CommitOutcome::kCommitted));
  EXPECT_EQ(store_.FindRequest(created.head.id, player, request).value(), first.events[0]);
  EXPECT_EQ(store_.FindRequest(created.head.id, player, make_.NewRequest()).value(), std::nullopt);
}

// Batches that only play have a statement of their own; beside a new game they must fare the same.
TEST_F(GameStoreTest, PlaysFareTheSameBesideANewGame) {
  for (const bool beside_a_new_game : {false, true}) {
    const GameCommit good = Created(), moved = Created(), repeated = Created();
    const GameCommit first = make_.Play(repeated.head.id, 2);
    ASSERT_THAT(Commit({first}), ElementsAre(CommitOutcome::kCommitted));
    const storage::RequestStamp& stamp = *first.events[0].request;
    std::vector<GameCommit> batch = {make_.Play(good.head.id, 2), make_.Play(moved.head.id, 1),
                                     make_.Play(repeated.head.id, 3, stamp.player, stamp.request)};
    if (beside_a_new_game) batch.push_back(make_.Create());
    std::vector<CommitOutcome> outcomes = Commit(batch);
    outcomes.resize(3);
    EXPECT_THAT(outcomes, ElementsAre(CommitOutcome::kCommitted, CommitOutcome::kMovedOn,
                                      CommitOutcome::kDuplicateRequest));
    EXPECT_EQ(store_.Load(good.head.id)->head.position, batch[0].head.position);
    EXPECT_EQ(Events(good.head.id).back(), batch[0].events[0]);
    EXPECT_EQ(Events(moved.head.id), moved.events);
  }
}

TEST_F(GameStoreTest, ARequestCreatesOneGame) {
  const auto player = make_.NewId<base::PlayerId>();
  const base::RequestId request = make_.NewRequest();
  const GameCommit first = make_.Create(player, request);
  const GameCommit twin = make_.Create(player, request);
  // In one batch the second waits for the next one, whatever becomes of the first.
  EXPECT_THAT(Commit({first, twin}), ElementsAre(CommitOutcome::kCommitted, CommitOutcome::kBusy));
  EXPECT_THAT(Commit({twin}), ElementsAre(CommitOutcome::kDuplicateRequest));
  EXPECT_EQ(store_.FindCreated(player, request).value(), first.head.id);
  EXPECT_EQ(store_.FindCreated(player, make_.NewRequest()).value(), std::nullopt);
  EXPECT_EQ(base::ReasonOf(store_.Load(twin.head.id).status()), base::Reason::kNotFound);
}

TEST_F(GameStoreTest, OneBadGameIsRejectedAndTheRestOfItsBatchCommitted) {
  std::vector<GameCommit> batch;
  for (int i = 0; i < 37; ++i) batch.push_back(make_.Create());
  batch[11].events[0].detail = std::string(5'000, 'x');
  batch[30].create->seats = 0;
  const std::vector<CommitOutcome> outcomes = Commit(batch);
  ASSERT_EQ(outcomes.size(), batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    const bool bad = i == 11 || i == 30;
    EXPECT_EQ(outcomes[i], bad ? CommitOutcome::kRejected : CommitOutcome::kCommitted) << i;
    EXPECT_EQ(store_.Load(batch[i].head.id).ok(), !bad) << i;
    EXPECT_EQ(Events(batch[i].head.id).size(), bad ? 0u : 2u) << i;
  }
}

TEST_F(GameStoreTest, ACommitThatDoesNotAddUpIsRejected) {
  const GameCommit created = Created();
  GameCommit none = make_.Play(created.head.id, 2);
  none.events.clear();
  GameCommit gap = make_.Play(created.head.id, 2);
  gap.events[0].sequence = gap.head.sequence = 4;
  GameCommit foreign = make_.Play(created.head.id, 2);
  foreign.events[0].game = make_.NewId<base::GameId>();
  for (const GameCommit& commit : {none, gap, foreign}) {
    EXPECT_THAT(Commit({commit}), ElementsAre(CommitOutcome::kRejected));
  }
  EXPECT_EQ(Events(created.head.id), created.events);
}

TEST_F(GameStoreTest, AGameTwiceInABatchWaits) {
  const GameCommit created = Created();
  EXPECT_THAT(Commit({make_.Play(created.head.id, 2), make_.Play(created.head.id, 3)}),
              ElementsAre(CommitOutcome::kCommitted, CommitOutcome::kBusy));
}

TEST_F(GameStoreTest, TheFullBatchAndNotMore) {
  std::vector<GameCommit> batch;
  for (size_t i = 0; i < GameStore::kMaxBatch; ++i) batch.push_back(make_.Create());
  const std::vector<CommitOutcome> outcomes = Commit(batch);
  EXPECT_EQ(std::count(outcomes.begin(), outcomes.end(), CommitOutcome::kCommitted), 512);
  batch.push_back(make_.Create());
  EXPECT_FALSE(store_.Commit(batch).ok());
  EXPECT_TRUE(store_.Commit({}).ok());
}

TEST_F(GameStoreTest, CommittedAtIsTheDatabasesClock) {
  const base::Instant before = open_->Now().value();
  const CommitReport report = store_.Commit({make_.Create()}).value();
  EXPECT_GT(report.committed_at, before);
  EXPECT_LT(report.committed_at, open_->Now().value());
}

TEST_F(GameStoreTest, OfTwoNodesThatMoveAtOnceExactlyOneWins) {
  constexpr uint32_t kTries = 1'000;
  const GameCommit created = Created();
  const auto other = database_.OpenAs("other");
  GameStore* const stores[] = {&store_, &other->games()};
  std::vector<CommitOutcome> outcomes[2];
  // Both play every sequence; who loses goes on from the next one as soon as it is there.
  const auto play = [&](size_t node) {
    tests::GameMaker make(100 + node);
    for (uint32_t at = 2; at < 2 + kTries;) {
      const GameCommit commit = make.Play(created.head.id, at);
      const CommitOutcome outcome = stores[node]->Commit({commit}).value().outcomes[0];
      if (outcome == CommitOutcome::kBusy) continue;
      outcomes[node].push_back(outcome);
      ++at;
    }
  };
  std::thread second(play, 1);
  play(0);
  second.join();
  ASSERT_EQ(outcomes[0].size(), kTries);
  ASSERT_EQ(outcomes[1].size(), kTries);
  uint32_t won_by_first = 0;
  for (uint32_t i = 0; i < kTries; ++i) {
    const bool first = outcomes[0][i] == CommitOutcome::kCommitted;
    const bool second_won = outcomes[1][i] == CommitOutcome::kCommitted;
    ASSERT_NE(first, second_won) << "sequence " << i + 3;
    ASSERT_EQ((first ? outcomes[1] : outcomes[0])[i], CommitOutcome::kMovedOn);
    won_by_first += first ? 1 : 0;
  }
  RecordProperty("won_by_first", static_cast<int>(won_by_first));
  EXPECT_EQ(Events(created.head.id).size(), kTries + 2);
}

TEST_F(GameStoreTest, OfTwoNodesThatCreateUnderOneRequestExactlyOneDoes) {
  const auto other = database_.OpenAs("other");
  GameStore* const stores[] = {&store_, &other->games()};
  for (int round = 0; round < 50; ++round) {
    const auto player = make_.NewId<base::PlayerId>();
    const base::RequestId request = make_.NewRequest();
    const GameCommit commits[] = {make_.Create(player, request), make_.Create(player, request)};
    CommitOutcome outcomes[2];
    std::thread second([&] { outcomes[1] = stores[1]->Commit({commits[1]}).value().outcomes[0]; });
    outcomes[0] = stores[0]->Commit({commits[0]}).value().outcomes[0];
    second.join();
    std::sort(outcomes, outcomes + 2);
    ASSERT_THAT(outcomes, ElementsAre(CommitOutcome::kCommitted, CommitOutcome::kDuplicateRequest));
  }
}

TEST_F(GameStoreTest, EventsComeInPages) {
  const GameCommit created = Created();
  for (uint32_t at = 2; at < 10; ++at) Commit({make_.Play(created.head.id, at)});
  std::vector<uint32_t> seen;
  for (uint32_t after = 0;;) {
    const std::vector<EventRecord> page = store_.Events(created.head.id, after, 3).value();
    if (page.empty()) break;
    EXPECT_LE(page.size(), 3u);
    for (const EventRecord& event : page) seen.push_back(event.sequence);
    after = seen.back();
  }
  EXPECT_THAT(seen, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_TRUE(store_.Events(created.head.id, 0xFFFFFFFF, 10).value().empty());
}

TEST_F(GameStoreTest, LogsOfManyGamesAreWhatLoadAndEventsSay) {
  const GameCommit longer = Created();
  const GameCommit shorter = Created();
  for (uint32_t at = 2; at < 40; ++at) Commit({make_.Play(longer.head.id, at)});
  const base::GameId ids[] = {shorter.head.id, make_.NewId<base::GameId>(), longer.head.id};
  const std::vector<StoredLog> logs = store_.Logs(ids).value();
  std::set<base::GameId> found;
  for (const StoredLog& log : logs) {
    const base::GameId id = log.game.facts.id;
    EXPECT_TRUE(found.insert(id).second);
    EXPECT_EQ(log.events, Events(id));
    EXPECT_EQ(log.game.head.sequence, log.events.back().sequence);
    EXPECT_EQ(log.game.seats, store_.Load(id)->seats);
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre(longer.head.id, shorter.head.id));
  EXPECT_TRUE(store_.Logs({}).value().empty());
}

TEST_F(GameStoreTest, HeadsOfThoseThatExist) {
  const GameCommit one = Created();
  const GameCommit two = Created();
  Commit({make_.Play(two.head.id, 2)});
  const base::GameId ids[] = {one.head.id, make_.NewId<base::GameId>(), two.head.id};
  std::set<std::pair<base::GameId, uint32_t>> heads;
  const std::vector<HeadMark> marks = store_.Heads(ids).value();
  for (const HeadMark& mark : marks) heads.insert({mark.id, mark.sequence});
  EXPECT_THAT(heads, ElementsAre(std::pair(one.head.id, 2u), std::pair(two.head.id, 3u)));
  EXPECT_TRUE(store_.Heads({}).value().empty());
}

TEST_F(GameStoreTest, ListsByEveryFilterNewestFirstInPages) {
  const auto player = make_.NewId<base::PlayerId>();
  std::vector<GameSummary> all;
  for (int i = 0; i < 24; ++i) {
    GameCommit commit = make_.Create(i % 3 == 0 ? player : make_.NewId<base::PlayerId>(),
                                     make_.NewRequest(), i % 2 == 0 ? "patolli" : "long_narde");
    commit.head.status = i % 4 == 0 ? GameStatus::kFinished : GameStatus::kOpen;
    if (i % 6 == 0) commit.seats[1].player = player;  // holds both seats: listed once
    EXPECT_THAT(Commit({commit}), ElementsAre(CommitOutcome::kCommitted));
    GameSummary summary;
    summary.id = commit.head.id;
    summary.ruleset = commit.create->ruleset;
    summary.status = commit.head.status;
    summary.seats = commit.seats;
    all.insert(all.begin(), summary);
  }
  const auto holds_seat = [&](const GameSummary& game) {
    return std::any_of(game.seats.begin(), game.seats.end(),
                       [&](const SeatRecord& seat) { return seat.player == player; });
  };
  for (int mask = 0; mask < 8; ++mask) {
    GameFilter filter;
    if (mask & 1) filter.ruleset = "patolli";
    if (mask & 2) filter.status = GameStatus::kFinished;
    if (mask & 4) filter.player = player;
    std::vector<base::GameId> expected;
    for (const GameSummary& game : all) {
      if (filter.ruleset && game.ruleset != *filter.ruleset) continue;
      if (filter.status && game.status != *filter.status) continue;
      if (filter.player && !holds_seat(game)) continue;
      expected.push_back(game.id);
    }
    ASSERT_FALSE(expected.empty());
    std::vector<base::GameId> listed;
    base::GameId before;
    while (true) {
      const std::vector<GameSummary> page = store_.List(filter, before, 5).value();
      ASSERT_LE(page.size(), 5u);
      if (page.empty()) break;
      for (const GameSummary& game : page) {
        listed.push_back(game.id);
        EXPECT_EQ(game.seats.size(), 2u);
        EXPECT_EQ(game.rules_version, 3u);
        EXPECT_EQ(game.created_at.micros, 1'700'000'000'123'456);
        EXPECT_EQ(game.sequence, 2u);
      }
      before = listed.back();
    }
    EXPECT_EQ(listed, expected) << "filter " << mask;
  }
}

}  // namespace
}  // namespace astragal::storage
