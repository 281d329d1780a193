// Page tokens: where the next page of a list begins, signed so that nobody can make one up.
// A token is bound to its scope (the method and its filter). Immutable, thread-safe.
#ifndef ASTRAGAL_SERVICES_BASE_PAGE_TOKEN_H_
#define ASTRAGAL_SERVICES_BASE_PAGE_TOKEN_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/base/crypto.h"

namespace astragal::base {

inline constexpr int kDefaultPageSize = 50;
inline constexpr int kMaxPageSize = 1000;

// What a caller's page_size means: 0 is the default, more than the most is the most. BAD_FIELD when
// negative.
absl::StatusOr<size_t> PageSize(int asked);

class PageTokens {
 public:
  // All nodes that serve the same clients need the same key.
  explicit PageTokens(const Bytes32& key) : key_(key) {}

  // URL-safe text. `cursor` is any bytes.
  std::string Make(std::string_view scope, std::string_view cursor) const;
  // The cursor; empty for an empty token. PAGE_TOKEN_INVALID.
  absl::StatusOr<std::string> Read(std::string_view scope, std::string_view token) const;

 private:
  std::string Signature(std::string_view scope, std::string_view cursor) const;

  Bytes32 key_;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_PAGE_TOKEN_H_
