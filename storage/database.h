// Everything that has to do with the database, opened in the right order: the private server when
// no URL is given, the check of its settings, the migrations, the pool, the stores, the listener.
//
// Owns all of it. Thread-safe but for Open and the destructor, which also stops a private server. A
// failed Open leaves nothing running; its message is for the operator and says what to do.
#ifndef ASTRAGAL_STORAGE_DATABASE_H_
#define ASTRAGAL_STORAGE_DATABASE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "storage/embedded_postgres.h"
#include "storage/listener.h"
#include "storage/pg_affair_store.h"
#include "storage/pg_game_store.h"
#include "storage/pg_lobby_store.h"
#include "storage/pg_match_store.h"
#include "storage/pg_player_store.h"
#include "storage/pg_presence_store.h"
#include "storage/pool.h"

namespace astragal::storage {

class Database {
 public:
  struct Options {
    std::string url;       // empty: a private server below data_dir
    std::string data_dir;  // only then used
    // Names this process to others; no ':' in it.
    std::string node;
    size_t pool_size = 8;
    ConnectionOptions limits;  // its url is ignored
    // How long Open waits for a server that is not there yet.
    int64_t open_wait_ms = 10'000;
    std::function<void(std::string_view)> log;  // one line for an operator
    // See Listener; left out: nothing is listened to.
    std::function<void(const std::string& node, uint64_t batch)> on_batch;
    std::function<void()> on_connected;
  };

  static absl::StatusOr<std::unique_ptr<Database>> Open(Options options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  PgGameStore& games() { return *games_; }
  PgMatchStore& matches() { return *matches_; }
  PgPlayerStore& players() { return *players_; }
  PgLobbyStore& lobby() { return *lobby_; }
  PgAffairStore& affairs() { return *affairs_; }
  PgPresenceStore& presence() { return *presence_; }
  Pool& pool() { return *pool_; }

  // The database's clock.
  absl::StatusOr<base::Instant> Now();
  // Sets `clock` by the database's.
  absl::Status Observe(base::DatabaseClock& clock);
  // What `backup restore` left in the database, greater with each restore; 0: never restored. As it
  // was when this was opened.
  uint32_t restore_epoch() const { return restore_epoch_; }
  // OK when the database can be reached and takes writes.
  absl::Status Health();
  // The private server; null when the database is somebody else's.
  EmbeddedPostgres* embedded() { return embedded_.get(); }

 private:
  Database() = default;
  absl::Status OpenServer(const Options& options);
  absl::Status Prepare(const Options& options);

  // Destroyed from the last to the first.
  std::unique_ptr<EmbeddedPostgres> embedded_;
  ConnectionOptions connection_;
  uint32_t restore_epoch_ = 0;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<PgGameStore> games_;
  std::unique_ptr<PgMatchStore> matches_;
  std::unique_ptr<PgPlayerStore> players_;
  std::unique_ptr<PgLobbyStore> lobby_;
  std::unique_ptr<PgAffairStore> affairs_;
  std::unique_ptr<PgPresenceStore> presence_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_DATABASE_H_
