#include "services/history/history_service.h"

#include <charconv>
#include <utility>

#include "services/base/status.h"
#include "services/core/replay.h"
#include "services/history/replay_stream.h"
#include "services/rpc/nouns.h"

namespace astragal::history {
namespace {

absl::StatusOr<core::Replay> OpenReplay(const core::World& world, const std::string& game_id,
                                        base::PlayerId viewer) {
  const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(game_id, "game");
  if (!id.ok()) return id.status();
  return core::Replay::OpenFor(viewer, world, *id);
}

uint32_t SequenceOf(const std::string& cursor) {
  uint32_t sequence = 0;
  std::from_chars(cursor.data(), cursor.data() + cursor.size(), sequence);
  return sequence;
}

}  // namespace

grpc::ServerUnaryReactor* HistoryService::ListEvents(grpc::CallbackServerContext* context,
                                                     const v1::ListEventsRequest* request,
                                                     v1::ListEventsResponse* response) {
  return calls_.Viewed(
      context, *request, [this, request, response](base::PlayerId viewer) -> absl::Status {
        const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
        if (!size.ok()) return size.status();
        const std::string scope = "ListEvents " + request->game_id();
        const absl::StatusOr<std::string> cursor =
            calls_.pages().Read(scope, request->page_token());
        if (!cursor.ok()) return cursor.status();
        absl::StatusOr<core::Replay> replay = OpenReplay(world_, request->game_id(), viewer);
        if (!replay.ok()) return replay.status();
        if (absl::Status skipped = replay->SkipTo(SequenceOf(*cursor)); !skipped.ok())
          return skipped;
        while (response->events_size() < static_cast<int>(*size)) {
          const auto event = replay->Next();
          if (!event.ok()) return event.status();
          if (!*event) return absl::OkStatus();
          *response->add_events() = rpc::ToProto(**event);
        }
        if (replay->state().sequence < replay->end()) {
          response->set_next_page_token(
              calls_.pages().Make(scope, std::to_string(replay->state().sequence)));
        }
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* HistoryService::GetPosition(grpc::CallbackServerContext* context,
                                                      const v1::GetPositionRequest* request,
                                                      v1::GetPositionResponse* response) {
  return calls_.Viewed(
      context, *request, [this, request, response](base::PlayerId viewer) -> absl::Status {
        if (request->has_sequence() && request->sequence() == 0) {
          return rpc::BadField("sequence", "starts at 1");
        }
        absl::StatusOr<core::Replay> replay = OpenReplay(world_, request->game_id(), viewer);
        if (!replay.ok()) return replay.status();
        const uint32_t wanted = request->has_sequence() ? request->sequence() : replay->end();
        if (absl::Status skipped = replay->SkipTo(wanted); !skipped.ok()) return skipped;
        response->set_sequence(wanted);
        return rpc::Fill(*replay->state().ruleset, replay->state().position,
                         *response->mutable_position());
      });
}

grpc::ServerWriteReactor<v1::StreamReplayResponse>* HistoryService::StreamReplay(
    grpc::CallbackServerContext* context, const v1::StreamReplayRequest* request) {
  return std::make_shared<ReplayStream>(world_, calls_, *request)->Begin(*context, *request);
}

}  // namespace astragal::history
