#include "services/base/page_token.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "services/base/bytes.h"
#include "services/base/status.h"

namespace astragal::base {
namespace {
constexpr size_t kSignatureBytes = 16;
}  // namespace

absl::StatusOr<size_t> PageSize(int asked) {
  if (asked < 0) {
    return Error(Reason::kBadField, "page_size cannot be negative").With("field", "page_size");
  }
  return static_cast<size_t>(asked == 0 ? kDefaultPageSize : std::min(asked, kMaxPageSize));
}

std::string PageTokens::Signature(std::string_view scope, std::string_view cursor) const {
  ByteWriter message;
  message.Put(std::string_view("astragal-page-1")).Put(static_cast<uint32_t>(scope.size()));
  message.Put(scope).Put(cursor);
  const Bytes32 mac = HmacSha256(key_, message.bytes());
  return std::string(AsView(mac).substr(0, kSignatureBytes));
}

std::string PageTokens::Make(std::string_view scope, std::string_view cursor) const {
  const std::string bytes = Signature(scope, cursor) + std::string(cursor);
  std::string token;
  absl::WebSafeBase64Escape(bytes, &token);
  return token;
}

absl::StatusOr<std::string> PageTokens::Read(std::string_view scope, std::string_view token) const {
  if (token.empty()) return std::string();
  std::string bytes;
  const bool decoded = absl::WebSafeBase64Unescape({token.data(), token.size()}, &bytes);
  if (decoded && bytes.size() > kSignatureBytes) {
    const std::string_view signature = std::string_view(bytes).substr(0, kSignatureBytes);
    const std::string_view cursor = std::string_view(bytes).substr(kSignatureBytes);
    if (ConstantTimeEqual(signature, Signature(scope, cursor))) return std::string(cursor);
  }
  return Error(Reason::kPageTokenInvalid, "this page_token does not belong to this list")
      .With("field", "page_token");
}

}  // namespace astragal::base
