#include "services/cli/record_client.h"

#include <string>
#include <utility>

#include "astragal/v1/record_service.grpc.pb.h"
#include "services/cli/context.h"
#include "services/cli/wire.h"

namespace astragal::cli {

struct RecordClient::Wire {
  explicit Wire(const std::string& server) : stub(Connect(server)) {}

  base::SystemRandom random;
  v1::RecordService::Stub stub;
};

RecordClient::RecordClient(Client::Options options)
    : options_(std::move(options)), wire_(std::make_unique<Wire>(options_.server)) {}

RecordClient::~RecordClient() = default;

#define ASTRAGAL_UNARY(Method, attempt)                                                         \
  absl::StatusOr<v1::Method##Response> RecordClient::Call(const v1::Method##Request& request) { \
    return CallUnary(options_, wire_->random, wire_->stub, &v1::RecordService::Stub::Method,    \
                     request, attempt);                                                         \
  }
ASTRAGAL_UNARY(FindSequence, Client::kAttemptLimit)
ASTRAGAL_UNARY(FindGames, Client::kAttemptLimit)
ASTRAGAL_UNARY(GetGameStatistics, Client::kAttemptLimit)
ASTRAGAL_UNARY(GetThrowStatistics, Client::kAttemptLimit)
ASTRAGAL_UNARY(GetFairnessProof, Client::kAttemptLimit)
ASTRAGAL_UNARY(GetReceipt, Client::kAttemptLimit)
ASTRAGAL_UNARY(ListReceiptKeys, Client::kAttemptLimit)
ASTRAGAL_UNARY(VerifyGame, Client::kAttemptLimit)
ASTRAGAL_UNARY(CompareBuilds, Client::kAttemptLimit)
ASTRAGAL_UNARY(VerifyGames, options_.timeout)
ASTRAGAL_UNARY(ImportGames, options_.timeout)
ASTRAGAL_UNARY(ArchiveGames, options_.timeout)
#undef ASTRAGAL_UNARY

absl::Status RecordClient::Export(const v1::ExportGamesRequest& request,
                                  const std::function<bool(const v1::ExportGamesResponse&)>& take) {
  grpc::ClientContext context;
  Identify(context, options_.key);
  const auto reader = wire_->stub.ExportGames(&context, request);
  v1::ExportGamesResponse game;
  bool goes_on = true;
  while (goes_on && reader->Read(&game)) goes_on = take(game);
  if (!goes_on) context.TryCancel();
  while (reader->Read(&game)) {
  }
  const absl::Status status = StatusFrom(reader->Finish(), options_.server);
  return goes_on ? status : absl::OkStatus();
}

RecordClient RecordClientFor(Context& context) {
  const absl::StatusOr<Client*> player = context.AsPlayer();
  return RecordClient(player.ok() ? (*player)->options() : context.Anonymous().options());
}

}  // namespace astragal::cli
