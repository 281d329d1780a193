// How reliable a player is: how much of his last rated games he has completed.
#ifndef ASTRAGAL_SERVICES_CORE_COMPLETION_H_
#define ASTRAGAL_SERVICES_CORE_COMPLETION_H_

#include "absl/status/statusor.h"
#include "storage/rating_store.h"

namespace astragal::core {

// Games that are looked at: as many as RatingService shows the conduct of.
inline constexpr size_t kCompletionWindow = 20;
inline constexpr int kWholeCompletion = 100;  // percent

// In percent, rounded down; whole for whoever has had no rated games. A game is not completed that
// came to nothing because of him, or that he lost early.
constexpr int CompletionPercent(const storage::Conduct& conduct) {
  if (conduct.games == 0) return kWholeCompletion;
  return static_cast<int>(conduct.completed * kWholeCompletion / conduct.games);
}

// Blocks. STORE_UNAVAILABLE. Thread-safe.
inline absl::StatusOr<int> CompletionOf(storage::RatingStore& ratings, base::PlayerId player) {
  const absl::StatusOr<storage::Conduct> conduct = ratings.ConductOf(player, kCompletionWindow);
  if (!conduct.ok()) return conduct.status();
  return CompletionPercent(*conduct);
}

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_COMPLETION_H_
