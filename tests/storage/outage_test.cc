// What callers see when the database is away, busy, unsafe or cut off, and that it all comes back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "absl/strings/str_cat.h"
#include "services/base/status.h"
#include "storage/cluster_files.h"
#include "storage/failures.h"
#include "storage/packed_logs.h"
#include "storage/safety.h"
#include "tests/storage/cutting_proxy.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"
#include "tests/support/test_folder.h"

namespace astragal::storage {
namespace {

using base::Reason;
using base::ReasonOf;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;

constexpr Statement kOne = {"one", "SELECT 1"};
constexpr Statement kSleep = {"sleep", "SELECT pg_sleep($1::float8)"};

int64_t MillisSince(steady_clock::time_point start) {
  return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start).count();
}

Pool::Options PoolTo(const tests::TestDatabase& database, size_t size) {
  Pool::Options options;
  options.connection.url = database.url();
  options.size = size;
  return options;
}

TEST(Pool, NeverOpensMoreThanItsSizeAndBoundsTheWait) {
  const tests::TestDatabase database;
  Pool::Options options = PoolTo(database, 2);
  options.wait_ms = 100;
  Pool pool(std::move(options));
  std::vector<std::thread> sleepers;
  for (int i = 0; i < 2; ++i) {
    sleepers.emplace_back([&] { EXPECT_TRUE(pool.Read(kSleep, Params().Text("1.5")).ok()); });
  }
  while (pool.counts().open < 2) std::this_thread::sleep_for(milliseconds(5));
  std::this_thread::sleep_for(milliseconds(200));
  const auto start = steady_clock::now();
  const absl::Status refused = pool.Read(kOne).status();
  EXPECT_EQ(ReasonOf(refused), Reason::kStoreUnavailable);
  EXPECT_TRUE(base::DetailsOf(refused).contains("retry_after_ms"));
  EXPECT_GE(MillisSince(start), 90);
  EXPECT_EQ(pool.counts().open, 2u);
  for (std::thread& sleeper : sleepers) sleeper.join();
  EXPECT_TRUE(pool.Read(kOne).ok());
}

TEST(Pool, AServerThatIsNotThereIsRefusedAtOnceWithTheTimeToWait) {
  Pool::Options options;
  options.connection.url = "host=/nowhere dbname=nothing";
  int attempts = 0;
  options.before_connect = [&attempts] {
    ++attempts;
    return absl::OkStatus();
  };
  Pool pool(std::move(options));
  const auto start = steady_clock::now();
  int64_t longest = 0;
  while (MillisSince(start) < 1'500) {
    const absl::Status refused = pool.Read(kOne).status();
    ASSERT_EQ(ReasonOf(refused), Reason::kStoreUnavailable);
    ASSERT_TRUE(absl::IsUnavailable(refused));
    longest = std::max<int64_t>(longest, std::stoll(base::DetailsOf(refused)["retry_after_ms"]));
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_LE(attempts, 12) << "attempts to connect do not back off";
  EXPECT_GE(attempts, 3);
  EXPECT_LE(longest, Pool::kMaxBackoffMs);
}

TEST(Pool, AStatementIsEndedByTheServersTimeout) {
  const tests::TestDatabase database;
  Pool::Options options = PoolTo(database, 1);
  options.connection.statement_timeout_ms = 100;
  Pool pool(std::move(options));
  const absl::Status ended = pool.Write(kSleep, Params().Text("20")).status();
  EXPECT_EQ(SqlStateOf(ended), "57014");
  EXPECT_EQ(ReasonOf(Public(ended)), Reason::kStoreUnavailable);
  EXPECT_TRUE(absl::IsUnavailable(Public(ended)));
  EXPECT_EQ(pool.counts().idle, 1u);  // the connection is as good as before
}

TEST(Pool, AServerThatHangsIsCutByTheWatchdog) {
  const tests::TestDatabase database;
  Pool::Options options = PoolTo(database, 1);
  options.connection.statement_timeout_ms = 500;
  Pool pool(std::move(options));
  const auto pid =
      static_cast<pid_t>(pool.Read({"pid", "SELECT pg_backend_pid()"}).value().Int(0, 0));
  ASSERT_EQ(::kill(pid, SIGSTOP), 0);
  const auto start = steady_clock::now();
  const absl::Status cut = pool.Write(kOne).status();
  EXPECT_EQ(FailureOf(cut), Failure::kInDoubt);
  EXPECT_LT(MillisSince(start), 500 + Pool::kHangGraceMs + 3'000);
  ::kill(pid, SIGCONT);
  EXPECT_TRUE(pool.Read(kOne).ok());
}

TEST(Pool, AConnectionThatDiedWhileIdleIsNotLent) {
  const tests::TestDatabase database;
  Pool pool(PoolTo(database, 1));
  const int64_t first = pool.Read({"pid", "SELECT pg_backend_pid()"}).value().Int(0, 0);
  const std::string end = absl::StrCat("SELECT pg_terminate_backend(", first, ", 5000)");
  ASSERT_TRUE(database.Connect()->Script(end)->Bool(0, 0));
  // A write, which would be in doubt if it had been sent on the dead one.
  const absl::StatusOr<Rows> second = pool.Write({"pid", "SELECT pg_backend_pid()"});
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_NE(second->Int(0, 0), first);
}

TEST(Outage, AnAnswerLostAfterTheCommitIsInDoubtAndFoundByItsRequest) {
  const tests::TestDatabase database;
  const tests::TestFolder folder;
  const std::string name = absl::StrCat("/.s.PGSQL.", kClusterPort);
  std::string target = database.url().substr(database.url().find('\'') + 1);
  target = target.substr(0, target.find('\''));
  tests::CuttingProxy proxy(folder.path() + name, target + name);
  Pool::Options options = PoolTo(database, 1);
  options.connection.url = absl::StrCat("host=", folder.path(), " port=", kClusterPort,
                                        " user=astragal dbname=", database.name());
  Pool pool(std::move(options));
  PgGameStore store(pool, "proxied");
  tests::GameMaker make;
  const auto player = make.NewId<base::PlayerId>();
  const base::RequestId request = make.NewRequest();
  const GameCommit created = make.Create(player, request);
  // Prepared before, so that the next answer is the statement's own.
  ASSERT_TRUE(store.Commit({make.Create()}).ok());
  proxy.CutNextAnswer();
  const absl::Status doubt = store.Commit({created}).status();
  EXPECT_TRUE(absl::IsAborted(doubt)) << doubt;
  EXPECT_EQ(ReasonOf(doubt), Reason::kStoreUnavailable);
  EXPECT_TRUE(proxy.cut_done());
  // It did happen; a repeat says so and changes nothing.
  EXPECT_EQ(store.FindCreated(player, request).value(), created.head.id);
  EXPECT_EQ(store.Commit({created}).value().outcomes[0], CommitOutcome::kDuplicateRequest);
  EXPECT_EQ(store.Events(created.head.id, 0, 10).value(), created.events);
}

// A log is packed, archived and taken back in one statement each: whoever is not told asks again.
TEST(Outage, PackingWhoseAnswerIsLostHappenedOnce) {
  const tests::TestDatabase database;
  const tests::TestFolder folder;
  const auto open = database.Open();
  const std::string name = absl::StrCat("/.s.PGSQL.", kClusterPort);
  std::string target = database.url().substr(database.url().find('\'') + 1);
  target = target.substr(0, target.find('\''));
  tests::CuttingProxy proxy(folder.path() + name, target + name);
  Pool::Options options = PoolTo(database, 1);
  options.connection.url = absl::StrCat("host=", folder.path(), " port=", kClusterPort,
                                        " user=astragal dbname=", database.name());
  Pool pool(std::move(options));
  PgPackedLogs logs(pool);
  tests::GameMaker make;
  const auto finished = [&] {
    const GameCommit created = make.Create();
    GameCommit last = make.Play(created.head.id, created.head.sequence);
    last.head.status = GameStatus::kFinished;
    last.head.ending = Ending::kPlayed;
    EXPECT_TRUE(open->games().Commit({created}).ok());
    EXPECT_TRUE(open->games().Commit({last}).ok());
    return created.head.id;
  };
  const base::GameId warm = finished();
  const base::GameId game = finished();
  const std::string bytes = "packed";
  const auto events = [&] { return open->games().Events(game, 0, 10).value().size(); };
  // Prepared before, so that the next answer is the statement's own.
  ASSERT_TRUE(logs.Pack(warm, 3, bytes).value());
  proxy.CutNextAnswer();
  EXPECT_EQ(ReasonOf(logs.Pack(game, 3, bytes).status()), Reason::kStoreUnavailable);
  EXPECT_EQ(events(), 0U);
  EXPECT_EQ(logs.Read(game).value()->bytes, bytes);
  EXPECT_FALSE(logs.Pack(game, 3, "again").value());

  ASSERT_EQ(logs.Archive({warm}, "warm").value(), 1U);
  proxy.CutNextAnswer();
  EXPECT_EQ(ReasonOf(logs.Archive({game}, "first").status()), Reason::kStoreUnavailable);
  EXPECT_EQ(logs.Archive({game}, "second").value(), 0U);
  EXPECT_EQ(logs.Read(game).value()->archive, "first");

  ASSERT_TRUE(logs.Restore(warm, bytes).value());
  proxy.CutNextAnswer();
  EXPECT_EQ(ReasonOf(logs.Restore(game, bytes).status()), Reason::kStoreUnavailable);
  EXPECT_FALSE(logs.Restore(game, "again").value());
  EXPECT_EQ(logs.Read(game).value()->bytes, bytes);
}

TEST(Outage, ACommitWhoseBackendIsEndedIsInDoubt) {
  const tests::TestDatabase database;
  const auto open = database.Open();
  tests::GameMaker make;
  auto locker = database.Connect();
  ASSERT_TRUE(locker->Script("BEGIN; LOCK TABLE games IN EXCLUSIVE MODE").ok());
  absl::Status ended;
  std::thread writer([&] { ended = open->games().Commit({make.Create()}).status(); });
  const char* const end =
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event_type = "
      "'Lock'";
  auto killer = database.Connect();
  while (killer->Script(end)->Int(0, 0) == 0) std::this_thread::sleep_for(milliseconds(10));
  writer.join();
  EXPECT_TRUE(absl::IsAborted(ended)) << ended;
  EXPECT_EQ(ReasonOf(ended), Reason::kStoreUnavailable);
}

TEST(Outage, AKilledServerIsUnavailableUntilItIsBackAndNothingIsLost) {
  const tests::TestDatabase database;
  EmbeddedPostgres& server = tests::TestServer();
  const auto open = database.Open();
  tests::GameMaker make;
  const GameCommit created = make.Create();
  ASSERT_TRUE(open->games().Commit({created}).ok());
  uint32_t acknowledged = 2;
  std::vector<base::RequestId> requests(3);
  const auto player = make.NewId<base::PlayerId>();
  for (int round = 0; round < 3; ++round) {
    std::thread killer([&] {
      std::this_thread::sleep_for(milliseconds(150));
      ::kill(server.pid(), SIGKILL);
      std::this_thread::sleep_for(milliseconds(300));
      absl::Status back;
      for (int tries = 0; tries < 20 && !(back = server.EnsureRunning()).ok(); ++tries) {
      }
      EXPECT_TRUE(back.ok()) << back;
    });
    // The same request until it is known to have happened, as a client would.
    bool failed = false;
    const auto start = steady_clock::now();
    while (!failed || !open->games().Heads({{created.head.id}}).ok()) {
      ASSERT_LT(MillisSince(start), 60'000);
      const base::RequestId request = make.NewRequest();
      bool known = false;
      while (!known) {
        ASSERT_LT(MillisSince(start), 60'000);
        const auto report =
            open->games().Commit({make.Play(created.head.id, acknowledged, player, request)});
        if (report.ok()) {
          ASSERT_THAT(report->outcomes[0],
                      testing::AnyOf(CommitOutcome::kCommitted, CommitOutcome::kDuplicateRequest));
          known = true;
          ++acknowledged;
        } else {
          failed = true;
          ASSERT_EQ(ReasonOf(report.status()), Reason::kStoreUnavailable) << report.status();
          std::this_thread::sleep_for(milliseconds(5));
        }
      }
    }
    killer.join();
    EXPECT_TRUE(open->Health().ok());
  }
  const std::vector<EventRecord> events = open->games().Events(created.head.id, 0, 4'096).value();
  EXPECT_EQ(events.size(), std::min<size_t>(acknowledged, 4'096));
  for (size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].sequence, i + 1);
  EXPECT_EQ(open->games().Load(created.head.id)->head.sequence, acknowledged);
}

TEST(Safety, EachUnsafeSettingIsRefusedByNameAndSafeOnesAreNot) {
  const tests::TestDatabase database;
  auto connection = database.Connect();
  const struct {
    const char* name;
    const char* settings;  // as rows of kSafetyQuery
    const char* refusal;   // null: accepted
  } cases[] = {
      {"safe",
       "('fsync','on'),('full_page_writes','on'),('synchronous_commit','on'),"
       "('data_sync_retry','off'),('server_version_num','150004')",
       nullptr},
      {"stricter", "('synchronous_commit','remote_apply'),('server_version_num','160000')",
       nullptr},
      {"fsync", "('fsync','off')", "fsync is off"},
      {"pages", "('full_page_writes','off')", "full_page_writes is off"},
      {"commit", "('synchronous_commit','off')", "synchronous_commit is off"},
      {"retry", "('data_sync_retry','on')", "data_sync_retry is on"},
      {"old", "('server_version_num','130010')", "its version is 13"},
  };
  for (const auto& test : cases) {
    const absl::Status status =
        CheckSafety(connection->Script(absl::StrCat("VALUES ", test.settings)).value());
    if (test.refusal == nullptr) {
      EXPECT_TRUE(status.ok()) << test.name << ": " << status;
    } else {
      EXPECT_TRUE(absl::IsFailedPrecondition(status)) << test.name;
      EXPECT_THAT(std::string(status.message()), HasSubstr(test.refusal)) << test.name;
    }
  }
}

TEST(Safety, ADatabaseThatDoesNotWaitForItsDiskIsNotOpened) {
  const tests::TestDatabase database;
  ASSERT_TRUE(database.Connect()
                  ->Script(absl::StrCat("ALTER DATABASE ", database.name(),
                                        " SET synchronous_commit = off"))
                  .ok());
  Database::Options options;
  options.url = database.url();
  const absl::Status refused = Database::Open(std::move(options)).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("synchronous_commit"));
  // Nor by a pool that meets it later.
  Pool pool(PoolTo(database, 1));
  EXPECT_EQ(ReasonOf(pool.Read(kOne).status()), Reason::kStoreUnavailable);
  ASSERT_FALSE(Connection::Open({database.url()}).ok());
}

TEST(Health, AReadOnlyDatabaseIsNotHealthyAndWritesAreRefused) {
  const tests::TestDatabase database;
  ASSERT_TRUE(database.Open()->Health().ok());
  const auto open = database.Open();
  ASSERT_TRUE(database.Connect()
                  ->Script(absl::StrCat("ALTER DATABASE ", database.name(),
                                        " SET default_transaction_read_only = on"))
                  .ok());
  EXPECT_EQ(ReasonOf(open->Health()), Reason::kStoreUnavailable);
  tests::GameMaker make;
  const absl::Status refused = open->games().Commit({make.Create()}).status();
  EXPECT_TRUE(absl::IsUnavailable(refused)) << refused;
}

// What a listener heard, and a way to wait for it.
struct Heard {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::pair<std::string, uint64_t>> batches;
  int connected = 0;

  template <typename Condition>
  bool Wait(Condition condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(30), condition);
  }
};

TEST(Listening, BatchesOfOtherNodesAreHeardAndAgainAfterABreak) {
  const tests::TestDatabase database;
  Heard heard;
  Database::Options options;
  options.node = "listens";
  options.on_batch = [&heard](const std::string& node, uint64_t batch) {
    std::lock_guard lock(heard.mutex);
    heard.batches.emplace_back(node, batch);
    heard.changed.notify_all();
  };
  options.on_connected = [&heard] {
    std::lock_guard lock(heard.mutex);
    ++heard.connected;
    heard.changed.notify_all();
  };
  auto listening = database.Open(std::move(options));
  ASSERT_TRUE(heard.Wait([&] { return heard.connected == 1; }));
  const auto other = database.OpenAs("other");
  tests::GameMaker make;
  const GameCommit created = make.Create();
  ASSERT_TRUE(other->games().Commit({created, make.Create()}).ok());
  ASSERT_TRUE(heard.Wait([&] { return heard.batches.size() == 1; }));
  EXPECT_EQ(heard.batches[0], std::pair(std::string("other"), uint64_t{1}));
  // A batch that stored nothing says nothing: the next thing heard is the one after it.
  ASSERT_EQ(other->games().Commit({created}).value().outcomes[0], CommitOutcome::kDuplicateRequest);
  ASSERT_TRUE(other->games().Commit({make.Create()}).ok());
  ASSERT_TRUE(heard.Wait([&] { return heard.batches.size() == 2; }));
  EXPECT_EQ(heard.batches[1].second, 3u);

  ASSERT_TRUE(database.Connect()
                  ->Script("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query "
                           "ILIKE 'LISTEN%' AND datname = current_database()")
                  .ok());
  ASSERT_TRUE(heard.Wait([&] { return heard.connected == 2; }));
  ASSERT_TRUE(other->games().Commit({make.Create()}).ok());
  ASSERT_TRUE(heard.Wait([&] { return heard.batches.size() == 3; }));
  const auto start = steady_clock::now();
  listening.reset();
  EXPECT_LT(MillisSince(start), 5'000);
}

}  // namespace
}  // namespace astragal::storage
