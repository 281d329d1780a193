#include "storage/sql_text.h"

#include <charconv>

namespace astragal::storage {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

int DigitValue(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

void AppendHex(std::string_view bytes, std::string& out) {
  size_t at = out.size();
  out.resize(at + bytes.size() * 2);
  for (const char byte : bytes) {
    const auto value = static_cast<uint8_t>(byte);
    out[at++] = kDigits[value >> 4];
    out[at++] = kDigits[value & 15];
  }
}

}  // namespace

std::string UuidText(const base::IdBytes& id) {
  std::string text;
  AppendHex(base::AsView(id), text);
  return text;
}

base::IdBytes UuidFromText(std::string_view text) {
  base::IdBytes id{};
  size_t digits = 0;
  for (const char letter : text) {
    const int value = DigitValue(letter);
    if (value < 0 || digits >= id.size() * 2) continue;
    id[digits / 2] = static_cast<uint8_t>(id[digits / 2] << 4 | value);
    ++digits;
  }
  return id;
}

std::string ByteaText(std::string_view bytes) {
  std::string text = "\\x";
  AppendHex(bytes, text);
  return text;
}

std::string BytesFromBytea(std::string_view text) {
  if (text.substr(0, 2) == "\\x") text.remove_prefix(2);
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(DigitValue(text[i]) << 4 | DigitValue(text[i + 1]));
  }
  return bytes;
}

std::vector<int64_t> IntegersFromArray(std::string_view text) {
  std::vector<int64_t> integers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    int64_t value = 0;
    const auto parsed = std::from_chars(at, end, value);
    if (parsed.ec == std::errc()) {
      integers.push_back(value);
      at = parsed.ptr;
    } else {
      ++at;
    }
  }
  return integers;
}

std::string ArrayFromIntegers(std::span<const int64_t> integers) {
  ArrayText array;
  for (const int64_t value : integers) array.Int(value);
  return std::move(array).Take();
}

void ArrayText::Raw(std::string_view text) {
  if (text_.size() > 1) text_ += ',';
  text_ += text;
}

void ArrayText::Text(std::string_view value) {
  Raw("\"");
  for (const char letter : value) {
    if (letter == '"' || letter == '\\') text_ += '\\';
    text_ += letter;
  }
  text_ += '"';
}

void ArrayText::Bytea(std::string_view value) {
  Raw("\"\\\\x");
  AppendHex(value, text_);
  text_ += '"';
}

std::string ArrayText::Take() && { return std::move(text_) + "}"; }

}  // namespace astragal::storage
