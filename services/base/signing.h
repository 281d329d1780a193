// Signatures: Ed25519 (RFC 8032), in crypto.cc beside everything else that is OpenSSL's.
//
// Immutable values; any thread may use them. A failure of the library itself crashes.
#ifndef ASTRAGAL_SERVICES_BASE_SIGNING_H_
#define ASTRAGAL_SERVICES_BASE_SIGNING_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "services/base/crypto.h"

namespace astragal::base {

using Signature = std::array<uint8_t, 64>;

class SigningKey {
 public:
  // The private key is this seed.
  explicit SigningKey(const Bytes32& seed);

  const Bytes32& public_key() const { return public_key_; }
  Signature Sign(std::string_view message) const;

 private:
  Bytes32 seed_;
  Bytes32 public_key_{};
};

// False, too, for what is no public key.
bool IsSignatureOf(const Bytes32& public_key, std::string_view message, const Signature& signature);

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_SIGNING_H_
