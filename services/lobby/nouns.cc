#include "services/lobby/nouns.h"

#include <algorithm>
#include <utility>

#include "services/rpc/call.h"
#include "services/rpc/proposals.h"

namespace astragal::lobby {
namespace {

// More than any proposal may be open.
constexpr int64_t kMostSeconds = core::Lobby::kMaxOpenMs / 1'000;

template <typename Request>
absl::StatusOr<core::NewProposal> ReadAs(storage::ProposalKind kind, const Request& request) {
  absl::StatusOr<core::ProposalTerms> terms = rpc::Read(request.terms());
  if (!terms.ok()) return terms.status();
  if (request.open_seconds() < 0 || request.open_seconds() > kMostSeconds) {
    return rpc::BadField("open_seconds", "is out of bounds");
  }
  core::NewProposal asked;
  asked.kind = kind;
  asked.terms = *std::move(terms);
  // Core judges how long it may be open; a number that is far off stays so.
  constexpr int64_t kFarOff = 1'000'000'000;
  asked.open_ms = std::clamp(request.open_seconds(), -kFarOff, kFarOff) * 1'000;
  asked.validate_only = request.validate_only();
  return asked;
}

}  // namespace

absl::StatusOr<core::NewProposal> Read(const v1::CreateSeekRequest& request) {
  return ReadAs(storage::ProposalKind::kSeek, request);
}

absl::StatusOr<core::NewProposal> Read(const v1::CreateTicketRequest& request) {
  return ReadAs(storage::ProposalKind::kTicket, request);
}

absl::StatusOr<core::NewProposal> Read(const v1::CreateChallengeRequest& request) {
  const auto opponent = rpc::ReadId<base::PlayerId>(request.opponent_id(), "opponent");
  if (!opponent.ok()) return opponent.status();
  absl::StatusOr<core::NewProposal> asked = ReadAs(storage::ProposalKind::kChallenge, request);
  if (asked.ok()) asked->opponent = *opponent;
  return asked;
}

}  // namespace astragal::lobby
