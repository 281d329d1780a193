#include "tests/plugins/ashtapada/slow_rules.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace astragal::ashtapada_test {
namespace {

// The routes as the sheet lists them.
const std::map<std::string, std::string> kRoutes = {
    {"south",
     "E1 F1 G1 H1 H2 H3 H4 H5 H6 H7 H8 G8 F8 E8 D8 C8 B8 A8 A7 A6 A5 A4 A3 A2 A1 B1 C1 D1 "
     "D2 C2 B2 B3 B4 B5 B6 B7 C7 D7 E7 F7 G7 G6 G5 G4 G3 G2 F2 E2 "
     "E3 F3 F4 F5 F6 E6 D6 C6 C5 C4 C3 D3 D4"},
    {"east",
     "H5 H6 H7 H8 G8 F8 E8 D8 C8 B8 A8 A7 A6 A5 A4 A3 A2 A1 B1 C1 D1 E1 F1 G1 H1 H2 H3 H4 "
     "G4 G3 G2 F2 E2 D2 C2 B2 B3 B4 B5 B6 B7 C7 D7 E7 F7 G7 G6 G5 "
     "F5 F6 E6 D6 C6 C5 C4 C3 D3 E3 F3 F4 E4"},
    {"north",
     "D8 C8 B8 A8 A7 A6 A5 A4 A3 A2 A1 B1 C1 D1 E1 F1 G1 H1 H2 H3 H4 H5 H6 H7 H8 G8 F8 E8 "
     "E7 F7 G7 G6 G5 G4 G3 G2 F2 E2 D2 C2 B2 B3 B4 B5 B6 B7 C7 D7 "
     "D6 C6 C5 C4 C3 D3 E3 F3 F4 F5 F6 E6 E5"},
    {"west",
     "A4 A3 A2 A1 B1 C1 D1 E1 F1 G1 H1 H2 H3 H4 H5 H6 H7 H8 G8 F8 E8 D8 C8 B8 A8 A7 A6 A5 "
     "B5 B6 B7 C7 D7 E7 F7 G7 G6 G5 G4 G3 G2 F2 E2 D2 C2 B2 B3 B4 "
     "C4 C3 D3 E3 F3 F4 F5 F6 E6 D6 C6 C5 D5"}};

const std::set<std::string> kMarked = {"A1", "A4", "A5", "A8", "D1", "D4", "D5", "D8",
                                       "E1", "E4", "E5", "E8", "H1", "H4", "H5", "H8"};

// A route's squares, mirrored in the view of its seat when pieces enter on the left.
std::vector<std::string> RouteOf(const std::string& seat, const std::string& entry_box) {
  std::istringstream words(kRoutes.at(seat));
  std::vector<std::string> route;
  for (std::string square; words >> square;) {
    if (entry_box == "left") {
      // South and North look along the files, West and East along the ranks.
      if (seat == "south" || seat == "north") {
        square[0] = static_cast<char>('A' + ('H' - square[0]));
      } else {
        square[1] = static_cast<char>('1' + ('8' - square[1]));
      }
    }
    route.push_back(square);
  }
  return route;
}

const std::string& Square(const SlowGame& game, const std::string& seat, int index) {
  static std::map<std::string, std::vector<std::string>> known;
  const std::string& entry_box = game.options.at("entry_box");
  std::vector<std::string>& route = known[seat + entry_box];
  if (route.empty()) route = RouteOf(seat, entry_box);
  return route[static_cast<size_t>(index)];
}

bool OnRoute(const SlowPiece& piece) { return piece.index >= 0 && piece.index <= 59; }

// Pieces of `seat` on a square, the keep included.
int CountOn(const SlowGame& game, const std::string& seat, const std::string& square) {
  int count = 0;
  for (const SlowPiece& piece : game.pieces.at(seat)) {
    if (piece.index >= 0 && piece.index <= 60 && Square(game, seat, piece.index) == square) ++count;
  }
  return count;
}

bool MayLand(const SlowGame& game, const std::string& square) {
  if (game.options.at("marked_box") == "share" || kMarked.count(square) == 0) return true;
  for (const std::string& enemy : game.seats) {
    if (enemy != game.turn && CountOn(game, enemy, square) > 0) return false;
  }
  return true;
}

bool AreTwins(const SlowGame& game, int count, const std::string& square) {
  if (game.options.at("twin_formation") == "off" || kMarked.count(square) > 0) return false;
  return game.options.at("triplets") == "as_twins" ? count >= 2 : count == 2;
}

void CaptureOn(SlowGame& game, const std::string& square, int size) {
  if (kMarked.count(square) > 0) return;
  for (const std::string& enemy : game.seats) {
    const int count = enemy == game.turn ? 0 : CountOn(game, enemy, square);
    if (count == 0 || (AreTwins(game, count, square) && size == 1)) continue;
    for (SlowPiece& piece : game.pieces[enemy]) {
      if (OnRoute(piece) && Square(game, enemy, piece.index) == square) piece = SlowPiece{};
    }
    game.captured = true;
  }
}

std::string ThrowsName(const std::vector<int>& throws) {
  std::string name;
  for (const int value : throws) name += (name.empty() ? "" : "+") + std::to_string(value);
  return name;
}

// All different non-empty parts of the throws, each sorted.
std::set<std::vector<int>> Parts(const std::vector<int>& throws) {
  std::set<std::vector<int>> parts = {{}};
  for (const int value : throws) {
    std::set<std::vector<int>> more = parts;
    for (std::vector<int> part : parts) {
      part.push_back(value);
      std::sort(part.begin(), part.end());
      more.insert(part);
    }
    parts = more;
  }
  parts.erase(std::vector<int>{});
  return parts;
}

void Use(SlowGame& game, const std::vector<int>& throws) {
  for (const int value : throws) {
    game.left.erase(std::find(game.left.begin(), game.left.end(), value));
  }
  game.acted = true;
  std::sort(game.pieces[game.turn].begin(), game.pieces[game.turn].end());
}

void AddMoves(const SlowGame& game, int from, int size, std::vector<SlowAction>& actions) {
  for (const std::vector<int>& part : Parts(game.left)) {
    int steps = 0;
    for (const int value : part) steps += value;
    if (size == 2 && game.options.at("twin_move") == "half") steps /= 2;
    if (steps == 0 || from + steps > 60) continue;
    const std::string square = Square(game, game.turn, from + steps);
    if (!MayLand(game, square)) continue;
    SlowGame after = game;
    int to_move = size;
    for (SlowPiece& piece : after.pieces[game.turn]) {
      if (to_move == 0 || piece.index != from || piece.moved) continue;
      piece = {from + steps, true};
      --to_move;
    }
    Use(after, part);
    CaptureOn(after, square, size);
    actions.push_back({std::to_string(from) + (size == 2 ? " twins " : " ") + ThrowsName(part),
                       static_cast<int>(part.size()), after});
  }
}

// Everything the rules allow, whatever it means for the throws that are left.
std::vector<SlowAction> FreeActions(const SlowGame& game) {
  std::vector<SlowAction> actions;
  const std::vector<SlowPiece>& own = game.pieces.at(game.turn);
  const bool has_one = std::count(game.left.begin(), game.left.end(), 1) > 0;
  const auto in_hand = std::find(own.begin(), own.end(), SlowPiece{-1, false});
  if (has_one && in_hand != own.end() && MayLand(game, Square(game, game.turn, 0))) {
    SlowGame after = game;
    *std::find(after.pieces[game.turn].begin(), after.pieces[game.turn].end(),
               SlowPiece{-1, false}) = {0, false};
    Use(after, {1});
    actions.push_back({"enter", 1, after});
  }
  bool all_home = true;
  for (const SlowPiece& piece : own) all_home = all_home && piece.index >= 60;
  const auto in_keep = std::find(own.begin(), own.end(), SlowPiece{60, false});
  if (has_one && all_home && in_keep != own.end()) {
    SlowGame after = game;
    *std::find(after.pieces[game.turn].begin(), after.pieces[game.turn].end(),
               SlowPiece{60, false}) = {61, false};
    Use(after, {1});
    bool all_off = true;
    for (const SlowPiece& piece : after.pieces[game.turn]) all_off = all_off && piece.index == 61;
    if (all_off) after.winner = game.turn;
    actions.push_back({"off", 1, after});
  }
  for (int from = 0; from < 60; ++from) {
    int standing = 0;
    int unmoved = 0;
    for (const SlowPiece& piece : own) {
      standing += piece.index == from ? 1 : 0;
      unmoved += piece.index == from && !piece.moved ? 1 : 0;
    }
    if (unmoved > 0) AddMoves(game, from, 1, actions);
    const bool is_pair = unmoved >= 2 && AreTwins(game, standing, Square(game, game.turn, from));
    if (is_pair) AddMoves(game, from, 2, actions);
  }
  return actions;
}

std::string Key(const SlowGame& game) {
  std::string key;
  for (const SlowPiece& piece : game.pieces.at(game.turn)) {
    key += std::to_string(piece.index) + (piece.moved ? "*," : ",");
  }
  return key + ThrowsName(game.left);
}

int Most(const SlowGame& game, std::map<std::string, int>& known) {
  if (game.left.empty() || !game.winner.empty()) return 0;
  const auto [entry, is_new] = known.try_emplace(Key(game), 0);
  if (!is_new) return entry->second;
  int most = 0;
  for (const SlowAction& action : FreeActions(game)) {
    most = std::max(most, action.throws_used + Most(action.after, known));
  }
  known[Key(game)] = most;
  return most;
}

std::string ToTheLeft(const SlowGame& game) {
  const auto at = std::find(game.seats.begin(), game.seats.end(), game.turn);
  return at + 1 == game.seats.end() ? game.seats.front() : *(at + 1);
}

}  // namespace

SlowGame Observe(const Position& position) {
  SlowGame game;
  std::vector<int64_t> values(Table().about->option_count);
  Table().options(&position, values.data());
  std::istringstream words(OptionsText(values));
  for (std::string word; words >> word;) {
    game.options[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  const std::string players = game.options.at("players");
  for (const std::string seat : {"south", "west", "north", "east"}) {
    if (seat == "east" && players != "4") continue;
    if (seat == "west" && players == "2") continue;
    const int number = seat == "south" ? 0 : seat == "north" ? 1 : seat == "west" ? 2 : 3;
    if (position.place[number] == 0) game.seats.push_back(seat);
    for (int i = 0; i < position.option[ashtapada::kPieces]; ++i) {
      const int byte = position.piece[number][i];
      game.pieces[seat].push_back({byte / 2 - 1, byte % 2 == 1});
    }
    if (position.turn == number) game.turn = seat;
  }
  for (int i = 0; i < 5; ++i) {
    game.left.insert(game.left.end(), position.left[i], std::vector<int>{1, 2, 3, 4, 8}[i]);
  }
  game.acted = (position.flags & 1) != 0;
  game.captured = (position.flags & 2) != 0;
  return game;
}

std::vector<SlowAction> SlowActions(const SlowGame& game) {
  std::vector<SlowAction> actions = FreeActions(game);
  if (game.options.at("forgo") != "none") return actions;
  std::map<std::string, int> known;
  const int most = Most(game, known);
  std::erase_if(actions, [&](const SlowAction& action) {
    return action.throws_used + Most(action.after, known) < most;
  });
  return actions;
}

int SlowMostThrows(const SlowGame& game) {
  std::map<std::string, int> known;
  return Most(game, known);
}

std::vector<int> SlowSeries(const SlowGame& before, const std::vector<int>& throws) {
  bool on_board = false;
  for (const SlowPiece& piece : before.pieces.at(before.turn)) {
    on_board = on_board || (piece.index >= 0 && piece.index <= 60);
  }
  std::vector<int> remaining = throws;
  if (!on_board)
    remaining.erase(remaining.begin(), std::find(remaining.begin(), remaining.end(), 1));
  std::sort(remaining.begin(), remaining.end());
  return remaining;
}

std::string SlowNext(const SlowGame& game) {
  if (!game.winner.empty()) {
    const bool goes_on = game.options.at("play_for_places") == "on" && game.seats.size() > 2;
    return goes_on ? ToTheLeft(game) : "";
  }
  if (!FreeActions(game).empty() || game.captured) return game.turn;
  return ToTheLeft(game);
}

}  // namespace astragal::ashtapada_test
