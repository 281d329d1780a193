// The few cryptographic functions Astragal needs, all from OpenSSL; the only file that includes it.
// Pure functions but for the key file; any thread may call them. A failure of the library itself is
// a broken invariant and crashes.
#ifndef ASTRAGAL_SERVICES_BASE_CRYPTO_H_
#define ASTRAGAL_SERVICES_BASE_CRYPTO_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/base/random.h"

namespace astragal::base {

using Bytes32 = std::array<uint8_t, 32>;

Bytes32 Sha256(std::string_view data);
Bytes32 HmacSha256(std::span<const uint8_t> key, std::string_view message);
// Takes the same time wherever two values of equal length differ.
bool ConstantTimeEqual(std::string_view a, std::string_view b);

std::string_view AsView(std::span<const uint8_t> bytes);
std::string Hex(std::string_view bytes);

// Encrypts and authenticates small secrets (AES-256-GCM: 12-byte nonce, ciphertext, 16-byte tag).
// `context` is bound to the result: opening needs the same one, so a sealed value cannot be moved
// to another row. Thread-safe, immutable.
class SecretBox {
 public:
  explicit SecretBox(const Bytes32& key) : key_(key) {}

  // Reads the 32-byte key from `path`, or creates it (mode 0600) when the file does not exist.
  // FAILED_PRECONDITION when the file is readable by others or has another size.
  static absl::StatusOr<SecretBox> FromKeyFile(const std::string& path, Random& random);

  // For deriving other keys with HmacSha256; never to be used as it is.
  const Bytes32& key() const { return key_; }

  std::string Seal(std::string_view plain, std::string_view context, Random& random) const;
  // DATA_LOSS when the text, key or context is not the one it was sealed with.
  absl::StatusOr<std::string> Open(std::string_view sealed, std::string_view context) const;

 private:
  Bytes32 key_;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_CRYPTO_H_
