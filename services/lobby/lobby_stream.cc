#include "services/lobby/lobby_stream.h"

#include <memory>

#include "services/rpc/proposals.h"

namespace astragal::lobby {

absl::Status LobbyStream::Open(const core::Identity& /*viewer*/) {
  return board_.Subscribe(std::static_pointer_cast<LobbyStream>(shared_from_this())).status();
}

absl::Status LobbyStream::Fill(const std::vector<core::ProposalPtr>& proposals,
                               google::protobuf::RepeatedPtrField<v1::Proposal>& out) {
  std::vector<base::PlayerId> players;
  for (const core::ProposalPtr& proposal : proposals) rpc::AddPlayers(*proposal, players);
  const auto names = calls().accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const core::ProposalPtr& proposal : proposals) *out.Add() = rpc::ToProto(*proposal, *names);
  return absl::OkStatus();
}

absl::StatusOr<rpc::Next> LobbyStream::MakeNext(v1::WatchLobbyResponse& message) {
  const core::PicturePtr now = board_.picture();
  if (seen_ == now) return rpc::Next::kNothing;
  absl::Status filled;
  if (seen_ == nullptr) {
    filled = Fill(now->seeks, *message.mutable_snapshot()->mutable_seeks());
  } else {
    const core::LobbyDifference difference = core::Compare(*seen_, *now);
    v1::LobbyChange& change = *message.mutable_change();
    filled = Fill(difference.opened, *change.mutable_opened());
    if (filled.ok()) filled = Fill(difference.closed, *change.mutable_closed());
  }
  if (!filled.ok()) return filled;
  seen_ = now;
  return rpc::Next::kMessage;
}

bool LobbyStream::MakeHeartbeat(v1::WatchLobbyResponse& message) {
  *message.mutable_heartbeat()->mutable_server_time() = rpc::ToProto(clock_.Now());
  return true;
}

}  // namespace astragal::lobby
