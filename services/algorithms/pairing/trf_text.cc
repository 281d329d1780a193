#include "services/algorithms/pairing/trf_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace astragal::algorithms::trf {
namespace {

constexpr std::string_view kBlanks = " \t";

// Bytes of the character that begins with this one; 0 when none does.
int CharacterBytes(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

bool AllDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

int ValueOf(std::string_view digits) {
  int value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

}  // namespace

std::optional<Columns> Columns::Of(std::string_view line) {
  Columns columns;
  columns.line_ = line;
  size_t at = 0;
  while (at < line.size()) {
    columns.starts_.push_back(at);
    const int bytes = CharacterBytes(static_cast<unsigned char>(line[at]));
    if (bytes == 0 || at + bytes > line.size()) return std::nullopt;
    for (int i = 1; i < bytes; ++i) {
      if ((static_cast<unsigned char>(line[at + i]) & 0xC0) != 0x80) return std::nullopt;
    }
    at += bytes;
  }
  columns.starts_.push_back(at);
  return columns;
}

Columns Columns::OfBytes(std::string_view line) {
  Columns columns;
  columns.line_ = line;
  for (size_t at = 0; at <= line.size(); ++at) columns.starts_.push_back(at);
  return columns;
}

std::string_view Columns::At(int from, int count) const {
  if (from >= width()) return {};
  const int to = std::min(from + count, width());
  return line_.substr(starts_[from], starts_[to] - starts_[from]);
}

std::string_view Columns::From(int from) const {
  return from >= width() ? std::string_view() : line_.substr(starts_[from]);
}

std::string FromLatin1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

std::string_view WithoutBrokenEnd(std::string_view text) {
  while (!Columns::Of(text).has_value()) text.remove_suffix(1);
  return text;
}

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  size_t at = text.find_first_not_of(kBlanks);
  while (at != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::optional<int> ParseNumber(std::string_view text) {
  const std::string_view digits = Trim(text);
  if (digits.empty() || digits.size() > 9 || !AllDigits(digits)) return std::nullopt;
  return ValueOf(digits);
}

std::optional<Tenths> ParsePoints(std::string_view text) {
  const std::string_view number = Trim(text);
  const size_t point = std::min(number.find('.'), number.size());
  const std::string_view whole = number.substr(0, point);
  const std::string_view part =
      point < number.size() ? number.substr(point + 1) : std::string_view("0");
  if (whole.size() > 6 || part.size() != 1 || number.empty()) return std::nullopt;
  if (!AllDigits(whole) || !AllDigits(part)) return std::nullopt;
  return ValueOf(whole) * 10 + ValueOf(part);
}

std::string FormatPoints(Tenths points) { return absl::StrCat(points / 10, ".", points % 10); }

}  // namespace astragal::algorithms::trf
