#include "plugins/host/sha256.h"

#include <openssl/sha.h>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"

namespace astragal::host {

std::string Sha256Hex(absl::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(digest), sizeof digest));
}

bool IsSha256Hex(absl::string_view text) {
  if (text.size() != 2 * SHA256_DIGEST_LENGTH) return false;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (!absl::ascii_isdigit(u) && !(u >= 'a' && u <= 'f')) return false;
  }
  return true;
}

}  // namespace astragal::host
