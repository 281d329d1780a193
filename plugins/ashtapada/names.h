// Names of squares, own indices and throws as people write them. Pure.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_NAMES_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_NAMES_H_

#include <astragal/reader.hpp>
#include <astragal/sink.hpp>

#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {

inline void PutSquare(sdk::TextSink& out, int square) {
  out.Put(static_cast<char>('A' + square % 8)).Put(static_cast<char>('1' + square / 8));
}

// Throws in ascending order, "1+1+8"; many of a kind as "1*12", so that a move fits its line.
inline void PutThrows(sdk::TextSink& out, const ThrowSet& throws, char between) {
  constexpr int kWrittenOut = 6;
  bool first = true;
  const bool in_short = throws.Size() > kWrittenOut;
  for (int score = 0; score < kScores; ++score) {
    const int count = throws[score];
    for (int i = 0; i < (in_short && count > 0 ? 1 : count); ++i) {
      if (!first) out.Put(between);
      first = false;
      out.Put(kScoreValues[score]);
      if (in_short && count > 1) out.Put('*').Put(count);
    }
  }
}

// Reads one score: 1, 2, 3, 4 or 8.
inline bool TakeScore(sdk::Reader& reader, int& score) {
  int64_t value = 0;
  sdk::Reader ahead = reader;
  if (!ahead.TakeInteger(1, 8, value)) return false;
  for (int i = 0; i < kScores; ++i) {
    if (kScoreValues[i] != value) continue;
    score = i;
    reader = ahead;
    return true;
  }
  return false;
}

// Reads throws separated by '+', ',' or spaces, each perhaps with "*n", up to the end of the text.
inline bool TakeThrows(sdk::Reader& reader, ThrowSet& throws) {
  throws = {};
  bool goes_on = true;
  while (goes_on) {
    int score = 0;
    int64_t times = 1;
    reader.SkipSpaces();
    if (!TakeScore(reader, score)) return false;
    if (reader.Take('*') && !reader.TakeInteger(1, kSeriesCap, times)) return false;
    if (throws[score] + times > kSeriesCap) return false;
    throws[score] = static_cast<uint8_t>(throws[score] + times);
    reader.SkipSpaces();
    goes_on = reader.Take('+') || reader.Take(',') || !reader.AtEnd();
  }
  return throws.Size() <= kSeriesCap;
}

// Reads a square ("G4") or an own index ("41") of the seat, the keep included; an own index beyond
// the route or a square that is not on it is not taken.
inline bool TakeIndex(sdk::Reader& reader, const Position& p, int seat, int& index) {
  int64_t number = 0;
  if (reader.TakeInteger(0, kKeep, number)) {
    index = static_cast<int>(number);
    return true;
  }
  const std::string_view rest = reader.rest();
  if (rest.size() < 2) return false;
  const int file = sdk::Lower(rest[0]) - 'a';
  const int rank = rest[1] - '1';
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return false;
  const int on_route = p.IndexOn(seat, file + 8 * rank);
  if (on_route == kNowhere) return false;
  reader.Take(rest.substr(0, 2));
  index = on_route;
  return true;
}

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_NAMES_H_
