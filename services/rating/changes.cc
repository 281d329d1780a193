// What changes ratings: the past, fixed ones, what is known of players, and what they say of
// themselves. The part of RatingService whose requests are answered once.
#include <algorithm>
#include <utility>

#include "services/base/status.h"
#include "services/core/accounts.h"
#include "services/rating/rating_service.h"
#include "services/rpc/nouns.h"

namespace astragal::rating {
namespace {

using base::Error;
using base::Reason;

constexpr double kLeastPinned = 100;
constexpr double kMostPinned = 3'500;
constexpr double kMostPinnedDeviation = 500;
constexpr double kPinnedDeviation = 40;

absl::StatusOr<std::vector<core::MatchCorrection>> ReadCorrections(
    const v1::RecomputeRequest& request) {
  if (request.corrections_size() > RatingService::kMaxCorrections) {
    return rpc::BadField("corrections", "are at most 1,000");
  }
  std::vector<core::MatchCorrection> corrections;
  for (const v1::MatchCorrection& in : request.corrections()) {
    const auto match = rpc::ReadId<base::MatchId>(in.match_id(), "match");
    if (!match.ok()) return match.status();
    if (in.annul() && in.places_size() > 0) {
      return rpc::BadField("places", "must be empty for a match that is annulled");
    }
    if (in.reason().empty() || in.reason().size() > RatingService::kMaxReasonBytes) {
      return rpc::BadField("reason", "has 1 to 512 bytes");
    }
    corrections.push_back(
        {*match, in.annul(), {in.places().begin(), in.places().end()}, in.reason()});
  }
  return corrections;
}

storage::Answer AnswerFor(const core::MutationStamp& stamp,
                          const google::protobuf::Message& response) {
  return {stamp.account, stamp.request, stamp.body_hash, response.SerializeAsString()};
}

}  // namespace

// The answer to a request of this account: the first one again, or that of `work`, which keeps it.
template <typename Request, typename Response, typename Work>
absl::Status RatingService::Once(std::string_view method, base::PlayerId account,
                                 const Request& request, Response& response, Work work) {
  const auto id = rpc::ReadRequestId(request.request_id());
  if (!id.ok()) return id.status();
  const core::MutationStamp stamp{account, *id, rpc::BodyHash(method, request)};
  const auto first = store().FindAnswer(stamp.account, stamp.request);
  if (!first.ok()) return first.status();
  if (!*first) return work(stamp);
  if ((*first)->body_hash != stamp.body_hash) return core::RequestReused();
  if (response.ParseFromString((*first)->payload)) return absl::OkStatus();
  return Error(Reason::kInternal, "a kept answer cannot be read");
}

grpc::ServerUnaryReactor* RatingService::Recompute(grpc::CallbackServerContext* context,
                                                   const v1::RecomputeRequest* request,
                                                   v1::RecomputeResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/) -> absl::Status {
        const auto run = [&](core::Ratings::Write write,
                             const core::AnswerTo<core::Recomputation>& answer) -> absl::Status {
          auto corrections = ReadCorrections(*request);
          if (!corrections.ok()) return corrections.status();
          const absl::StatusOr<Pool> pool = FindPool(request->pool_id());
          if (!pool.ok()) return pool.status();
          if (request->has_annulled_player()) {
            const absl::Status added =
                AddAnnulment(*pool, request->annulled_player(), *corrections);
            if (!added.ok()) return added;
          }
          const auto done = ratings_.Recompute(pool->record, *corrections, write, answer);
          if (done.ok()) *response = ToProto(*done);
          return done.status();
        };
        if (request->validate_only()) {
          const auto id = rpc::ReadRequestId(request->request_id());
          return id.ok() ? run(core::Ratings::Write::kNever, {}) : id.status();
        }
        return Once("Recompute", storage::OperatorAccount(), *request, *response,
                    [&](const core::MutationStamp& stamp) {
                      return run(core::Ratings::Write::kIfDifferent,
                                 [&](const core::Recomputation& done) {
                                   return AnswerFor(stamp, ToProto(done));
                                 });
                    });
      });
}

absl::Status RatingService::Pin(const v1::PinRatingRequest& request,
                                v1::PinRatingResponse& response, const core::MutationStamp& stamp) {
  const auto id = rpc::ReadId<base::PlayerId>(request.player_id(), "player");
  if (!id.ok()) return id.status();
  const auto player = calls_.accounts().GetPlayer(*id);
  if (!player.ok()) return player.status();
  if (!player->bot) return rpc::BadField("player_id", "must be a bot");
  if (!(request.rating() >= kLeastPinned && request.rating() <= kMostPinned)) {
    return rpc::BadField("rating", "is 100 to 3,500");
  }
  const double deviation = request.deviation() == 0 ? kPinnedDeviation : request.deviation();
  if (!(deviation >= 1 && deviation <= kMostPinnedDeviation)) {
    return rpc::BadField("deviation", "is 1 to 500");
  }
  const absl::StatusOr<Pool> pool = FindPool(request.pool_id());
  if (!pool.ok()) return pool.status();
  const bool two = pool->seats == algorithms::SeatClass::kTwo;
  return ratings_.Pin(
      pool->record, *id, two ? request.rating() : 25 + (request.rating() - 1500) / 30,
      two ? deviation : deviation / 30, [&](const storage::StandingRecord& fixed) {
        *response.mutable_rating() = ToProto(*pool, fixed, *player, ratings_.clock().Now());
        return AnswerFor(stamp, response);
      });
}

grpc::ServerUnaryReactor* RatingService::PinRating(grpc::CallbackServerContext* context,
                                                   const v1::PinRatingRequest* request,
                                                   v1::PinRatingResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/) -> absl::Status {
        return Once(
            "PinRating", storage::OperatorAccount(), *request, *response,
            [&](const core::MutationStamp& stamp) { return Pin(*request, *response, stamp); });
      });
}

grpc::ServerUnaryReactor* RatingService::SetHousehold(grpc::CallbackServerContext* context,
                                                      const v1::SetHouseholdRequest* request,
                                                      v1::SetHouseholdResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/) -> absl::Status {
        return Once(
            "SetHousehold", storage::OperatorAccount(), *request, *response,
            [&](const core::MutationStamp& stamp) { return Settle(*request, *response, stamp); });
      });
}

absl::Status RatingService::Estimate(base::PlayerId id, const v1::EstimateOwnRatingRequest& request,
                                     v1::EstimateOwnRatingResponse& response,
                                     const core::MutationStamp& stamp) {
  if (request.estimate() < v1::SELF_ESTIMATE_BEGINNER ||
      request.estimate() > v1::SELF_ESTIMATE_STRONG) {
    return rpc::BadField("estimate", "is beginner, average or strong");
  }
  const auto player = calls_.accounts().GetPlayer(id);
  if (!player.ok()) return player.status();
  const absl::StatusOr<Pool> pool = FindPool(request.pool_id());
  if (!pool.ok()) return pool.status();
  return ratings_.Estimate(pool->record, id, request.estimate() - v1::SELF_ESTIMATE_AVERAGE,
                           [&](const storage::StandingRecord& start) {
                             *response.mutable_rating() =
                                 ToProto(*pool, start, *player, ratings_.clock().Now());
                             return AnswerFor(stamp, response);
                           });
}

grpc::ServerUnaryReactor* RatingService::EstimateOwnRating(
    grpc::CallbackServerContext* context, const v1::EstimateOwnRatingRequest* request,
    v1::EstimateOwnRatingResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& caller) -> absl::Status {
        return Once("EstimateOwnRating", caller.player, *request, *response,
                    [&](const core::MutationStamp& stamp) {
                      return Estimate(caller.player, *request, *response, stamp);
                    });
      },
      rpc::Calls::Purpose::kChange);
}

}  // namespace astragal::rating
