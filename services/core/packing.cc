#include "services/core/packing.h"

#include <optional>
#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/core/packed_log.h"
#include "services/core/verification.h"

namespace astragal::core {

absl::StatusOr<std::vector<storage::EventRecord>> WholeLog(storage::GameStore& store,
                                                           base::GameId id) {
  std::vector<storage::EventRecord> log;
  while (true) {
    const auto after = static_cast<uint32_t>(log.size());
    auto page = store.Events(id, after, storage::GameStore::kMaxEvents);
    if (!page.ok()) return page.status();
    log.insert(log.end(), std::make_move_iterator(page->begin()),
               std::make_move_iterator(page->end()));
    if (page->size() < storage::GameStore::kMaxEvents) return log;
  }
}

absl::Status Packing::Pack(base::GameId id) {
  const absl::StatusOr<storage::StoredGame> game = store_.Load(id);
  if (!game.ok()) return game.status();
  const auto ruleset = BuildOf(world_.catalog, *game);
  if (!ruleset.ok()) return ruleset.status();
  absl::StatusOr<std::vector<storage::EventRecord>> log = WholeLog(store_, id);
  if (!log.ok()) return log.status();
  if (log->empty() || log->back().sequence != game->head.sequence ||
      log->back().chain_hash != game->head.chain_hash) {
    return base::Error(base::Reason::kReplayMismatch, "the stored head is not the log's end");
  }
  const std::optional<std::string> packed = PackLog(game->facts, *log);
  if (!packed || packed->size() > storage::PackedLogs::kMaxBytes) {
    return base::Error(base::Reason::kMessageTooLarge, "the log has no packed form");
  }
  const auto again = UnpackLog(game->facts, *ruleset, *packed);
  if (!again.ok()) return again.status();
  for (storage::EventRecord& event : *log) {
    // That of the creation is kept, where it is the creator's.
    if (event.sequence > 1 || again->front().request != event.request) event.request.reset();
  }
  if (*again != *log) {
    return base::Error(base::Reason::kReplayMismatch, "the log does not replay to its hashes");
  }
  return logs_.Pack(id, game->head.sequence, *packed).status();
}

absl::StatusOr<Packing::Step> Packing::Run() {
  const base::Instant now = world_.clock.Now();
  const base::Instant before{now.micros - options_.after_ms * 1'000};
  const auto page = logs_.Unpacked(after_, before, kPage);
  if (!page.ok()) return page.status();
  Step step;
  for (const base::GameId id : *page) {
    if (const auto kept = kept_.find(id); kept != kept_.end() && now < kept->second) {
      ++step.looked_at;
      after_ = id;
      continue;
    }
    absl::Status packed = Pack(id);
    if (!packed.ok() && !base::IsTransient(packed)) {
      // Another node may have taken the events away meanwhile.
      const auto found = logs_.Read(id);
      if (!found.ok() || *found) packed = found.status();
    }
    if (base::IsTransient(packed)) return packed;
    ++step.looked_at;
    after_ = id;
    if (packed.ok()) {
      ++step.packed;
      kept_.erase(id);
      continue;
    }
    kept_[id] = {now.micros + kTryAgainMs * 1'000};
    if (options_.on_kept) options_.on_kept(id, packed);
  }
  if (page->size() < kPage) after_ = base::GameId();
  return step;
}

}  // namespace astragal::core
