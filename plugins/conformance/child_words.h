// Words that both ends of the conversation with a child process use.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_CHILD_WORDS_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_CHILD_WORDS_H_

#include "absl/strings/string_view.h"

namespace astragal::conformance {

inline constexpr absl::string_view kChildFlag = "--conformance-child";
inline constexpr absl::string_view kChildCheck = "check";
inline constexpr absl::string_view kChildDigest = "digest";
inline constexpr absl::string_view kNoSuchPreset = "NO_SUCH_PRESET";

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_CHILD_WORDS_H_
