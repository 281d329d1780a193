// What a game is in the middle of, beside its position: the open turn, the offer that waits for
// answers, the clocks. Part of the fold over the log (GameState), and stored with the head so that
// a game can be loaded without its log.
//
// Values and pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_PROCEEDINGS_H_
#define ASTRAGAL_SERVICES_CORE_PROCEEDINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "plugins/host/ruleset.h"
#include "services/core/contributions.h"
#include "services/core/game_clock.h"
#include "storage/records.h"

namespace astragal::core {

// The steps of the turn being played, so that they can be taken back. A throw, or the next seat's
// turn, makes them final.
struct OpenTurn {
  // Bytes of the position before the first of them; empty when there are none, as nearly always
  // while a game is idle.
  std::string start;
  std::vector<int64_t> actions;  // of the seat to act, in order
  int8_t kept_by = -1;           // seat that keeps a turn open which the rules say is over
  uint8_t undone = 0;            // how often actions of it were taken back
};

// An offer stands until all concerned have accepted it, one declines, its seat withdraws it, or a
// seat that has not accepted it acts.
struct Offer {
  int8_t seat = -1;  // who made it
  storage::OfferKind kind = storage::OfferKind::kDraw;
  int64_t points = 0;    // with kResign
  uint8_t accepted = 0;  // bit for each seat that has accepted

  friend bool operator==(const Offer&, const Offer&) = default;
};

struct Proceedings {
  OpenTurn turn;
  std::optional<Offer> offer;
  GameClock clock;
  uint8_t offers = 0;  // made since the last action
  bool acted = false;  // some seat has taken an action
  uint8_t gone = 0;    // bit for each seat that resigned or lost on time
  Contributions contributions;
};

// Layout, version 1, integers little-endian: u8 1 | u8 acted | u8 gone | u8 offers | i8 kept_by |
// u8 undone | u8 count and i64 each of actions, then the start position if there are any | i8
// offering seat (-1: no offer), then u8 kind, i64 points, u8 accepted | u8 count and i64 each of
// reserves | u8 turns taken | i8 running | i64 since | i64 credit. Version 2 begins with u8 2 and
// adds i64 turn_lag_us | u8 count and i64 each of lag_us; it is written once some time was given
// back for the network. Version 3 begins with u8 3 and adds the contributions (see
// contributions.h) after that; it is written where there are any.
std::string EncodeProceedings(const Proceedings& proceedings);
// DATA_LOSS / REPLAY_MISMATCH for bytes that no encoder wrote.
absl::StatusOr<Proceedings> DecodeProceedings(const host::Ruleset& ruleset, std::string_view bytes);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_PROCEEDINGS_H_
