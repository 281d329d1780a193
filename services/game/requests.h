// From requests of GameService to commands of core: shapes and bounds, nothing else. Pure.
#ifndef ASTRAGAL_SERVICES_GAME_REQUESTS_H_
#define ASTRAGAL_SERVICES_GAME_REQUESTS_H_

#include "absl/status/statusor.h"
#include "astragal/v1/game_service.pb.h"
#include "services/core/games.h"

namespace astragal::game {

// Longest notation of one action.
inline constexpr size_t kMaxNotation = 64;
inline constexpr size_t kMaxRulesetId = 64;

// Which game, and what of it.
struct Addressed {
  base::GameId game;
  core::Command command;
};

// BAD_FIELD, BAD_NOTATION; NOT_FOUND for an id that cannot be one.
absl::StatusOr<core::CreateGame> Read(const v1::CreateGameRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::JoinGameRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::ContributeToDiceRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::PlayActionsRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::UndoActionsRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::EndTurnRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::MakeOfferRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::RespondToOfferRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::LeaveGameRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::AbortGameRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::ResignGameRequest& request, base::PlayerId player);
absl::StatusOr<Addressed> Read(const v1::ClaimResultRequest& request, base::PlayerId player);
// `viewer` sees hidden games of its own.
absl::StatusOr<storage::GameFilter> Read(const v1::ListGamesRequest& request,
                                         base::PlayerId viewer);

}  // namespace astragal::game

#endif  // ASTRAGAL_SERVICES_GAME_REQUESTS_H_
