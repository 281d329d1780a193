#include "services/algorithms/record_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "absl/strings/str_cat.h"

namespace astragal::algorithms {
namespace {

constexpr std::array<std::string_view, 6> kTextKeys = {"game",       "ruleset",    "build",
                                                       "created_by", "commitment", "match"};

}  // namespace

bool IsTextKey(std::string_view key) {
  return std::ranges::find(kTextKeys, key) != kTextKeys.end();
}

std::string TagOf(std::string_view key) {
  std::string tag;
  bool upper = true;
  for (const char c : key) {
    if (c != '_') tag += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '_';
  }
  return tag;
}
std::string KeyOf(std::string_view tag) {
  std::string key;
  for (const char c : tag) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) != 0 && !key.empty()) key += '_';
    key += static_cast<char>(std::tolower(byte));
  }
  return key;
}
bool IsTag(std::string_view key) {
  return !key.empty() && std::isupper(static_cast<unsigned char>(key.front())) != 0 &&
         std::ranges::all_of(key, [](unsigned char c) { return std::isalnum(c) != 0; });
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Word(std::string_view notation) {
  constexpr std::string_view kMeaning = " %{}~^:;";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : notation) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && kMeaning.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += {'%', kDigits[byte >> 4], kDigits[byte & 0xF]};
    }
  }
  return out;
}
std::optional<std::string> FromWord(std::string_view word) {
  std::string out;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      out += word[i];
      continue;
    }
    const std::optional<std::string> byte = BytesFromHex(word.substr(i + 1, 2));
    if (!byte || byte->size() != 1) return std::nullopt;
    out += *byte;
    i += 2;
  }
  return out;
}

std::string Seconds(int64_t micros) {
  std::string text = absl::StrCat(micros / 1'000'000);
  std::string rest = std::to_string(1'000'000 + micros % 1'000'000).substr(1);
  while (!rest.empty() && rest.back() == '0') rest.pop_back();
  return rest.empty() ? text : text + "." + rest;
}
std::optional<int64_t> MicrosOf(std::string_view text) {
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || seconds < 0 || seconds > 9'000'000'000'000) return std::nullopt;
  std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  if (rest.empty()) return seconds * 1'000'000;
  rest.remove_prefix(1);
  if (end[0] != '.' || rest.empty() || rest.size() > 6) return std::nullopt;
  int64_t micros = 0;
  for (size_t i = 0; i < 6; ++i) {
    const char c = i < rest.size() ? rest[i] : '0';
    if (c < '0' || c > '9') return std::nullopt;
    micros = 10 * micros + (c - '0');
  }
  return seconds * 1'000'000 + micros;
}

std::string ResultOf(const GameRecord& record) {
  if (record.events.empty()) return "";
  const Json fields = FieldsOf(record.events.back(), record.seats);
  std::string out;
  const auto points = fields.find("points");
  if (record.events.back().kind != kRecordFinished || points == fields.end()) return "";
  for (const Json& seat : *points) absl::StrAppend(&out, out.empty() ? "" : "-", seat.dump());
  return out;
}

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    const size_t end = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace astragal::algorithms
