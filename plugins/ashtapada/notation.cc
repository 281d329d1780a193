// Actions as a player writes them.
#include <astragal/reader.hpp>

#include "plugins/ashtapada/action.h"
#include "plugins/ashtapada/names.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

struct Word {
  const char* text;
  ActionKind kind;
};

// The first of a kind is the canonical one.
constexpr Word kWords[] = {
    {"stop", kStop}, {"enter", kEnter}, {"off", kBearOff},      {"go", kGo},
    {"end", kStop},  {"in", kEnter},    {"bear off", kBearOff}, {"bear_off", kBearOff}};

Action Plain(ActionKind kind) {
  const bool uses_one = kind == kEnter || kind == kBearOff;
  return {kind, 0, 0, uses_one ? Single(kOne) : ThrowSet{}};
}

const char* WordOf(uint8_t kind) {
  for (const Word& word : kWords) {
    if (word.kind == kind) return word.text;
  }
  return "";
}

// "G4" or "G4 twins"; on to the throws.
bool ReadPieces(const Position& p, int32_t seat, sdk::Reader& reader, Action& action,
                sdk::Error& error) {
  int from = 0;
  reader.SkipSpaces();
  if (!TakeIndex(reader, p, seat, from)) {
    return error.Refuse("action",
                        "Write enter, off, stop, or a square of your route and throws: G4 1+2.");
  }
  if (from == kKeep) return error.Refuse("action", "From the keep a piece leaves with 'off'.");
  action.from = static_cast<uint8_t>(from);
  action.size = 1;
  const bool is_joined = reader.Take("x2");
  reader.SkipSpaces();
  if (is_joined || reader.Take("twins") || reader.Take("both")) action.size = 2;
  reader.SkipSpaces();
  reader.Take(':');
  return true;
}

bool ReadMove(const Position& p, int32_t seat, sdk::Reader& reader, Action& action,
              sdk::Error& error) {
  const bool is_pick = reader.Take("pick ");
  action.kind = is_pick ? kPick : kMove;
  if (!ReadPieces(p, seat, reader, action, error)) return false;
  if (is_pick) return reader.AtEnd() || error.Refuse("action", "Write pick and one square.");
  if (!TakeThrows(reader, action.throws)) {
    return error.Refuse("action", "After the square write throws of 1, 2, 3, 4 or 8: G4 1+2.");
  }
  return true;
}

bool ReadAdd(sdk::Reader& reader, Action& action, sdk::Error& error) {
  int score = 0;
  reader.SkipSpaces();
  if (!TakeScore(reader, score) || !reader.AtEnd()) {
    return error.Refuse("action", "Write add and one throw of 1, 2, 3, 4 or 8.");
  }
  action = {kAdd, 0, 0, Single(score)};
  return true;
}

}  // namespace

void Position::Format(int32_t seat, int64_t code, sdk::TextSink& out) const {
  Action action;
  if (!Decode(code, action)) return;
  if (action.kind == kAdd) {
    out.Put("add ");
    return PutThrows(out, action.throws, '+');
  }
  if (action.kind != kMove && action.kind != kPick) {
    out.Put(WordOf(action.kind));
    return;
  }
  if (action.kind == kPick) out.Put("pick ");
  PutSquare(out, SquareOf(seat, action.from));
  if (action.size == 2) out.Put(" twins");
  if (action.kind == kPick) return;
  out.Put(' ');
  PutThrows(out, action.throws, '+');
}

bool Position::Parse(int32_t seat, std::string_view text, int64_t& code, sdk::Error& error) const {
  for (const Word& word : kWords) {
    if (!sdk::SameWord(word.text, text)) continue;
    code = Encode(Plain(word.kind));
    return true;
  }
  sdk::Reader reader(text);
  Action action{};
  const bool is_read = reader.Take("add ") ? ReadAdd(reader, action, error)
                                           : ReadMove(*this, seat, reader, action, error);
  if (!is_read) return false;
  code = Encode(action);
  if (Decode(code, action)) return true;
  return error.Refuse("action", "No throws can move a piece that far from there.");
}

}  // namespace astragal::ashtapada
