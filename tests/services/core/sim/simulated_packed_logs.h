// Packed logs beside a SimulatedStore, which keeps the events: as PgPackedLogs says, with faults.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_PACKED_LOGS_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_PACKED_LOGS_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "services/base/status.h"
#include "storage/packed_logs.h"
#include "tests/services/core/sim/simulated_store.h"

namespace astragal::tests {

class SimulatedPackedLogs : public storage::PackedLogs {
 public:
  using GameId = base::GameId;

  // What befalls a call.
  enum class Fault {
    kNone,
    kLost,    // it was not done
    kUnsaid,  // it was done, and nobody was told
  };

  explicit SimulatedPackedLogs(SimulatedStore& store) : store_(store) {}

  absl::StatusOr<std::optional<storage::PackedLog>> Read(GameId game) override {
    return Do<std::optional<storage::PackedLog>>([&] {
      const auto found = logs_.find(game);
      return found == logs_.end() ? std::optional<storage::PackedLog>() : found->second;
    });
  }
  absl::StatusOr<std::vector<GameId>> Unpacked(GameId after, base::Instant ended_before,
                                               size_t limit) override {
    return Do<std::vector<GameId>>([&] {
      std::vector<GameId> games;
      for (const auto& [id, game] : store_.Backup().games) {
        const bool is_over = game.stored.head.status >= storage::GameStatus::kFinished &&
                             game.stored.head.status <= storage::GameStatus::kAborted;
        if (!is_over || logs_.contains(id) || id <= after) continue;
        if (game.stored.head.updated_at < ended_before && games.size() < limit) {
          games.push_back(id);
        }
      }
      return games;
    });
  }
  absl::StatusOr<bool> Pack(GameId game, uint32_t sequence, const std::string& bytes) override {
    return Do<bool>([&] {
      bool taken = false;
      store_.Tamper([&](SimulatedStore::Tables& tables) {
        SimulatedStore::Game& stored = tables.games[game];
        const storage::GameHead& head = stored.stored.head;
        if (logs_.contains(game) || head.sequence != sequence ||
            head.status < storage::GameStatus::kFinished) {
          return;
        }
        logs_[game] = {bytes, ""};
        stored.events.clear();
        taken = true;
      });
      taken_ += taken ? 1 : 0;
      return taken;
    });
  }
  absl::StatusOr<size_t> Archive(absl::Span<const GameId> games,
                                 const std::string& archive) override {
    return Do<size_t>([&] {
      size_t archived = 0;
      for (const GameId& game : games) {
        const auto found = logs_.find(game);
        if (found == logs_.end() || found->second.bytes.empty()) continue;
        found->second = {"", archive};
        ++archived;
      }
      return archived;
    });
  }
  absl::StatusOr<bool> Restore(GameId game, const std::string& bytes) override {
    return Do<bool>([&] {
      const auto found = logs_.find(game);
      if (found == logs_.end() || !found->second.bytes.empty()) return false;
      found->second = {bytes, ""};
      return true;
    });
  }

  // Asked at each call.
  std::function<Fault()> draw_fault;

  std::map<GameId, storage::PackedLog> logs_;
  size_t taken_ = 0;  // logs that Pack took

 private:
  template <typename Answer, typename Work>
  absl::StatusOr<Answer> Do(const Work& work) {
    const Fault fault = draw_fault ? draw_fault() : Fault::kNone;
    const absl::Status away =
        base::Error(base::Reason::kStoreUnavailable, "the database is away").RetryAfterMs(500);
    if (fault == Fault::kLost) return away;
    Answer answer = work();
    if (fault == Fault::kUnsaid) return away;
    return answer;
  }

  SimulatedStore& store_;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_PACKED_LOGS_H_
