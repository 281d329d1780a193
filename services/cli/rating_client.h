// Calls of the service's RatingService, as client.h makes those of the others; apart from it,
// because few commands need them. Same contract. Owns its channel.
#ifndef ASTRAGAL_SERVICES_CLI_RATING_CLIENT_H_
#define ASTRAGAL_SERVICES_CLI_RATING_CLIENT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "astragal/v1/rating_service.pb.h"
#include "services/cli/client.h"

namespace astragal::cli {

class RatingClient {
 public:
  explicit RatingClient(Client::Options options);
  ~RatingClient();
  RatingClient(const RatingClient&) = delete;
  RatingClient& operator=(const RatingClient&) = delete;

  absl::StatusOr<v1::ListRatingPoolsResponse> Call(const v1::ListRatingPoolsRequest& request);
  absl::StatusOr<v1::GetRatingResponse> Call(const v1::GetRatingRequest& request);
  absl::StatusOr<v1::ListRatingStepsResponse> Call(const v1::ListRatingStepsRequest& request);
  absl::StatusOr<v1::ListLeaderboardResponse> Call(const v1::ListLeaderboardRequest& request);
  absl::StatusOr<v1::ListLeaderboardSnapshotsResponse> Call(
      const v1::ListLeaderboardSnapshotsRequest& request);
  absl::StatusOr<v1::PredictResultResponse> Call(const v1::PredictResultRequest& request);
  absl::StatusOr<v1::GetHeadToHeadResponse> Call(const v1::GetHeadToHeadRequest& request);
  // With the operator's key. A replay has all of the timeout for one try: a second one would begin
  // from the start.
  absl::StatusOr<v1::RecomputeResponse> Call(const v1::RecomputeRequest& request);
  absl::StatusOr<v1::PinRatingResponse> Call(const v1::PinRatingRequest& request);
  absl::StatusOr<v1::SetHouseholdResponse> Call(const v1::SetHouseholdRequest& request);
  absl::StatusOr<v1::ExamineTablesResponse> Call(const v1::ExamineTablesRequest& request);
  // With a player's key.
  absl::StatusOr<v1::EstimateOwnRatingResponse> Call(const v1::EstimateOwnRatingRequest& request);

  // All pools, by id.
  absl::StatusOr<v1::ListRatingPoolsResponse> AllPools();

 private:
  struct Wire;

  const Client::Options options_;
  const std::unique_ptr<Wire> wire_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_RATING_CLIENT_H_
