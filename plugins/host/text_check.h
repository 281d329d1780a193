// What text may cross the border: UTF-8 without control characters.
#ifndef ASTRAGAL_PLUGINS_HOST_TEXT_CHECK_H_
#define ASTRAGAL_PLUGINS_HOST_TEXT_CHECK_H_

#include "absl/strings/string_view.h"

namespace astragal::host {

enum class Lines { kOne, kMany };  // kMany allows '\n'

// Valid UTF-8 (shortest forms, no surrogates) and no control characters.
bool IsCleanText(absl::string_view text, Lines lines);

// [a-z][a-z0-9_]*
bool IsName(absl::string_view text);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_TEXT_CHECK_H_
