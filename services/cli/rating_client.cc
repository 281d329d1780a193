#include "services/cli/rating_client.h"

#include <string>
#include <utility>

#include "astragal/v1/rating_service.grpc.pb.h"
#include "services/cli/wire.h"

namespace astragal::cli {

struct RatingClient::Wire {
  explicit Wire(const std::string& server) : stub(Connect(server)) {}

  base::SystemRandom random;
  v1::RatingService::Stub stub;
};

RatingClient::RatingClient(Client::Options options)
    : options_(std::move(options)), wire_(std::make_unique<Wire>(options_.server)) {}

RatingClient::~RatingClient() = default;

#define ASTRAGAL_UNARY(Method, attempt)                                                         \
  absl::StatusOr<v1::Method##Response> RatingClient::Call(const v1::Method##Request& request) { \
    return CallUnary(options_, wire_->random, wire_->stub, &v1::RatingService::Stub::Method,    \
                     request, attempt);                                                         \
  }
ASTRAGAL_UNARY(ListRatingPools, Client::kAttemptLimit)
ASTRAGAL_UNARY(GetRating, Client::kAttemptLimit)
ASTRAGAL_UNARY(ListRatingSteps, Client::kAttemptLimit)
ASTRAGAL_UNARY(ListLeaderboard, Client::kAttemptLimit)
ASTRAGAL_UNARY(ListLeaderboardSnapshots, Client::kAttemptLimit)
ASTRAGAL_UNARY(PredictResult, Client::kAttemptLimit)
ASTRAGAL_UNARY(GetHeadToHead, Client::kAttemptLimit)
ASTRAGAL_UNARY(Recompute, options_.timeout)
ASTRAGAL_UNARY(PinRating, Client::kAttemptLimit)
ASTRAGAL_UNARY(SetHousehold, Client::kAttemptLimit)
ASTRAGAL_UNARY(ExamineTables, options_.timeout)
ASTRAGAL_UNARY(EstimateOwnRating, Client::kAttemptLimit)
#undef ASTRAGAL_UNARY

absl::StatusOr<v1::ListRatingPoolsResponse> RatingClient::AllPools() {
  v1::ListRatingPoolsResponse all;
  v1::ListRatingPoolsRequest request;
  do {
    const auto page = Call(request);
    if (!page.ok()) return page.status();
    all.MergeFrom(*page);
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  all.clear_next_page_token();
  return all;
}

}  // namespace astragal::cli
