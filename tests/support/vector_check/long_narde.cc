// Reference positions (every distinct end of a turn) and complete games of Long Narde.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "tests/support/vector_check/library.h"
#include "tests/support/vector_check/subcommands.h"

namespace astragal::vector_check {
namespace {

using nlohmann::json;

constexpr int kTray[] = {25, 26};  // place ids of white's and black's borne-off checkers
// What the records were made with; an entry of "alt" changes it.
constexpr const char* kRecordOptions = "head_first_turn=doubles_346";

// 24 signed counts (white positive) by absolute point, then off white, off black.
using Board = std::array<int, 26>;

int SeatOf(const std::string& name) {
  if (name == "white" || name == "w") return 0;
  if (name == "black" || name == "b") return 1;
  throw std::runtime_error("'" + name + "' is neither white nor black");
}
const char* NameOf(int seat) { return seat == 0 ? "white" : "black"; }

std::string ToText(const Board& board) {
  std::string text;
  for (const int count : board) {
    if (!text.empty()) text += ',';
    text += std::to_string(count);
  }
  return text;
}

Board ReadBoard(const json& points, const json& off) {
  if (points.size() != 24 || off.size() != 2) throw std::runtime_error("a board of the wrong size");
  Board board{};
  for (size_t i = 0; i < 24; ++i) board[i] = points[i].get<int>();
  for (size_t i = 0; i < 2; ++i) board[24 + i] = off[i].get<int>();
  return board;
}

Board ReadEnd(const json& end) {
  if (end.size() != 26) throw std::runtime_error("an end of the wrong size");
  return ReadBoard(json(end.begin(), end.begin() + 24), json(end.begin() + 24, end.end()));
}

Board BoardOf(const Library& library, const Position& position) {
  Board board{};
  for (const host::Piece& piece : library.Pieces(position)) {
    if (piece.place == kTray[piece.seat]) {
      board[24 + piece.seat] = piece.count;
    } else {
      board.at(piece.place - 1) = piece.seat == 0 ? piece.count : -piece.count;
    }
  }
  return board;
}

// The number that a seat calls an absolute point, 24 its head.
int OwnPoint(int seat, int point) {
  if (seat == 0) return point;
  return point <= 12 ? point + 12 : point - 12;
}

std::string PositionText(const Board& board, int mover, bool first_turn,
                         const std::string& options) {
  std::string text;
  for (int seat : {0, 1}) {
    text += std::string(NameOf(seat)) + ' ';
    int checkers = board[24 + seat];
    for (int point = 1; point <= 24; ++point) {
      const int count = seat == 0 ? board[point - 1] : -board[point - 1];
      if (count <= 0) continue;
      text += std::to_string(OwnPoint(seat, point)) + ':' + std::to_string(count) + ' ';
      checkers += count;
    }
    if (checkers != 15)
      throw std::runtime_error(std::string(NameOf(seat)) + " has not 15 checkers");
  }
  text += std::string("roll ") + NameOf(mover);
  if (first_turn) text += std::string(" first ") + NameOf(mover);
  return text + " began " + NameOf(mover) + ' ' + options;
}

std::string RollLabel(const json& dice) {
  if (dice.size() != 2) throw std::runtime_error("a roll has two dice");
  const int a = dice[0].get<int>();
  const int b = dice[1].get<int>();
  return std::to_string(std::max(a, b)) + '-' + std::to_string(std::min(a, b));
}

struct Turn {
  std::map<Board, Position> ends;  // empty when the turn was skipped
  int dice_used = 0;
};

// All that one roll can come to, step by step through the ruleset, on distinct positions.
Turn PlayOut(const Library& library, const Position& start, const std::string& roll) {
  if (library.Actor(start) != host::kChance) throw std::runtime_error("no dice are to be thrown");
  Position rolled = start;
  library.ApplyThrow(rolled, roll);
  Turn turn;
  const int seat = library.Actor(rolled);
  if (seat < 0) return turn;  // nothing to play: the next side is to throw
  absl::flat_hash_set<Position> level = {rolled};
  for (int used = 1; !level.empty(); ++used) {
    absl::flat_hash_set<Position> next;
    for (const Position& position : level) {
      for (const int64_t action : library.Actions(position)) {
        Position after = position;
        library.Apply(after, seat, action);
        turn.dice_used = used;
        if (library.Actor(after) == seat) {
          next.insert(after);
        } else {
          turn.ends.emplace(BoardOf(library, after), after);
        }
      }
    }
    level = std::move(next);
  }
  return turn;
}

// The first few ends that one side has and the other has not.
void CompareEnds(const std::set<Board>& expected, const std::map<Board, Position>& actual,
                 const std::string& where, Report& report) {
  constexpr int kShown = 5;
  int missing = 0;
  for (const Board& end : expected) {
    if (actual.count(end) == 0 && ++missing <= kShown) {
      report.Differ(where + "missing end " + ToText(end));
    }
  }
  int surplus = 0;
  for (const auto& [end, position] : actual) {
    if (expected.count(end) == 0 && ++surplus <= kShown) {
      report.Differ(where + "end too many " + ToText(end));
    }
  }
  if (missing > kShown || surplus > kShown) {
    report.Differ(where + std::to_string(missing) + " ends missing, " + std::to_string(surplus) +
                  " too many");
  }
}

void CompareTurn(const json& expected, const Turn& turn, const std::string& where, Report& report) {
  const int dice_used = expected.at("dice_used").get<int>();
  if (dice_used != turn.dice_used) {
    report.Differ(where + "uses " + std::to_string(turn.dice_used) + " dice, expected " +
                  std::to_string(dice_used));
  }
  std::set<Board> ends;
  for (const json& end : expected.at("ends")) ends.insert(ReadEnd(end));
  if (expected.contains("n_ends") && expected["n_ends"].get<size_t>() != ends.size()) {
    report.Differ(where + "n_ends is not the number of ends in the record");
  }
  CompareEnds(ends, turn.ends, where, report);
}

// "name=value", several joined by commas or spaces, on top of the records' options.
std::string OptionsText(const std::string& changes) {
  std::string text = std::string(kRecordOptions) + ' ' + changes;
  std::replace(text.begin(), text.end(), ',', ' ');
  std::replace(text.begin(), text.end(), ';', ' ');
  return text;
}

void CheckPosition(const Library& library, const json& record, Report& report) {
  const Board board = ReadBoard(record.at("points"), record.at("off"));
  const int mover = SeatOf(record.at("mover"));
  const bool first_turn = record.at("first_turn").get<bool>();
  const std::string roll = RollLabel(record.at("dice"));
  const auto check = [&](const json& expected, const std::string& changes,
                         const std::string& where) {
    const Position start =
        library.Parse(PositionText(board, mover, first_turn, OptionsText(changes)));
    CompareTurn(expected, PlayOut(library, start, roll), where, report);
  };
  check(record, "", "");
  if (!record.contains("alt")) return;
  for (const auto& [changes, expected] : record["alt"].items()) {
    check(expected, changes, changes + ": ");
  }
}

// Plays one recorded turn; false when the game cannot go on from here.
bool CheckTurn(const Library& library, const json& recorded, const std::string& where,
               Position& position, Report& report) {
  const Turn turn = PlayOut(library, position, RollLabel(recorded.at("d")));
  if (recorded.at("u").get<int>() != turn.dice_used) {
    report.Differ(where + "uses " + std::to_string(turn.dice_used) + " dice");
  }
  if (recorded.at("n").get<size_t>() != turn.ends.size()) {
    report.Differ(where + "has " + std::to_string(turn.ends.size()) + " ends");
  }
  const Board after = ReadBoard(recorded.at("p"), recorded.at("o"));
  if (turn.ends.empty()) {
    library.ApplyThrow(position, RollLabel(recorded.at("d")));
    if (BoardOf(library, position) == after) return true;
  } else if (const auto end = turn.ends.find(after); end != turn.ends.end()) {
    position = end->second;
    return true;
  }
  report.Differ(where + "cannot end as recorded");
  return false;
}

void CheckGame(const Library& library, const json& record, Report& report) {
  const json& turns = record.at("turns");
  if (turns.empty()) throw std::runtime_error("a game without turns");
  if (record.contains("n_turns") && record["n_turns"].get<size_t>() != turns.size()) {
    report.Differ("n_turns is not the number of turns");
  }
  Board start{};
  start[23] = 15;
  start[11] = -15;
  int mover = SeatOf(turns[0].at("m"));
  std::string text = PositionText(start, mover, false, kRecordOptions) + " first both";
  Position position = library.Parse(text);
  int number = 0;
  for (const json& turn : turns) {
    const std::string where = "turn " + std::to_string(++number) + ": ";
    if (library.Actor(position) == host::kOver) {
      return report.Differ(where + "the game is over already");
    }
    if (SeatOf(turn.at("m")) != mover) return report.Differ(where + "the other side is to move");
    if (!CheckTurn(library, turn, where, position, report)) return;
    mover = 1 - mover;
  }
  if (library.Actor(position) != host::kOver) return report.Differ("the game is not over");
  const auto result = library.Result(position);
  const int winner = SeatOf(record.at("winner"));
  if (result[winner].place != 1 || result[1 - winner].place != 2) {
    report.Differ("another winner");
  }
  if (result[winner].points != record.at("points").get<int64_t>()) {
    report.Differ("worth " + std::to_string(result[winner].points));
  }
  if (record.contains("mars") && record["mars"].get<bool>() != (result[winner].points == 2)) {
    report.Differ("mars differs");
  }
}

}  // namespace

void CheckLongNarde(const Context& context, std::istream& file, Report& report) {
  const Library library(context.plugin_folder, "long_narde");
  ForEachLine(file, report, [&](const json& record) {
    if (record.contains("turns")) {
      CheckGame(library, record, report);
    } else {
      CheckPosition(library, record, report);
    }
  });
}

}  // namespace astragal::vector_check
