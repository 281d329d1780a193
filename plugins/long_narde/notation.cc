// How a step is written: own numbers, "24/18", "6/off". A roll can hold two dice that bear off from
// the same point; then "4/off" is the smaller of those left and "4/off:6" names the die.
#include <algorithm>

#include "plugins/long_narde/position.h"

namespace astragal::long_narde {
namespace {

// The die that a plain "off" from own point `from` means for this seat: the smallest one left that
// is large enough, else the exact one. It depends on the dice alone, so format and parse agree.
int PlainOffDie(const Position& position, int seat, int from) {
  if (position.phase != kMove || seat != position.mover) return from;
  int die = 7;
  for (int i : {0, 1}) {
    if (position.left[i] > 0 && position.dice[i] >= from)
      die = std::min<int>(die, position.dice[i]);
  }
  return die <= 6 ? die : from;
}

}  // namespace

void Position::Format(int32_t seat, int64_t action, sdk::TextSink& out) const {
  if (!IsStep(action)) return;
  const int from = OwnPoint(StepIndex(action));
  const int die = StepDie(action);
  out.Put(from).Put('/');
  if (from > die) {
    out.Put(from - die);
    return;
  }
  out.Put("off");
  if (die != PlainOffDie(*this, seat, from)) out.Put(':').Put(die);
}

// Also reads "-" or ">" for "/", "head" or "h" for 24, "o" for "off", and spaces around the sign.
bool Position::Parse(int32_t seat, std::string_view text, int64_t& action,
                     sdk::Error& error) const {
  sdk::Reader reader(text);
  int from = 0;
  if (reader.Take("head") || reader.Take('h')) {
    from = kPoints;
  } else if (!reader.TakeSmall(1, kPoints, from)) {
    return error.Refuse("from", "A step begins with the point it leaves, 24 to 1, as in '24/18'.");
  }
  reader.SkipSpaces();
  if (!reader.Take('/') && !reader.Take('-') && !reader.Take('>')) {
    return error.Refuse("to",
                        "After the point comes '/' and where the checker goes, as in '24/18'.");
  }
  reader.SkipSpaces();
  int die = 0;
  if (reader.Take("off") || reader.Take('o')) {
    if (from > 6) return error.Refuse("to", "No die bears off from ", from, ".");
    if (!reader.Take(':')) {
      die = PlainOffDie(*this, seat, from);
    } else if (!reader.TakeSmall(from, 6, die)) {
      return error.Refuse("to", "After 'off:' comes a die of ", from, " to 6.");
    }
  } else {
    int to = 0;
    if (!reader.TakeSmall(1, kPoints, to)) {
      return error.Refuse("to", "A checker goes to a point, 23 to 1, or 'off'.");
    }
    die = from - to;
    if (die <= 0) return error.Refuse("to", "Checkers run from 24 down to 1, never back.");
    if (die > 6) {
      return error.Refuse("to", from, " to ", to, " is ", die,
                          " steps; write each die by itself, as in '24/18', then '18/15'.");
    }
  }
  if (!reader.AtEnd())
    return error.Refuse("to", "One step at a time: '", reader.rest().substr(0, 40),
                        "' is too much.");
  action = from * 8 + die;
  return true;
}

}  // namespace astragal::long_narde
