#include "services/core/rated_match.h"

#include <algorithm>
#include <limits>

namespace astragal::core {
namespace {

using storage::MatchKind;

std::vector<int32_t> PlacesOf(const MatchState& match) {
  const MatchKind kind = match.match.record.kind;
  std::vector<int64_t> values;
  for (const algorithms::PlayerScore& player : match.score.players) {
    values.push_back(kind == MatchKind::kBestOf ? 2 * player.wins + player.draws : player.points);
  }
  if (match.score.winner) {
    values[static_cast<size_t>(*match.score.winner)] = std::numeric_limits<int64_t>::max();
  }
  const int64_t best = std::ranges::max(values);
  std::vector<int32_t> places;
  for (const int64_t value : values) {
    const auto ahead = std::ranges::count_if(values, [&](int64_t other) { return other > value; });
    places.push_back(kind == MatchKind::kGames ? 1 + static_cast<int32_t>(ahead)
                                               : (value == best ? 1 : 2));
  }
  return places;
}

}  // namespace

MatchForRating RatedMatchOf(const MatchState& match) {
  const storage::MatchRecord& record = match.match.record;
  MatchForRating rated;
  rated.over = match.score.over;
  rated.players = record.players;
  rated.length = record.kind == MatchKind::kPoints ? record.length : record.length / 2 + 1;
  if (!rated.over) return rated;
  rated.places = PlacesOf(match);
  for (const storage::MatchGame& game : match.games) {
    if (game.game.status != storage::GameStatus::kFinished) continue;
    if (rated.played.size() == static_cast<size_t>(match.score.games)) break;
    rated.played.push_back(game.game.id);
    rated.finished_at = game.game.updated_at;
  }
  return rated;
}

absl::StatusOr<MatchForRating> ReadRatedMatch(storage::MatchStore& store, base::MatchId id) {
  const absl::StatusOr<MatchPtr> match = ReadMatch(store, id);
  if (!match.ok()) return match.status();
  return RatedMatchOf(**match);
}

}  // namespace astragal::core
