#include "tests/support/test_database.h"

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "storage/failures.h"
#include "storage/migrations.h"
#include "tests/support/test_folder.h"

namespace astragal::tests {
namespace {

using storage::Connection;
using storage::EmbeddedPostgres;

constexpr char kTemplate[] = "migrated";

template <typename T>
T OrDie(absl::StatusOr<T> value, const char* what) {
  if (!value.ok()) {
    std::cerr << "test database: " << what << ": " << storage::WordsOf(value.status()) << std::endl;
    std::abort();
  }
  return *std::move(value);
}

std::unique_ptr<Connection> ConnectTo(const std::string& url, const char* what) {
  storage::ConnectionOptions options;
  options.url = url;
  options.statement_timeout_ms = 60'000;
  options.seeks_only = false;
  return OrDie(Connection::Open(options), what);
}

// The cluster of this program. Destroyed at exit: the server first, then its folder.
struct Cluster {
  TestFolder folder;
  std::unique_ptr<EmbeddedPostgres> server;

  Cluster() {
    EmbeddedPostgres::Options options;
    options.data_dir = folder.path();
    options.throw_away = true;
    options.max_connections = 100;
    server = OrDie(EmbeddedPostgres::Start(std::move(options)), "start");
    auto admin = ConnectTo(server->Url("postgres"), "connect");
    OrDie(admin->Script(absl::StrCat("CREATE DATABASE ", kTemplate)), "template");
    auto fresh = ConnectTo(server->Url(kTemplate), "connect to the template");
    OrDie(storage::MigrateUp(*fresh), "migrate");
  }
};

Cluster& TheCluster() {
  static Cluster cluster;
  return cluster;
}

void Admin(const std::string& sql) {
  auto admin = ConnectTo(TestServer().Url("postgres"), "connect");
  OrDie(admin->Script(sql), sql.c_str());
}

}  // namespace

storage::EmbeddedPostgres& TestServer() { return *TheCluster().server; }

TestDatabase::TestDatabase(Schema schema) {
  static std::atomic<int> count{0};
  name_ = absl::StrCat("test_", ++count);
  url_ = TestServer().Url(name_);
  Admin(absl::StrCat("CREATE DATABASE ", name_, " TEMPLATE ",
                     schema == Schema::kMigrated ? kTemplate : "template0"));
}

TestDatabase::~TestDatabase() {
  Admin(absl::StrCat("DROP DATABASE IF EXISTS ", name_, " WITH (FORCE)"));
}

std::unique_ptr<storage::Database> TestDatabase::Open(storage::Database::Options options) const {
  options.url = url_;
  if (options.node.empty()) options.node = "test";
  return OrDie(storage::Database::Open(std::move(options)), "open");
}

std::unique_ptr<storage::Database> TestDatabase::OpenAs(const std::string& node) const {
  storage::Database::Options options;
  options.node = node;
  return Open(std::move(options));
}

std::unique_ptr<Connection> TestDatabase::Connect() const { return ConnectTo(url_, "connect"); }

}  // namespace astragal::tests
