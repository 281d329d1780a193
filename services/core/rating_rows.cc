#include "services/core/rating_rows.h"

#include <algorithm>
#include <utility>

namespace astragal::core {

using algorithms::RatingProfile;
using algorithms::SeatClass;
using algorithms::Standing;

uint32_t PlayerNumbers::Of(base::PlayerId player) {
  const auto [entry, fresh] = numbers_.try_emplace(player, static_cast<uint32_t>(ids_.size()));
  if (fresh) ids_.push_back(player);
  return entry->second;
}

SeatClass SeatsOf(const storage::PoolRecord& pool) {
  return pool.seats == 2 ? SeatClass::kTwo : SeatClass::kTable;
}

absl::StatusOr<RatingProfile> ProfileOf(const storage::PoolRecord& pool) {
  absl::StatusOr<RatingProfile> profile = algorithms::ParseProfile(pool.profile);
  if (profile.ok()) return profile;
  return absl::DataLossError("the stored profile of the pool " + pool.name +
                             " does not parse: " + std::string(profile.status().message()));
}

Standing StandingOf(const storage::StandingRecord& record) {
  Standing standing;
  standing.rating = record.rating;
  standing.deviation = record.deviation;
  standing.volatility = record.volatility;
  standing.matches = static_cast<uint32_t>(record.matches);
  standing.opponents = static_cast<uint32_t>(record.opponents);
  standing.wins = static_cast<uint32_t>(record.wins);
  standing.draws = static_cast<uint32_t>(record.draws);
  standing.last_at = record.last_at;
  standing.peak = record.peak;
  standing.peak_at = record.peak_at;
  standing.fibs = {record.fibs_rating, record.fibs_experience};
  return standing;
}

storage::StandingRecord RecordOf(const Standing& standing, base::PlayerId player, bool pinned) {
  storage::StandingRecord record;
  record.player = player;
  record.pinned = pinned;
  record.rating = standing.rating;
  record.deviation = standing.deviation;
  record.volatility = standing.volatility;
  record.matches = static_cast<int32_t>(standing.matches);
  record.opponents = static_cast<int32_t>(standing.opponents);
  record.wins = static_cast<int32_t>(standing.wins);
  record.draws = static_cast<int32_t>(standing.draws);
  record.last_at = standing.last_at;
  record.peak = standing.peak;
  record.peak_at = standing.peak_at;
  record.fibs_rating = standing.fibs.rating;
  record.fibs_experience = standing.fibs.experience;
  return record;
}

storage::ListedStanding ListedAt(const RatingProfile& profile, SeatClass seats,
                                 const storage::StandingRecord& record, base::Instant now) {
  Standing aged = StandingOf(record);
  if (!record.pinned) aged = algorithms::AgedStanding(profile, seats, aged, now);
  return {record, algorithms::LowerBound(seats, aged),
          algorithms::StateOf(seats, aged, now) == algorithms::RankState::kRanked};
}

algorithms::RatedMatch MatchOf(const storage::RatedMatchRecord& record, PlayerNumbers& numbers) {
  algorithms::RatedMatch match;
  match.finished_at = record.finished_at;
  match.seats = static_cast<uint8_t>(std::min(record.players.size(), algorithms::kMaxRatedSeats));
  for (size_t seat = 0; seat < match.seats; ++seat) {
    match.players[seat] = numbers.Of(record.players[seat]);
    match.places[seat] = static_cast<uint8_t>(record.places[seat]);
    if (seat < record.estimates.size()) {
      match.estimates[seat] = static_cast<int8_t>(std::clamp(record.estimates[seat], -1, 1));
    }
  }
  match.length = static_cast<uint16_t>(record.length);
  match.first_mover = static_cast<int8_t>(record.first_mover);
  match.exempt = record.exempt;
  match.annulled = record.state == storage::MatchState::kAnnulled;
  return match;
}

std::vector<storage::StepRecord> StepsOf(const storage::RatedMatchRecord& match,
                                         const algorithms::MatchOutcome& outcome,
                                         int32_t revision) {
  std::vector<storage::StepRecord> steps;
  for (size_t seat = 0; seat < match.players.size(); ++seat) {
    storage::StepRecord step;
    step.rated_order = match.rated_order;
    step.revision = revision;
    step.counted = outcome.rated;
    step.information = outcome.information;
    if (outcome.rated) {
      const algorithms::SeatChange& change = outcome.changes[seat];
      step.rating_before = change.before.rating;
      step.deviation_before = change.before.deviation;
      step.volatility_before = change.before.volatility;
      step.after = RecordOf(change.after, match.players[seat], false);
    } else {
      step.after.player = match.players[seat];
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

storage::PlayerPair PairKey(base::PlayerId one, base::PlayerId other) {
  return std::minmax(one, other);
}

// The pool counts wins of the smaller number, storage those of the lower id.
storage::PairStanding PairOf(const algorithms::RatingPool& pool, PlayerNumbers& numbers,
                             const storage::PlayerPair& key) {
  const uint32_t low = numbers.Of(key.first);
  const uint32_t high = numbers.Of(key.second);
  const algorithms::PairRecord record = pool.PairOf(low, high);
  storage::PairStanding pair;
  pair.low = key.first;
  pair.high = key.second;
  pair.matches = static_cast<int32_t>(record.matches);
  pair.draws = static_cast<int32_t>(record.draws);
  pair.wins =
      static_cast<int32_t>(low < high ? record.wins : record.matches - record.wins - record.draws);
  for (const base::Instant at : record.recent) pair.recent.push_back(at.micros);
  return pair;
}

void SetPair(const storage::PairStanding& pair, PlayerNumbers& numbers,
             algorithms::RatingPool& pool) {
  const uint32_t low = numbers.Of(pair.low);
  const uint32_t high = numbers.Of(pair.high);
  algorithms::PairRecord record;
  record.matches = static_cast<uint32_t>(pair.matches);
  record.draws = static_cast<uint32_t>(pair.draws);
  record.wins =
      static_cast<uint32_t>(low < high ? pair.wins : pair.matches - pair.wins - pair.draws);
  for (const int64_t at : pair.recent) record.recent.push_back({at});
  pool.SetPair(low, high, record);
}

}  // namespace astragal::core
