#include "services/tournament/tournament_stream.h"

#include "services/tournament/nouns.h"

namespace astragal::tournament {

absl::Status TournamentStream::Open(const std::string& token) {
  const absl::StatusOr<base::PlayerId> viewer = calls().Viewer(token);
  if (!viewer.ok()) return viewer.status();
  viewer_ = *viewer;
  const auto id = rpc::ReadId<storage::TournamentId>(tournament_id_, "tournament");
  if (!id.ok()) return id.status();
  id_ = *id;
  if (const auto found = tournaments_.Read(id_, viewer_); !found.ok()) return found.status();
  tournaments_.StartWatch(id_, weak_from_this(), [weak = weak_from_this()] {
    if (const auto stream = weak.lock()) stream->Wake();
  });
  return absl::OkStatus();
}

absl::StatusOr<rpc::Next> TournamentStream::MakeNext(v1::WatchTournamentResponse& message) {
  if (last_sent_) return rpc::Next::kEnd;
  const auto entries = tournaments_.ReadLog(id_, seen_, kMaxEvents);
  if (!entries.ok()) return entries.status();
  const absl::StatusOr<core::TournamentPtr> state = tournaments_.Read(id_, viewer_);
  if (!state.ok()) return state.status();
  const bool over = (*state)->status == core::TournamentStatus::kFinished ||
                    (*state)->status == core::TournamentStatus::kCancelled;
  const bool all = entries->empty() || entries->back().version == (*state)->version;
  last_sent_ = over && all;
  if (entries->empty()) return last_sent_ ? rpc::Next::kEnd : rpc::Next::kNothing;
  const bool drafts = SeesDrafts(**state, viewer_);
  v1::TournamentEvents& events = *message.mutable_events();
  for (const core::TournamentEntry& entry : *entries) {
    if (drafts || IsPublic(entry)) *events.add_events() = ToProto(entry);
  }
  seen_ = entries->back().version;
  const auto names = calls().accounts().Names({(*state)->owner});
  if (!names.ok()) return names.status();
  *events.mutable_tournament() = ToProto(**state, *names);
  return rpc::Next::kMessage;
}

bool TournamentStream::MakeHeartbeat(v1::WatchTournamentResponse& message) {
  *message.mutable_heartbeat()->mutable_server_time() = rpc::ToProto(clock_.Now());
  return true;
}

}  // namespace astragal::tournament
