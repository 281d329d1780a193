#include "storage/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <charconv>
#include <pqxx/pqxx>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "storage/failures.h"
#include "storage/safety.h"

namespace astragal::storage {
namespace {

// The one place where an exception of libpqxx becomes a status. Called inside a catch.
absl::Status CurrentException() {
  try {
    throw;
  } catch (const pqxx::too_many_connections& error) {
    return FromSqlState("53300", error.what());
  } catch (const pqxx::broken_connection& error) {
    return FromSqlState("", error.what());
  } catch (const pqxx::in_doubt_error& error) {
    return FromSqlState("40003", error.what());
  } catch (const pqxx::sql_error& error) {
    // 6.4 gives some errors of a dead server no SQLSTATE: nobody knows then.
    return FromSqlState(error.sqlstate(), error.what());
  } catch (const pqxx::deadlock_detected& error) {
    return FromSqlState("40P01", error.what());
  } catch (const pqxx::statement_completion_unknown& error) {
    return FromSqlState("40003", error.what());
  } catch (const pqxx::transaction_rollback& error) {
    return FromSqlState("40001", error.what());
  } catch (const pqxx::failure& error) {
    return FromSqlState("", error.what());
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("libpqxx: ", error.what()));
  }
}

// In force for the whole session; SET would do the same with a round trip each.
std::string SessionSettings(const ConnectionOptions& options) {
  std::string sql = absl::StrCat(
      "SET client_encoding = 'UTF8';"
      "SET bytea_output = 'hex';"
      "SET jit = off;"
      "SET default_transaction_isolation = 'read committed';"
      "SET idle_in_transaction_session_timeout = '10s';"
      "SET client_min_messages = 'warning';"
      "SET statement_timeout = ",
      options.statement_timeout_ms, ";SET lock_timeout = ", options.lock_timeout_ms, ";");
  if (options.seeks_only) {
    // A plan made while a table was small must still be right when it is large, and planning a
    // batch costs more than running it.
    sql +=
        "SET plan_cache_mode = force_generic_plan;"
        "SET enable_seqscan = off;SET enable_hashjoin = off;SET enable_mergejoin = off;";
  }
  return sql;
}

class Receiver : public pqxx::notification_receiver {
 public:
  Receiver(pqxx::connection_base& connection, const std::string& channel,
           std::function<void(const std::string&)> on_payload)
      : pqxx::notification_receiver(connection, channel), on_payload_(std::move(on_payload)) {}
  void operator()(const std::string& payload, int /*backend_pid*/) override {
    on_payload_(payload);
  }

 private:
  std::function<void(const std::string&)> on_payload_;
};

}  // namespace

struct Rows::Impl {
  pqxx::result result;
  pqxx::field At(size_t row, int column) const {
    return result[static_cast<pqxx::result::size_type>(row)]
                 [static_cast<pqxx::row::size_type>(column)];
  }
};

struct Connection::Impl {
  explicit Impl(const std::string& url) : connection(url) {}
  pqxx::connection connection;
  std::set<std::string> prepared;
  std::unique_ptr<Receiver> receiver;
  std::atomic<bool> broken{false};
  int socket = -1;

  absl::Status Failed() {
    absl::Status status = CurrentException();
    if (FailureOf(status) == Failure::kInDoubt || !connection.is_open()) broken = true;
    return status;
  }
};

size_t Rows::size() const { return impl_ ? static_cast<size_t>(impl_->result.size()) : 0; }

bool Rows::IsNull(size_t row, int column) const { return impl_->At(row, column).is_null(); }

std::string_view Rows::Text(size_t row, int column) const {
  const pqxx::field field = impl_->At(row, column);
  return {field.c_str(), static_cast<size_t>(field.size())};
}

int64_t Rows::Int(size_t row, int column) const {
  const std::string_view text = Text(row, column);
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string Rows::Bytes(size_t row, int column) const { return BytesFromBytea(Text(row, column)); }

base::Bytes32 Rows::Hash(size_t row, int column) const {
  base::Bytes32 hash{};
  const std::string bytes = Bytes(row, column);
  for (size_t i = 0; i < hash.size() && i < bytes.size(); ++i) {
    hash[i] = static_cast<uint8_t>(bytes[i]);
  }
  return hash;
}

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Connection::~Connection() = default;

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const ConnectionOptions& options) {
  std::string url = options.url;
  for (const auto& [key, value] : std::initializer_list<std::pair<std::string, std::string>>{
           {"connect_timeout", std::to_string(options.connect_timeout_s)},
           {"application_name", "astragald"},
           // A peer that vanished without a word is noticed within about ten seconds.
           {"keepalives_idle", "5"},
           {"keepalives_interval", "2"},
           {"keepalives_count", "2"},
           {"tcp_user_timeout", "9000"}}) {
    url = WithConnectionSetting(url, key, value);
  }
  std::unique_ptr<Connection> connection;
  try {
    connection.reset(new Connection(std::make_unique<Impl>(url)));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    connection->impl_->connection.inhibit_reactivation(true);
#pragma GCC diagnostic pop
    connection->impl_->socket = connection->impl_->connection.sock();
  } catch (...) {
    return CurrentException();
  }
  if (absl::StatusOr<Rows> rows = connection->Script(SessionSettings(options)); !rows.ok()) {
    return rows.status();
  }
  absl::StatusOr<Rows> settings = connection->Script(std::string(kSafetyQuery));
  if (!settings.ok()) return settings.status();
  if (absl::Status safe = CheckSafety(*settings); !safe.ok()) return safe;
  return connection;
}

absl::StatusOr<Rows> Connection::Run(const Statement& statement, const Params& params) {
  std::vector<const char*> values;
  values.reserve(params.values().size());
  for (const auto& value : params.values()) {
    if (value && value->find('\0') != std::string::npos) {
      return FromSqlState("22021", "a text holds a zero byte");
    }
    values.push_back(value ? value->c_str() : nullptr);
  }
  try {
    if (impl_->prepared.insert(statement.name).second) {
      impl_->connection.prepare(statement.name, statement.sql);
    }
    pqxx::nontransaction work(impl_->connection);
    auto result = std::make_shared<Rows::Impl>();
    result->result = work.exec_prepared(statement.name, pqxx::prepare::make_dynamic_params(values));
    Rows rows;
    rows.impl_ = std::move(result);
    return rows;
  } catch (...) {
    return impl_->Failed();
  }
}

absl::StatusOr<Rows> Connection::Script(const std::string& sql) {
  try {
    pqxx::nontransaction work(impl_->connection);
    auto result = std::make_shared<Rows::Impl>();
    result->result = work.exec(sql);
    Rows rows;
    rows.impl_ = std::move(result);
    return rows;
  } catch (...) {
    return impl_->Failed();
  }
}

bool Connection::usable() const {
  if (impl_->broken) return false;
  // An idle server has nothing to say: anything to read is its farewell.
  pollfd waiting{impl_->socket, POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 0 || impl_->receiver != nullptr;
}

void Connection::Interrupt() { ::shutdown(impl_->socket, SHUT_RDWR); }

absl::Status Connection::Listen(const std::string& channel,
                                std::function<void(const std::string& payload)> on_payload) {
  try {
    impl_->receiver = std::make_unique<Receiver>(impl_->connection, channel, std::move(on_payload));
    return absl::OkStatus();
  } catch (...) {
    return impl_->Failed();
  }
}

bool Connection::AwaitNotifications(int64_t timeout_ms) {
  try {
    impl_->connection.await_notification(static_cast<long>(timeout_ms / 1'000),
                                         static_cast<long>(timeout_ms % 1'000 * 1'000));
    if (!impl_->connection.is_open()) impl_->broken = true;
  } catch (...) {
    impl_->broken = true;
  }
  return !impl_->broken;
}

std::string QuoteConnectionValue(std::string_view value) {
  std::string quoted = "'";
  for (const char letter : value) {
    if (letter == '\'' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "'";
}

std::string WithConnectionSetting(const std::string& url, const std::string& key,
                                  const std::string& value) {
  if (absl::StrContains(url, absl::StrCat(key, "="))) return url;
  if (!absl::StrContains(url, "://")) return absl::StrCat(url, " ", key, "=", value);
  return absl::StrCat(url, absl::StrContains(url, "?") ? "&" : "?", key, "=", value);
}

}  // namespace astragal::storage
