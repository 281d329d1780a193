// One connection to PostgreSQL: the only file that knows libpqxx, and the wall at which its
// exceptions stop.
//
// A Connection is made whole by Open: session settings are in force and the server's settings were
// found safe. It never reconnects: once broken it stays broken (usable() says so), because a silent
// reconnect would lose both the settings and the knowledge whether a statement happened. Statements
// run outside of an explicit transaction, so each is one transaction and one round trip; it is
// durable when Run returns OK. Thread-compatible: one thread at a time; Interrupt may be called by
// any.
#ifndef ASTRAGAL_STORAGE_CONNECTION_H_
#define ASTRAGAL_STORAGE_CONNECTION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"
#include "storage/sql_text.h"

namespace astragal::storage {

struct ConnectionOptions {
  std::string url;  // a libpq connection string or URI
  // Limits of the server on each statement, of the wait for a lock, and of connecting.
  int64_t statement_timeout_ms = 5'000;
  int64_t lock_timeout_ms = 2'000;
  int64_t connect_timeout_s = 3;
  // Asks the planner for seeks only and for plans that do not depend on values: what the stores
  // want. Off for tools and for tests that look at plans.
  bool seeks_only = true;
};

// A statement is prepared on first use under its name, which is unique in the program.
struct Statement {
  const char* name;
  const char* sql;
};

// What a statement returned. Cheap to copy; values stay valid while any copy lives.
class Rows {
 public:
  Rows() = default;
  size_t size() const;
  bool empty() const { return size() == 0; }

  bool IsNull(size_t row, int column) const;
  std::string_view Text(size_t row, int column) const;
  int64_t Int(size_t row, int column) const;
  bool Bool(size_t row, int column) const { return Text(row, column) == "t"; }
  std::string Bytes(size_t row, int column) const;  // of a bytea
  base::Bytes32 Hash(size_t row, int column) const;
  base::Instant At(size_t row, int column) const { return {Int(row, column)}; }
  template <typename Id>
  Id Uuid(size_t row, int column) const {  // null is nil
    return Id(UuidFromText(Text(row, column)));
  }

 private:
  friend class Connection;
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

class Connection {
 public:
  // FAILED_PRECONDITION when the server's settings are unsafe (see safety.h), otherwise a failure
  // that FailureOf tells apart.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const ConnectionOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Failures are those of failures.h; nothing has changed unless it is kInDoubt.
  absl::StatusOr<Rows> Run(const Statement& statement, const Params& params = {});
  // Text with one or more statements, not prepared, without parameters; the last result.
  absl::StatusOr<Rows> Script(const std::string& sql);

  // False once the connection broke. Also looks, without waiting, whether the server hung up.
  bool usable() const;

  // Makes a statement that another thread waits for fail as a broken connection.
  void Interrupt();

  // For a connection that listens: subscribes, then waits at most `timeout_ms` for notifications
  // and hands each payload over. False when the connection broke.
  absl::Status Listen(const std::string& channel,
                      std::function<void(const std::string& payload)> on_payload);
  bool AwaitNotifications(int64_t timeout_ms);

 private:
  struct Impl;
  explicit Connection(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A value of a key=value connection string, quoted.
std::string QuoteConnectionValue(std::string_view value);
// The same connection string with a setting added unless it has one already.
std::string WithConnectionSetting(const std::string& url, const std::string& key,
                                  const std::string& value);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_CONNECTION_H_
