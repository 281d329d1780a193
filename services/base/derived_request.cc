#include "services/base/derived_request.h"

#include <algorithm>

#include "services/base/crypto.h"

namespace astragal::base {
namespace {

constexpr size_t kVersionByte = 6;  // its upper four bits
constexpr size_t kVariantByte = 8;  // its upper two bits
constexpr uint8_t kVersion = 8;
constexpr uint8_t kVariant = 2;

}  // namespace

RequestId DeriveRequestId(std::string_view text) {
  RequestId id;
  const Bytes32 hash = Sha256(text);
  std::copy_n(hash.begin(), id.bytes.size(), id.bytes.begin());
  id.bytes[kVersionByte] = static_cast<uint8_t>((id.bytes[kVersionByte] & 0x0F) | kVersion << 4);
  id.bytes[kVariantByte] = static_cast<uint8_t>((id.bytes[kVariantByte] & 0x3F) | kVariant << 6);
  return id;
}

bool IsDerived(const RequestId& id) {
  return id.bytes[kVersionByte] >> 4 == kVersion && id.bytes[kVariantByte] >> 6 == kVariant;
}

}  // namespace astragal::base
