#include "services/tournament/tournament_stream.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "services/tournament/nouns.h"

namespace astragal::tournament {

absl::Status TournamentStream::Open(const core::Identity& viewer) {
  viewer_ = viewer.player;
  const auto id = rpc::ReadId<storage::TournamentId>(tournament_id_, "tournament");
  if (!id.ok()) return id.status();
  id_ = *id;
  if (rows_ < 0 || rows_ > kMaxRows) return rpc::BadField("standings_rows", "must be 0 to 200");
  if (!around_.empty()) {
    const auto around = rpc::ReadId<base::PlayerId>(around_, "player");
    if (!around.ok()) return around.status();
    around_id_ = *around;
  }
  if (const auto found = tournaments_.Read(id_, viewer_); !found.ok()) return found.status();
  tournaments_.StartWatch(id_, weak_from_this(), [weak = weak_from_this()] {
    if (const auto stream = weak.lock()) stream->Wake();
  });
  return absl::OkStatus();
}

absl::StatusOr<rpc::Next> TournamentStream::MakeNext(v1::WatchTournamentResponse& message) {
  const auto entries = tournaments_.ReadLog(id_, seen_, kMaxEvents);
  if (!entries.ok()) return entries.status();
  const absl::StatusOr<core::TournamentPtr> state = tournaments_.Read(id_, viewer_);
  if (!state.ok()) return state.status();
  if (entries->empty()) {
    const absl::StatusOr<bool> changed = FillStandings(*state, *message.mutable_standings());
    if (!changed.ok()) return changed.status();
    if (*changed) return rpc::Next::kMessage;
    message.clear_standings();
    const bool over = (*state)->status == core::TournamentStatus::kFinished ||
                      (*state)->status == core::TournamentStatus::kCancelled;
    return over && seen_ >= (*state)->version ? rpc::Next::kEnd : rpc::Next::kNothing;
  }
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

absl::StatusOr<bool> TournamentStream::FillStandings(const core::TournamentPtr& state,
                                                     v1::StandingsChange& change) {
  if (rows_ == 0 || !state->HasStarted() || state->version == standings_version_) return false;
  standings_version_ = state->version;
  const core::StandingsPtr standings = tournaments_.Standings(state);
  const auto total = static_cast<int32_t>(standings->size());
  const int own = state->IndexOf(around_id_);
  const auto found = std::ranges::find(*standings, own, &core::Standing::player);
  const auto place = static_cast<int32_t>(found - standings->begin());
  const bool around = !around_id_.is_nil() && found != standings->end();
  const int32_t first = around ? std::clamp(place - rows_ / 2, 0, std::max(0, total - rows_)) : 0;
  const int32_t size = std::min(rows_, total - first);
  std::vector<base::PlayerId> players;
  for (int32_t i = first; i < first + size; ++i) {
    const int player = (*standings)[static_cast<size_t>(i)].player;
    players.push_back(state->players[static_cast<size_t>(player)].id);
  }
  const auto names = calls().accounts().Names(players);
  if (!names.ok()) return names.status();
  change.set_version(state->version);
  change.set_first_position(first + 1);
  change.set_size(size);
  change.set_total(total);
  std::map<int32_t, std::string> now;
  for (int32_t i = first; i < first + size; ++i) {
    v1::StandingsRow row = ToProto(*state, (*standings)[static_cast<size_t>(i)], *names);
    row.set_position(i + 1);
    std::string bytes = row.SerializeAsString();
    const auto before = sent_.find(i + 1);
    if (before == sent_.end() || before->second != bytes) *change.add_rows() = std::move(row);
    now[i + 1] = std::move(bytes);
  }
  // A part that lies elsewhere is news, too.
  const bool moved = !sent_.empty() && !now.empty() && sent_.begin()->first != now.begin()->first;
  sent_ = std::move(now);
  return moved || change.rows_size() > 0;
}

bool TournamentStream::MakeHeartbeat(v1::WatchTournamentResponse& message) {
  *message.mutable_heartbeat()->mutable_server_time() = rpc::ToProto(clock_.Now());
  return true;
}

}  // namespace astragal::tournament
