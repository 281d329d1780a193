// Errors that help: an absl::Status with a reason word from one documented list.
//
// A reason is what a client's program branches on, the message is what its developer reads, and the
// details are named values (the current sequence, the field that is wrong). They travel as payloads
// of the status; services/rpc/status.cc turns them into google.rpc details. Messages never hold
// SQL, paths, addresses or secrets. Thread-compatible: a Status is a value.
#ifndef ASTRAGAL_SERVICES_BASE_STATUS_H_
#define ASTRAGAL_SERVICES_BASE_STATUS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace astragal::base {

// The documented list of reason words (README of services/base says when each is used). The code of
// a reason is fixed: see status.cc.
enum class Reason {
  kUnspecified,
  // What the caller sent.
  kBadNotation,
  kBadOption,
  kBadField,
  kRequestIdReused,
  kPageTokenInvalid,
  // What the caller may not do.
  kNotSeated,
  kTokenMissing,
  kTokenInvalid,
  kTokenExpired,
  kScopeMissing,
  kNotFound,
  kAlreadyExists,
  // What does not fit the state.
  kIllegalAction,
  kNotYourTurn,
  kStaleSequence,
  kStaleVersion,
  kSequenceUnknown,
  kGameOver,
  kGameNotRunning,
  kGameFull,
  kAlreadySeated,
  kTimeExpired,
  kGameBegun,
  kTurnNotOver,
  kNothingToUndo,
  kOfferOpen,
  kNoOffer,
  kOfferNotAllowed,
  kNothingToClaim,
  kProposalClosed,
  kMatchOver,
  kGameStillRunning,
  kPledgesOpen,
  kContributionsClosed,
  kRulesetVersionUnavailable,
  // Limits and outages.
  kRateLimited,
  kMessageTooLarge,
  kMailboxFull,
  kWatcherTooSlow,
  kStoreUnavailable,
  kDraining,
  kDeadlineTooShort,
  // Ours.
  kRulesetFault,
  kReplayMismatch,
  kInternal,
};

struct ReasonInfo {
  Reason reason;
  std::string_view word;  // for example "STALE_SEQUENCE"
  absl::StatusCode code;
};
// Every reason but kUnspecified, in the order of the enum.
const ReasonInfo& InfoOf(Reason reason);
std::optional<Reason> ReasonFromWord(std::string_view word);

// Builds a status: Error(Reason::kStaleSequence, "...").With("current_sequence", 17).
class Error {
 public:
  Error(Reason reason, std::string_view message);
  // Adds a detail; the key "field" names the request field that is wrong.
  Error& With(std::string_view key, std::string_view value);
  Error& With(std::string_view key, int64_t value);
  // How long a client should wait before it tries again.
  Error& RetryAfterMs(int64_t ms);
  operator absl::Status() const { return status_; }  // NOLINT(google-explicit-constructor)

 private:
  absl::Status status_;
};

// Why a call is refused while the server goes down.
Error Draining();

// kUnspecified when the status carries none (or is OK).
Reason ReasonOf(const absl::Status& status);
// The details added by With, by key.
std::map<std::string, std::string> DetailsOf(const absl::Status& status);
// True when a retry of the same call can succeed without anybody changing anything.
bool IsTransient(const absl::Status& status);

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_STATUS_H_
