#include "services/server/verify_store.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "services/base/crypto.h"
#include "services/base/history_reasons.h"
#include "services/base/log.h"
#include "services/core/packed_store.h"
#include "services/core/verification.h"
#include "services/core/world.h"
#include "services/server/catalog.h"
#include "storage/database.h"
#include "storage/packed_logs.h"
#include "storage/pg_rating_store.h"

namespace astragal::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kThreads = 2;
constexpr int64_t kPage = 1'000;

constexpr storage::Statement kGames = {
    "verify_games", "SELECT id FROM games WHERE id > $1::uuid ORDER BY id LIMIT $2::bigint"};

// What verification needs of a server, in the order of making.
struct Reader {
  base::SystemRandom random;
  base::DatabaseClock clock;
  std::unique_ptr<host::Catalog> catalog;
  std::unique_ptr<base::SecretBox> box;
  std::unique_ptr<base::ThreadScheduler> scheduler;
  std::unique_ptr<storage::Database> database;
  std::unique_ptr<storage::PgPackedLogs> packed_logs;
  std::unique_ptr<core::PackedStore> store;
  core::Outages outages;

  absl::Status Open(const Options& options);
  core::World world() { return {clock, random, *scheduler, *store, *catalog, *box, outages}; }
};

absl::Status Reader::Open(const Options& options) {
  // A key that was made now would open nothing, and would look as if it were the right one.
  const std::string key_file = options.data_dir + "/secrets.key";
  if (!std::filesystem::exists(key_file)) {
    return absl::FailedPreconditionError(key_file +
                                         " is missing: it opens the dice of running games");
  }
  absl::StatusOr<base::SecretBox> key = base::SecretBox::FromKeyFile(key_file, random);
  if (!key.ok()) return key.status();
  box = std::make_unique<base::SecretBox>(*std::move(key));
  absl::StatusOr<std::unique_ptr<host::Catalog>> rulesets = OpenCatalog(options);
  if (!rulesets.ok()) return rulesets.status();
  catalog = *std::move(rulesets);
  scheduler = std::make_unique<base::ThreadScheduler>(kThreads);
  storage::Database::Options wanted;
  wanted.url = options.database_url;
  wanted.data_dir = options.data_dir;
  wanted.node = "verify";
  wanted.pool_size = kThreads;
  wanted.log = [](std::string_view line) { base::Log(base::Severity::kInfo, line); };
  absl::StatusOr<std::unique_ptr<storage::Database>> opened =
      storage::Database::Open(std::move(wanted));
  if (!opened.ok()) return opened.status();
  database = *std::move(opened);
  packed_logs = std::make_unique<storage::PgPackedLogs>(database->pool());
  store = std::make_unique<core::PackedStore>(database->games(), *packed_logs, *catalog);
  return database->Observe(clock);
}

class Tally {
 public:
  void Add(const core::Verification& found) {
    ++games_;
    events_ += found.events;
    throws_ += found.throws_checked;
    running_ += found.over ? 0 : 1;
  }
  void AddUnreadable() { ++games_; }
  void AddArchived() { ++archived_; }
  void AddStandings(int64_t count) { standings_ = count; }
  void Differ(Json difference) {
    ++different_;
    if (differences_.size() < kMaxDifferences) differences_.push_back(std::move(difference));
  }
  StoreReport Report() const {
    const Json json = {{"games", games_},         {"events", events_},
                       {"throws", throws_},       {"running", running_},
                       {"archived", archived_},   {"ratings", standings_},
                       {"different", different_}, {"differences", differences_}};
    return {json.dump(), different_ == 0};
  }

 private:
  uint64_t games_ = 0, events_ = 0, throws_ = 0, running_ = 0, different_ = 0, archived_ = 0;
  int64_t standings_ = 0;
  Json differences_ = Json::array();
};

// Only a store that cannot be asked ends the walk.
absl::Status VerifyOne(const core::World& world, base::GameId id, Tally& tally) {
  const auto differ = [&](uint32_t sequence, const std::string& what) {
    tally.Differ({{"game", id.ToText()}, {"sequence", sequence}, {"what", what}});
  };
  const absl::StatusOr<core::Verification> found = core::VerifyGame(world, id);
  if (base::ReasonOf(found.status()) == base::kLogArchived) {
    tally.AddArchived();
    return absl::OkStatus();
  }
  if (!found.ok()) {
    if (base::IsTransient(found.status())) return found.status();
    tally.AddUnreadable();
    differ(0, std::string(found.status().message()));
    return absl::OkStatus();
  }
  tally.Add(*found);
  if (!found->verified()) differ(found->sequence, found->difference);
  if (found->over) return absl::OkStatus();
  const absl::StatusOr<storage::StoredGame> stored = world.store.Load(id);
  if (!stored.ok()) return stored.status();
  if (!world.box.Open(stored->facts.sealed_secret, base::AsView(id.bytes())).ok()) {
    differ(0, "the key file does not open the secret of its dice");
  }
  return absl::OkStatus();
}

absl::Status VerifyGames(const core::World& world, storage::Pool& pool, Tally& tally) {
  base::GameId after;
  while (true) {
    const auto page = pool.Read(kGames, storage::Params().Uuid(after.bytes()).Int(kPage));
    if (!page.ok()) return page.status();
    for (size_t row = 0; row < page->size(); ++row) {
      after = page->Uuid<base::GameId>(row, 0);
      if (absl::Status done = VerifyOne(world, after, tally); !done.ok()) return done;
    }
    if (page->size() < static_cast<size_t>(kPage)) return absl::OkStatus();
  }
}

absl::Status VerifyStandings(storage::Pool& pool, Tally& tally) {
  const auto check = storage::PgRatingStore(pool).CheckStandings(kMaxDifferences);
  if (!check.ok()) return check.status();
  tally.AddStandings(check->compared);
  for (const auto& [name, player] : check->wrong) {
    tally.Differ({{"pool", name},
                  {"player", player.ToText()},
                  {"what", "the standing is not what the last step came to"}});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<StoreReport> VerifyStore(const Options& options) {
  Reader reader;
  if (absl::Status opened = reader.Open(options); !opened.ok()) return opened;
  Tally tally;
  absl::Status read = VerifyGames(reader.world(), reader.database->pool(), tally);
  if (read.ok()) read = VerifyStandings(reader.database->pool(), tally);
  reader.scheduler->Stop();
  if (!read.ok()) return read;
  return tally.Report();
}

}  // namespace astragal::server
