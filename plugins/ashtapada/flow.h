// The flow of a game around the actions: who starts, series of throws, turns, places, the end.
// Steps of turn.cc and Leave() are made of these. Each reports what it does to the trail.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_FLOW_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_FLOW_H_

#include <astragal/ruleset.h>

#include <astragal/sink.hpp>
#include <cstdint>

#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {

// Where effects go: nowhere when a position is only changed.
class Trail {
 public:
  explicit Trail(sdk::Sink<astragal_effect>* out) : out_(out) {}

  void Add(uint32_t kind, int seat, int64_t amount = 0) {
    AddPiece(kind, seat, -1, -1, amount, -1);
  }
  void AddPiece(uint32_t kind, int seat, int from, int to, int64_t amount, int piece = 0) {
    if (out_ != nullptr) out_->Add({0, kind, seat, piece, from, to, amount});
  }
  bool is_on() const { return out_ != nullptr; }

 private:
  sdk::Sink<astragal_effect>* out_;
};

// Places are given from 1 to those who finish and from the last to those who leave.
bool IsPlaceTaken(const Position& p, int place);
int NextFreePlace(const Position& p);
int LowestFreePlace(const Position& p);

// Forgets the series of the seat whose turn it is.
void ClearSeries(Position& p);
// `seat` throws a new series.
void Begin(Position& p, int seat);
// The next seat still playing to the left does.
void BeginNext(Position& p, Trail& trail);
// Reports the throws that are left as lost; Begin() or the end of the game takes them away.
void DiscardLeft(const Position& p, Trail& trail);
// Rule 12, after unused throws are lost.
void EndSeries(Position& p, Trail& trail);
void EndGame(Position& p);
// When one seat is left it takes the place that is left, and the game is over.
bool EndGameIfOneIsLeft(Position& p, Trail& trail);

// order.cc: goes on with the throws for the start after one was made or a seat left.
void GoOnOrdering(Position& p, Trail& trail);
// A throw of the seat whose turn it is; `score` is an index of kScoreValues.
void ThrowForOrder(Position& p, int score, Trail& trail);
void ThrowForSeries(Position& p, int score, Trail& trail);

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_FLOW_H_
