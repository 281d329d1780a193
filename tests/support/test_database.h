// A database for one test, with the schema of today, on a real PostgreSQL.
//
// The first one in a program starts a cluster of its own (about a second), which ends with the
// program, also when that crashes. Each TestDatabase is a copy of a migrated template (some 40 ms)
// and is dropped at the end. Works as root and as anybody else, in any folder, beside other test
// programs.
#ifndef ASTRAGAL_TESTS_SUPPORT_TEST_DATABASE_H_
#define ASTRAGAL_TESTS_SUPPORT_TEST_DATABASE_H_

#include <memory>
#include <string>

#include "storage/connection.h"
#include "storage/database.h"

namespace astragal::tests {

class TestDatabase {
 public:
  enum class Schema { kMigrated, kEmpty };

  // Ends the program with a message when there is no PostgreSQL.
  explicit TestDatabase(Schema schema = Schema::kMigrated);
  ~TestDatabase();
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  const std::string& url() const { return url_; }
  const std::string& name() const { return name_; }

  // As the service opens it. `options.url` is set here; without a node it is called "test".
  std::unique_ptr<storage::Database> Open(storage::Database::Options options = {}) const;
  std::unique_ptr<storage::Database> OpenAs(const std::string& node) const;
  // One bare connection, with the planner as PostgreSQL ships it.
  std::unique_ptr<storage::Connection> Connect() const;

 private:
  std::string name_;
  std::string url_;
};

// The server of all TestDatabases of this program, for tests that disturb it. It is not started
// again by itself: EnsureRunning does.
storage::EmbeddedPostgres& TestServer();

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SUPPORT_TEST_DATABASE_H_
