// A position as a line that a person can read and type:
//
//   red plays 3; red anticlockwise hand 4 on 1 20 off 0 coins -20; green undecided hand 6 on - off
//   0 coins -20; pot 40; penalty=2
//
// (one line). The first part is `red throws`, `red plays 3`, `red opens`, `red opens against 3` or
// `red won`; the others come in any order. What is left out is filled in: no pieces on the track,
// none borne off, the rest in hand, balances of minus the stake, the pot that makes them zero,
// options at their defaults.
#include <bit>

#include "plugins/patolli/options.h"
#include "plugins/patolli/rules.h"

namespace astragal::patolli {
namespace {

constexpr std::string_view kSeatWords[] = {"red", "green"};
constexpr int64_t kMostCoins = 2 * int64_t{kUnlimitedPurse};

// What the text has said so far.
struct Draft {
  Position& position;
  int64_t options[kOptionCount] = {};
  bool has_turn = false;
  bool has_side[2] = {};
  bool has_hand[2] = {};
  bool has_coins[2] = {};
  bool has_pot = false;
};

bool Expected(sdk::Reader& reader, std::string_view what, sdk::Error& error) {
  return error.Refuse("position", "Expected ", what, " at '", reader.rest().substr(0, 40), "'.");
}

// Words end at a space or at the end, so that "on" does not match the start of "only".
bool TakeName(sdk::Reader& reader, std::string_view name) {
  sdk::Reader ahead = reader;
  if (!sdk::SameWord(ahead.TakeWord(), name)) return false;
  reader = ahead;
  return true;
}

bool TakeDirectionName(sdk::Reader& reader, int8_t& direction) {
  struct Named {
    std::string_view name;
    int8_t direction;
  };
  constexpr Named kNames[] = {{"anticlockwise", 1},
                              {"counterclockwise", 1},
                              {"acw", 1},
                              {"+", 1},
                              {"clockwise", -1},
                              {"cw", -1},
                              {"-", -1},
                              {"undecided", 0}};
  for (const Named& named : kNames) {
    if (!TakeName(reader, named.name)) continue;
    direction = named.direction;
    return true;
  }
  return false;
}

// False if the words after the seat's name are not about the turn.
bool TakeTurn(Draft& draft, int seat, sdk::Reader& reader, bool& good) {
  Position& p = draft.position;
  good = true;
  if (TakeName(reader, "throws")) {
    p.phase = kThrowing;
  } else if (TakeName(reader, "won")) {
    p.phase = kOver;
  } else if (TakeName(reader, "plays")) {
    p.phase = kMoving;
    reader.SkipSpaces();
    good = reader.TakeSmall(1, 10, p.score);
  } else if (TakeName(reader, "opens")) {
    p.phase = kOpening;
    if (TakeName(reader, "against")) {
      reader.SkipSpaces();
      good = reader.TakeSmall(0, 10, p.opening);
      ++p.opening;
    }
  } else {
    return false;
  }
  p.mover = static_cast<uint8_t>(seat);
  good = good && !draft.has_turn;
  draft.has_turn = true;
  return true;
}

bool ReadTrack(Side& side, sdk::Reader& reader, sdk::Error& error) {
  if (TakeName(reader, "-")) return true;
  int own = 0;
  reader.SkipSpaces();
  while (reader.TakeSmall(0, 1000, own)) {
    if (own < 1 || own >= kLast) {
      return error.Refuse("on", "Pieces stand on own squares 1 to 58, not ", own, ".");
    }
    if (side.track & Bit(own)) return error.Refuse("on", "Two own pieces stand on ", own, ".");
    side.track |= Bit(own);
    reader.SkipSpaces();
    if (reader.Take(',')) reader.SkipSpaces();
  }
  return true;
}

bool ReadNumber(sdk::Reader& reader, std::string_view name, int64_t minimum, int64_t maximum,
                int64_t& value, sdk::Error& error) {
  reader.SkipSpaces();
  if (reader.TakeInteger(minimum, maximum, value)) return true;
  return error.Refuse(name, name, " takes a number from ", minimum, " to ", maximum, ", not '",
                      reader.rest().substr(0, 40), "'.");
}

bool ReadSide(Draft& draft, size_t seat, sdk::Reader& reader, sdk::Error& error) {
  Side& side = draft.position.sides[seat];
  if (draft.has_side[seat]) {
    return error.Refuse("position", SeatName(static_cast<int>(seat)), " is described twice.");
  }
  draft.has_side[seat] = true;
  int64_t number = 0;
  while (!reader.AtEnd()) {
    if (TakeName(reader, "on")) {
      if (!ReadTrack(side, reader, error)) return false;
    } else if (TakeName(reader, "hand")) {
      if (!ReadNumber(reader, "hand", 0, kPieces, number, error)) return false;
      side.hand = static_cast<uint8_t>(number);
      draft.has_hand[seat] = true;
    } else if (TakeName(reader, "off")) {
      if (!ReadNumber(reader, "off", 0, kPieces, number, error)) return false;
      side.off = static_cast<uint8_t>(number);
    } else if (TakeName(reader, "coins")) {
      if (!ReadNumber(reader, "coins", -kUnlimitedPurse, kUnlimitedPurse, number, error)) {
        return false;
      }
      side.coins = static_cast<int32_t>(number);
      draft.has_coins[seat] = true;
    } else if (!TakeDirectionName(reader, side.direction)) {
      return Expected(reader, "a direction, hand, on, off or coins", error);
    }
  }
  return true;
}

bool ReadOption(Draft& draft, std::string_view word, sdk::Error& error) {
  const size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  for (size_t i = 0; i < kOptionCount; ++i) {
    const astragal_option& option = DeclaredOptions()[i];
    if (equals == std::string_view::npos || !sdk::SameWord(option.name, name)) continue;
    const std::string_view value = word.substr(equals + 1);
    if (option.kind == ASTRAGAL_OPTION_CHOICE) {
      const int choice = sdk::IndexOf(std::span(option.choices, option.choice_count), value);
      if (choice < 0) return error.Refuse(name, "'", value, "' is no value of ", name, ".");
      draft.options[i] = choice;
      return true;
    }
    sdk::Reader digits(value);
    if (!digits.TakeInteger(option.minimum, option.maximum, draft.options[i]) || !digits.AtEnd()) {
      return error.Refuse(name, name, " is a number from ", option.minimum, " to ", option.maximum,
                          ".");
    }
    return true;
  }
  return error.Refuse("position", "'", word.substr(0, 40),
                      "' is not understood; an option is written like penalty=2.");
}

bool ReadPart(Draft& draft, std::string_view part, sdk::Error& error) {
  sdk::Reader reader(part);
  if (reader.AtEnd()) return true;
  for (const size_t seat : {size_t{kRed}, size_t{kGreen}}) {
    if (!TakeName(reader, kSeatWords[seat])) continue;
    bool good = false;
    if (!TakeTurn(draft, static_cast<int>(seat), reader, good)) {
      return ReadSide(draft, seat, reader, error);
    }
    if (good && reader.AtEnd()) return true;
    return error.Refuse("position",
                        "Say once whose turn it is: red throws, red plays 3, red opens, red opens "
                        "against 3 or red won.");
  }
  if (TakeName(reader, "pot")) {
    int64_t pot = 0;
    if (!ReadNumber(reader, "pot", 0, kMostCoins, pot, error)) return false;
    draft.position.pot = static_cast<int32_t>(pot);
    draft.has_pot = true;
    return reader.AtEnd() || Expected(reader, "a ';' after the pot", error);
  }
  while (!reader.AtEnd()) {
    if (!ReadOption(draft, reader.TakeWord(), error)) return false;
  }
  return true;
}

bool FillIn(Draft& draft, sdk::Error& error) {
  Position& p = draft.position;
  if (!draft.has_turn) {
    return error.Refuse("position", "Say whose turn it is, as in 'red throws'.");
  }
  int64_t sum = 0;
  for (size_t seat = 0; seat < 2; ++seat) {
    Side& side = p.sides[seat];
    if (!draft.has_coins[seat]) side.coins = -p.rules.stake;
    sum += side.coins;
    const int rest = kPieces - side.off - std::popcount(side.track);
    if (!draft.has_hand[seat] && rest >= 0) side.hand = static_cast<uint8_t>(rest);
  }
  // A pot that cannot be is left to Check, which says why.
  if (!draft.has_pot) p.pot = static_cast<int32_t>(-sum);
  return true;
}

void WriteTurn(const Position& p, sdk::TextSink& out) {
  out.Put(kSeatWords[p.mover]);
  switch (p.phase) {
    case kOpening:
      out.Put(" opens");
      if (p.opening != 0) out.Put(" against ").Put(p.opening - 1);
      return;
    case kMoving:
      out.Put(" plays ").Put(p.score);
      return;
    default:
      out.Put(p.phase == kOver ? " won" : " throws");
  }
}

void WriteSide(const Position& p, size_t seat, sdk::TextSink& out) {
  const Side& side = p.sides[seat];
  out.Put("; ").Put(kSeatWords[seat]).Put(' ').Put(DirectionName(side.direction));
  out.Put(" hand ").Put(side.hand).Put(" on");
  if (side.track == 0) out.Put(" -");
  for (uint64_t rest = side.track; rest != 0; rest &= rest - 1) {
    out.Put(' ').Put(std::countr_zero(rest));
  }
  out.Put(" off ").Put(side.off).Put(" coins ").Put(side.coins);
}

void WriteOptions(const Position& p, sdk::TextSink& out) {
  int64_t values[kOptionCount];
  ValuesOf(p.rules, values);
  const char* gap = "; ";
  for (size_t i = 0; i < kOptionCount; ++i) {
    const astragal_option& option = DeclaredOptions()[i];
    if (values[i] == option.default_value) continue;
    out.Put(gap).Put(option.name).Put('=');
    gap = " ";
    if (option.kind == ASTRAGAL_OPTION_CHOICE) {
      out.Put(option.choices[values[i]]);
    } else {
      out.Put(values[i]);
    }
  }
}

}  // namespace

void Position::FormatPosition(sdk::TextSink& out) const {
  WriteTurn(*this, out);
  for (size_t seat = 0; seat < 2; ++seat) WriteSide(*this, seat, out);
  out.Put("; pot ").Put(pot);
  WriteOptions(*this, out);
}

bool Position::ParsePosition(std::string_view text, sdk::Error& error) {
  *this = Position{};
  if (text.size() > ASTRAGAL_MAX_TEXT_BYTES) {
    return error.Refuse("position", "The text is too long for a position.");
  }
  Draft draft{.position = *this};
  for (size_t i = 0; i < kOptionCount; ++i) draft.options[i] = DeclaredOptions()[i].default_value;
  while (!text.empty()) {
    const size_t end = text.find(';');
    if (!ReadPart(draft, text.substr(0, end), error)) return false;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return RulesFrom(draft.options, rules, error) && FillIn(draft, error);
}

}  // namespace astragal::patolli
