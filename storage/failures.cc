#include "storage/failures.h"

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "services/base/status.h"

namespace astragal::storage {
namespace {

using base::Error;
using base::Reason;

constexpr absl::string_view kSqlStateUrl = "astragal.storage/sqlstate";
constexpr absl::string_view kWordsUrl = "astragal.storage/words";

// The SQLSTATE of a text that the database cannot hold: whoever sent it can mend it.
constexpr std::string_view kBadText = "22021";

absl::string_view Absl(std::string_view text) { return {text.data(), text.size()}; }

struct StateClass {
  std::string_view prefix;  // of the SQLSTATE
  Failure failure;
};

// The longest prefix that fits counts; anything else is a fault of ours.
constexpr StateClass kStates[] = {
    {"", Failure::kBroken},           {"08", Failure::kInDoubt},  // connection exceptions
    {"22", Failure::kRefused},                                    // values
    {"23", Failure::kRefused},                                    // constraints
    {"25006", Failure::kUnavailable},  // read-only: a standby, or a disk that is full
    {"40001", Failure::kTryAgain},     // serialization
    {"40P01", Failure::kTryAgain},     // deadlock
    {"40003", Failure::kInDoubt},      // completion unknown
    {"53", Failure::kUnavailable},     // disk, memory, connections
    {"54000", Failure::kRefused},      // a value too large
    {"55P03", Failure::kUnavailable},  // lock_timeout
    {"57014", Failure::kUnavailable},  // statement_timeout
    {"57P", Failure::kInDoubt},        // the server goes down
    {"58", Failure::kUnavailable},     // input and output errors of the server
    {"P0001", Failure::kRefused},      // a trigger said no
    {"XX", Failure::kUnavailable},     // damaged data, internal errors
};

std::string PayloadOf(const absl::Status& status, absl::string_view url) {
  const auto payload = status.GetPayload(url);
  return payload ? std::string(*payload) : std::string();
}

}  // namespace

absl::Status Unavailable(std::string_view message, int64_t retry_after_ms) {
  return Error(Reason::kStoreUnavailable, message).RetryAfterMs(retry_after_ms);
}

absl::Status InDoubt() {
  const absl::Status like = Unavailable("");
  absl::Status status(absl::StatusCode::kAborted,
                      "the connection to the store broke: nobody knows whether this happened");
  like.ForEachPayload([&status](absl::string_view url, const absl::Cord& payload) {
    status.SetPayload(url, payload);
  });
  return status;
}

absl::Status FromSqlState(std::string_view sqlstate, std::string_view words) {
  absl::Status status = absl::InternalError(Absl(words));
  status.SetPayload(kSqlStateUrl, absl::Cord(sqlstate.empty() ? "08006" : Absl(sqlstate)));
  status.SetPayload(kWordsUrl, absl::Cord(Absl(words)));
  return status;
}

Failure FailureOf(const absl::Status& status) {
  if (status.ok()) return Failure::kNone;
  const std::string sqlstate = SqlStateOf(status);
  if (sqlstate.empty()) {
    if (base::ReasonOf(status) != Reason::kStoreUnavailable) return Failure::kBroken;
    return absl::IsAborted(status) ? Failure::kInDoubt : Failure::kUnavailable;
  }
  const StateClass* best = &kStates[0];
  for (const StateClass& state : kStates) {
    if (absl::StartsWith(sqlstate, Absl(state.prefix)) &&
        state.prefix.size() >= best->prefix.size()) {
      best = &state;
    }
  }
  return best->failure;
}

std::string SqlStateOf(const absl::Status& status) { return PayloadOf(status, kSqlStateUrl); }
std::string WordsOf(const absl::Status& status) {
  const std::string words = PayloadOf(status, kWordsUrl);
  return words.empty() ? std::string(status.message()) : words;
}

bool Violates(const absl::Status& status, std::string_view constraint) {
  return absl::StartsWith(SqlStateOf(status), "23") &&
         absl::StrContains(WordsOf(status), Absl(constraint));
}

absl::Status Public(const absl::Status& status) {
  switch (FailureOf(status)) {
    case Failure::kNone:
      return absl::OkStatus();
    case Failure::kInDoubt:
      return InDoubt();
    case Failure::kUnavailable:
    case Failure::kTryAgain:
      if (SqlStateOf(status).empty()) return status;
      return Unavailable("the store cannot do this now");
    case Failure::kRefused:
      if (SqlStateOf(status) == kBadText) {
        return Error(Reason::kBadField, "a text is not UTF-8, or holds a zero byte");
      }
      return Error(Reason::kInternal, "the store refused a value");
    case Failure::kBroken:
      if (base::ReasonOf(status) != Reason::kUnspecified) return status;
      return Error(Reason::kInternal, "the store did not understand a statement");
  }
  return status;
}

}  // namespace astragal::storage
