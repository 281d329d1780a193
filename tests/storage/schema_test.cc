// The schema: its steps up and down, what it refuses, and the plans of the queries over it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "storage/cluster_files.h"
#include "storage/commit_batch.h"
#include "storage/failures.h"
#include "storage/game_queries.h"
#include "storage/game_search.h"
#include "storage/history_store.h"
#include "storage/lobby_queries.h"
#include "storage/match_queries.h"
#include "storage/migrations.h"
#include "storage/packed_logs.h"
#include "storage/pg_affair_store.h"
#include "storage/pg_presence_store.h"
#include "storage/player_queries.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/golden.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

// The schema as pg_dump writes it, without comments, settings and empty lines.
std::string Dump(const tests::TestDatabase& database) {
  const std::string command =
      absl::StrCat(FindPostgres().value().folder, "/pg_dump ",
                   "--schema-only --no-owner --dbname=\"", database.url(), "\" 2>&1");
  FILE* const pipe = ::popen(command.c_str(), "r");
  std::string text;
  for (char buffer[4096]; std::fgets(buffer, sizeof buffer, pipe) != nullptr;) text += buffer;
  EXPECT_EQ(::pclose(pipe), 0) << text;
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool noise = line.empty() || absl::StartsWith(line, "--") ||
                       absl::StartsWith(line, "SET ") || absl::StartsWith(line, "\\") ||
                       absl::StartsWith(line, "SELECT pg_catalog.set_config");
    if (!noise) kept += line + "\n";
  }
  return kept;
}

TEST(Migrations, UpIsTheGoldenSchemaDownIsEmptyAndUpAgainIsTheSame) {
  const tests::TestDatabase database(tests::TestDatabase::Schema::kEmpty);
  auto connection = database.Connect();
  const int steps = static_cast<int>(Migrations().size());
  EXPECT_EQ(SchemaVersion(*connection).value(), 0);
  EXPECT_EQ(MigrateUp(*connection).value(), steps);
  EXPECT_EQ(SchemaVersion(*connection).value(), steps);
  const std::string schema = Dump(database);
  tests::ExpectGolden(schema, "tests/storage/schema.golden.sql");
  EXPECT_EQ(MigrateUp(*connection).value(), 0);
  EXPECT_EQ(MigrateDown(*connection, 0).value(), steps);
  const std::string empty = Dump(database);
  EXPECT_THAT(empty, testing::HasSubstr("schema_steps"));
  EXPECT_THAT(empty, testing::Not(testing::HasSubstr("games")));
  EXPECT_THAT(empty, testing::Not(testing::HasSubstr("FUNCTION")));
  EXPECT_EQ(MigrateUp(*connection).value(), steps);
  EXPECT_EQ(Dump(database), schema);
}

TEST(Migrations, EachStepCanBeUndoneAlone) {
  const tests::TestDatabase database(tests::TestDatabase::Schema::kEmpty);
  auto connection = database.Connect();
  ASSERT_TRUE(MigrateUp(*connection).ok());
  for (int to = static_cast<int>(Migrations().size()) - 1; to >= 0; --to) {
    EXPECT_EQ(MigrateDown(*connection, to).value(), 1);
    EXPECT_EQ(SchemaVersion(*connection).value(), to);
  }
}

TEST(Migrations, SeveralThatStartAtOnceApplyEachStepOnce) {
  const tests::TestDatabase database(tests::TestDatabase::Schema::kEmpty);
  constexpr int kStarters = 4;
  absl::StatusOr<int> steps[kStarters];
  std::vector<std::thread> starters;
  for (absl::StatusOr<int>& result : steps) {
    starters.emplace_back([&] { result = MigrateUp(*database.Connect()); });
  }
  int total = 0;
  for (int i = 0; i < kStarters; ++i) {
    starters[static_cast<size_t>(i)].join();
    ASSERT_TRUE(steps[i].ok()) << steps[i].status();
    total += *steps[i];
  }
  EXPECT_EQ(total, static_cast<int>(Migrations().size()));
}

TEST(Migrations, AStepThatHasToWaitLetsOthersPass) {
  const tests::TestDatabase database;
  auto connection = database.Connect();
  // Step 5 makes an index on proposals, for which all who write there must have ended.
  ASSERT_TRUE(MigrateDown(*connection, 4).ok());
  auto holder = database.Connect();
  const std::string write =
      "BEGIN; SET LOCAL lock_timeout = '60s'; SET LOCAL statement_timeout = '60s';"
      "LOCK TABLE proposals IN ROW EXCLUSIVE MODE; ";
  ASSERT_TRUE(holder->Script(write).ok());
  absl::StatusOr<int> steps;
  std::thread migration([&] { steps = MigrateUp(*connection); });
  auto other = database.Connect();
  const auto waits = [&] {
    return other
               ->Script(
                   "SELECT count(*) FROM pg_locks WHERE NOT granted AND database ="
                   " (SELECT oid FROM pg_database WHERE datname = current_database())")
               .value()
               .Int(0, 0) > 0;
  };
  while (!waits()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  // Behind a step that waits for ever this would, too: the first one writes until the end.
  EXPECT_TRUE(other->Script(write + "COMMIT").ok());
  ASSERT_TRUE(holder->Script("COMMIT").ok());
  migration.join();
  ASSERT_TRUE(steps.ok()) << steps.status();
  EXPECT_EQ(*steps, static_cast<int>(Migrations().size()) - 4);
}

TEST(Migrations, AForeignSchemaIsRefusedAndANewerOneAccepted) {
  const tests::TestDatabase database;
  auto connection = database.Connect();
  const auto next = Migrations().size() + 1;
  ASSERT_TRUE(connection
                  ->Script(absl::StrCat("INSERT INTO schema_steps (number, name) VALUES (", next,
                                        ", 'from_the_future')"))
                  .ok());
  EXPECT_EQ(MigrateUp(*connection).value(), 0);
  ASSERT_TRUE(connection->Script("UPDATE schema_steps SET name = 'other' WHERE number = 1").ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(MigrateUp(*connection).status()));
}

TEST(Migrations, AStepThatWasEditedAfterItHadBeenAppliedIsRefused) {
  const tests::TestDatabase database;
  auto connection = database.Connect();
  const std::string spoil = "UPDATE schema_steps SET sha256 = repeat('0', 64) WHERE number = 2";
  ASSERT_TRUE(connection->Script(spoil).ok());
  const std::string before = Dump(database);
  for (const absl::Status& refused :
       {MigrateUp(*connection).status(), SchemaVersion(*connection).status(),
        MigrateDown(*connection, 0).status()}) {
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()),
                testing::AllOf(testing::HasSubstr("schema step 2 'games'"),
                               testing::HasSubstr("edited afterwards")));
  }
  EXPECT_EQ(Dump(database), before);
  Database::Options options;
  options.url = database.url();
  options.node = "test";
  EXPECT_THAT(std::string(Database::Open(options).status().message()),
              testing::HasSubstr("edited afterwards"));
}

TEST(Migrations, TextsOfDatabasesFromBeforeTheyWereKeptAreNotedOnce) {
  const tests::TestDatabase database;
  auto connection = database.Connect();
  ASSERT_TRUE(connection->Script("ALTER TABLE schema_steps DROP COLUMN sha256").ok());
  EXPECT_EQ(SchemaVersion(*connection).value(), static_cast<int>(Migrations().size()));
  EXPECT_EQ(MigrateUp(*connection).value(), 0);
  const auto noted = connection->Script(
      "SELECT count(*) FROM schema_steps WHERE sha256 IS NULL OR length(sha256) <> 64");
  ASSERT_TRUE(noted.ok()) << noted.status();
  EXPECT_EQ(noted->Int(0, 0), 0);
}

// What goes on while steps are applied: others write to the tables that there are. No write may
// wait for a lock for more than a second, by the database's clock: what the machine takes to run
// the rest of it is not the step's doing. Returns how long the slowest one took.
std::chrono::milliseconds WriteUntil(const tests::TestDatabase& database,
                                     const std::atomic<bool>& over, std::atomic<int>& written) {
  auto connection = database.Connect();
  EXPECT_TRUE(connection->Script("SET lock_timeout = '1s'; SET statement_timeout = '60s'").ok());
  std::chrono::steady_clock::duration slowest{};
  while (!over) {
    const std::string name = absl::StrCat("'w", written.fetch_add(1), "'");
    for (const std::string& sql :
         {absl::StrCat("INSERT INTO players (id, name, bot, version, created_at) VALUES"
                       " (gen_random_uuid(), ",
                       name, ", false, 1, 1)"),
          absl::StrCat("INSERT INTO api_keys (id, player, hash, label, created_at) SELECT"
                       " gen_random_uuid(), id, sha256(name::bytea), '', 1 FROM players WHERE name"
                       " = ",
                       name),
          std::string("UPDATE heads SET updated_at = updated_at + 1")}) {
      const auto begun = std::chrono::steady_clock::now();
      const absl::Status done = connection->Script(sql).status();
      EXPECT_TRUE(done.ok()) << done;
      slowest = std::max(slowest, std::chrono::steady_clock::now() - begun);
    }
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(slowest);
}

// A database of an old version with games in it, which others go on writing to.
TEST(Migrations, EachStepIsAppliedToWhatIsThereWhileOthersWrite) {
  const tests::TestDatabase database;
  constexpr int kGames = 50;
  {
    const auto open = database.Open();
    tests::GameMaker make;
    for (int i = 0; i < kGames; ++i) {
      ASSERT_EQ(open->games().Commit({make.Create()}).value().outcomes[0],
                CommitOutcome::kCommitted);
    }
  }
  auto connection = database.Connect();
  const auto content = [&] {
    const auto rows = connection->Script(
        "SELECT (SELECT count(*) FROM games) || ' games, ' || (SELECT count(*) FROM events) ||"
        " ' events, ' || (SELECT md5(string_agg(chain_hash::text, '' ORDER BY game_id, sequence))"
        " FROM events)");
    EXPECT_TRUE(rows.ok()) << rows.status();
    return rows.ok() ? std::string(rows->Text(0, 0)) : "";
  };
  const std::string before = content();
  EXPECT_THAT(before, testing::StartsWith("50 games"));
  // Games and their events are what the first three steps made.
  constexpr int kOldest = 3;
  const int steps = static_cast<int>(Migrations().size()) - kOldest;
  ASSERT_EQ(MigrateDown(*connection, kOldest).value(), steps);
  std::atomic<bool> over = false;
  std::atomic<int> written = 0;
  std::chrono::milliseconds slowest[2];
  std::vector<std::thread> writers;
  for (std::chrono::milliseconds& one : slowest) {
    writers.emplace_back([&] { one = WriteUntil(database, over, written); });
  }
  while (written < 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const absl::StatusOr<int> up = MigrateUp(*connection);
  const int during = written;
  over = true;
  for (std::thread& writer : writers) writer.join();
  ASSERT_TRUE(up.ok()) << up.status();
  EXPECT_EQ(*up, steps);
  EXPECT_GT(during, 20);
  std::cout << written << " writes, the slowest took " << std::max(slowest[0], slowest[1]).count()
            << " ms\n";
  // Locks are awaited for a second at most (see WriteUntil); the rest is what this machine needs.
  EXPECT_LT(std::max(slowest[0], slowest[1]), std::chrono::seconds(30));
  EXPECT_EQ(content(), before);
  const auto open = database.Open();
  tests::GameMaker make(7);
  EXPECT_EQ(open->games().Commit({make.Create()}).value().outcomes[0], CommitOutcome::kCommitted)
      << "and today's program goes on with it";
}

TEST(Schema, EventsAreAppendOnly) {
  const tests::TestDatabase database;
  const auto open = database.Open();
  tests::GameMaker make;
  const GameCommit created = make.Create();
  ASSERT_EQ(open->games().Commit({created}).value().outcomes[0], CommitOutcome::kCommitted);
  auto connection = database.Connect();
  std::vector<std::string> attempts = {"UPDATE events SET number = 1", "DELETE FROM events",
                                       "TRUNCATE events"};
  for (int part = 0; part < 8; ++part) {
    // UPDATE and DELETE of a part without the game change nothing; TRUNCATE is refused anywhere.
    attempts.push_back(absl::StrCat("TRUNCATE events_", part));
  }
  const std::string part(
      connection->Script("SELECT tableoid::regclass FROM events LIMIT 1")->Text(0, 0));
  attempts.push_back("UPDATE " + part + " SET number = 1");
  attempts.push_back("DELETE FROM " + part);
  for (const std::string& sql : attempts) {
    const absl::Status refused = connection->Script(sql).status();
    EXPECT_EQ(SqlStateOf(refused), "23001") << sql << ": " << refused;
  }
  EXPECT_EQ(open->games().Events(created.head.id, 0, 10).value(), created.events);
}

// Every query of the stores, with as many parameters as it takes.
std::vector<Statement> Queries() {
  std::vector<Statement> queries = {
      kLoadGame,     kReadEvents,     kFindRequest,     kFindCreated,     kReadHeads,
      kFindAnswer,   kGetPlayer,      kGetPlayerByName, kGetPlayers,      kFindKey,
      kRevokedSince, kListKeys,       kListPlayers,     kCommitBatch,     kPlayBatch,
      kTakeDue,      kCreateProposal, kCloseProposal,   kGetProposal,     kGetProposals,
      kListSeeks,    kListOwn,        kListTickets,     kExpireProposals, kSweepProposals,
      kGetMatch,     kListMatches,    kGamesOfMatches,  kGamesOf,         kProposalsOf,
      kLoadGames,    kWritePresence,  kReadPresence,    kSweepPresence,   kReadLogs};
  for (const Statement& list : AllListStatements()) queries.push_back(list);
  for (const Statement& walk : HistoryStatements()) queries.push_back(walk);
  for (const Statement& of_packed : PackedLogStatements()) queries.push_back(of_packed);
  for (const Statement& search : SearchStatements()) queries.push_back(search);
  return queries;
}

// Values for its parameters: an id wherever one is asked for, so that parts are chosen by it.
std::string Values(const Statement& query) {
  std::vector<std::string> values;
  while (true) {
    const std::string parameter = absl::StrCat("$", values.size() + 1);
    if (!absl::StrContains(query.sql, parameter)) return absl::StrJoin(values, ", ");
    const bool id = absl::StrContains(query.sql, parameter + "::uuid") &&
                    !absl::StrContains(query.sql, parameter + "::uuid[]");
    values.emplace_back(id ? "'00000000-0000-4000-8000-000000000001'" : "NULL");
  }
}

TEST(Schema, EveryQuerySeeks) {
  const tests::TestDatabase database;
  auto connection = database.Connect();
  // 20,000 games of 2 seats and 3 events, 2,000 players; statistics as they are in production.
  const absl::StatusOr<Rows> filled = connection->Script(R"sql(
    CREATE TEMP TABLE made AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, 20000) n;
    CREATE TEMP TABLE people AS SELECT n, gen_random_uuid() AS id FROM generate_series(0, 1999) n;
    INSERT INTO players (id, name, bot, version, created_at)
      SELECT id, 'player' || n, false, 1, 0 FROM people;
    INSERT INTO api_keys (id, player, hash, label, created_at)
      SELECT gen_random_uuid(), id, sha256(n::text::bytea), '', 0 FROM people;
    INSERT INTO restrictions SELECT id, n % 3, NULL, n FROM people;
    INSERT INTO answers SELECT gen_random_uuid(), gen_random_uuid(), sha256(''), '', n FROM made;
    INSERT INTO games SELECT made.id, 'ruleset' || made.n % 3, 1, '', '{}', 2, people.id,
      gen_random_uuid(), 0, 0, sha256(''), '', 1, false, 0, 0, 0, 0, '{}', NULL, 0 FROM made JOIN people ON people.n = made.n % 2000;
    INSERT INTO heads SELECT id, 'ruleset' || n % 3, 3, 0, 1 + n % 3, 0, 0, 0, 0, sha256(''), '', '',
      '', NULL, true FROM made;
    INSERT INTO deadlines SELECT id, n FROM made;
    INSERT INTO proposals SELECT made.id, 1 + made.n % 3, 1 + made.n % 2 * 2, people.id,
      CASE made.n % 3 WHEN 1 THEN people.id END, '', 'pool' || made.n % 50, 1500, made.n,
      4000000000000000 * (made.n % 2) + made.n, NULL FROM made JOIN people ON people.n = made.n % 2000;
    INSERT INTO matches SELECT gen_random_uuid(), 1, 5, 1, false, false, people.id, 0
      FROM people, generate_series(1, 5);
    INSERT INTO match_seats SELECT m.id, seat, people.id FROM
      (SELECT id, row_number() OVER () AS n FROM matches) AS m, generate_series(0, 1) AS seat, people
      WHERE people.n = (m.n + seat) % 2000;
    UPDATE games SET match = m.id, match_game = 1 FROM
      (SELECT id, row_number() OVER () AS n FROM matches) AS m, made
      WHERE made.n = m.n AND games.id = made.id;
    INSERT INTO game_seats SELECT made.id, seat, people.id, 0, 0 FROM made, generate_series(0, 1)
      AS seat, people WHERE people.n = (made.n + seat) % 2000;
    INSERT INTO presence SELECT made.id, people.id, 'node' || made.n % 7 FROM made JOIN people
      ON people.n = made.n % 2000;
    INSERT INTO nodes SELECT 'node' || n, 0 FROM made;
    INSERT INTO packed_logs SELECT id, 'log', NULL FROM made;
    INSERT INTO record_extras SELECT id, '{}' FROM made;
    UPDATE heads SET log_form = 1 FROM made WHERE heads.game_id = made.id AND n % 6 = 2;
    INSERT INTO events (game_id, sequence, kind, seat, at, number, position_hash, chain_hash, detail)
      SELECT id, s, 5, 0, 0, 0, sha256(''), sha256(''), '' FROM made, generate_series(1, 3) AS s;
    ANALYZE)sql");
  ASSERT_TRUE(filled.ok()) << WordsOf(filled.status());
  // The plan that a session of the stores keeps, but with scans allowed: it must be a seek by
  // merit.
  ASSERT_TRUE(connection
                  ->Script("SET plan_cache_mode = force_generic_plan;"
                           "SET enable_hashjoin = off; SET enable_mergejoin = off")
                  .ok());
  for (const Statement& query : Queries()) {
    const std::string values = Values(query);
    ASSERT_TRUE(connection->Script(absl::StrCat("PREPARE ", query.name, " AS ", query.sql)).ok())
        << query.name;
    const auto plan =
        connection->Script(absl::StrCat("EXPLAIN EXECUTE ", query.name, "(", values, ")"));
    ASSERT_TRUE(plan.ok()) << query.name << ": " << WordsOf(plan.status());
    std::string text;
    for (size_t row = 0; row < plan->size(); ++row) {
      text += std::string(plan->Text(row, 0)) + "\n";
    }
    EXPECT_THAT(text, testing::HasSubstr("Index")) << query.name;
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("Seq Scan"))) << query.name << "\n" << text;
    // An index walked from end to end is a scan, too.
    std::string before;
    for (const auto& line : absl::StrSplit(text, '\n')) {
      if (absl::StrContains(before, "Index Scan") || absl::StrContains(before, "Index Only Scan")) {
        EXPECT_THAT(std::string(line), testing::HasSubstr("Index Cond")) << query.name << "\n"
                                                                         << text;
      }
      before = std::string(line);
    }
  }
}

TEST(Schema, HeadsChangeInPlace) {
  const tests::TestDatabase database;
  const auto open = database.Open();
  tests::GameMaker make;
  const GameCommit created = make.Create();
  ASSERT_TRUE(open->games().Commit({created}).ok());
  ASSERT_TRUE(open->games().Commit({make.Play(created.head.id, 2)}).ok());  // now it is running
  auto connection = database.Connect();
  const auto updates = [&connection](const char* column) {
    const std::string sql = absl::StrCat("SELECT pg_stat_force_next_flush(), ", column,
                                         " FROM pg_stat_user_tables WHERE relname = 'heads'");
    return connection->Script(sql)->Int(0, 1);
  };
  for (uint32_t at = 3; at < 53; ++at) {
    ASSERT_TRUE(open->games().Commit({make.Play(created.head.id, at)}).ok());
  }
  (void)open->pool().Read({"flush", "SELECT pg_stat_force_next_flush()"});
  for (int tries = 0; tries < 100 && updates("n_tup_upd") < 51; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_GE(updates("n_tup_upd"), 51);
  EXPECT_GE(updates("n_tup_hot_upd"), 45);  // all but those that found their page full
}

}  // namespace
}  // namespace astragal::storage
