#include "services/cli/text.h"

#include <algorithm>
#include <array>

#include "absl/time/time.h"

namespace astragal::cli {
namespace {

struct StatusName {
  v1::GameStatus status;
  std::string_view word;
};
constexpr std::array kStatusNames = {
    StatusName{v1::GAME_STATUS_OPEN, "open"},
    StatusName{v1::GAME_STATUS_RUNNING, "running"},
    StatusName{v1::GAME_STATUS_FINISHED, "finished"},
    StatusName{v1::GAME_STATUS_ABORTED, "aborted"},
    StatusName{v1::GAME_STATUS_CONTRIBUTING, "contributing"},
};

// Characters as a terminal counts them: bytes of UTF-8 that begin one.
size_t Width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

void PutPadded(std::string& out, const std::string& text, size_t width) {
  out += text;
  out.append(width - std::min(width, Width(text)), ' ');
}

void TrimRight(std::string& text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
}

void WrapLine(std::string_view line, size_t width, const std::string& indent, std::string& out) {
  std::string current = indent;
  bool empty = true;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (!empty && Width(current) + 1 + Width(word) > width) {
      out += current + "\n";
      current = indent;
      empty = true;
    }
    if (!empty) current += ' ';
    current += word;
    empty = false;
  }
  TrimRight(current);
  out += current + "\n";
}

}  // namespace

std::string TableText(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    if (widths.size() < row.size()) widths.resize(row.size());
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) PutPadded(line, row[i], widths[i] + 2);
    TrimRight(line);
    text += line + "\n";
  }
  return text;
}

std::string ColumnsText(const std::vector<std::string>& words, int width, int indent) {
  size_t widest = 0;
  for (const std::string& word : words) widest = std::max(widest, Width(word));
  const size_t room = static_cast<size_t>(std::max(1, width - indent));
  const size_t per_line = std::max<size_t>(1, (room + 2) / (widest + 2));
  std::string text;
  for (size_t i = 0; i < words.size(); i += per_line) {
    std::string line(static_cast<size_t>(indent), ' ');
    for (size_t j = i; j < std::min(words.size(), i + per_line); ++j) {
      PutPadded(line, words[j], widest + 2);
    }
    TrimRight(line);
    text += line + "\n";
  }
  return text;
}

std::string WrapText(std::string_view text, int width, int indent) {
  const std::string margin(static_cast<size_t>(indent), ' ');
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    WrapLine(text.substr(0, end), static_cast<size_t>(width), margin, out);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string TimeText(const google::protobuf::Timestamp& time) {
  if (time.seconds() == 0) return "-";
  return absl::FormatTime("%Y-%m-%d %H:%M:%S", absl::FromUnixSeconds(time.seconds()),
                          absl::UTCTimeZone());
}

std::string_view StatusWord(v1::GameStatus status) {
  for (const StatusName& name : kStatusNames) {
    if (name.status == status) return name.word;
  }
  return "unknown";
}

v1::GameStatus StatusFromWord(std::string_view word) {
  for (const StatusName& name : kStatusNames) {
    if (name.word == word) return name.status;
  }
  return v1::GAME_STATUS_UNSPECIFIED;
}

std::string Join(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += between;
    text += parts[i];
  }
  return text;
}

}  // namespace astragal::cli
