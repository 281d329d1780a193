// The options of Ashtapada in declared order, and their values as numbers (the ABI's choices).
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_OPTIONS_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_OPTIONS_H_

#include <astragal/ruleset.h>

#include <cstdint>

namespace astragal::ashtapada {

enum Option : uint8_t {
  kPlayers,
  kPieces,
  kEntryBox,
  kTwinFormation,
  kTwinMove,
  kTriplets,
  kMarkedBox,
  kForgo,
  kThrowWeights,
  kFirstPlayer,
  kPlayForPlaces,
  kOptionCount
};

enum TwinFormation : uint8_t { kSameSquare = 0, kTwinsOff = 1 };
enum TwinMove : uint8_t { kFull = 0, kHalf = 1 };
enum Triplets : uint8_t { kPlain = 0, kAsTwins = 1 };
enum MarkedBox : uint8_t { kShare = 0, kBlock = 1 };
enum Forgo : uint8_t { kAfterFirst = 0, kAny = 1, kNone = 2 };
enum ThrowWeights : uint8_t { kFair = 0, kEven = 1 };
enum FirstPlayer : uint8_t { kHighestThrow = 0 };  // then south, west, north, east

inline constexpr uint8_t kMinPlayers = 2;
inline constexpr uint8_t kMaxPlayers = 4;
inline constexpr uint8_t kMinPieces = 2;
inline constexpr uint8_t kMaxPieces = 8;

// The table the ABI shows; kOptionCount entries.
extern const astragal_option kOptions[kOptionCount];

// The seat that a value of first_player names; meaningless for kHighestThrow.
inline constexpr uint8_t kFirstPlayerSeat[5] = {0, 0, 2, 1, 3};

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_OPTIONS_H_
