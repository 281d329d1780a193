#include "services/base/ids.h"

#include <span>

namespace astragal::base {
namespace {

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr size_t kTextLength = 26;  // 130 bits: the first character holds only three
constexpr size_t kUuidLength = 36;

int AlphabetValue(char c) {
  if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const size_t at = kAlphabet.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsUuidDash(size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

}  // namespace

std::string IdToText(const IdBytes& bytes) {
  std::string text(kTextLength, '0');
  // The last character holds the lowest five bits.
  for (size_t i = 0; i < kTextLength; ++i) {
    const size_t low_bit = 5 * i;
    unsigned value = 0;
    for (size_t bit = 0; bit < 5 && low_bit + bit < 128; ++bit) {
      const size_t at = low_bit + bit;
      value |= ((bytes[15 - at / 8] >> (at % 8)) & 1u) << bit;
    }
    text[kTextLength - 1 - i] = kAlphabet[value];
  }
  return text;
}

std::optional<IdBytes> IdFromText(std::string_view text) {
  if (text.size() != kTextLength) return std::nullopt;
  IdBytes bytes{};
  for (size_t i = 0; i < kTextLength; ++i) {
    const int value = AlphabetValue(text[kTextLength - 1 - i]);
    if (value < 0) return std::nullopt;
    for (size_t bit = 0; bit < 5; ++bit) {
      if (((value >> bit) & 1) == 0) continue;
      const size_t at = 5 * i + bit;
      if (at >= 128) return std::nullopt;
      bytes[15 - at / 8] |= static_cast<uint8_t>(1u << (at % 8));
    }
  }
  return bytes;
}

IdBytes MakeIdBytes(Instant now, Random& random) {
  IdBytes bytes{};
  random.Fill(std::span(bytes).subspan(6));
  const int64_t millis = now.micros / 1000;
  for (size_t i = 0; i < 6; ++i) bytes[i] = static_cast<uint8_t>(millis >> (8 * (5 - i)));
  return bytes;
}

std::optional<RequestId> RequestId::Parse(std::string_view text) {
  if (text.size() != kUuidLength) return std::nullopt;
  RequestId id;
  size_t digit = 0;
  for (size_t i = 0; i < kUuidLength; ++i) {
    if (IsUuidDash(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const int value = HexValue(text[i]);
    if (value < 0) return std::nullopt;
    id.bytes[digit / 2] = static_cast<uint8_t>(id.bytes[digit / 2] << 4 | value);
    ++digit;
  }
  if (id.bytes == IdBytes{}) return std::nullopt;
  return id;
}

std::string RequestId::ToText() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(kUuidLength);
  for (const uint8_t byte : bytes) {
    if (IsUuidDash(text.size())) text.push_back('-');
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

}  // namespace astragal::base
