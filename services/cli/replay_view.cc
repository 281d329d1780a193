#include "services/cli/replay_view.h"

#include <array>
#include <iomanip>
#include <utility>

#include "services/cli/board_text.h"

namespace astragal::cli {
namespace {

struct BoardsWord {
  std::string_view word;
  Boards boards;
};
constexpr std::array kWords = {
    BoardsWord{"none", Boards::kNone},
    BoardsWord{"few", Boards::kFew},
    BoardsWord{"all", Boards::kAll},
};

}  // namespace

std::optional<Boards> BoardsFromWord(std::string_view word) {
  for (const BoardsWord& known : kWords) {
    if (known.word == word) return known.boards;
  }
  return std::nullopt;
}

bool ReplayView::WantsBoard(const TurnLine& line, bool is_last) {
  if (options_.boards != Boards::kFew) return options_.boards == Boards::kAll;
  const uint32_t middle = options_.first + (options_.last - options_.first) / 2;
  const bool is_start = !std::exchange(start_shown_, true);
  const bool is_middle = !middle_shown_ && line.last_sequence >= middle;
  if (is_middle) middle_shown_ = true;
  return is_start || is_middle || is_last;
}

void ReplayView::Show(const TurnLine& line, bool is_last) {
  out_ << std::setw(5) << line.first_sequence << "  " << line.text << "\n";
  if (WantsBoard(line, is_last)) out_ << "\n" << BoardText(position_) << "\n";
  out_ << std::flush;
  if (options_.pause && !is_last) options_.pause();
}

void ReplayView::Step(const v1::StreamReplayResponse& step) {
  if (const std::optional<TurnLine> closed = turns_.Add(step.event())) Show(*closed, false);
  position_ = step.position();
}

void ReplayView::End() {
  if (const std::optional<TurnLine> line = turns_.Close()) Show(*line, true);
}

}  // namespace astragal::cli
