// Calls of the service's RecordService, as client.h makes those of the others; apart from it,
// because few commands need them. Same contract. Owns its channel.
#ifndef ASTRAGAL_SERVICES_CLI_RECORD_CLIENT_H_
#define ASTRAGAL_SERVICES_CLI_RECORD_CLIENT_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "astragal/v1/record_service.pb.h"
#include "services/cli/client.h"

namespace astragal::cli {

class Context;

// A call of these works on many games.
inline constexpr absl::Duration kOperatorLimit = absl::Minutes(2);

class RecordClient {
 public:
  explicit RecordClient(Client::Options options);
  ~RecordClient();
  RecordClient(const RecordClient&) = delete;
  RecordClient& operator=(const RecordClient&) = delete;

  absl::StatusOr<v1::FindSequenceResponse> Call(const v1::FindSequenceRequest& request);
  absl::StatusOr<v1::FindGamesResponse> Call(const v1::FindGamesRequest& request);
  absl::StatusOr<v1::GetGameStatisticsResponse> Call(const v1::GetGameStatisticsRequest& request);
  absl::StatusOr<v1::GetThrowStatisticsResponse> Call(const v1::GetThrowStatisticsRequest& request);
  absl::StatusOr<v1::GetFairnessProofResponse> Call(const v1::GetFairnessProofRequest& request);
  absl::StatusOr<v1::GetReceiptResponse> Call(const v1::GetReceiptRequest& request);
  absl::StatusOr<v1::ListReceiptKeysResponse> Call(const v1::ListReceiptKeysRequest& request);
  absl::StatusOr<v1::VerifyGameResponse> Call(const v1::VerifyGameRequest& request);
  absl::StatusOr<v1::CompareBuildsResponse> Call(const v1::CompareBuildsRequest& request);
  // With the operator's key. These have all of the timeout for one try.
  absl::StatusOr<v1::VerifyGamesResponse> Call(const v1::VerifyGamesRequest& request);
  absl::StatusOr<v1::ImportGamesResponse> Call(const v1::ImportGamesRequest& request);
  absl::StatusOr<v1::ArchiveGamesResponse> Call(const v1::ArchiveGamesRequest& request);

  // Hands each game to `take` until that says no or there are no more. Never repeated: whoever
  // reads knows from where to go on.
  absl::Status Export(const v1::ExportGamesRequest& request,
                      const std::function<bool(const v1::ExportGamesResponse&)>& take);

 private:
  struct Wire;

  const Client::Options options_;
  const std::unique_ptr<Wire> wire_;
};

// With the chosen player's key, if there is one: hidden games are shown to their players alone.
RecordClient RecordClientFor(Context& context);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_RECORD_CLIENT_H_
