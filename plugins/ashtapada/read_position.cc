// Reads the text that position_text.cc describes. Options are read first, because pieces by square
// depend on them; whether the whole is a position is for Check() to say.
#include <algorithm>

#include "plugins/ashtapada/names.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

// "key=value"; the value is empty and has_value false for a word alone.
struct Entry {
  std::string_view key;
  std::string_view value;
  bool has_value;
};

Entry Split(std::string_view word) {
  const size_t at = word.find('=');
  if (at == std::string_view::npos) return {word, {}, false};
  return {word.substr(0, at), word.substr(at + 1), true};
}

// The part before the next ','; takes both off `list`.
std::string_view NextPart(std::string_view& list) {
  const size_t at = list.find(',');
  const std::string_view part = list.substr(0, at);
  list = at == std::string_view::npos ? std::string_view() : list.substr(at + 1);
  return part;
}

int FindOption(std::string_view name) {
  for (int i = 0; i < kOptionCount; ++i) {
    if (sdk::SameWord(kOptions[i].name, name)) return i;
  }
  return -1;
}

bool ReadOption(Position& p, int index, std::string_view value, sdk::Error& error) {
  const astragal_option& option = kOptions[index];
  if (option.kind == ASTRAGAL_OPTION_CHOICE) {
    for (uint32_t i = 0; i < option.choice_count; ++i) {
      if (!sdk::SameWord(option.choices[i], value)) continue;
      p.option[index] = static_cast<uint8_t>(i);
      return true;
    }
  } else {
    sdk::Reader reader(value);
    if (reader.TakeSmall(option.minimum, option.maximum, p.option[index]) && reader.AtEnd()) {
      return true;
    }
  }
  return error.Refuse(option.name, "The option ", option.name, " has no value '",
                      value.substr(0, 40), "'.");
}

bool ReadOptions(Position& p, std::string_view text, sdk::Error& error) {
  for (int i = 0; i < kOptionCount; ++i) {
    p.option[i] = static_cast<uint8_t>(kOptions[i].default_value);
  }
  sdk::Reader reader(text);
  while (!reader.AtEnd()) {
    const Entry entry = Split(reader.TakeWord());
    const int index = entry.has_value ? FindOption(entry.key) : -1;
    if (index >= 0 && !ReadOption(p, index, entry.value, error)) return false;
  }
  return true;
}

int FindSeat(const Position& p, std::string_view name) {
  const int seat = sdk::IndexOf(kSeatNames, name);
  return seat < p.option[kPlayers] ? seat : -1;
}

bool ReadPiece(const Position& p, int seat, std::string_view word, uint8_t& piece) {
  sdk::Reader reader(word);
  int index = kHand;
  if (reader.Take("keep")) {
    index = kKeep;
  } else if (reader.Take("off")) {
    index = kOff;
  } else if (!reader.Take("hand") && !reader.Take('-') && !TakeIndex(reader, p, seat, index)) {
    return false;
  }
  const bool moved = reader.Take('*');
  piece = PieceAt(index, moved);
  return reader.AtEnd();
}

bool ReadPieces(Position& p, int seat, std::string_view list, sdk::Error& error) {
  int count = 0;
  while (!list.empty()) {
    const std::string_view word = NextPart(list);
    if (count == p.PieceCount()) {
      return error.Refuse(kSeatNames[seat], kSeatTitles[seat], " has only ", p.PieceCount(),
                          " pieces.");
    }
    if (!ReadPiece(p, seat, word, p.piece[seat][count])) {
      return error.Refuse(kSeatNames[seat], "'", word.substr(0, 20),
                          "' is no own index (0 to 59), square of the route, keep or off.");
    }
    ++count;
  }
  std::sort(p.piece[seat], p.piece[seat] + p.PieceCount());
  return true;
}

bool ReadPhase(Position& p, Phase phase, std::string_view value, sdk::Error& error) {
  const int seat = FindSeat(p, value);
  if (seat < 0) {
    return error.Refuse("turn", "'", value.substr(0, 40), "' has no seat in this game.");
  }
  p.phase = phase;
  p.turn = static_cast<uint8_t>(seat);
  return true;
}

bool ReadSet(const char* key, std::string_view value, ThrowSet& set, sdk::Error& error) {
  sdk::Reader reader(value);
  if (value == "-" || TakeThrows(reader, set)) return true;
  return error.Refuse(key, "Write throws of 1, 2, 3, 4 and 8, as in ", key, "=1+1+8.");
}

bool ReadPick(Position& p, std::string_view value, sdk::Error& error) {
  sdk::Reader reader(value);
  int from = 0;
  if (TakeIndex(reader, p, p.turn, from) && from < kKeep) {
    p.pick_from = static_cast<uint8_t>(from);
    p.pick_size = reader.Take("x2") ? 2 : 1;
    if (reader.AtEnd() || (reader.Take(':') && TakeThrows(reader, p.picked))) return true;
  }
  return error.Refuse("pick", "Write a move in the making as pick=5:1+4 or pick=5x2:4.");
}

// "south:4,west:out" or "north:1": a number for each seat.
bool ReadPerSeat(const Position& p, const char* key, std::string_view list, uint8_t (&out)[kSeats],
                 sdk::Error& error) {
  const bool is_place = std::string_view(key) == "place";
  while (!list.empty()) {
    const std::string_view part = NextPart(list);
    const size_t colon = std::min(part.find(':'), part.size());
    const int seat = FindSeat(p, part.substr(0, colon));
    sdk::Reader reader(part.substr(std::min(colon + 1, part.size())));
    int score = 0;
    bool is_read = seat >= 0;
    if (is_read && is_place) {
      is_read = reader.TakeSmall(1, kSeats, out[seat]);
    } else if (is_read && reader.Take("out")) {
      out[seat] = kOutthrown;
    } else if (is_read) {
      is_read = TakeScore(reader, score);
      out[seat] = static_cast<uint8_t>(score + 1);
    }
    if (!is_read || !reader.AtEnd()) {
      return error.Refuse(key, "Write seats and numbers, as in ", key, "=south:1,north:2.");
    }
  }
  return true;
}

bool IsKey(const Entry& entry, const char* key) {
  return entry.has_value && sdk::SameWord(entry.key, key);
}

bool ReadFlag(Position& p, const Entry& entry, sdk::Error& error) {
  if (!entry.has_value) {
    if (sdk::SameWord(entry.key, "acted")) return (p.flags |= kActed) != 0;
    if (sdk::SameWord(entry.key, "captured")) return (p.flags |= kCaptured) != 0;
    if (sdk::SameWord(entry.key, "over")) return (p.phase = kOver) != 0;
  }
  return error.Refuse("position", "'", entry.key.substr(0, 40), "' is not known here.");
}

bool ReadEntry(Position& p, const Entry& entry, sdk::Error& error) {
  if (IsKey(entry, "order")) return ReadPhase(p, kOrdering, entry.value, error);
  if (IsKey(entry, "throw")) return ReadPhase(p, kThrowing, entry.value, error);
  if (IsKey(entry, "play")) return ReadPhase(p, kActing, entry.value, error);
  if (IsKey(entry, "left")) return ReadSet("left", entry.value, p.left, error);
  if (IsKey(entry, "used")) return ReadSet("used", entry.value, p.used, error);
  if (IsKey(entry, "pick")) return ReadPick(p, entry.value, error);
  if (IsKey(entry, "thrown")) return ReadPerSeat(p, "thrown", entry.value, p.ordered, error);
  if (IsKey(entry, "place")) return ReadPerSeat(p, "place", entry.value, p.place, error);
  const int seat = entry.has_value ? FindSeat(p, entry.key) : -1;
  if (seat >= 0) return ReadPieces(p, seat, entry.value, error);
  if (entry.has_value && FindOption(entry.key) >= 0) return true;
  return ReadFlag(p, entry, error);
}

}  // namespace

bool Position::ParsePosition(std::string_view text, sdk::Error& error) {
  if (!ReadOptions(*this, text, error)) return false;
  constexpr uint8_t kNotSaid = 255;
  phase = kNotSaid;
  sdk::Reader reader(text);
  while (!reader.AtEnd()) {
    if (!ReadEntry(*this, Split(reader.TakeWord()), error)) return false;
  }
  if (phase == kNotSaid) {
    return error.Refuse("position", "Say who plays (play=south), throws (throw=south) or over.");
  }
  return true;
}

}  // namespace astragal::ashtapada
