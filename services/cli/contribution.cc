#include "services/cli/contribution.h"

#include <utility>

#include "services/base/crypto.h"
#include "services/base/random.h"

namespace astragal::cli {
namespace {

// What this seat has pledged; null: nothing.
const v1::DiceContribution* Find(const v1::Game& game, int seat) {
  for (const v1::DiceContribution& each : game.contributions()) {
    if (each.seat() == seat) return &each;
  }
  return nullptr;
}

}  // namespace

bool IsBefore(v1::GameStatus status) {
  return status == v1::GAME_STATUS_OPEN || status == v1::GAME_STATUS_CONTRIBUTING;
}

Contribution::Contribution() {
  base::Bytes32 drawn{};
  base::SystemRandom().Fill(drawn);
  bytes_ = std::string(base::AsView(drawn));
  hash_ = std::string(base::AsView(base::Sha256(bytes_)));
}

// At most twice: the last pledge closes the pledges.
absl::Status Contribution::Step(Client& client, int seat, v1::Game& game) {
  while (game.status() == v1::GAME_STATUS_CONTRIBUTING) {
    const v1::DiceContribution* const own = Find(game, seat);
    v1::ContributeToDiceRequest request;
    request.set_game_id(game.game_id());
    if (own == nullptr && !game.pledges_closed()) {
      request.set_contribution_sha256(hash_);
    } else if (own != nullptr && game.pledges_closed() && own->contribution().empty() &&
               own->contribution_sha256() == hash_) {
      request.set_contribution(bytes_);
    } else {
      return absl::OkStatus();
    }
    auto answer = client.Call(request);
    if (absl::IsFailedPrecondition(answer.status())) return absl::OkStatus();
    if (!answer.ok()) return answer.status();
    given_ = given_ || request.step_case() == v1::ContributeToDiceRequest::kContribution;
    game = std::move(*answer->mutable_game());
  }
  return absl::OkStatus();
}

}  // namespace astragal::cli
