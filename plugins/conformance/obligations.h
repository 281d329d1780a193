// What a ruleset owes, numbered as in plugins/README.md.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_OBLIGATIONS_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_OBLIGATIONS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace astragal::conformance {

enum class Duty {
  kNone = 0,
  kLoads,
  kImports,
  kExports,
  kGlobals,
  kQuiet,
  kRepeatable,
  kOtherProcess,
  kThreads,
  kStart,
  kCheckReached,
  kAnyBytes,
  kHead,
  kActionsListed,
  kActionsApply,
  kThrowsApply,
  kOthersRefused,
  kRefusalWords,
  kNotation,
  kAnyNotation,
  kPositionText,
  kAnyPositionText,
  kEffectsForm,
  kEffectsAgree,
  kPieces,
  kPiecesConserved,
  kCoinsConserved,
  kPlaces,
  kShown,
  kResult,
  kConcession,
  kLeave,
  kMirror,
  kEvaluate,
  kLiveness,
  kTermination,
  kWritesInside,
};

inline constexpr int kDutyCount = static_cast<int>(Duty::kWritesInside);

struct Obligation {
  Duty duty;  // its number is its value
  absl::string_view word;
  absl::string_view text;
  absl::string_view how;
};

// All of them in order of number, from 1.
absl::Span<const Obligation> Obligations();

// Row `duty` of it; not for kNone.
const Obligation& ObligationOf(Duty duty);

// Reads a word; kNone when it is none.
Duty DutyFromWord(absl::string_view word);

// The table of plugins/README.md, which a test compares.
std::string ObligationTable();

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_OBLIGATIONS_H_
