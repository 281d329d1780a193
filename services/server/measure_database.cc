#include "services/server/measure_database.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/base/histogram.h"
#include "storage/cluster_files.h"
#include "storage/connection.h"
#include "storage/embedded_postgres.h"

namespace astragal::server {
namespace {

using storage::Connection;
using storage::Params;
using storage::Statement;
using Steady = std::chrono::steady_clock;

// As many bytes as an event of one action keeps in hashes, ids and numbers.
constexpr size_t kPayloadBytes = 160;

// Connections that are left for the service and its operator.
constexpr int kConnectionsLeft = 8;

const Statement kInsertOne = {"measure_one",
                              "INSERT INTO astragal_bench.rows (id, number, payload)"
                              " VALUES ($1::bigint, $2::int, $3::bytea)"};
const Statement kInsertMany = {"measure_many",
                               "INSERT INTO astragal_bench.rows (id, number, payload)"
                               " SELECT * FROM unnest($1::bigint[], $2::int[], $3::bytea[])"};
constexpr char kMakeTable[] =
    "DROP SCHEMA IF EXISTS astragal_bench CASCADE; CREATE SCHEMA astragal_bench;"
    "CREATE TABLE astragal_bench.rows (id bigint, number int, payload bytea,"
    " PRIMARY KEY (id, number))";
constexpr char kDropTable[] = "DROP SCHEMA astragal_bench CASCADE";

absl::StatusOr<std::string> UrlOf(const Options& options) {
  if (!options.database_url.empty()) return options.database_url;
  const std::string cluster = storage::PathsBelow(options.data_dir).cluster;
  const std::optional<storage::Postmaster> running = storage::RunningPostmaster(cluster);
  if (running && running->ready) {
    return storage::EmbeddedUrl(running->socket_dir, "astragal");
  }
  return absl::FailedPreconditionError("no database runs below " + options.data_dir +
                                       ": start astragald first");
}

struct Timed {
  base::Histogram micros;  // of a transaction
  double per_second = 0;   // rows
};

// Each client commits one transaction after the other until the time is up.
class Run {
 public:
  Run(double seconds, int64_t rows, Timed& timed)
      : end_(Steady::now() +
             std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(seconds))),
        rows_(rows),
        timed_(timed) {}

  absl::Status Client(Connection& connection, int64_t id) {
    int64_t number = 0;
    while (Steady::now() < end_) {
      const Steady::time_point begin = Steady::now();
      const absl::Status inserted =
          rows_ == 1 ? One(connection, id, number) : Many(connection, id, number);
      if (!inserted.ok()) return inserted;
      number += rows_;
      timed_.micros.Record(
          std::chrono::duration_cast<std::chrono::microseconds>(Steady::now() - begin).count());
    }
    return absl::OkStatus();
  }

  void Finish() {
    const std::chrono::duration<double> took = Steady::now() - begin_;
    timed_.per_second =
        static_cast<double>(timed_.micros.count() * static_cast<uint64_t>(rows_)) / took.count();
  }

 private:
  absl::Status One(Connection& connection, int64_t id, int64_t number) const {
    return connection.Run(kInsertOne, Params().Int(id).Int(number).Bytea(payload_)).status();
  }
  absl::Status Many(Connection& connection, int64_t id, int64_t number) const {
    storage::ArrayText ids, numbers, payloads;
    for (int64_t i = 0; i < rows_; ++i) {
      ids.Int(id);
      numbers.Int(number + i);
      payloads.Bytea(payload_);
    }
    Params params;
    params.Text(std::move(ids).Take()).Text(std::move(numbers).Take());
    params.Text(std::move(payloads).Take());
    return connection.Run(kInsertMany, params).status();
  }

  const Steady::time_point begin_ = Steady::now();
  const Steady::time_point end_;
  const int64_t rows_;
  const std::string payload_ = std::string(kPayloadBytes, '\x5a');
  Timed& timed_;
};

using Connections = std::vector<std::unique_ptr<Connection>>;

// As many as wanted, or as the server has to give.
absl::StatusOr<Connections> Connect(const std::string& url, int wanted) {
  storage::ConnectionOptions options;
  options.url = url;
  absl::StatusOr<std::unique_ptr<Connection>> first = Connection::Open(options);
  if (!first.ok()) return first.status();
  const auto free = (*first)->Script(
      "SELECT current_setting('max_connections')::int - count(*) FROM pg_stat_activity"
      " WHERE backend_type = 'client backend'");
  if (!free.ok()) return free.status();
  const int64_t most = 1 + std::max<int64_t>(0, free->Int(0, 0) - kConnectionsLeft);
  Connections connections;
  connections.push_back(*std::move(first));
  while (static_cast<int>(connections.size()) < std::min<int64_t>(wanted, most)) {
    absl::StatusOr<std::unique_ptr<Connection>> next = Connection::Open(options);
    if (!next.ok()) break;
    connections.push_back(*std::move(next));
  }
  return connections;
}

// Clients `first` to `first + count - 1`, a thread each.
absl::Status Measure(const Connections& connections, size_t count, int64_t rows, int64_t first_id,
                     double seconds, Timed& timed) {
  std::vector<absl::Status> failures(count);
  std::vector<std::thread> threads;
  Run run(seconds, rows, timed);
  for (size_t i = 0; i < count; ++i) {
    threads.emplace_back(
        [&, i] { failures[i] = run.Client(*connections[i], first_id + static_cast<int64_t>(i)); });
  }
  for (std::thread& thread : threads) thread.join();
  run.Finish();
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  return absl::OkStatus();
}

// The server is the parent of the process that works for this connection.
int64_t ServerPid(Connection& connection) {
  const auto backend = connection.Script(
      "SELECT pg_backend_pid(), inet_server_addr() IS NULL OR inet_server_addr() = "
      "inet_client_addr()");
  if (!backend.ok() || !backend->Bool(0, 1)) return 0;
  std::ifstream stat("/proc/" + std::string(backend->Text(0, 0)) + "/stat");
  std::string pid, name, state;
  int64_t parent = 0;
  stat >> pid >> name >> state >> parent;
  return name.starts_with("(postgres") ? parent : 0;
}

std::string ToJson(const Timed& timed) {
  return absl::StrCat("{\"per_second\": ", timed.per_second,
                      ", \"p50_us\": ", timed.micros.Percentile(50),
                      ", \"p99_us\": ", timed.micros.Percentile(99));
}

}  // namespace

absl::StatusOr<std::string> MeasureDatabase(const Options& options) {
  const absl::StatusOr<std::string> url = UrlOf(options);
  if (!url.ok()) return url.status();
  const absl::StatusOr<Connections> connections = Connect(*url, options.measure_clients);
  if (!connections.ok()) return connections.status();
  Connection& first = *connections->front();
  if (auto made = first.Script(kMakeTable); !made.ok()) return made.status();
  const double seconds = options.measure_seconds / 3;
  const int64_t rows = options.measure_clients;
  Timed lone, single, batched;
  absl::Status measured = Measure(*connections, 1, 1, -1, seconds, lone);
  if (measured.ok()) {
    measured = Measure(*connections, connections->size(), 1, 1, seconds, single);
  }
  if (measured.ok()) measured = Measure(*connections, 1, rows, 0, seconds, batched);
  const auto dropped = first.Script(kDropTable);
  if (!measured.ok()) return measured;
  if (!dropped.ok()) return dropped.status();
  return absl::StrCat("{\"clients\": ", connections->size(), ", \"server_pid\": ", ServerPid(first),
                      ", \"lone\": ", ToJson(lone), "}, \"single\": ", ToJson(single),
                      "}, \"batched\": ", ToJson(batched), ", \"rows\": ", rows, "}}");
}

}  // namespace astragal::server
