// Many games at once, for an organiser: each is created, or refused, on its own.
#ifndef ASTRAGAL_SERVICES_LOBBY_BATCH_H_
#define ASTRAGAL_SERVICES_LOBBY_BATCH_H_

#include <functional>

#include "absl/status/status.h"
#include "astragal/v1/lobby_service.pb.h"
#include "services/core/accounts.h"
#include "services/core/games.h"

namespace astragal::lobby {

// Games of one request.
inline constexpr int kMaxGames = 500;

// Starts all of them (blocks on reading the players); `finish` runs once, when the last has its
// answer in `response`. Game number k is created under a request that is made of the batch's and k,
// so a batch that is sent again makes no game twice. BAD_FIELD for the batch as a whole.
void CreateBatch(core::Games& games, core::Accounts& accounts,
                 const v1::CreateGamesRequest& request, v1::CreateGamesResponse& response,
                 const std::function<void(const absl::Status&)>& finish);

}  // namespace astragal::lobby

#endif  // ASTRAGAL_SERVICES_LOBBY_BATCH_H_
