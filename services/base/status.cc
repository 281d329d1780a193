#include "services/base/status.h"

#include <array>
#include <charconv>
#include <cstdlib>

#include "absl/strings/cord.h"
#include "services/base/access_reasons.h"
#include "services/base/lobby_reasons.h"

namespace astragal::base {
namespace {

using absl::StatusCode;

// The code that goes with each reason, in one place.
constexpr std::array kReasons = {
    ReasonInfo{Reason::kBadNotation, "BAD_NOTATION", StatusCode::kInvalidArgument},
    ReasonInfo{Reason::kBadOption, "BAD_OPTION", StatusCode::kInvalidArgument},
    ReasonInfo{Reason::kBadField, "BAD_FIELD", StatusCode::kInvalidArgument},
    ReasonInfo{Reason::kRequestIdReused, "REQUEST_ID_REUSED", StatusCode::kInvalidArgument},
    ReasonInfo{Reason::kPageTokenInvalid, "PAGE_TOKEN_INVALID", StatusCode::kInvalidArgument},
    ReasonInfo{Reason::kNotSeated, "NOT_SEATED", StatusCode::kPermissionDenied},
    ReasonInfo{Reason::kTokenMissing, "TOKEN_MISSING", StatusCode::kUnauthenticated},
    ReasonInfo{Reason::kTokenInvalid, "TOKEN_INVALID", StatusCode::kUnauthenticated},
    ReasonInfo{Reason::kTokenExpired, "TOKEN_EXPIRED", StatusCode::kUnauthenticated},
    ReasonInfo{Reason::kScopeMissing, "SCOPE_MISSING", StatusCode::kPermissionDenied},
    ReasonInfo{Reason::kNotFound, "NOT_FOUND", StatusCode::kNotFound},
    ReasonInfo{Reason::kAlreadyExists, "ALREADY_EXISTS", StatusCode::kAlreadyExists},
    ReasonInfo{Reason::kIllegalAction, "ILLEGAL_ACTION", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kNotYourTurn, "NOT_YOUR_TURN", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kStaleSequence, "STALE_SEQUENCE", StatusCode::kAborted},
    ReasonInfo{Reason::kStaleVersion, "STALE_VERSION", StatusCode::kAborted},
    ReasonInfo{Reason::kSequenceUnknown, "SEQUENCE_UNKNOWN", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kGameOver, "GAME_OVER", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kGameNotRunning, "GAME_NOT_RUNNING", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kGameFull, "GAME_FULL", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kAlreadySeated, "ALREADY_SEATED", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kTimeExpired, "TIME_EXPIRED", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kGameBegun, "GAME_BEGUN", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kTurnNotOver, "TURN_NOT_OVER", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kNothingToUndo, "NOTHING_TO_UNDO", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kOfferOpen, "OFFER_OPEN", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kNoOffer, "NO_OFFER", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kOfferNotAllowed, "OFFER_NOT_ALLOWED", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kNothingToClaim, "NOTHING_TO_CLAIM", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kProposalClosed, "PROPOSAL_CLOSED", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kMatchOver, "MATCH_OVER", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kGameStillRunning, "GAME_STILL_RUNNING", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kPledgesOpen, "PLEDGES_OPEN", StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kContributionsClosed, "CONTRIBUTIONS_CLOSED",
               StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kRulesetVersionUnavailable, "RULESET_VERSION_UNAVAILABLE",
               StatusCode::kFailedPrecondition},
    ReasonInfo{Reason::kRateLimited, "RATE_LIMITED", StatusCode::kResourceExhausted},
    ReasonInfo{Reason::kMessageTooLarge, "MESSAGE_TOO_LARGE", StatusCode::kResourceExhausted},
    ReasonInfo{Reason::kMailboxFull, "MAILBOX_FULL", StatusCode::kResourceExhausted},
    ReasonInfo{Reason::kWatcherTooSlow, "WATCHER_TOO_SLOW", StatusCode::kResourceExhausted},
    ReasonInfo{Reason::kStoreUnavailable, "STORE_UNAVAILABLE", StatusCode::kUnavailable},
    ReasonInfo{Reason::kDraining, "DRAINING", StatusCode::kUnavailable},
    ReasonInfo{Reason::kDeadlineTooShort, "DEADLINE_TOO_SHORT", StatusCode::kDeadlineExceeded},
    ReasonInfo{Reason::kRulesetFault, "RULESET_FAULT", StatusCode::kInternal},
    ReasonInfo{Reason::kReplayMismatch, "REPLAY_MISMATCH", StatusCode::kDataLoss},
    ReasonInfo{Reason::kInternal, "INTERNAL", StatusCode::kInternal},
    ReasonInfo{kNoPairing, "NO_PAIRING", StatusCode::kFailedPrecondition},
    ReasonInfo{kWarningsNotAccepted, "WARNINGS_NOT_ACCEPTED", StatusCode::kFailedPrecondition},
    ReasonInfo{kTournamentState, "TOURNAMENT_STATE", StatusCode::kFailedPrecondition},
    ReasonInfo{kLogArchived, "LOG_ARCHIVED", StatusCode::kFailedPrecondition},
    ReasonInfo{kRestricted, "RESTRICTED", StatusCode::kPermissionDenied},
    ReasonInfo{kReadOnly, "READ_ONLY", StatusCode::kUnavailable},
    ReasonInfo{kCompletionTooLow, "COMPLETION_TOO_LOW", StatusCode::kFailedPrecondition},
};

// The plugin host writes the same two payloads without depending on this file.
constexpr std::string_view kReasonUrl = "astragal/reason";
constexpr std::string_view kDetailUrl = "astragal/";
constexpr std::string_view kRetryKey = "retry_after_ms";

absl::string_view Absl(std::string_view text) { return {text.data(), text.size()}; }
std::string_view Std(absl::string_view text) { return {text.data(), text.size()}; }

}  // namespace

const ReasonInfo& InfoOf(Reason reason) {
  const size_t index = static_cast<size_t>(reason) - 1;
  if (index >= kReasons.size() || kReasons[index].reason != reason) std::abort();
  return kReasons[index];
}

std::optional<Reason> ReasonFromWord(std::string_view word) {
  for (const ReasonInfo& info : kReasons) {
    if (info.word == word) return info.reason;
  }
  return std::nullopt;
}

Error::Error(Reason reason, std::string_view message)
    : status_(InfoOf(reason).code, Absl(message)) {
  status_.SetPayload(Absl(kReasonUrl), absl::Cord(Absl(InfoOf(reason).word)));
}

Error& Error::With(std::string_view key, std::string_view value) {
  status_.SetPayload(Absl(std::string(kDetailUrl) + std::string(key)), absl::Cord(Absl(value)));
  return *this;
}

Error& Error::With(std::string_view key, int64_t value) { return With(key, std::to_string(value)); }

Error& Error::RetryAfterMs(int64_t ms) { return With(kRetryKey, ms); }

Error Draining() {
  return Error(Reason::kDraining, "this server is going down; ask another one").RetryAfterMs(1'000);
}

Reason ReasonOf(const absl::Status& status) {
  const auto payload = status.GetPayload(Absl(kReasonUrl));
  if (!payload) return Reason::kUnspecified;
  return ReasonFromWord(std::string(*payload)).value_or(Reason::kUnspecified);
}

std::map<std::string, std::string> DetailsOf(const absl::Status& status) {
  std::map<std::string, std::string> details;
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    const std::string_view key = Std(url);
    if (!key.starts_with(kDetailUrl) || key == kReasonUrl) return;
    details.emplace(key.substr(kDetailUrl.size()), std::string(payload));
  });
  return details;
}

bool IsTransient(const absl::Status& status) {
  switch (ReasonOf(status)) {
    case Reason::kStoreUnavailable:
    case Reason::kDraining:
    case Reason::kMailboxFull:
    case Reason::kRateLimited:
      return true;
    default:
      return false;
  }
}

}  // namespace astragal::base
