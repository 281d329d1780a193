#include "plugins/ashtapada/action.h"

#include "plugins/ashtapada/geometry.h"

namespace astragal::ashtapada {
namespace {

constexpr int kCountBits = 7;
constexpr int kSizeShift = kScores * kCountBits;
constexpr int kFromShift = kSizeShift + 2;
constexpr int kKindShift = kFromShift + 6;
constexpr int64_t kCodeLimit = int64_t{1} << (kKindShift + 3);

// The longest way that twins can go: by half of what is thrown, rounded down.
constexpr int MostSteps(const Action& action) {
  const int way = kKeep - action.from;
  return action.size == 2 ? 2 * way + 1 : way;
}

bool IsWellFormed(const Action& action) {
  const bool is_unplaced = action.from == 0 && action.size == 0;
  const bool is_placed = action.from < kKeep && (action.size == 1 || action.size == 2);
  const int throws = action.throws.Size();
  switch (action.kind) {
    case kEnter:
    case kBearOff:
      return is_unplaced && action.throws == Single(kOne);
    case kMove:
      return is_placed && throws >= 1 && throws <= kSeriesCap &&
             action.throws[kTwo] + action.throws[kThree] <= 1 &&
             action.throws.Sum() <= MostSteps(action);
    case kPick:
      return is_placed && throws == 0;
    case kAdd:
      return is_unplaced && throws == 1;
    case kStop:
    case kGo:
      return is_unplaced && throws == 0;
    default:
      return false;
  }
}

}  // namespace

int64_t Encode(const Action& action) {
  int64_t code = static_cast<int64_t>(action.kind) << kKindShift |
                 static_cast<int64_t>(action.from) << kFromShift |
                 static_cast<int64_t>(action.size) << kSizeShift;
  for (int i = 0; i < kScores; ++i) {
    code |= static_cast<int64_t>(action.throws[i]) << (i * kCountBits);
  }
  return code;
}

bool Decode(int64_t code, Action& action) {
  if (code < 0 || code >= kCodeLimit) return false;
  action.kind = static_cast<uint8_t>(code >> kKindShift & 7);
  action.from = static_cast<uint8_t>(code >> kFromShift & 63);
  action.size = static_cast<uint8_t>(code >> kSizeShift & 3);
  for (int i = 0; i < kScores; ++i) {
    action.throws[i] = static_cast<uint8_t>(code >> (i * kCountBits) & 127);
  }
  return IsWellFormed(action);
}

}  // namespace astragal::ashtapada
