// One ExportGames call: the records of games, one after another.
#ifndef ASTRAGAL_SERVICES_RECORD_EXPORT_STREAM_H_
#define ASTRAGAL_SERVICES_RECORD_EXPORT_STREAM_H_

#include <deque>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "astragal/v1/record_service.pb.h"
#include "services/core/world.h"
#include "services/rpc/watch_stream.h"
#include "storage/history_store.h"

namespace astragal::record {

// Each game is read, replayed and written down on the scheduler when the one before it is written.
// See rpc::WatchStream.
class ExportStream : public rpc::WatchStream<v1::ExportGamesResponse> {
 public:
  static constexpr int kMaxNamed = 1'000;  // games asked for by their ids

  ExportStream(const core::World& world, storage::HistoryStore& store, rpc::Calls& calls,
               const v1::ExportGamesRequest& request)
      : WatchStream(calls, rpc::Making::kBlocks), world_(world), store_(store), request_(request) {}

 protected:
  absl::Status Open(const core::Identity& viewer) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::ExportGamesResponse& message) override;
  bool MakeHeartbeat(v1::ExportGamesResponse&) override { return false; }

 private:
  static constexpr size_t kPage = 256;
  static constexpr size_t kLogs = 8;  // read at once: half a megabyte of usual games

  absl::Status TakeNamed();
  absl::Status ReadFilter();
  absl::Status ReadExtras();
  // The next game becomes after_; false: there is none.
  absl::StatusOr<bool> TakeNext();
  // The game with the beginning of its log. NOT_FOUND.
  absl::StatusOr<storage::StoredLog> TakeLog(base::GameId id);
  absl::StatusOr<std::string> Record(base::GameId id);

  const core::World& world_;
  storage::HistoryStore& store_;
  const v1::ExportGamesRequest request_;
  base::PlayerId viewer_;
  storage::HistoryFilter filter_;
  base::GameId after_;
  std::deque<base::GameId> ids_;
  std::map<base::GameId, std::string> extras_;       // of these
  std::map<base::GameId, storage::StoredLog> logs_;  // of the next ones
  uint64_t in_all_ = 0;
};

}  // namespace astragal::record

#endif  // ASTRAGAL_SERVICES_RECORD_EXPORT_STREAM_H_
