// The key of a server's operator, and the file that holds it.
//
// As text "ast_op_" and 64 hexadecimal digits of 256 random bits. The file holds one line and is of
// mode 0600: whoever can read it may load libraries into the server. Functions; any thread may call
// them. A failure is a sentence for the operator that names the file, and leaves nothing behind.
#ifndef ASTRAGAL_SERVICES_BASE_OPERATOR_KEY_H_
#define ASTRAGAL_SERVICES_BASE_OPERATOR_KEY_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/base/random.h"

namespace astragal::base {

inline constexpr std::string_view kOperatorKeyPrefix = "ast_op_";
inline constexpr std::string_view kOperatorKeyFile = "operator.key";  // in the data directory

// Whether `text` has the form of an operator's key.
bool IsOperatorKey(std::string_view text);

// NOT_FOUND when there is no such file; FAILED_PRECONDITION when others may read it, or it is not
// what MakeOperatorKey wrote; PERMISSION_DENIED when this account may not.
absl::StatusOr<std::string> ReadOperatorKey(const std::string& path);
// Reads the key, or makes one when there is no such file.
absl::StatusOr<std::string> ReadOrMakeOperatorKey(const std::string& path, Random& random);

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_OPERATOR_KEY_H_
