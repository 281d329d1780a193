#include "plugins/ashtapada/flow.h"

#include <algorithm>

#include "plugins/ashtapada/moves.h"

namespace astragal::ashtapada {
namespace {

int PlayingSeats(const Position& p) {
  int playing = 0;
  for (const uint8_t seat : p.PlayOrder()) playing += p.IsPlaying(seat) ? 1 : 0;
  return playing;
}

int NextPlaying(const Position& p, int seat) {
  do {
    seat = p.LeftOf(seat);
  } while (!p.IsPlaying(seat));
  return seat;
}

void EndThrowing(Position& p, Trail& trail) {
  if (p.left.Size() > 0 && HasAnyAction(p)) {
    p.phase = kActing;
    return;
  }
  DiscardLeft(p, trail);
  trail.Add(ASTRAGAL_EFFECT_PASS, p.turn);
  BeginNext(p, trail);
}

}  // namespace

bool IsPlaceTaken(const Position& p, int place) {
  return std::find(p.place, p.place + kSeats, place) != p.place + kSeats;
}

int NextFreePlace(const Position& p) {
  int place = 1;
  while (IsPlaceTaken(p, place)) ++place;
  return place;
}

int LowestFreePlace(const Position& p) {
  int place = p.option[kPlayers];
  while (IsPlaceTaken(p, place)) --place;
  return place;
}

void ClearSeries(Position& p) {
  for (uint8_t& piece : p.piece[p.turn]) piece = static_cast<uint8_t>(piece & ~1);
  p.flags = 0;
  p.left = {};
  p.used = {};
  p.pick_from = 0;
  p.pick_size = 0;
  p.picked = {};
}

void Begin(Position& p, int seat) {
  ClearSeries(p);
  p.phase = kThrowing;
  p.turn = static_cast<uint8_t>(seat);
}

void BeginNext(Position& p, Trail& trail) {
  Begin(p, NextPlaying(p, p.turn));
  trail.Add(ASTRAGAL_EFFECT_TURN, p.turn);
}

void DiscardLeft(const Position& p, Trail& trail) {
  if (!trail.is_on()) return;
  for (int score = 0; score < kScores; ++score) {
    for (int i = 0; i < p.left[score]; ++i) {
      trail.Add(ASTRAGAL_EFFECT_DISCARD, p.turn, kScoreValues[score]);
    }
  }
}

void EndSeries(Position& p, Trail& trail) {
  DiscardLeft(p, trail);
  if ((p.flags & kCaptured) != 0) {
    Begin(p, p.turn);
    trail.Add(ASTRAGAL_EFFECT_EXTRA_THROW, p.turn);
  } else {
    BeginNext(p, trail);
  }
}

void EndGame(Position& p) {
  ClearSeries(p);
  std::fill_n(p.ordered, kSeats, uint8_t{0});
  p.phase = kOver;
  p.turn = 0;
}

bool EndGameIfOneIsLeft(Position& p, Trail& trail) {
  if (PlayingSeats(p) > 1) return false;
  for (const uint8_t seat : p.PlayOrder()) {
    if (!p.IsPlaying(seat)) continue;
    p.place[seat] = static_cast<uint8_t>(NextFreePlace(p));
    trail.Add(ASTRAGAL_EFFECT_FINISH, seat, p.place[seat]);
  }
  EndGame(p);
  return true;
}

void ThrowForSeries(Position& p, int score, Trail& trail) {
  trail.Add(ASTRAGAL_EFFECT_THROW, p.turn, kScoreValues[score]);
  // Rule 3: with a bare board every throw before the first 1 is lost.
  const bool is_lost = score != kOne && p.left[kOne] == 0 && p.IsBoardBare(p.turn);
  ++(is_lost ? p.used : p.left)[score];
  if (is_lost) trail.Add(ASTRAGAL_EFFECT_DISCARD, p.turn, kScoreValues[score]);
  const bool is_last =
      score == kTwo || score == kThree || p.left.Size() + p.used.Size() == kSeriesCap;
  if (is_last) EndThrowing(p, trail);
}

}  // namespace astragal::ashtapada
