// How actions and positions are written, what people type, and the board for terminals.
#include "sprint.h"

namespace sprint {
namespace {

void PutPlace(int place, sdk::TextSink& out) {
  if (place == kStart) {
    out.Put("start");
  } else if (place == kHome) {
    out.Put("home");
  } else {
    out.Put(place);
  }
}

bool TakePlace(sdk::Reader& reader, int& place) {
  reader.SkipSpaces();
  if (reader.Take("start")) return place = kStart, true;
  if (reader.Take("home")) return place = kHome, true;
  return reader.TakeSmall(1, kMaxLength, place);
}

template <size_t N>
bool TakeName(sdk::Reader& reader, const char* const (&names)[N], uint8_t& index) {
  for (size_t i = 0; i < N; ++i) {
    if (!reader.Take(names[i])) continue;
    index = static_cast<uint8_t>(i);
    return true;
  }
  return false;
}

bool ParseTurn(sdk::Reader& reader, Sprint& position, sdk::Error& error) {
  reader.SkipSpaces();
  position.mover = reader.Take(kSeatNames[0]) ? 0 : 1;
  bool good = position.mover == 0 || reader.Take(kSeatNames[1]);
  reader.SkipSpaces();
  if (reader.Take("plays")) {
    reader.SkipSpaces();
    good = good && reader.TakeSmall(1, kFaces, position.die);
  } else {
    good = good && (reader.Take("throws") || reader.Take("won"));
  }
  return good || error.Refuse("mover", "Write 'red throws', 'red plays 4' or 'red won'.");
}

bool ParseOptions(sdk::Reader& reader, Sprint& position, sdk::Error& error) {
  while (!reader.AtEnd()) {
    bool good = reader.Take(';');
    reader.SkipSpaces();
    if (reader.Take("length=")) {
      good = good && reader.TakeSmall(kMinLength, kMaxLength, position.length);
    } else if (reader.Take("finish=")) {
      good = good && TakeName(reader, kFinishNames, position.exact);
    } else {
      good = good && reader.Take("first=") && TakeName(reader, kSeatNames, position.first);
    }
    if (!good) return error.Refuse("options", "Write '; length=20', '; finish=exact'.");
  }
  return true;
}

}  // namespace

void Sprint::Format(int32_t, int64_t action, sdk::TextSink& out) const {
  const int from = FromOf(action);
  const int to = ToOf(action);
  const bool good_from = from <= kMaxLength;
  const bool good_to = (to >= 1 && to <= kMaxLength) || to == kHome;
  if (action >= kEndOfActions || !good_from || !good_to) return;  // not ours: nothing
  PutPlace(from, out);
  out.Put('-');
  PutPlace(to, out);
}

// What Format writes, and what people type: "3-7", "3/7", "3 7", "Start-4".
bool Sprint::Parse(int32_t, std::string_view text, int64_t& action, sdk::Error& error) const {
  sdk::Reader reader(text);
  int from = 0;
  int to = 0;
  bool good = TakePlace(reader, from) && from != kHome;
  reader.SkipSpaces();
  static_cast<void>(reader.Take('-') || reader.Take('/'));
  good = good && TakePlace(reader, to) && to != kStart && reader.AtEnd();
  if (!good) return error.Refuse("action", "Write a move like 3-7, start-4 or 12-home.");
  action = ActionOf(from, to);
  return true;
}

// One line that a person can type: "red start 5; blue 3 home; red plays 4; length=20".
void Sprint::FormatPosition(sdk::TextSink& out) const {
  for (int seat = 0; seat < kSeats; ++seat) {
    out.Put(kSeatNames[seat]);
    for (const uint8_t place : at[seat]) PutPlace(place, out.Put(' '));
    out.Put("; ");
  }
  out.Put(kSeatNames[mover]);
  if (IsOver()) {
    out.Put(" won");
  } else if (die == 0) {
    out.Put(" throws");
  } else {
    out.Put(" plays ").Put(die);
  }
  if (length != kUsualLength) out.Put("; length=").Put(length);
  if (exact != 0) out.Put("; finish=").Put(kFinishNames[exact]);
  if (first != 0) out.Put("; first=").Put(kSeatNames[first]);
}

// Check comes after it by itself, so only the form is judged here.
bool Sprint::ParsePosition(std::string_view text, sdk::Error& error) {
  length = kUsualLength;
  sdk::Reader reader(text);
  for (int seat = 0; seat < kSeats; ++seat) {
    reader.SkipSpaces();
    bool good = reader.Take(kSeatNames[seat]);
    for (uint8_t& place : at[seat]) {
      int value = 0;
      good = good && TakePlace(reader, value);
      place = static_cast<uint8_t>(value);
    }
    reader.SkipSpaces();
    if (!good || !reader.Take(';')) {
      return error.Refuse(kSeatNames[seat], "Write '", kSeatNames[seat], " start 5;'.");
    }
    std::sort(at[seat], at[seat] + kRunners);
  }
  return ParseTurn(reader, *this, error) && ParseOptions(reader, *this, error);
}

void Sprint::Text(sdk::TextSink& out) const {
  for (int square = 1; square <= length; ++square) {
    const char runner = Has(0, square) ? 'r' : Has(1, square) ? 'b' : '.';
    out.Put(square < 10 ? "  " : " ").Put(square);
    out.Put(runner == '.' ? ' ' : runner);
  }
  out.Put('\n');
  for (int seat = 0; seat < kSeats; ++seat) {
    const int waiting = Count(seat, kStart);
    out.Put(kSeatNames[seat]).Put(": start ").Put(waiting).Put(", home ");
    out.Put(Count(seat, kHome)).Put('\n');
  }
}

}  // namespace sprint
