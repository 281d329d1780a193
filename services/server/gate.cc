#include "services/server/gate.h"

#include <google/protobuf/descriptor.h>

#include <array>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace astragal::server {
namespace {

constexpr std::array kServiceNames = {"astragal.v1.AdminService",
                                      "astragal.v1.AuthService",
                                      "astragal.v1.EventService",
                                      "astragal.v1.GameService",
                                      "astragal.v1.HistoryService",
                                      "astragal.v1.LobbyService",
                                      "astragal.v1.MatchService",
                                      "astragal.v1.ModerationService",
                                      "astragal.v1.PlayerService",
                                      "astragal.v1.RatingService",
                                      "astragal.v1.RecordService",
                                      "astragal.v1.RulesetService",
                                      "astragal.v1.TournamentDirectorService",
                                      "astragal.v1.TournamentService"};

}  // namespace

std::span<const char* const> ServiceNames() { return kServiceNames; }

absl::StatusOr<std::unique_ptr<rpc::Gate>> OpenGate(const Options& options,
                                                    const std::string& operator_key,
                                                    core::Accounts& accounts) {
  std::vector<const google::protobuf::ServiceDescriptor*> services;
  for (const char* name : ServiceNames()) {
    services.push_back(google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name));
    if (services.back() == nullptr) {
      return absl::FailedPreconditionError(std::string(name) + " is no service");
    }
  }
  rpc::Gate::Options wanted{.operator_key = operator_key,
                            .certificates = !options.operator_ca.empty(),
                            .behind_proxy = options.behind_proxy,
                            .log_all_calls = options.log_calls};
  wanted.limits.enforced = LimitsEnforced(options);
  wanted.limits.capacity = options.capacity;
  return rpc::Gate::Make(accounts, services, std::move(wanted));
}

}  // namespace astragal::server
