#include "services/algorithms/game_record.h"

namespace astragal::algorithms {
namespace {

constexpr std::string_view kLinesBegin = "{\"format\":";
constexpr std::string_view kTextBegin = "[Game ";

bool Begins(std::string_view line) {
  return line.starts_with(kLinesBegin) || line.starts_with(kTextBegin);
}

}  // namespace

std::vector<RecordPart> SplitRecords(std::string_view file) {
  std::vector<RecordPart> parts;
  bool begun = false;  // what stands before the first record is part of it
  size_t begin = 0;
  for (uint32_t number = 1; begin < file.size(); ++number) {
    const size_t end = std::min(file.find('\n', begin), file.size() - 1) + 1;
    const std::string_view line = file.substr(begin, end - begin);
    const bool blank = line.find_first_not_of(" \r\n") == std::string_view::npos;
    const bool begins = Begins(line);
    if (parts.empty() ? !blank : begins && begun) {
      parts.push_back({file.substr(begin, 0), number});
      begun = begins;
    } else if (begins) {
      begun = true;
    }
    if (!parts.empty()) {
      RecordPart& part = parts.back();
      part.text = {part.text.data(), static_cast<size_t>(file.data() + end - part.text.data())};
    }
    begin = end;
  }
  return parts;
}

ReadRecord ReadPart(const RecordPart& part) {
  const size_t first = part.text.find_first_not_of(" \r\n");
  const bool lines = first != std::string_view::npos && part.text[first] == '{';
  return lines ? ReadLines(part.text, part.first_line) : ReadText(part.text, part.first_line);
}

}  // namespace astragal::algorithms
