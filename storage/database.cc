#include "storage/database.h"

#include <chrono>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "storage/failures.h"
#include "storage/migrations.h"

namespace astragal::storage {
namespace {

constexpr char kName[] = "astragal";
constexpr std::chrono::milliseconds kPause(200);

constexpr Statement kNow = {"now",
                            "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"};
// A setting of the database and not a row: it must not be what the dump held.
constexpr char kRestoreEpoch[] =
    "SELECT coalesce(nullif(current_setting('astragal.restore_epoch', true), ''), '0')";
constexpr Statement kWritable = {
    "writable",
    "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'"};

absl::Status ForOperator(const absl::Status& status) {
  if (SqlStateOf(status).empty()) return status;
  return absl::UnavailableError(absl::StrCat("the database: ", WordsOf(status)));
}

// Opens a connection to a server that may still be starting.
absl::StatusOr<std::unique_ptr<Connection>> OpenPatiently(const ConnectionOptions& options,
                                                          int64_t wait_ms) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
  while (true) {
    absl::StatusOr<std::unique_ptr<Connection>> connection = Connection::Open(options);
    if (connection.ok() || absl::IsFailedPrecondition(connection.status()) ||
        std::chrono::steady_clock::now() > give_up) {
      return connection;
    }
    std::this_thread::sleep_for(kPause);
  }
}

absl::Status CreateIfMissing(Connection& connection) {
  absl::StatusOr<Rows> found =
      connection.Script(absl::StrCat("SELECT FROM pg_database WHERE datname = '", kName, "'"));
  if (!found.ok()) return ForOperator(found.status());
  if (!found->empty()) return absl::OkStatus();
  // Copying the template takes as long as the disk does.
  absl::Status patient = connection.Script("SET statement_timeout = 0").status();
  if (!patient.ok()) return ForOperator(patient);
  return ForOperator(connection.Script(absl::StrCat("CREATE DATABASE ", kName)).status());
}

}  // namespace

absl::StatusOr<std::unique_ptr<Database>> Database::Open(Options options) {
  std::unique_ptr<Database> database(new Database());
  if (absl::Status opened = database->OpenServer(options); !opened.ok()) return opened;
  if (absl::Status prepared = database->Prepare(options); !prepared.ok()) return prepared;

  EmbeddedPostgres* const embedded = database->embedded_.get();
  std::function<absl::Status()> before_connect;
  if (embedded != nullptr) before_connect = [embedded] { return embedded->EnsureRunning(); };
  Pool::Options pool;
  pool.connection = database->connection_;
  pool.size = options.pool_size;
  pool.before_connect = before_connect;
  pool.log = options.log;
  database->pool_ = std::make_unique<Pool>(std::move(pool));
  database->games_ = std::make_unique<PgGameStore>(*database->pool_, options.node);
  database->matches_ = std::make_unique<PgMatchStore>(*database->pool_);
  database->players_ = std::make_unique<PgPlayerStore>(*database->pool_);
  database->lobby_ = std::make_unique<PgLobbyStore>(*database->pool_);
  database->affairs_ = std::make_unique<PgAffairStore>(*database->pool_);
  database->presence_ = std::make_unique<PgPresenceStore>(*database->pool_, options.node);
  if (options.on_batch || options.on_connected) {
    database->listener_ = std::make_unique<Listener>(Listener::Options{
        database->connection_, before_connect, options.on_batch, options.on_connected});
  }
  return database;
}

Database::~Database() = default;

absl::Status Database::OpenServer(const Options& options) {
  connection_ = options.limits;
  connection_.url = options.url;
  if (!options.url.empty()) return absl::OkStatus();
  if (options.data_dir.empty()) {
    return absl::FailedPreconditionError("neither a database URL nor a data directory is given");
  }
  EmbeddedPostgres::Options embedded;
  embedded.data_dir = options.data_dir;
  embedded.log = options.log;
  auto server = EmbeddedPostgres::Start(std::move(embedded));
  if (!server.ok()) return server.status();
  embedded_ = *std::move(server);
  connection_.url = embedded_->Url(kName);
  ConnectionOptions maintenance = connection_;
  maintenance.url = embedded_->Url("postgres");
  auto connection = OpenPatiently(maintenance, options.open_wait_ms);
  if (!connection.ok()) return ForOperator(connection.status());
  return CreateIfMissing(**connection);
}

absl::Status Database::Prepare(const Options& options) {
  auto connection = OpenPatiently(connection_, options.open_wait_ms);
  if (!connection.ok()) return ForOperator(connection.status());
  absl::StatusOr<int> steps = MigrateUp(**connection);
  if (!steps.ok()) return steps.status();
  if (*steps > 0 && options.log) {
    options.log(absl::StrCat("storage: the schema took ", *steps, " steps"));
  }
  const absl::StatusOr<Rows> epoch = (*connection)->Script(kRestoreEpoch);
  if (!epoch.ok()) return ForOperator(epoch.status());
  restore_epoch_ = static_cast<uint32_t>(epoch->Int(0, 0));
  return absl::OkStatus();
}

absl::StatusOr<base::Instant> Database::Now() {
  absl::StatusOr<Rows> rows = pool_->Read(kNow);
  if (!rows.ok()) return Public(rows.status());
  return rows->At(0, 0);
}

absl::Status Database::Observe(base::DatabaseClock& clock) {
  const int64_t before = base::DatabaseClock::SteadyMicros();
  absl::StatusOr<base::Instant> now = Now();
  if (!now.ok()) return now.status();
  clock.Observe(*now, before, base::DatabaseClock::SteadyMicros());
  return absl::OkStatus();
}

absl::Status Database::Health() {
  absl::StatusOr<Rows> rows = pool_->Read(kWritable);
  if (!rows.ok()) return Public(rows.status());
  if (!rows->Bool(0, 0)) return Unavailable("the database takes no writes now");
  return absl::OkStatus();
}

}  // namespace astragal::storage
