// PgTournamentStore against its contract: entries behind the version that was seen, requests that
// are sent twice, leases, lists, and a log that only grows.
#include "storage/tournament_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "services/base/status.h"
#include "storage/pg_tournament_store.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

using base::Reason;
using base::ReasonOf;
using testing::ElementsAre;
using testing::IsEmpty;

class TournamentStoreTest : public testing::Test {
 protected:
  TournamentHead Head() {
    TournamentHead head;
    head.id = make_.NewId<TournamentId>();
    head.name = "Open \"of\" tests";
    head.status = 2;
    head.version = 1;
    head.created_by = make_.NewId<base::PlayerId>();
    head.created_at = now_;
    return head;
  }
  TournamentEntry Entry(uint32_t version, base::PlayerId by) {
    TournamentEntry entry;
    entry.version = version;
    entry.kind = TournamentEntryKind::kRegistered;
    entry.player = make_.NewId<base::PlayerId>();
    entry.number = 1'500;
    entry.detail = std::string("bytes\0'\"\\", 9);
    entry.by = by;
    entry.reason = "a reason";
    entry.request = make_.NewRequest();
    entry.body_hash = make_.NewHash();
    entry.at = now_;
    return entry;
  }
  TournamentHead Made() {
    const TournamentHead head = Head();
    EXPECT_EQ(store_.Create(head, Entry(1, head.created_by)).value(), head.id);
    return head;
  }

  tests::TestDatabase database_;
  std::unique_ptr<Database> open_ = database_.Open();
  PgTournamentStore store_{open_->pool()};
  tests::GameMaker make_;
  const base::Instant now_ = open_->Now().value();
};

TEST_F(TournamentStoreTest, HeadsAndEntriesAreReadBack) {
  TournamentHead head = Head();
  const TournamentEntry first = Entry(1, head.created_by);
  ASSERT_EQ(store_.Create(head, first).value(), head.id);
  TournamentEntry second = Entry(2, {});
  second.request = {};
  second.body_hash = {};
  second.player = {};
  second.round = 3;
  second.board = 70'000;
  head.version = 2;
  head.status = 4;
  head.due_at = now_;
  ASSERT_TRUE(store_.Append(head, 1, {{second}}).value());
  EXPECT_EQ(store_.GetHead(head.id).value(), head);
  EXPECT_THAT(store_.ReadLog(head.id, 0, 10).value(), ElementsAre(first, second));
  EXPECT_THAT(store_.ReadLog(head.id, 1, 10).value(), ElementsAre(second));
  EXPECT_THAT(store_.ReadLog(head.id, 2, 10).value(), IsEmpty());
  EXPECT_THAT(store_.ReadLog(head.id, std::numeric_limits<uint32_t>::max(), 10).value(), IsEmpty());
  EXPECT_EQ(ReasonOf(store_.GetHead(make_.NewId<TournamentId>()).status()), Reason::kNotFound);
}

TEST_F(TournamentStoreTest, OneRequestMakesOneTournament) {
  const TournamentHead head = Head();
  const TournamentEntry first = Entry(1, head.created_by);
  ASSERT_TRUE(store_.Create(head, first).ok());
  TournamentHead again = Head();
  again.created_by = head.created_by;
  EXPECT_EQ(store_.Create(again, first).value(), head.id);
  TournamentEntry other = first;
  other.body_hash = make_.NewHash();
  EXPECT_EQ(ReasonOf(store_.Create(again, other).status()), Reason::kRequestIdReused);
  EXPECT_FALSE(store_.GetHead(again.id).ok());
}

TEST_F(TournamentStoreTest, OfThoseWhoAppendBehindOneVersionOneIsFirst) {
  TournamentHead head = Made();
  head.version = 2;
  std::atomic<int> stored = 0;
  std::vector<TournamentEntry> entries;
  for (int i = 0; i < 8; ++i) entries.push_back(Entry(2, head.created_by));
  std::vector<std::thread> threads;
  for (const TournamentEntry& entry : entries) {
    threads.emplace_back([&, entry] { stored += store_.Append(head, 1, {{entry}}).value(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stored, 1);
  EXPECT_EQ(store_.ReadLog(head.id, 0, 10)->size(), 2U);
}

TEST_F(TournamentStoreTest, WhatIsDueIsTakenByOneForATime) {
  TournamentHead head = Made();
  EXPECT_THAT(store_.TakeDue(60'000, 10).value(), IsEmpty());
  ASSERT_TRUE(store_.Schedule(head.id, 1, base::Instant{now_.micros - 1}).ok());
  EXPECT_THAT(store_.TakeDue(60'000, 10).value(), ElementsAre(head.id));
  EXPECT_THAT(store_.TakeDue(60'000, 10).value(), IsEmpty()) << "somebody has it";
  ASSERT_TRUE(store_.Schedule(head.id, 7, base::Instant{now_.micros - 1}).ok());
  EXPECT_THAT(store_.TakeDue(60'000, 10).value(), IsEmpty()) << "it has no such version";
  // Whoever moves it on gives it back.
  head.version = 2;
  head.due_at = base::Instant{now_.micros - 1};
  ASSERT_TRUE(store_.Append(head, 1, {{Entry(2, head.created_by)}}).value());
  EXPECT_THAT(store_.TakeDue(0, 10).value(), ElementsAre(head.id));
  EXPECT_THAT(store_.TakeDue(0, 10).value(), ElementsAre(head.id)) << "the lease has ended";
}

TEST_F(TournamentStoreTest, ListsAreByStatusNewestFirst) {
  const TournamentHead one = Made();
  const TournamentHead two = Made();
  EXPECT_THAT(store_.List(0, {}, 10).value(), testing::SizeIs(2));
  EXPECT_THAT(store_.List(2, {}, 10).value(), testing::SizeIs(2));
  EXPECT_THAT(store_.List(5, {}, 10).value(), IsEmpty());
  const TournamentId newest = std::max(one.id, two.id);
  const TournamentId oldest = std::min(one.id, two.id);
  EXPECT_EQ(store_.List(0, {}, 1)->front().id, newest);
  EXPECT_EQ(store_.List(2, newest, 10)->front().id, oldest);
}

TEST_F(TournamentStoreTest, TheLogOnlyGrows) {
  const TournamentHead head = Made();
  auto connection = database_.Connect();
  for (const char* sql : {"UPDATE tournament_log SET reason = ''", "DELETE FROM tournament_log",
                          "TRUNCATE tournament_log"}) {
    EXPECT_FALSE(connection->Script(sql).ok()) << sql;
  }
  EXPECT_EQ(store_.ReadLog(head.id, 0, 10)->size(), 1U);
}

}  // namespace
}  // namespace astragal::storage
