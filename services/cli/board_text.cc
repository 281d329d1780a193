#include "services/cli/board_text.h"

#include <vector>

#include "services/cli/text.h"

namespace astragal::cli {

std::string BoardText(const v1::Position& position) {
  std::string board = position.board();
  if (board.empty()) board = position.text();
  while (!board.empty() && board.back() == '\n') board.pop_back();
  return board + "\n";
}

std::string ThrowsText(const v1::Position& position) {
  std::vector<std::string> left;
  std::vector<std::string> used;
  for (const v1::Throw& t : position.throws()) {
    (t.used() ? used : left).push_back(std::to_string(t.value()));
  }
  if (left.empty() && used.empty()) return "";
  std::string text = "to play: " + (left.empty() ? "nothing" : Join(left, ", "));
  if (!used.empty()) text += " (played: " + Join(used, ", ") + ")";
  return text;
}

std::string TurnText(const v1::Position& position, const Seats& seats) {
  if (position.actor() == -2) return "the game is over";
  if (position.actor() < 0) return "chance is to act";
  std::string text = seats.Who(position.actor()) + " to act";
  const std::string throws = ThrowsText(position);
  if (!throws.empty()) text += "; " + throws;
  return text;
}

std::string ActionsText(const v1::ListLegalActionsResponse& legal, const Terminal& terminal) {
  if (legal.actions().empty()) return "nothing can be played now\n";
  std::vector<std::string> words;
  for (const v1::Action& action : legal.actions()) words.push_back(action.notation());
  return "can play:\n" + ColumnsText(words, terminal.width, 2);
}

}  // namespace astragal::cli
