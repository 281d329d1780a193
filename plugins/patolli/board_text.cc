// The board for a terminal: the cross on its 16x16 grid, three characters a square, with the sides,
// the pot and the legend in the four free corners.
#include <bit>

#include "plugins/patolli/rules.h"

namespace astragal::patolli {
namespace {

constexpr int kRows = 16;
constexpr int kWidth = 54;
constexpr int kRight = 30;   // first column of the corners on the right
constexpr int kCorner = 20;  // columns of a corner on the left
constexpr int kBottom = 10;  // first line of the corners below

// A page of fixed size; what does not fit is cut.
class Page {
 public:
  Page() {
    for (auto& line : lines_) line.fill(' ');
  }

  void Put(int row, int column, std::string_view text) {
    for (const char c : text) {
      if (column >= kWidth) return;
      lines_[static_cast<size_t>(row)][static_cast<size_t>(column++)] = c;
    }
  }

  // A line of a corner: it never runs into the board.
  void PutInCorner(int row, int column, std::string_view text) {
    Put(row, column, text.substr(0, kCorner + (column > 0 ? 4 : 0)));
  }

  void WriteTo(sdk::TextSink& out) const {
    for (const auto& line : lines_) {
      std::string_view text(line.data(), line.size());
      while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
      out.Put(text).Put('\n');
    }
  }

 private:
  std::array<std::array<char, kWidth>, kRows> lines_;
};

// A line of a corner under construction.
class Line {
 public:
  template <class... Parts>
  explicit Line(const Parts&... parts) : sink_(text_, sizeof(text_)) {
    (sink_.Put(parts), ...);
  }
  sdk::TextSink& sink() { return sink_; }
  std::string_view view() const {
    return {text_, sink_.count() < sizeof(text_) ? sink_.count() : sizeof(text_)};
  }

 private:
  char text_[64];
  sdk::TextSink sink_;
};

std::string_view FrameOf(const Rules& rules, int square) {
  const uint64_t here = Bit(square);
  if (kRounded & here) return "()";
  if (kWedges[rules.wedge_ranks] & here) return "<>";
  if (kMiddle & here) return "[]";
  return "  ";
}

void DrawSquares(const Position& p, Page& page) {
  std::array<char, kSquares> shown;
  shown.fill(' ');
  for (const int seat : {kRed, kGreen}) {
    const Side& side = p.sides[static_cast<size_t>(seat)];
    for (uint64_t rest = side.track; rest != 0; rest &= rest - 1) {
      const int own = std::countr_zero(rest);
      shown[static_cast<size_t>(SquareOf(p.rules.start_square, seat, side.direction, own))] =
          seat == kRed ? 'R' : 'G';
    }
  }
  for (int square = 0; square < kSquares; ++square) {
    const std::string_view frame = FrameOf(p.rules, square);
    char piece = shown[static_cast<size_t>(square)];
    if (piece == ' ' && frame == "  ") piece = '.';
    const char cell[] = {frame[0], piece, frame[1]};
    const Cell at = kCells[static_cast<size_t>(square)];
    page.Put(at.row, at.column * 3, std::string_view(cell, sizeof(cell)));
  }
}

void DrawSide(const Position& p, int seat, int row, int column, Page& page) {
  const Side& side = p.sides[static_cast<size_t>(seat)];
  const char piece = seat == kRed ? 'R' : 'G';
  page.PutInCorner(row, column, Line(SeatName(seat), ", ", DirectionName(side.direction)).view());
  Line hand("hand  ");
  hand.sink().Repeat(piece, side.hand);
  page.PutInCorner(row + 1, column, hand.view());
  Line home("home  ");
  home.sink().Repeat(piece, side.off);
  page.PutInCorner(row + 2, column, home.view());
  Line on("on");
  for (uint64_t rest = side.track; rest != 0; rest &= rest - 1) {
    on.sink().Put(' ').Put(std::countr_zero(rest));
  }
  page.PutInCorner(row + 3, column, side.track == 0 ? std::string_view("on -") : on.view());
  Line coins("coins ", side.coins);
  if (p.rules.purse != 0) coins.sink().Put(", left ").Put(FundsOf(p, seat));
  page.PutInCorner(row + 4, column, coins.view());
}

void DrawTurn(const Position& p, Page& page) {
  page.PutInCorner(kBottom + 1, 0, Line("pot   ", p.pot).view());
  const char* const name = SeatName(p.mover);
  const auto say = [&page](const Line& line) { page.PutInCorner(kBottom + 2, 0, line.view()); };
  if (p.phase == kMoving) {
    say(Line(name, " threw ", p.score));
  } else if (p.phase == kOver) {
    say(Line(name, " has won"));
  } else {
    say(Line(name, " to throw"));
  }
  if (p.phase != kOpening) return;
  page.PutInCorner(kBottom + 3, 0, "for the first turn");
  if (p.opening != 0) page.PutInCorner(kBottom + 4, 0, Line("against ", p.opening - 1).view());
}

void DrawLegend(const Position& p, Page& page) {
  page.PutInCorner(0, kRight, "( ) throw again");
  page.PutInCorner(1, kRight, Line("< > pay ", p.rules.wedge_amount).view());
  page.PutInCorner(2, kRight,
                   p.rules.middle_attack_off != 0 ? "[ ] middle" : "[ ] middle: attacks");
}

}  // namespace

void Position::Text(sdk::TextSink& out) const {
  Page page;
  DrawSquares(*this, page);
  DrawSide(*this, kRed, 0, 0, page);
  DrawSide(*this, kGreen, kBottom + 1, kRight, page);
  DrawTurn(*this, page);
  DrawLegend(*this, page);
  page.WriteTo(out);
}

}  // namespace astragal::patolli
