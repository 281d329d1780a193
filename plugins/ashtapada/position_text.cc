// The position as one line, and the grammar that read_position.cc reads:
//
//   play=south left=1+8 used=2 acted south=5*,20 north=- forgo=any
//
// First who does what: order=SEAT (throws for the start, with thrown=south:4,west:out), throw=SEAT
// (throws a series), play=SEAT (acts), or over. left= and used= are throws of the series; the words
// acted and captured what has happened in it. Then each seat with its pieces on the route, by own
// index or square, "keep" and "off"; pieces not listed are in hand, "*" has moved in this series.
// place=north:1 are final places; pick=5:1+4 or pick=5x2:4 a move in the making. Last come options
// that differ from their defaults. Words may stand in any order.
#include "plugins/ashtapada/names.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

constexpr const char* kPhaseWords[] = {"order=", "throw=", "play="};

void PutSet(const char* key, const ThrowSet& set, sdk::TextSink& out) {
  if (set.Size() == 0) return;
  out.Put(key);
  PutThrows(out, set, '+');
}

void PutPick(const Position& p, sdk::TextSink& out) {
  if (p.pick_size == 0) return;
  out.Put(" pick=").Put(p.pick_from);
  if (p.pick_size == 2) out.Put("x2");
  PutSet(":", p.picked, out);
}

void PutThrown(const Position& p, sdk::TextSink& out) {
  const char* before = " thrown=";
  for (const uint8_t seat : p.PlayOrder()) {
    if (p.ordered[seat] == 0) continue;
    out.Put(before).Put(kSeatNames[seat]).Put(':');
    before = ",";
    if (p.ordered[seat] == kOutthrown) {
      out.Put("out");
    } else {
      out.Put(kScoreValues[p.ordered[seat] - 1]);
    }
  }
}

void PutPieces(const Position& p, int seat, sdk::TextSink& out) {
  out.Put(' ').Put(kSeatNames[seat]);
  char before = '=';
  for (const uint8_t piece : p.PiecesOf(seat)) {
    const int index = IndexOf(piece);
    if (index == kHand) continue;
    out.Put(before);
    before = ',';
    if (index == kKeep) {
      out.Put("keep");
    } else if (index == kOff) {
      out.Put("off");
    } else {
      out.Put(index);
    }
    if (HasMoved(piece)) out.Put('*');
  }
  if (before == '=') out.Put("=-");
}

void PutPlaces(const Position& p, sdk::TextSink& out) {
  const char* before = " place=";
  for (const uint8_t seat : p.PlayOrder()) {
    if (p.place[seat] == 0) continue;
    out.Put(before).Put(kSeatNames[seat]).Put(':').Put(p.place[seat]);
    before = ",";
  }
}

void PutOptions(const Position& p, sdk::TextSink& out) {
  for (int i = 0; i < kOptionCount; ++i) {
    const astragal_option& option = kOptions[i];
    if (p.option[i] == option.default_value) continue;
    out.Put(' ').Put(option.name).Put('=');
    if (option.kind == ASTRAGAL_OPTION_CHOICE) {
      out.Put(option.choices[p.option[i]]);
    } else {
      out.Put(p.option[i]);
    }
  }
}

}  // namespace

void Position::FormatPosition(sdk::TextSink& out) const {
  if (phase == kOver) {
    out.Put("over");
  } else {
    out.Put(kPhaseWords[phase]).Put(kSeatNames[turn]);
  }
  PutThrown(*this, out);
  PutSet(" left=", left, out);
  PutSet(" used=", used, out);
  PutPick(*this, out);
  if ((flags & kActed) != 0) out.Put(" acted");
  if ((flags & kCaptured) != 0) out.Put(" captured");
  for (const uint8_t seat : PlayOrder()) PutPieces(*this, seat, out);
  PutPlaces(*this, out);
  PutOptions(*this, out);
}

}  // namespace astragal::ashtapada
