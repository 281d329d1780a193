#include "services/game/requests.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"
#include "services/rpc/call.h"
#include "services/rpc/terms.h"

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
  if constexpr (requires { request.position_view(); }) {
    if (!v1::PositionView_IsValid(request.position_view())) {
      return rpc::BadField("position_view", "is not one of its values");
    }
  }
  return addressed;
}

// A request whose command follows from its kind alone.
template <typename Request, typename What>
absl::StatusOr<Addressed> ReadAs(const Request& request, std::string_view method,
                                 base::PlayerId player, What what) {
  absl::StatusOr<Addressed> addressed = ReadCommon(request, method, player);
  if (!addressed.ok()) return addressed;
  addressed->command.what = std::move(what);
  if constexpr (requires { request.has_expected_sequence(); }) {
    if (request.has_expected_sequence()) {
      addressed->command.expected_sequence = request.expected_sequence();
    }
  }
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

absl::StatusOr<core::Bytes32> ReadPledge(const std::string& bytes) {
  core::Bytes32 pledge{};
  if (bytes.size() != pledge.size()) return rpc::BadField("contribution_sha256", "has 32 bytes");
  std::ranges::copy(bytes, pledge.begin());
  return pledge;
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
  const absl::StatusOr<storage::Visibility> visibility =
      rpc::ReadVisibility(request.visibility(), "visibility");
  if (!visibility.ok()) return visibility.status();
  if (*visibility == storage::Visibility::kPrivate) {
    return rpc::BadField("visibility",
                         "cannot be private here: nobody could join; send a challenge");
  }
  const absl::StatusOr<storage::ClockPolicy> clock =
      rpc::ReadClock(request.clock_policy(), "clock_policy");
  if (!clock.ok()) return clock.status();
  create.terms.visibility = *visibility;
  create.terms.clock = *clock;
  create.terms.rated = request.rated();
  create.invite_contributions = request.invite_contributions();
  return create;
}

absl::StatusOr<Addressed> Read(const v1::JoinGameRequest& request, base::PlayerId player) {
  core::Join join;
  if (request.has_seat()) join.seat = request.seat();
  if (!request.contribution_sha256().empty()) {
    const absl::StatusOr<core::Bytes32> pledge = ReadPledge(request.contribution_sha256());
    if (!pledge.ok()) return pledge.status();
    join.pledge = *pledge;
  }
  return ReadAs(request, "JoinGame", player, join);
}

absl::StatusOr<Addressed> Read(const v1::ContributeToDiceRequest& request, base::PlayerId player) {
  switch (request.step_case()) {
    case v1::ContributeToDiceRequest::kContributionSha256: {
      const absl::StatusOr<core::Bytes32> pledge = ReadPledge(request.contribution_sha256());
      if (!pledge.ok()) return pledge.status();
      return ReadAs(request, "ContributeToDice", player, core::Pledge{*pledge});
    }
    case v1::ContributeToDiceRequest::kContribution: {
      const size_t bytes = request.contribution().size();
      if (bytes < 1 || bytes > core::kMaxContributionBytes) {
        return rpc::BadField("contribution", "has 1 to 32 bytes");
      }
      return ReadAs(request, "ContributeToDice", player, core::Contribute{request.contribution()});
    }
    case v1::ContributeToDiceRequest::STEP_NOT_SET:
      break;
  }
  return rpc::BadField("contribution_sha256", "or contribution is required");
}

absl::StatusOr<Addressed> Read(const v1::PlayActionsRequest& request, base::PlayerId player) {
  core::Play play;
  for (int i = 0; i < request.actions_size(); ++i) {
    absl::StatusOr<core::ActionChoice> choice = ReadChoice(request.actions(i), i);
    if (!choice.ok()) return choice.status();
    play.actions.push_back(*std::move(choice));
  }
  play.end_turn = !request.has_end_turn() || request.end_turn();
  absl::StatusOr<Addressed> addressed = ReadAs(request, "PlayActions", player, std::move(play));
  if (addressed.ok()) addressed->command.validate_only = request.validate_only();
  return addressed;
}

absl::StatusOr<Addressed> Read(const v1::UndoActionsRequest& request, base::PlayerId player) {
  return ReadAs(request, "UndoActions", player,
                core::Undo{request.count() == 0 ? 1 : request.count()});
}

absl::StatusOr<Addressed> Read(const v1::EndTurnRequest& request, base::PlayerId player) {
  return ReadAs(request, "EndTurn", player, core::EndTurn{});
}

absl::StatusOr<Addressed> Read(const v1::MakeOfferRequest& request, base::PlayerId player) {
  if (request.kind() == v1::OFFER_KIND_UNSPECIFIED || !v1::OfferKind_IsValid(request.kind())) {
    return rpc::BadField("kind", "is required");
  }
  const core::MakeOffer offer{static_cast<storage::OfferKind>(request.kind()), request.points()};
  return ReadAs(request, "MakeOffer", player, offer);
}

absl::StatusOr<Addressed> Read(const v1::RespondToOfferRequest& request, base::PlayerId player) {
  return ReadAs(request, "RespondToOffer", player, core::AnswerOffer{request.accept()});
}

absl::StatusOr<Addressed> Read(const v1::LeaveGameRequest& request, base::PlayerId player) {
  return ReadAs(request, "LeaveGame", player, core::Leave{});
}

absl::StatusOr<Addressed> Read(const v1::AbortGameRequest& request, base::PlayerId player) {
  return ReadAs(request, "AbortGame", player, core::Abort{});
}

absl::StatusOr<Addressed> Read(const v1::ResignGameRequest& request, base::PlayerId player) {
  return ReadAs(request, "ResignGame", player, core::Resign{});
}

absl::StatusOr<Addressed> Read(const v1::ClaimResultRequest& request, base::PlayerId player) {
  return ReadAs(request, "ClaimResult", player, core::Claim{});
}

absl::StatusOr<storage::GameFilter> Read(const v1::ListGamesRequest& request,
                                         base::PlayerId viewer) {
  storage::GameFilter filter;
  const std::string& ruleset = request.ruleset_id();
  if (ruleset.size() > kMaxRulesetId || ruleset.find('\0') != std::string::npos) {
    return rpc::BadField("ruleset_id", "is no id of a ruleset");
  }
  if (!ruleset.empty()) filter.ruleset = ruleset;
  if (request.status() != v1::GAME_STATUS_UNSPECIFIED) {
    if (!v1::GameStatus_IsValid(request.status())) return rpc::BadField("status", "is unknown");
    filter.status = static_cast<storage::GameStatus>(request.status());
  }
  if (!request.player_id().empty()) {
    const auto player = rpc::ReadId<base::PlayerId>(request.player_id(), "player");
    if (!player.ok()) return player.status();
    filter.player = *player;
    filter.with_hidden = *player == viewer;
  }
  return filter;
}

}  // namespace astragal::game
