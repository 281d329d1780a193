#include "storage/migrations.h"

#include <chrono>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "services/base/bytes.h"
#include "services/base/crypto.h"
#include "storage/failures.h"

namespace astragal::storage {
namespace {

// Any constant will do, as long as nobody else uses it: "astragal" in ASCII.
constexpr int64_t kLock = 0x6173747261676C;

// While a step waits for a table that is in use, everybody who comes after it waits, too. So it
// gives way soon and tries again, for a quarter of an hour.
constexpr char kGiveWay[] = "SET LOCAL lock_timeout = '500ms';";
constexpr char kLockNotAvailable[] = "55P03";
constexpr int kTries = 600;
constexpr std::chrono::seconds kPause(1);

constexpr char kCreateTable[] =
    "CREATE TABLE IF NOT EXISTS schema_steps ("
    "number integer NOT NULL, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), "
    "CONSTRAINT \"a schema step is applied once\" PRIMARY KEY (number));"
    // Of databases from before texts were remembered it is null at first.
    // Asked first: to alter it is to wait for whoever reads it, as a dump does for its whole time.
    "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_attribute WHERE attname = 'sha256' "
    "AND attrelid = 'schema_steps'::regclass) THEN "
    "ALTER TABLE schema_steps ADD COLUMN sha256 text; END IF; END $$";

absl::Status Operator(const absl::Status& status, std::string_view what) {
  return absl::Status(status.code(), absl::StrCat(std::string(what), ": ", WordsOf(status)));
}

// Begins a transaction that holds the lock, with the table of steps in place.
absl::Status Begin(Connection& connection) {
  // The lock may be held for as long as another program migrates.
  const std::string sql =
      absl::StrCat("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;",
                   "SELECT pg_advisory_xact_lock(", kLock, ");", kCreateTable);
  return connection.Script(sql).status();
}

std::string Sha256Of(const Migration& step) {
  return base::Hex(base::AsView(base::Sha256(step.up)));
}

// A step whose text was changed after it had been applied left something else behind than this
// program counts on: names say nothing of that.
absl::Status CheckText(const Migration& step, std::string_view applied) {
  const std::string here = Sha256Of(step);
  if (applied.empty() || applied == here) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "schema step ", step.number, " '", step.name, "' of the database was applied from another ",
      "text (SHA-256 ", std::string(applied.substr(0, 12)), "...) than this program has (",
      here.substr(0, 12),
      "...): the step was edited afterwards, so the database does not fit this ",
      "program. Run the program that made it, or begin with an empty database"));
}

absl::StatusOr<int> CheckedVersion(Connection& connection) {
  // By way of a document: this may be a database that has no such column yet.
  absl::StatusOr<Rows> rows = connection.Script(
      "SELECT number, name, coalesce(to_jsonb(steps) ->> 'sha256', '') FROM schema_steps AS steps "
      "ORDER BY number");
  if (!rows.ok()) return rows.status();
  for (size_t row = 0; row < rows->size(); ++row) {
    const int64_t number = rows->Int(row, 0);
    if (number != static_cast<int64_t>(row) + 1) {
      return absl::FailedPreconditionError("the steps of the database's schema have a gap");
    }
    if (row < Migrations().size() && rows->Text(row, 1) != Migrations()[row].name) {
      return absl::FailedPreconditionError(absl::StrCat(
          "schema step ", number, " of the database is '", std::string(rows->Text(row, 1)),
          "', of this program '", Migrations()[row].name, "': it belongs to another program"));
    }
    if (row < Migrations().size()) {
      const absl::Status text = CheckText(Migrations()[row], rows->Text(row, 2));
      if (!text.ok()) return text;
    }
  }
  return static_cast<int>(rows->size());
}

// Runs `step` in a transaction with the version found; it returns the SQL to run, "" for none.
template <typename Step>
absl::StatusOr<bool> OneStep(Connection& connection, Step step) {
  if (absl::Status begun = Begin(connection); !begun.ok()) {
    (void)connection.Script("ROLLBACK");
    return Operator(begun, "migration lock");
  }
  absl::StatusOr<int> version = CheckedVersion(connection);
  if (!version.ok()) {
    (void)connection.Script("ROLLBACK");
    return version.status();
  }
  const std::string sql = step(*version);
  if (sql.empty()) {
    (void)connection.Script("COMMIT");
    return false;
  }
  if (absl::Status done = connection.Script(kGiveWay + sql + "; COMMIT").status(); !done.ok()) {
    (void)connection.Script("ROLLBACK");
    return done;
  }
  return true;
}

template <typename Step>
absl::StatusOr<bool> OneStepPatiently(Connection& connection, Step step) {
  for (int tries = 1;; ++tries) {
    absl::StatusOr<bool> done = OneStep(connection, step);
    if (done.ok() || SqlStateOf(done.status()).empty()) return done;
    const bool was_held_up = SqlStateOf(done.status()) == kLockNotAvailable;
    if (!was_held_up || tries == kTries) return Operator(done.status(), "migration");
    std::this_thread::sleep_for(kPause);
  }
}

template <typename Step>
absl::StatusOr<int> AllSteps(Connection& connection, Step step) {
  for (int steps = 0;; ++steps) {
    absl::StatusOr<bool> more = OneStepPatiently(connection, step);
    if (!more.ok()) return more.status();
    if (!*more) return steps;
  }
}

// Databases from before texts were remembered: what they have is taken for what this program has,
// once.
absl::Status NoteTexts(Connection& connection) {
  std::string sql;
  for (const Migration& step : Migrations()) {
    absl::StrAppend(&sql, sql.empty() ? "" : ", ", "(", step.number, ", '", Sha256Of(step), "')");
  }
  sql = absl::StrCat("UPDATE schema_steps AS steps SET sha256 = texts.sha256 FROM (VALUES ", sql,
                     ") AS texts (number, sha256) WHERE steps.number = texts.number ",
                     "AND steps.sha256 IS NULL");
  const absl::Status done = connection.Script(sql).status();
  return done.ok() ? done : Operator(done, "migration texts");
}

}  // namespace

absl::StatusOr<int> MigrateUp(Connection& connection) {
  absl::StatusOr<int> steps = AllSteps(connection, [](int version) -> std::string {
    if (version >= static_cast<int>(Migrations().size())) return "";
    const Migration& next = Migrations()[static_cast<size_t>(version)];
    return absl::StrCat(next.up, ";\nINSERT INTO schema_steps (number, name, sha256) VALUES (",
                        next.number, ", '", next.name, "', '", Sha256Of(next), "')");
  });
  if (!steps.ok()) return steps;
  if (absl::Status noted = NoteTexts(connection); !noted.ok()) return noted;
  return steps;
}

absl::StatusOr<int> MigrateDown(Connection& connection, int number) {
  return AllSteps(connection, [number](int version) -> std::string {
    if (version <= number || version > static_cast<int>(Migrations().size())) return "";
    const Migration& last = Migrations()[static_cast<size_t>(version) - 1];
    return absl::StrCat(last.down, ";\nDELETE FROM schema_steps WHERE number = ", last.number);
  });
}

absl::StatusOr<int> SchemaVersion(Connection& connection) {
  absl::StatusOr<Rows> rows = connection.Script(
      "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() "
      "AND tablename = 'schema_steps'");
  if (!rows.ok()) return rows.status();
  if (rows->Int(0, 0) == 0) return 0;
  return CheckedVersion(connection);
}

}  // namespace astragal::storage
