// RatingService: reads ratings, and for the operator changes their past.
#ifndef ASTRAGAL_SERVICES_RATING_RATING_SERVICE_H_
#define ASTRAGAL_SERVICES_RATING_RATING_SERVICE_H_

#include <string>
#include <utility>
#include <vector>

#include "astragal/v1/rating_service.grpc.pb.h"
#include "services/core/ratings.h"
#include "services/rating/nouns.h"
#include "services/rpc/call.h"

namespace astragal::rating {

// Owns nothing; the references must outlive it. Thread-safe.
class RatingService : public v1::RatingService::CallbackService {
 public:
  // Corrections of one call, and players of one prediction.
  static constexpr int kMaxCorrections = 1'000;
  static constexpr size_t kMaxReasonBytes = 512;
  static constexpr int32_t kMaxAnnulledDays = 3'650;
  static constexpr int kMaxHousehold = 16;
  // Who lost more than so many of so many matches early, or let more games come to nothing, is
  // flagged.
  // Matches of one examination, and others that it speaks of.
  static constexpr int32_t kExamined = 20;
  static constexpr int32_t kMaxExamined = 100;
  static constexpr size_t kMostHelped = 50;
  static constexpr int64_t kEarlyLosses = 3;
  static constexpr int64_t kNoShows = 3;
  static constexpr size_t kConductWindow = 20;

  RatingService(core::Ratings& ratings, storage::PlayerStore& players, rpc::Calls& calls)
      : ratings_(ratings), players_(players), calls_(calls) {}

  grpc::ServerUnaryReactor* ListRatingPools(grpc::CallbackServerContext* context,
                                            const v1::ListRatingPoolsRequest* request,
                                            v1::ListRatingPoolsResponse* response) override;
  grpc::ServerUnaryReactor* GetRating(grpc::CallbackServerContext* context,
                                      const v1::GetRatingRequest* request,
                                      v1::GetRatingResponse* response) override;
  grpc::ServerUnaryReactor* ListRatingSteps(grpc::CallbackServerContext* context,
                                            const v1::ListRatingStepsRequest* request,
                                            v1::ListRatingStepsResponse* response) override;
  grpc::ServerUnaryReactor* ListLeaderboard(grpc::CallbackServerContext* context,
                                            const v1::ListLeaderboardRequest* request,
                                            v1::ListLeaderboardResponse* response) override;
  grpc::ServerUnaryReactor* ListLeaderboardSnapshots(
      grpc::CallbackServerContext* context, const v1::ListLeaderboardSnapshotsRequest* request,
      v1::ListLeaderboardSnapshotsResponse* response) override;
  grpc::ServerUnaryReactor* PredictResult(grpc::CallbackServerContext* context,
                                          const v1::PredictResultRequest* request,
                                          v1::PredictResultResponse* response) override;
  grpc::ServerUnaryReactor* GetHeadToHead(grpc::CallbackServerContext* context,
                                          const v1::GetHeadToHeadRequest* request,
                                          v1::GetHeadToHeadResponse* response) override;
  grpc::ServerUnaryReactor* Recompute(grpc::CallbackServerContext* context,
                                      const v1::RecomputeRequest* request,
                                      v1::RecomputeResponse* response) override;
  grpc::ServerUnaryReactor* PinRating(grpc::CallbackServerContext* context,
                                      const v1::PinRatingRequest* request,
                                      v1::PinRatingResponse* response) override;
  grpc::ServerUnaryReactor* SetHousehold(grpc::CallbackServerContext* context,
                                         const v1::SetHouseholdRequest* request,
                                         v1::SetHouseholdResponse* response) override;
  grpc::ServerUnaryReactor* EstimateOwnRating(grpc::CallbackServerContext* context,
                                              const v1::EstimateOwnRatingRequest* request,
                                              v1::EstimateOwnRatingResponse* response) override;
  grpc::ServerUnaryReactor* ExamineTables(grpc::CallbackServerContext* context,
                                          const v1::ExamineTablesRequest* request,
                                          v1::ExamineTablesResponse* response) override;

 private:
  storage::RatingStore& store() { return ratings_.store(); }
  absl::StatusOr<Pool> FindPool(const std::string& pool_id);
  template <typename Request, typename Response, typename Work>
  absl::Status Once(std::string_view method, base::PlayerId account, const Request& request,
                    Response& response, Work work);
  absl::Status Estimate(base::PlayerId id, const v1::EstimateOwnRatingRequest& request,
                        v1::EstimateOwnRatingResponse& response, const core::MutationStamp& stamp);
  absl::Status Examine(const v1::ExamineTablesRequest& request,
                       v1::ExamineTablesResponse& response);
  absl::Status AddHelp(const core::TableHelp& help, v1::ExamineTablesResponse& response);
  absl::Status Pin(const v1::PinRatingRequest& request, v1::PinRatingResponse& response,
                   const core::MutationStamp& stamp);
  absl::Status RatingIn(const Pool& pool, const storage::PlayerRecord& player,
                        const v1::GetRatingRequest& request, v1::GetRatingResponse& response);
  absl::Status RatingsInAll(const storage::PlayerRecord& player, v1::GetRatingResponse& response);
  absl::Status Page(const Pool& pool, const v1::ListLeaderboardRequest& request, size_t size,
                    v1::ListLeaderboardResponse& response);
  absl::Status Around(const Pool& pool, const v1::ListLeaderboardRequest& request, size_t size,
                      v1::ListLeaderboardResponse& response);
  absl::Status SnapshotPage(const Pool& pool, const v1::ListLeaderboardRequest& request,
                            size_t size, v1::ListLeaderboardResponse& response);
  absl::Status AddAnnulment(const Pool& pool, const v1::PlayerAnnulment& annulled,
                            std::vector<core::MatchCorrection>& corrections);
  absl::Status Settle(const v1::SetHouseholdRequest& request, v1::SetHouseholdResponse& response,
                      const core::MutationStamp& stamp);
  absl::Status AddConduct(base::PlayerId player, v1::GetRatingResponse& response);
  absl::Status AddEntries(const Pool& pool, std::vector<storage::ListedStanding> page,
                          int64_t first_rank, base::Instant at,
                          v1::ListLeaderboardResponse& response);

  core::Ratings& ratings_;
  storage::PlayerStore& players_;
  rpc::Calls& calls_;
};

}  // namespace astragal::rating

#endif  // ASTRAGAL_SERVICES_RATING_RATING_SERVICE_H_
