// The board for terminals: marked boxes have an x, pieces are S, N, W or E and how many.
#include "plugins/ashtapada/names.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

constexpr int kCellWidth = 6;
constexpr int kMargin = 3;

void PutRule(sdk::TextSink& out) {
  out.Repeat(' ', kMargin);
  for (int file = 0; file < 8; ++file) out.Put('+').Repeat('-', kCellWidth);
  out.Put("+\n");
}

// One seat's pieces on a square, two characters: nothing, "S ", "S3".
void PutPieces(const Position& p, int seat, int square, sdk::TextSink& out) {
  const int index = p.IndexOn(seat, square);
  const int count = index == kNowhere ? 0 : p.CountAt(seat, index);
  out.Put(count > 0 ? kSeatLetters[seat] : ' ');
  if (count > 1) {
    out.Put(count);
  } else {
    out.Put(' ');
  }
}

// The upper line of a square has south and north, the lower west and east.
void PutCell(const Position& p, int square, int line, sdk::TextSink& out) {
  const uint32_t start = out.count();
  out.Put(line == 0 && IsMarkedSquare(square) ? 'x' : ' ');
  for (const int seat : {2 * line, 2 * line + 1}) {
    if (seat < p.option[kPlayers]) PutPieces(p, seat, square, out);
  }
  out.PadTo(start, kCellWidth);
}

void PutRank(const Position& p, int rank, sdk::TextSink& out) {
  const int lines = p.option[kPlayers] > 2 ? 2 : 1;
  for (int line = 0; line < lines; ++line) {
    out.Put(' ');
    line == 0 ? out.Put(rank + 1) : out.Put(' ');
    out.Put(' ');
    for (int file = 0; file < 8; ++file) {
      out.Put('|');
      PutCell(p, file + 8 * rank, line, out);
    }
    out.Put("|\n");
  }
}

void PutFiles(sdk::TextSink& out) {
  out.Repeat(' ', kMargin);
  for (int file = 0; file < 8; ++file) {
    out.Repeat(' ', kCellWidth / 2).Put(static_cast<char>('A' + file));
    if (file < 7) out.Repeat(' ', kCellWidth / 2);
  }
  out.Put('\n');
}

void PutSeat(const Position& p, int seat, sdk::TextSink& out) {
  const uint32_t start = out.count();
  out.Put(p.phase != kOver && p.turn == seat ? "> " : "  ").Put(kSeatTitles[seat]);
  out.PadTo(start, 9).Put("hand ").Put(p.CountAt(seat, kHand));
  out.Put("   keep ");
  PutSquare(out, p.SquareOf(seat, kKeep));
  out.Put(": ").Put(p.CountAt(seat, kKeep));
  out.Put("   off ").Put(p.CountAt(seat, kOff));
  if (p.place[seat] != 0) out.Put("   place ").Put(p.place[seat]);
  if (p.ordered[seat] == kOutthrown) out.Put("   outthrown");
  if (p.ordered[seat] >= 1 && p.ordered[seat] <= kScores) {
    out.Put("   threw ").Put(kScoreValues[p.ordered[seat] - 1]);
  }
  out.Put('\n');
}

void PutTitled(const char* title, const ThrowSet& set, sdk::TextSink& out) {
  if (set.Size() == 0) return;
  out.Put(title);
  PutThrows(out, set, ' ');
}

void PutMoved(const Position& p, sdk::TextSink& out) {
  bool first = true;
  for (const uint8_t piece : p.PiecesOf(p.turn)) {
    if (!HasMoved(piece)) continue;
    out.Put(first ? "; moved: " : " ");
    PutSquare(out, p.SquareOf(p.turn, IndexOf(piece)));
    first = false;
  }
}

void PutStatus(const Position& p, sdk::TextSink& out) {
  if (p.phase == kOver) {
    for (int seat = 0; seat < p.option[kPlayers]; ++seat) {
      if (p.place[seat] == 1) out.Put(kSeatTitles[seat]).Put(" has won.\n");
    }
    return;
  }
  out.Put(kSeatTitles[p.turn]);
  out.Put(p.phase == kOrdering   ? " throws for the start"
          : p.phase == kThrowing ? " throws"
                                 : " plays");
  PutTitled(": ", p.left, out);
  if (p.pick_size != 0) {
    out.Put("; moving from ");
    PutSquare(out, p.SquareOf(p.turn, p.pick_from));
    PutTitled(p.pick_size == 2 ? " (twins) by " : " by ", p.picked, out);
  }
  PutTitled("; used: ", p.used, out);
  PutMoved(p, out);
  if ((p.flags & kCaptured) != 0) out.Put("; throws again after this");
  out.Put('\n');
}

}  // namespace

void Position::Text(sdk::TextSink& out) const {
  PutFiles(out);
  for (int rank = 7; rank >= 0; --rank) {
    PutRule(out);
    PutRank(*this, rank, out);
  }
  PutRule(out);
  PutFiles(out);
  for (const uint8_t seat : PlayOrder()) PutSeat(*this, seat, out);
  PutStatus(*this, out);
}

}  // namespace astragal::ashtapada
