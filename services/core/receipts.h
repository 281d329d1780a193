// Receipts: the server's signature under the hash of a game's log. Who keeps one can show that the
// log was changed afterwards.
//
// The keys follow from the key file and a number, so that nodes which share the file sign with the
// same key, and no further secret has to be kept. To rotate, raise the number: receipts of older
// keys stay good. Immutable, thread-safe.
#ifndef ASTRAGAL_SERVICES_CORE_RECEIPTS_H_
#define ASTRAGAL_SERVICES_CORE_RECEIPTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "services/base/clock.h"
#include "services/base/ids.h"
#include "services/base/signing.h"

namespace astragal::core {

struct Receipt {
  base::GameId game;
  uint32_t sequence = 0;
  base::Bytes32 log_hash{};
  base::Instant at;
  base::Bytes32 public_key{};
  base::Signature signature{};
};

// What is signed: "astragal-receipt-1" | game id (16) | sequence (u32) | log hash (32) | instant in
// microseconds (i64), integers little-endian.
std::string SignedBytes(const Receipt& receipt);
bool IsGenuine(const Receipt& receipt);
// The first 8 bytes of the SHA-256 of a public key, in hexadecimal.
std::string KeyName(const base::Bytes32& public_key);

class Receipts {
 public:
  static constexpr uint32_t kMaxKey = 1'000;

  // Signs with key number `current`, 1 .. kMaxKey.
  Receipts(const base::SecretBox& box, uint32_t current);

  Receipt Sign(base::GameId game, uint32_t sequence, const base::Bytes32& log_hash,
               base::Instant at) const;
  // The present public key first, then the older ones.
  std::vector<base::Bytes32> PublicKeys() const;

 private:
  std::vector<base::SigningKey> keys_;  // the present one first
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_RECEIPTS_H_
