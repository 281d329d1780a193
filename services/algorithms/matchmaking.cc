#include "services/algorithms/matchmaking.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>

namespace astragal::algorithms {
namespace {

int64_t WaitedMs(const WaitingPlayer& player, base::Instant now) {
  return std::max<int64_t>(0, now.micros - player.since.micros) / 1'000;
}

bool JustPlayed(const WaitingPlayer& one, const WaitingPlayer& other) {
  return one.last_opponent == other.player || other.last_opponent == one.player;
}

bool AreContent(const WaitingPlayer& one, const WaitingPlayer& other) {
  return one.completion >= other.least_completion && other.completion >= one.least_completion;
}

// Somebody else than these two waits.
bool OthersWait(const std::vector<WaitingPlayer>& waiting, const WaitingPlayer& one,
                const WaitingPlayer& other) {
  return std::ranges::any_of(waiting, [&](const WaitingPlayer& each) {
    return each.player != one.player && each.player != other.player;
  });
}

}  // namespace

int64_t RatingWindow(int64_t waited_ms) {
  if (waited_ms >= kAnyAfterMs) return std::numeric_limits<int64_t>::max();
  return kFirstWindow + kWiderBy * (std::max<int64_t>(0, waited_ms) / kWidenAfterMs);
}

std::vector<std::pair<size_t, size_t>> PairPlayers(const std::vector<WaitingPlayer>& waiting,
                                                   base::Instant now) {
  std::vector<std::pair<size_t, size_t>> pairs;
  std::set<base::PlayerId> paired;
  for (size_t i = 0; i < waiting.size(); ++i) {
    const WaitingPlayer& chooser = waiting[i];
    if (paired.contains(chooser.player)) continue;
    const int64_t waited_ms = WaitedMs(chooser, now);
    int64_t nearest = RatingWindow(waited_ms);
    std::optional<size_t> chosen;
    for (size_t j = i + 1; j < waiting.size(); ++j) {
      const WaitingPlayer& other = waiting[j];
      if (other.player == chooser.player || paired.contains(other.player)) continue;
      if (!AreContent(chooser, other)) continue;
      const int64_t apart = std::abs(int64_t{chooser.rating} - other.rating);
      if (chosen ? apart >= nearest : apart > nearest) continue;
      if (JustPlayed(chooser, other) && waited_ms < kRematchAfterMs &&
          OthersWait(waiting, chooser, other)) {
        continue;
      }
      nearest = apart;
      chosen = j;
    }
    if (!chosen) continue;
    paired.insert({chooser.player, waiting[*chosen].player});
    pairs.emplace_back(i, *chosen);
  }
  return pairs;
}

}  // namespace astragal::algorithms
