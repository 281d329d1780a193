#include "services/match/match_stream.h"

#include "services/match/nouns.h"

namespace astragal::match {

absl::Status MatchStream::Open(const core::Identity& viewer) {
  const auto id = rpc::ReadId<base::MatchId>(match_id_, "match");
  if (!id.ok()) return id.status();
  auto watch = matches_.StartWatch(*id, viewer.player, [weak = weak_from_this()] {
    if (const auto stream = weak.lock()) stream->Wake();
  });
  if (!watch.ok()) return watch.status();
  watch_ = *std::move(watch);
  return absl::OkStatus();
}

absl::StatusOr<rpc::Next> MatchStream::MakeNext(v1::WatchMatchResponse& message) {
  if (last_sent_) return rpc::Next::kEnd;
  const core::MatchPtr match = watch_->Next();
  if (match == nullptr) return rpc::Next::kNothing;
  const auto names = calls().accounts().Names(match->match.record.players);
  if (!names.ok()) return names.status();
  *message.mutable_match() = ToProto(*match, *names);
  last_sent_ = match->Stage() == core::MatchStage::kOver;
  return rpc::Next::kMessage;
}

bool MatchStream::MakeHeartbeat(v1::WatchMatchResponse& message) {
  *message.mutable_heartbeat()->mutable_server_time() = rpc::ToProto(clock_.Now());
  return true;
}

}  // namespace astragal::match
