// Actions as players write them: in/+3, 12/15*, 55/home, and shorter forms.
#include "plugins/patolli/rules.h"

namespace astragal::patolli {
namespace {

constexpr std::string_view kHow =
    "Write in/+3 or in/-3 to enter, 12/15 to move, 55/home to bear off.";

// The throw that `seat` has to play, 0 if there is none.
int ScoreOf(const Position& p, int seat) {
  return p.phase == kMoving && p.mover == seat ? p.score : 0;
}

// A direction as a sign or a word; 0 if none stands here.
int TakeDirection(sdk::Reader& reader) {
  reader.SkipSpaces();
  if (reader.Take('+')) return 1;
  if (reader.Take('-')) return -1;
  for (const std::string_view word : {"anticlockwise", "counterclockwise", "acw", "ccw"}) {
    if (reader.Take(word)) return 1;
  }
  for (const std::string_view word : {"clockwise", "cw"}) {
    if (reader.Take(word)) return -1;
  }
  return 0;
}

bool TakeSeparator(sdk::Reader& reader) {
  reader.SkipSpaces();
  for (const std::string_view mark : {"->", "/", "-", ">", "to"}) {
    if (!reader.Take(mark)) continue;
    reader.SkipSpaces();
    return true;
  }
  return false;
}

bool TakeTarget(sdk::Reader& reader, int& to) {
  if (reader.Take("home") || reader.Take("off")) {
    to = kLast;
    return true;
  }
  return reader.TakeSmall(1, kLast, to);
}

// The part of an entry after the word: /+3, 3 cw, or nothing.
bool ReadEntry(const Position& p, int seat, sdk::Reader& reader, Move& move, sdk::Error& error) {
  reader.SkipSpaces();
  if (reader.Take("/")) reader.SkipSpaces();
  int direction = TakeDirection(reader);
  reader.SkipSpaces();
  int to = ScoreOf(p, seat);
  if (!reader.TakeSmall(1, kLast, to) && to == 0) {
    return error.Refuse("action", "Say on which square the piece enters, as in in/+3.");
  }
  if (direction == 0) direction = TakeDirection(reader);
  if (direction == 0) direction = p.sides[static_cast<size_t>(seat)].direction;
  if (direction == 0) {
    return error.Refuse("action", "Say which way ", SeatName(seat), " will run: in/+", to,
                        " is anticlockwise, in/-", to, " clockwise.");
  }
  move = {0, to, direction};
  return true;
}

bool ReadAdvance(const Position& p, int seat, sdk::Reader& reader, Move& move, sdk::Error& error) {
  int from = 0;
  if (!reader.TakeSmall(1, kLast - 1, from)) {
    return error.Refuse("action", "'", reader.rest().substr(0, 40), "' is no move. ", kHow);
  }
  const bool named = TakeSeparator(reader);
  const int score = ScoreOf(p, seat);
  int to = 0;
  if (!TakeTarget(reader, to)) {
    if (named || score == 0) {
      return error.Refuse("action", "Say where the piece on ", from,
                          " goes: a square up to 58 or "
                          "home.");
    }
    to = from + score;
  }
  move = {from, to, 0};
  return true;
}

}  // namespace

void Position::Format(int32_t seat, int64_t action, sdk::TextSink& out) const {
  Move move{};
  if (!Decode(action, move)) return;
  if (move.enters()) {
    out.Put("in/").Put(move.direction > 0 ? '+' : '-').Put(move.to);
  } else if (move.to == kLast) {
    out.Put(move.from).Put("/home");
  } else {
    out.Put(move.from).Put('/').Put(move.to);
  }
  if (IsCapture(*this, seat, move)) out.Put('*');
}

bool Position::Parse(int32_t seat, std::string_view text, int64_t& action,
                     sdk::Error& error) const {
  if (text.size() > ASTRAGAL_MAX_NAME_BYTES) {
    return error.Refuse("action", "That is too long for a move. ", kHow);
  }
  sdk::Reader reader(text);
  Move move{};
  reader.SkipSpaces();
  const bool enters = reader.Take("in") || reader.Take("enter");
  if (!(enters ? ReadEntry(*this, seat, reader, move, error)
               : ReadAdvance(*this, seat, reader, move, error))) {
    return false;
  }
  reader.SkipSpaces();
  reader.Take('*');
  if (!reader.AtEnd()) {
    return error.Refuse("action", "'", reader.rest().substr(0, 40),
                        "' does not belong to the move. ", kHow);
  }
  if (move.to > kLast || !IsStep(move.steps())) {
    return error.Refuse("action", "No throw takes a piece from ", move.from, " to ", move.to,
                        "; the sticks show 1 to 4 or 10, and home is 59.");
  }
  action = Encode(move);
  return true;
}

}  // namespace astragal::patolli
