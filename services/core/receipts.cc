#include "services/core/receipts.h"

#include "services/base/bytes.h"

namespace astragal::core {

std::string SignedBytes(const Receipt& receipt) {
  base::ByteWriter out;
  out.Put(std::string_view("astragal-receipt-1")).Put(receipt.game.bytes()).Put(receipt.sequence);
  out.Put(receipt.log_hash).Put(receipt.at.micros);
  return out.Take();
}

bool IsGenuine(const Receipt& receipt) {
  return base::IsSignatureOf(receipt.public_key, SignedBytes(receipt), receipt.signature);
}

std::string KeyName(const base::Bytes32& public_key) {
  const base::Bytes32 hash = base::Sha256(base::AsView(public_key));
  return base::Hex(base::AsView(hash).substr(0, 8));
}

Receipts::Receipts(const base::SecretBox& box, uint32_t current) {
  for (uint32_t number = current; number >= 1; --number) {
    keys_.emplace_back(
        base::HmacSha256(box.key(), "astragal receipt key " + std::to_string(number)));
  }
}

Receipt Receipts::Sign(base::GameId game, uint32_t sequence, const base::Bytes32& log_hash,
                       base::Instant at) const {
  Receipt receipt{game, sequence, log_hash, at, keys_.front().public_key(), {}};
  receipt.signature = keys_.front().Sign(SignedBytes(receipt));
  return receipt;
}

std::vector<base::Bytes32> Receipts::PublicKeys() const {
  std::vector<base::Bytes32> out;
  for (const base::SigningKey& key : keys_) out.push_back(key.public_key());
  return out;
}

}  // namespace astragal::core
