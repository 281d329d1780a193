#include "services/algorithms/rating_pool.h"

#include <algorithm>
#include <cmath>

namespace astragal::algorithms {
namespace {

constexpr size_t kCacheLine = 64;

double RoundedTo(double value, double units) { return std::round(value * units) / units; }
double Micro(double value) { return RoundedTo(value, 1e6); }
double Nano(double value) { return RoundedTo(value, 1e9); }

double ScoreOf(const RatedMatch& match, int seat) {
  const int own = match.places[seat];
  const int other = match.places[1 - seat];
  return own < other ? 1 : own == other ? 0.5 : 0;
}

// Better than all others, or as good as the best of them.
bool IsFirst(const RatedMatch& match, size_t seat, bool alone) {
  for (size_t i = 0; i < match.seats; ++i) {
    if (i == seat) continue;
    if (match.places[i] < match.places[seat]) return false;
    if (alone && match.places[i] == match.places[seat]) return false;
  }
  return true;
}

}  // namespace

Standing EstimatedStanding(const RatingProfile& profile, SeatClass seats, int steps) {
  Standing standing = StartingStanding(profile, seats);
  const double step = kEstimateStep / (ShownRating(seats, standing.rating + 1) -
                                       ShownRating(seats, standing.rating));
  standing.rating += steps * step;
  return standing;
}

uint64_t RatingPool::Key(uint32_t one, uint32_t other) {
  return static_cast<uint64_t>(std::min(one, other)) << 32 | std::max(one, other);
}

Standing RatingPool::Of(uint32_t player) const {
  return player < standings_.size() ? standings_[player] : StartingStanding(profile_, seats_);
}

void RatingPool::Set(uint32_t player, const Standing& standing) {
  if (player >= standings_.size()) {
    standings_.resize(player + 1, StartingStanding(profile_, seats_));
  }
  standings_[player] = standing;
}

void RatingPool::Pin(uint32_t player) {
  if (player >= pinned_.size()) pinned_.resize(player + 1);
  pinned_[player] = true;
}

RatingPool::Met RatingPool::FindPairs(const RatedMatch& match) const {
  Met met{};
  size_t at = 0;
  for (size_t i = 0; i < match.seats; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const auto pair = pairs_.find(Key(match.players[i], match.players[j]));
      met[at++] = pair == pairs_.end() ? nullptr : &pair->second;
    }
  }
  return met;
}

size_t RatingPool::RecentMeetings(const Pair& pair, base::Instant at) const {
  const int64_t since = at.micros - kFarmingDays * kMicrosOfDay;
  size_t looked_at = 0;
  size_t recent = 0;
  for (uint32_t i = pair.last; i != kNone && looked_at < kFarmingMost; ++looked_at) {
    if (meetings_[i].finished_at.micros > since) ++recent;
    i = meetings_[i].previous;
  }
  return recent;
}

PairRecord RatingPool::PairOf(uint32_t one, uint32_t other) const {
  PairRecord record;
  const auto pair = pairs_.find(Key(one, other));
  if (pair == pairs_.end()) return record;
  record.matches = pair->second.matches;
  record.wins = pair->second.wins;
  record.draws = pair->second.draws;
  for (uint32_t i = pair->second.last; i != kNone && record.recent.size() < kFarmingMost;) {
    record.recent.push_back(meetings_[i].finished_at);
    i = meetings_[i].previous;
  }
  std::ranges::reverse(record.recent);
  return record;
}

void RatingPool::SetPair(uint32_t one, uint32_t other, const PairRecord& record) {
  uint32_t last = kNone;
  for (const base::Instant finished_at : record.recent) {
    meetings_.push_back({finished_at, last});
    last = static_cast<uint32_t>(meetings_.size() - 1);
  }
  pairs_[Key(one, other)] = {last, record.matches, record.wins, record.draws};
}

double RatingPool::InformationOf(const RatedMatch& match, const Met& met) const {
  const double information =
      seats_ == SeatClass::kTwo ? MatchInformation(profile_, match.length) : 1;
  if (match.exempt) return information;
  size_t most = 0;
  for (const Pair* pair : met) {
    if (pair != nullptr) most = std::max(most, RecentMeetings(*pair, match.finished_at));
  }
  if (most >= kFarmingMost) return 0;
  // Plackett-Luce knows no weights: a table counts in full or not at all.
  if (seats_ != SeatClass::kTwo) return information;
  return information / std::max(1, static_cast<int>(most) + 1 - kFarmingFree);
}

void RatingPool::RateTwo(const RatedMatch& match, MatchOutcome& outcome) const {
  for (int seat : {0, 1}) {
    const Standing& own = outcome.changes[seat].before;
    const Standing& other = outcome.changes[1 - seat].before;
    double advantage = 0;
    if (match.first_mover >= 0) {
      advantage = match.first_mover == seat ? profile_.first_move : -profile_.first_move;
    }
    const GlickoGame game{other.rating, other.deviation, ScoreOf(match, seat), outcome.information,
                          advantage};
    const Glicko rated =
        UpdateGlicko({own.rating, own.deviation, own.volatility}, {&game, 1}, profile_.tau, 0);
    const double change =
        std::clamp(rated.rating - own.rating, -profile_.most_change, profile_.most_change);
    Standing& after = outcome.changes[seat].after;
    after.rating =
        Micro(std::clamp(own.rating + change, profile_.least_rating, profile_.most_rating));
    after.deviation = Micro(rated.deviation);
    after.volatility =
        Nano(std::clamp(rated.volatility, profile_.least_volatility, profile_.most_volatility));
  }
  if (!profile_.fibs || match.places[0] == match.places[1]) return;
  const int winner = match.places[0] < match.places[1] ? 0 : 1;
  const FibsChange fibs =
      UpdateFibs(outcome.changes[winner].before.fibs, outcome.changes[1 - winner].before.fibs,
                 match.length, FibsExperience::kAfter);
  outcome.changes[winner].after.fibs = {Micro(fibs.winner.rating), fibs.winner.experience};
  outcome.changes[1 - winner].after.fibs = {Micro(fibs.loser.rating), fibs.loser.experience};
}

void RatingPool::RateTable(const RatedMatch& match, MatchOutcome& outcome) const {
  std::vector<WengLin> players;
  std::vector<int> places;
  for (size_t seat = 0; seat < match.seats; ++seat) {
    const Standing& before = outcome.changes[seat].before;
    players.push_back({before.rating, before.deviation});
    places.push_back(match.places[seat]);
  }
  players = UpdatePlackettLuce(players, places, profile_.table);
  for (size_t seat = 0; seat < match.seats; ++seat) {
    outcome.changes[seat].after.rating = Nano(players[seat].mu);
    outcome.changes[seat].after.deviation = Nano(players[seat].sigma);
  }
}

void RatingPool::Count(const RatedMatch& match, const Met& met, MatchOutcome& outcome) const {
  for (size_t seat = 0; seat < match.seats; ++seat) {
    Standing& after = outcome.changes[seat].after;
    ++after.matches;
    if (IsFirst(match, seat, true)) {
      ++after.wins;
    } else if (IsFirst(match, seat, false)) {
      ++after.draws;
    }
    after.last_at = std::max(after.last_at, match.finished_at);
    for (size_t other = 0; other < match.seats; ++other) {
      if (other == seat) continue;
      const size_t i = std::max(seat, other);
      after.opponents += met[i * (i - 1) / 2 + std::min(seat, other)] == nullptr;
    }
    const double shown = ShownRating(seats_, after.rating);
    if (shown > after.peak &&
        StateOf(seats_, after, match.finished_at) != RankState::kProvisional) {
      after.peak = shown;
      after.peak_at = match.finished_at;
    }
  }
}

void RatingPool::Fetch(const RatedMatch& match) const {
  for (size_t seat = 0; seat < match.seats; ++seat) {
    const uint32_t player = match.players[seat];
    if (player < standings_.size()) {
      const char* const standing = reinterpret_cast<const char*>(&standings_[player]);
      for (size_t byte = 0; byte < sizeof(Standing); byte += kCacheLine) {
        __builtin_prefetch(standing + byte, 1);
      }
    }
    for (size_t other = 0; other < seat; ++other) {
      pairs_.prefetch(Key(player, match.players[other]));
    }
  }
}

MatchOutcome RatingPool::Preview(const RatedMatch& match) const {
  return Rate(match, FindPairs(match));
}

MatchOutcome RatingPool::Rate(const RatedMatch& match, const Met& met) const {
  MatchOutcome outcome;
  outcome.seats = match.seats;
  if (match.annulled) return outcome;
  outcome.information = InformationOf(match, met);
  if (outcome.information <= 0) return outcome;
  outcome.rated = true;
  for (size_t seat = 0; seat < match.seats; ++seat) {
    SeatChange& change = outcome.changes[seat];
    change.player = match.players[seat];
    change.before = Of(change.player);
    if (!IsPinned(change.player)) {
      if (match.estimates[seat] != 0 && change.before.matches == 0) {
        change.before = EstimatedStanding(profile_, seats_, match.estimates[seat]);
      }
      change.before = AgedStanding(profile_, seats_, change.before, match.finished_at);
    }
    change.after = change.before;
  }
  seats_ == SeatClass::kTwo ? RateTwo(match, outcome) : RateTable(match, outcome);
  for (size_t seat = 0; seat < match.seats; ++seat) {
    SeatChange& change = outcome.changes[seat];
    if (IsPinned(change.player)) change.after = change.before;
  }
  Count(match, met, outcome);
  return outcome;
}

void RatingPool::Meet(const RatedMatch& match, size_t i, size_t j, Pair& pair) {
  meetings_.push_back({match.finished_at, pair.last});
  pair.last = static_cast<uint32_t>(meetings_.size() - 1);
  ++pair.matches;
  const bool ordered = match.players[i] < match.players[j];
  const int low = ordered ? match.places[i] : match.places[j];
  const int high = ordered ? match.places[j] : match.places[i];
  pair.wins += low < high;
  pair.draws += low == high;
}

// Those who met before first: a new pair moves the others.
void RatingPool::Meet(const RatedMatch& match, const Met& met) {
  for (const bool fresh : {false, true}) {
    size_t at = 0;
    for (size_t i = 0; i < match.seats; ++i) {
      for (size_t j = 0; j < i; ++j, ++at) {
        if ((met[at] == nullptr) != fresh) continue;
        if (fresh) {
          const uint64_t key = Key(match.players[i], match.players[j]);
          Meet(match, i, j, pairs_.try_emplace(key, Pair{kNone, 0, 0, 0}).first->second);
        } else {
          Meet(match, i, j, const_cast<Pair&>(*met[at]));
        }
      }
    }
  }
}

MatchOutcome RatingPool::Apply(const RatedMatch& match) {
  const Met met = FindPairs(match);
  MatchOutcome outcome = Rate(match, met);
  if (!outcome.rated) return outcome;
  Meet(match, met);
  for (size_t seat = 0; seat < match.seats; ++seat) {
    Set(outcome.changes[seat].player, outcome.changes[seat].after);
  }
  return outcome;
}

}  // namespace astragal::algorithms
