#include "plugins/host/text_check.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/ascii.h"

namespace astragal::host {
namespace {

// Reads one code point off the front; false when it is malformed.
bool TakeCodePoint(absl::string_view& text, uint32_t& point) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(text[i])); };
  const uint32_t lead = byte(0);
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xC2 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                        : lead < 0xF5 ? 4
                                      : 0;
  if (length == 0 || text.size() < length) return false;
  point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return false;
    point = (point << 6) | (byte(i) & 0x3F);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (point < kSmallest[length] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) {
    return false;
  }
  text.remove_prefix(length);
  return true;
}

}  // namespace

bool IsCleanText(absl::string_view text, Lines lines) {
  while (!text.empty()) {
    uint32_t point = 0;
    if (!TakeCodePoint(text, point)) return false;
    if (point == '\n' && lines == Lines::kMany) continue;
    if (point < 0x20 || (point >= 0x7F && point < 0xA0)) return false;
  }
  return true;
}

bool IsName(absl::string_view text) {
  if (text.empty() || !absl::ascii_islower(static_cast<unsigned char>(text[0]))) return false;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (!absl::ascii_islower(u) && !absl::ascii_isdigit(u) && c != '_') return false;
  }
  return true;
}

}  // namespace astragal::host
