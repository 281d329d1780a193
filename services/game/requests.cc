#include "services/game/requests.h"

#include <utility>

#include "services/base/status.h"
#include "services/rpc/call.h"

namespace astragal::game {
namespace {

template <typename Request>
absl::StatusOr<Addressed> ReadCommon(const Request& request, std::string_view method,
                                     base::PlayerId player) {
  const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request.request_id());
  if (!id.ok()) return id.status();
  const absl::StatusOr<base::GameId> game = rpc::ReadId<base::GameId>(request.game_id(), "game");
  if (!game.ok()) return game.status();
  Addressed addressed;
  addressed.game = *game;
  addressed.command.player = player;
  addressed.command.request = *id;
  addressed.command.body_hash = rpc::BodyHash(method, request);
  return addressed;
}

absl::StatusOr<core::ActionChoice> ReadChoice(const v1::ActionChoice& choice, int index) {
  const std::string field = "actions[" + std::to_string(index) + "]";
  switch (choice.choice_case()) {
    case v1::ActionChoice::kAction:
      if (choice.action() < 0) return rpc::BadField(field, "has a negative number");
      return core::ActionChoice(choice.action());
    case v1::ActionChoice::kNotation:
      if (choice.notation().size() <= kMaxNotation) return core::ActionChoice(choice.notation());
      return base::Error(base::Reason::kBadNotation, "a notation has at most 64 bytes")
          .With("field", field);
    case v1::ActionChoice::CHOICE_NOT_SET:
      break;
  }
  return rpc::BadField(field, "has neither number nor notation");
}

}  // namespace

absl::StatusOr<core::CreateGame> Read(const v1::CreateGameRequest& request, base::PlayerId player) {
  const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request.request_id());
  if (!id.ok()) return id.status();
  if (request.ruleset_id().empty()) return rpc::BadField("ruleset_id", "is required");
  core::CreateGame create;
  create.player = player;
  create.request = *id;
  create.body_hash = rpc::BodyHash("CreateGame", request);
  create.ruleset = request.ruleset_id();
  create.rules_version = request.rules_version();
  create.preset = request.preset();
  create.options.assign(request.options().begin(), request.options().end());
  if (request.has_seat()) create.seat = request.seat();
  return create;
}

absl::StatusOr<Addressed> Read(const v1::JoinGameRequest& request, base::PlayerId player) {
  absl::StatusOr<Addressed> addressed = ReadCommon(request, "JoinGame", player);
  if (!addressed.ok()) return addressed;
  core::Join join;
  if (request.has_seat()) join.seat = request.seat();
  addressed->command.what = join;
  return addressed;
}

absl::StatusOr<Addressed> Read(const v1::PlayActionsRequest& request, base::PlayerId player) {
  absl::StatusOr<Addressed> addressed = ReadCommon(request, "PlayActions", player);
  if (!addressed.ok()) return addressed;
  if (request.actions().empty() ||
      request.actions_size() > static_cast<int>(core::kMaxActionsPerCall)) {
    return rpc::BadField("actions", "must have 1 to 64 entries");
  }
  core::Play play;
  for (int i = 0; i < request.actions_size(); ++i) {
    absl::StatusOr<core::ActionChoice> choice = ReadChoice(request.actions(i), i);
    if (!choice.ok()) return choice.status();
    play.actions.push_back(*std::move(choice));
  }
  addressed->command.what = std::move(play);
  addressed->command.validate_only = request.validate_only();
  if (request.has_expected_sequence()) {
    addressed->command.expected_sequence = request.expected_sequence();
  }
  return addressed;
}

absl::StatusOr<Addressed> Read(const v1::ResignGameRequest& request, base::PlayerId player) {
  absl::StatusOr<Addressed> addressed = ReadCommon(request, "ResignGame", player);
  if (addressed.ok()) addressed->command.what = core::Resign{};
  return addressed;
}

absl::StatusOr<storage::GameFilter> Read(const v1::ListGamesRequest& request) {
  storage::GameFilter filter;
  if (!request.ruleset_id().empty()) filter.ruleset = request.ruleset_id();
  if (request.status() != v1::GAME_STATUS_UNSPECIFIED) {
    if (!v1::GameStatus_IsValid(request.status())) return rpc::BadField("status", "is unknown");
    filter.status = static_cast<storage::GameStatus>(request.status());
  }
  if (!request.player_id().empty()) {
    const auto player = rpc::ReadId<base::PlayerId>(request.player_id(), "player");
    if (!player.ok()) return player.status();
    filter.player = *player;
  }
  return filter;
}

}  // namespace astragal::game
