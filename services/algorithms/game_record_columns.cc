// The two-column match text: a line for each pair of turns, white (or whoever has seat 0) on the
// left.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "services/algorithms/game_record.h"

namespace astragal::algorithms {
namespace {

constexpr size_t kColumn = 34;

struct Turn {
  int seat = -1;
  std::string thrown;
  std::string moves;
  int64_t throw_kind = -1;
};

// 6-3 is written 63.
std::string Digits(const std::string& notation) {
  std::string out;
  for (const char c : notation) {
    if (c != '-') out += c;
  }
  return out;
}

// Throws before the first turn that are of another kind than its own decide who begins.
void ForgetOpening(std::vector<Turn>& turns) {
  const auto first = std::ranges::find_if(turns, [](const Turn& turn) { return turn.seat >= 0; });
  if (first == turns.end()) return;
  const int64_t kind = first->throw_kind;
  turns.erase(turns.begin(), std::find_if(turns.begin(), first, [&](const Turn& turn) {
                return turn.throw_kind == kind;
              }));
}

// Turns in order. A throw without action is a turn that could not be played; it belongs to whoever
// did not play before it.
std::vector<Turn> TurnsOf(const GameRecord& record) {
  std::vector<Turn> turns;
  int last_seat = -1;
  for (const RecordEvent& event : record.events) {
    if (event.kind == kRecordThrow) {
      turns.push_back({-1, Digits(event.notation), "", event.number >> 16});
    }
    if (event.kind != kRecordAction) continue;
    if (turns.empty() || (turns.back().seat >= 0 && turns.back().seat != event.seat)) {
      turns.push_back({event.seat, "", "", -1});
    }
    turns.back().seat = event.seat;
    absl::StrAppend(&turns.back().moves, turns.back().moves.empty() ? "" : " ", event.notation);
  }
  ForgetOpening(turns);
  for (Turn& turn : turns) {
    if (turn.seat < 0) turn.seat = last_seat < 0 ? 0 : 1 - last_seat;
    last_seat = turn.seat;
  }
  return turns;
}

std::string Cell(const Turn& turn) {
  return absl::StrCat(turn.thrown, ": ", turn.moves.empty() ? "-" : turn.moves);
}

std::string Padded(std::string text) {
  if (text.size() < kColumn) text.resize(kColumn, ' ');
  return text;
}

std::string EndOf(const GameRecord& record) {
  if (record.events.empty()) return "";
  const Json fields = FieldsOf(record.events.back(), record.seats);
  const auto points = fields.find("points");
  if (points == fields.end() || points->size() != 2) return "";
  const int64_t left = (*points)[0].get<int64_t>();
  const int64_t right = (*points)[1].get<int64_t>();
  if (left == right) return "      Draw\n";
  const int64_t won = std::max(left, right);
  return absl::StrCat(left > right ? std::string(6, ' ') : std::string(6 + kColumn, ' '), "Wins ",
                      won, won == 1 ? " point\n" : " points\n");
}

}  // namespace

std::string WriteColumns(const GameRecord& record, const std::vector<std::string>& players) {
  const auto name = [&](size_t seat) {
    if (seat < players.size() && !players[seat].empty()) return players[seat];
    return seat < record.seat_names.size() ? record.seat_names[seat] : absl::StrCat("seat ", seat);
  };
  std::string out =
      absl::StrCat("; [Site \"Astragal\"]\n; [Game \"", record.game.ToText(),
                   "\"]\n; [Variation \"", record.ruleset, "\"]\n\n 1 point match\n\n", " Game ",
                   record.match_game == 0 ? 1 : record.match_game, "\n ", Padded(name(0) + " : 0"),
                   "    ", name(1), " : 0\n");
  const std::vector<Turn> turns = TurnsOf(record);
  int number = 0;
  for (size_t i = 0; i < turns.size();) {
    std::string line = std::to_string(++number);
    line.insert(0, line.size() < 3 ? 3 - line.size() : 0, ' ');
    line += ") ";
    line += turns[i].seat == 0 ? Padded(Cell(turns[i++])) : std::string(kColumn, ' ');
    if (i < turns.size() && turns[i].seat == 1) line += " " + Cell(turns[i++]);
    while (line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  return out + EndOf(record);
}

}  // namespace astragal::algorithms
