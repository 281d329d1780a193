// How this room says why a call failed: an absl::Status whose payloads carry a reason word, and the
// field it is about. Whoever answers clients maps the word; this room knows no service.
//
//   ILLEGAL_ACTION  FailedPrecondition  the action, or leaving, is against the rules here
//   GAME_OVER       FailedPrecondition  nothing can be done in this position any more
//   BAD_NOTATION    InvalidArgument     a text or block of bytes cannot be read
//   BAD_OPTION      InvalidArgument     an option or preset is unknown or out of bounds
//   RULESET_FAULT   Internal            the plugin broke its contract; the message is for operators
#ifndef ASTRAGAL_PLUGINS_HOST_REASON_H_
#define ASTRAGAL_PLUGINS_HOST_REASON_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace astragal::host {

inline constexpr absl::string_view kReasonPayload = "astragal/reason";
inline constexpr absl::string_view kFieldPayload = "astragal/field";

inline constexpr absl::string_view kIllegalAction = "ILLEGAL_ACTION";
inline constexpr absl::string_view kGameOver = "GAME_OVER";
inline constexpr absl::string_view kBadNotation = "BAD_NOTATION";
inline constexpr absl::string_view kBadOption = "BAD_OPTION";
inline constexpr absl::string_view kRulesetFault = "RULESET_FAULT";

// `reason` is one of the words above and decides the code. An empty field is left out.
absl::Status ReasonError(absl::string_view reason, absl::string_view message,
                         absl::string_view field = "");

// The payloads of a status; empty when there is none.
std::string ReasonOf(const absl::Status& status);
std::string FieldOf(const absl::Status& status);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_REASON_H_
