#include "services/lobby/nouns.h"

#include <algorithm>
#include <utility>

#include "services/rpc/call.h"
#include "services/rpc/terms.h"

namespace astragal::lobby {
namespace {

// More than any proposal may be open.
constexpr int64_t kMostSeconds = core::Lobby::kMaxOpenMs / 1'000;

template <typename Request>
absl::StatusOr<core::NewProposal> ReadAs(storage::ProposalKind kind, const Request& request) {
  absl::StatusOr<core::ProposalTerms> terms = Read(request.terms());
  if (!terms.ok()) return terms.status();
  if (request.open_seconds() < 0 || request.open_seconds() > kMostSeconds) {
    return rpc::BadField("open_seconds", "is out of bounds");
  }
  core::NewProposal asked;
  asked.kind = kind;
  asked.terms = *std::move(terms);
  asked.open_ms = request.open_seconds() * 1'000;
  asked.validate_only = request.validate_only();
  return asked;
}

}  // namespace

absl::StatusOr<core::ProposalTerms> Read(const v1::ProposalTerms& terms) {
  core::ProposalTerms out;
  if (terms.ruleset_id().empty()) return rpc::BadField("terms.ruleset_id", "is required");
  out.ruleset = terms.ruleset_id();
  out.rules_version = terms.rules_version();
  out.preset = terms.preset();
  out.options.assign(terms.options().begin(), terms.options().end());
  std::ranges::sort(out.options);  // a map has no order
  const auto visibility = rpc::ReadVisibility(terms.visibility(), "terms.visibility");
  if (!visibility.ok()) return visibility.status();
  out.visibility = *visibility;
  out.rated = terms.rated();
  const auto clock = rpc::ReadClock(terms.clock_policy(), "terms.clock_policy");
  if (!clock.ok()) return clock.status();
  out.clock = *clock;
  if (terms.has_seat()) out.seat = terms.seat();
  if (!terms.has_match()) return out;
  const auto match = rpc::ReadMatch(terms.match(), "terms.match");
  if (!match.ok()) return match.status();
  out.match = *match;
  return out;
}

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
