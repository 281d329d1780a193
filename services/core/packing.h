// Packs the logs of games that have ended, in the background, while everybody plays.
//
// A log is packed only if what was packed gives the very log again, with every hash, by the rules:
// one that does not stays as it is, and verification says why. Several nodes may do it at once:
// each log is packed once. Blocks on the store; borrows everything; one thread at a time.
#ifndef ASTRAGAL_SERVICES_CORE_PACKING_H_
#define ASTRAGAL_SERVICES_CORE_PACKING_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/core/world.h"
#include "storage/packed_logs.h"

namespace astragal::core {

class Packing {
 public:
  static constexpr size_t kPage = 64;
  // A log that was kept is left alone for so long: to try costs a replay, and seldom helps.
  static constexpr int64_t kTryAgainMs = 3'600'000;

  struct Options {
    int64_t after_ms = 0;  // since a game's end
    // Told of each game that keeps its log as it is, and why.
    std::function<void(base::GameId, const absl::Status&)> on_kept;
  };

  // `store` is the one with the events themselves, not a PackedStore.
  Packing(const World& world, storage::GameStore& store, storage::PackedLogs& logs, Options options)
      : world_(world), store_(store), logs_(logs), options_(std::move(options)) {}

  // Goes on through the store, oldest first, and begins again at its end. How many of the next
  // kPage games were packed; fewer were looked at only at the end. STORE_UNAVAILABLE.
  struct Step {
    size_t looked_at = 0;  // those that are left alone, too
    size_t packed = 0;
  };
  absl::StatusOr<Step> Run();

 private:
  // OK: it was packed, by this or another node.
  absl::Status Pack(base::GameId id);

  const World& world_;
  storage::GameStore& store_;
  storage::PackedLogs& logs_;
  const Options options_;
  base::GameId after_;
  std::map<base::GameId, base::Instant> kept_;  // and when to try again
};

// The whole log as it is stored, in order.
absl::StatusOr<std::vector<storage::EventRecord>> WholeLog(storage::GameStore& store,
                                                           base::GameId id);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_PACKING_H_
