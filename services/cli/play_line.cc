#include "services/cli/play_line.h"

#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"

namespace astragal::cli {
namespace {

struct Word {
  std::string_view word;
  PlayLine::Kind kind;
};
// A listed action with the same spelling goes before these words.
constexpr std::array kWords = {
    Word{"?", PlayLine::Kind::kHelp},        Word{"help", PlayLine::Kind::kHelp},
    Word{"b", PlayLine::Kind::kBoard},       Word{"board", PlayLine::Kind::kBoard},
    Word{"resign", PlayLine::Kind::kResign}, Word{"q", PlayLine::Kind::kQuit},
    Word{"quit", PlayLine::Kind::kQuit},     Word{"exit", PlayLine::Kind::kQuit},
};

bool IsListed(absl::string_view typed, const v1::ListLegalActionsResponse& legal) {
  for (const v1::Action& action : legal.actions()) {
    if (absl::EqualsIgnoreCase(action.notation(), typed)) return true;
  }
  return false;
}

std::vector<std::string> Parts(absl::string_view text, const char* separators) {
  std::vector<std::string> parts;
  for (absl::string_view part : absl::StrSplit(text, absl::ByAnyChar(separators))) {
    part = absl::StripAsciiWhitespace(part);
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

}  // namespace

PlayLine ReadPlayLine(std::string_view line, const v1::ListLegalActionsResponse& legal) {
  const absl::string_view typed = absl::StripAsciiWhitespace(
      absl::string_view(line.data(), line.find('#') == line.npos ? line.size() : line.find('#')));
  PlayLine read;
  read.whole = std::string(typed);
  if (typed.empty()) return read;
  if (IsListed(typed, legal)) {
    read.kind = PlayLine::Kind::kActions;
    read.actions = {read.whole};
    return read;
  }
  for (const Word& word : kWords) {
    if (!absl::EqualsIgnoreCase(typed, absl::string_view(word.word.data(), word.word.size()))) {
      continue;
    }
    read.kind = word.kind;
    return read;
  }
  read.kind = PlayLine::Kind::kActions;
  const bool marked = typed.find_first_of(",;") != absl::string_view::npos;
  read.actions = Parts(typed, marked ? ",;" : " \t");
  read.maybe_one = !marked && read.actions.size() > 1;
  if (read.actions.empty()) read.kind = PlayLine::Kind::kNothing;
  return read;
}

}  // namespace astragal::cli
