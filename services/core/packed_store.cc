#include "services/core/packed_store.h"

#include <algorithm>
#include <utility>

#include "services/base/history_reasons.h"
#include "services/core/packed_log.h"
#include "services/core/verification.h"

namespace astragal::core {

absl::StatusOr<std::vector<storage::EventRecord>> PackedStore::Events(base::GameId id,
                                                                      uint32_t after,
                                                                      size_t limit) {
  absl::StatusOr<std::vector<storage::EventRecord>> events = store_.Events(id, after, limit);
  // A log has events behind `after`, or ends there, or is packed.
  if (!events.ok() || !events->empty() || limit == 0) return events;
  const absl::StatusOr<Log> log = Unpack(id);
  if (!log.ok()) return log.status();
  if (*log == nullptr || (*log)->size() <= after) return events;
  const size_t most = std::min({limit, kMaxEvents, (*log)->size() - after});
  const auto first = (*log)->begin() + after;
  return std::vector<storage::EventRecord>(first, first + static_cast<int64_t>(most));
}

absl::StatusOr<PackedStore::Log> PackedStore::Unpack(base::GameId id) {
  // Read each time: some node may have archived it since it was kept.
  const absl::StatusOr<std::optional<storage::PackedLog>> packed = logs_.Read(id);
  if (!packed.ok()) return packed.status();
  if (!*packed) return Log();
  if ((*packed)->bytes.empty()) {
    return base::Error(base::kLogArchived, "the log of this game is archived")
        .With("archive", (*packed)->archive);
  }
  if (Log kept = Kept(id)) return kept;
  const absl::StatusOr<storage::StoredGame> game = store_.Load(id);
  if (!game.ok()) return game.status();
  const auto ruleset = BuildOf(catalog_, *game);
  if (!ruleset.ok()) return ruleset.status();
  absl::StatusOr<std::vector<storage::EventRecord>> log =
      UnpackLog(game->facts, *ruleset, (*packed)->bytes);
  if (!log.ok()) return log.status();
  const auto made = std::make_shared<const std::vector<storage::EventRecord>>(*std::move(log));
  const base::MutexLock lock(mutex_);
  kept_.push_front(made);
  if (kept_.size() > kKept) kept_.pop_back();
  return made;
}

PackedStore::Log PackedStore::Kept(base::GameId id) {
  const base::MutexLock lock(mutex_);
  for (const Log& log : kept_) {
    if (log->front().game == id) return log;
  }
  return nullptr;
}

}  // namespace astragal::core
