// What a position looks like: geometry, pieces, dice, counters and a board of letters.
#include <array>

#include "plugins/long_narde/position.h"

namespace astragal::long_narde {
namespace {

// Thousandths of a unit. Twelve points a row, a bar between the halves, a tray at either end: each
// side's tray lies beside its home (White's lower right, Black's upper left).
constexpr int kUnit = 1000;
constexpr int kHeight = 5 * kUnit;
constexpr int kGap = 1500;  // between the tips of the two rows
constexpr int kBar = 600;
constexpr int kTrayWidth = 1200;
constexpr int kMargin = 300;  // between a tray and the points
constexpr int kLeft = kTrayWidth + kMargin;
constexpr int kRight = kLeft + 12 * kUnit + kBar + kMargin;
constexpr int kUpper = kHeight / 2;
constexpr int kLower = kHeight + kGap + kHeight / 2;

// Column 0..11 from the left: the lower row runs 12..1, the upper one 13..24.
constexpr int Column(int point) { return point <= 12 ? 12 - point : point - 13; }
constexpr int ColumnX(int column) {
  return kLeft + column * kUnit + kUnit / 2 + (column >= 6 ? kBar : 0);
}

astragal_place PointPlace(int point) {
  const bool upper = point > 12;
  astragal_place place{};
  place.id = point;
  place.x = ColumnX(Column(point));
  place.y = upper ? kUpper : kLower;
  place.width = kUnit;
  place.height = kHeight;
  place.shape = upper ? ASTRAGAL_SHAPE_TRIANGLE_DOWN : ASTRAGAL_SHAPE_TRIANGLE_UP;
  place.seat = -1;
  for (int seat : {kWhite, kBlack}) {
    const int index = IndexOfAbsolute(seat, point);
    if (index == kHead) place.marks |= ASTRAGAL_MARK_START;
    if (index >= kHome) place.marks |= ASTRAGAL_MARK_HOME;
    if (index == kHead || index >= kHome) place.seat = seat;
  }
  if (point % 2 == 0) place.marks |= ASTRAGAL_MARK_DARK;
  char label[8];
  sdk::TextSink text(label, sizeof(label));
  text.Put(point);
  sdk::SetField(place.label, std::string_view(label, text.count()));
  return place;
}

astragal_place TrayPlace(int seat) {
  astragal_place place{};
  place.id = seat == kWhite ? kWhiteTray : kBlackTray;
  place.x = seat == kWhite ? kRight + kTrayWidth / 2 : kTrayWidth / 2;
  place.y = seat == kWhite ? kLower : kUpper;
  place.width = kTrayWidth;
  place.height = kHeight;
  place.shape = ASTRAGAL_SHAPE_TRAY;
  place.seat = seat;
  sdk::SetField(place.label, "off");
  return place;
}

astragal_counter Counter(const char* name, int seat, int64_t value) {
  astragal_counter counter{};
  counter.seat = seat;
  counter.value = value;
  sdk::SetField(counter.name, name);
  return counter;
}

// ---- Letters.

constexpr int kRows = 5;
constexpr char kLetters[] = {'O', 'X'};

void PutNumber(int number, int width, sdk::TextSink& out) {
  out.Repeat(' ', width - (number < 10 ? 1 : 2)).Put(number);
}

// The points of a row from the left.
constexpr std::array<int, 12> RowPoints(bool upper) {
  std::array<int, 12> points{};
  for (int i = 0; i < 12; ++i) points[i] = upper ? 13 + i : 12 - i;
  return points;
}

// Each side's own numbers above or below the row.
void PutLabels(bool upper, sdk::TextSink& out) {
  for (int seat : {kWhite, kBlack}) {
    out.Put(seat == kWhite ? "White  " : "Black  ");
    int column = 0;
    for (const int point : RowPoints(upper)) {
      if (column++ == 6) out.Put("  ");
      PutNumber(OwnPoint(IndexOfAbsolute(seat, point)), 3, out);
    }
    out.Put('\n');
  }
}

// `depth` 1 is next to the edge. A stack too high for the board shows its number instead.
void PutCell(const Position& position, int point, int depth, sdk::TextSink& out) {
  for (int seat : {kWhite, kBlack}) {
    const int count = position.count[seat][IndexOfAbsolute(seat, point)];
    if (count == 0) continue;
    if (count > kRows && depth == kRows) return PutNumber(count, 3, out);
    out.Put("  ").Put(depth <= count ? kLetters[seat] : ' ');
    return;
  }
  out.Put(depth == 1 ? "  ." : "   ");
}

void PutRow(const Position& position, bool upper, int depth, sdk::TextSink& out) {
  out.Put("      |");
  int column = 0;
  for (const int point : RowPoints(upper)) {
    if (column++ == 6) out.Put(" |");
    PutCell(position, point, depth, out);
  }
  out.Put(" |\n");
}

void PutEdge(sdk::TextSink& out) {
  out.Put("      +").Repeat('-', 19).Put('+').Repeat('-', 19).Put("+\n");
}

void PutState(const Position& p, sdk::TextSink& out) {
  if (p.phase == kOpening) {
    out.Put("Roll-off: the higher die begins.\n");
    return;
  }
  if (p.phase == kOver) {
    const int winner = p.Winner();
    if (winner < 0) {
      out.Put("Over: a draw.\n");
    } else {
      out.Put("Over: ").Put(kSeatNames[winner]).Put(" wins ").Put(p.PointsOfWin(winner)).Put(".\n");
    }
    return;
  }
  out.Put(p.last_turn != 0 ? "Extra turn: " : "Turn: ").Put(kSeatNames[p.mover]).Put(' ');
  out.Put(kLetters[p.mover]);
  if (p.phase == kRoll) {
    out.Put(", to roll.\n");
    return;
  }
  out.Put(", dice ").Put(p.dice[0]).Put('-').Put(p.dice[1]).Put(", to play:");
  for (int i : {0, 1}) {
    for (int n = 0; n < p.left[i]; ++n) out.Put(' ').Put(p.dice[i]);
  }
  out.Put('\n');
}

}  // namespace

void Position::Places(sdk::Sink<astragal_place>& out) const {
  for (int point = 1; point <= kPoints; ++point) out.Add(PointPlace(point));
  for (int seat : {kWhite, kBlack}) out.Add(TrayPlace(seat));
}

void Position::Pieces(sdk::Sink<astragal_piece>& out) const {
  for (int point = 1; point <= kPoints; ++point) {
    for (int seat : {kWhite, kBlack}) {
      const int number = count[seat][IndexOfAbsolute(seat, point)];
      if (number > 0) out.Add({0, point, seat, 0, number, 0});
    }
  }
  if (off[kWhite] > 0) out.Add({0, kWhiteTray, kWhite, 0, off[kWhite], 0});
  if (off[kBlack] > 0) out.Add({0, kBlackTray, kBlack, 0, off[kBlack], 0});
}

void Position::Throws(sdk::Sink<astragal_throw>& out) const {
  if (phase != kMove) return;
  const int each[] = {dice[0] == dice[1] ? 4 : 1, dice[0] == dice[1] ? 0 : 1};
  for (int i : {0, 1}) {
    const int used = each[i] - left[i];
    for (int n = 0; n < each[i]; ++n) out.Add({0, mover, dice[i], n < used ? 1 : 0, 0});
  }
}

void Position::Counters(sdk::Sink<astragal_counter>& out) const {
  for (int seat : {kWhite, kBlack}) {
    out.Add(Counter("borne_off", seat, off[seat]));
    out.Add(Counter("pips", seat, Pips(seat)));
  }
}

void Position::Text(sdk::TextSink& out) const {
  PutLabels(true, out);
  PutEdge(out);
  for (int depth = 1; depth <= kRows; ++depth) PutRow(*this, true, depth, out);
  out.Put("      |").Repeat(' ', 19).Put('|').Repeat(' ', 19).Put("|\n");
  for (int depth = kRows; depth >= 1; --depth) PutRow(*this, false, depth, out);
  PutEdge(out);
  PutLabels(false, out);
  for (int seat : {kWhite, kBlack}) {
    out.Put(kLetters[seat]).Put(' ').Put(kSeatNames[seat]).Put(": ").Put(off[seat]).Put(" off, ");
    out.Put(Pips(seat)).Put(" pips\n");
  }
  PutState(*this, out);
}

}  // namespace astragal::long_narde
