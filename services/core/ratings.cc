#include "services/core/ratings.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "services/base/status.h"

namespace astragal::core {
namespace {

using algorithms::RatedMatch;
using algorithms::RatingPool;
using base::Error;
using base::Reason;
using storage::Ending;
using storage::FinishedGame;
using storage::ListedStanding;
using storage::PoolRecord;
using storage::RatedMatchRecord;

// A game that is given up or lost on time before this many actions ended early.
constexpr int64_t kEarlyActions = 10;

bool GivenUp(Ending ending) {
  return ending == Ending::kResigned || ending == Ending::kTimedOut || ending == Ending::kAbandoned;
}

// Of a match a game that nobody acted in counts too: the match was played.
bool WasPlayed(const FinishedGame& game) {
  return storage::HasResult(game.ending) && (!game.match.is_nil() || game.actions > 0);
}

// Bots among themselves are not rated, nor somebody against himself. Who gives up or lets his time
// run out loses like anybody else.
bool MayBeRated(const FinishedGame& game) {
  const std::set<base::PlayerId> different(game.players.begin(), game.players.end());
  if (game.players.size() < 2 || game.players.size() > algorithms::kMaxRatedSeats ||
      different.size() != game.players.size()) {
    return false;
  }
  return !std::ranges::all_of(game.bots, [](bool bot) { return bot; });
}

std::set<storage::PlayerPair> PairsOf(const RatedMatchRecord& match) {
  std::set<storage::PlayerPair> pairs;
  for (size_t i = 0; i < match.players.size(); ++i) {
    for (size_t j = 0; j < i; ++j) pairs.insert(PairKey(match.players[i], match.players[j]));
  }
  return pairs;
}

// What a pool in memory was loaded with.
struct LoadedPool {
  RatingPool pool;
  PlayerNumbers numbers;
  std::set<base::PlayerId> pinned;
  std::map<base::PlayerId, int32_t> estimates;  // of those who made one

  // One for each seat, for the log; empty: nobody made one.
  std::vector<int32_t> EstimatesOf(const std::vector<base::PlayerId>& players) const {
    std::vector<int32_t> levels;
    for (const base::PlayerId& player : players) {
      const auto found = estimates.find(player);
      levels.push_back(found == estimates.end() ? 0 : found->second);
    }
    const bool any = std::ranges::any_of(levels, [](int32_t level) { return level != 0; });
    return any ? levels : std::vector<int32_t>();
  }
};

// Who has estimated himself and was not rated yet begins with that.
absl::Status LoadEstimates(storage::RatingStore& store, const PoolRecord& record,
                           absl::Span<const base::PlayerId> players, LoadedPool& loaded) {
  const auto estimates = store.Estimates(record.number, players);
  if (!estimates.ok()) return estimates.status();
  for (const storage::EstimateRecord& estimate : *estimates) {
    loaded.estimates[estimate.player] = estimate.level;
    const uint32_t number = loaded.numbers.Of(estimate.player);
    if (loaded.pool.Of(number).matches > 0 || loaded.pinned.contains(estimate.player)) continue;
    loaded.pool.Set(number, algorithms::EstimatedStanding(loaded.pool.profile(),
                                                          loaded.pool.seats(), estimate.level));
  }
  return absl::OkStatus();
}

absl::StatusOr<LoadedPool> LoadPool(storage::RatingStore& store, const PoolRecord& record,
                                    const std::set<base::PlayerId>& players,
                                    const std::set<storage::PlayerPair>& pairs) {
  const auto profile = ProfileOf(record);
  if (!profile.ok()) return profile.status();
  LoadedPool loaded{RatingPool(*profile, SeatsOf(record)), {}, {}, {}};
  const std::vector<base::PlayerId> wanted(players.begin(), players.end());
  const auto standings = store.Standings(record.number, wanted);
  if (!standings.ok()) return standings.status();
  for (const ListedStanding& listed : *standings) {
    const uint32_t number = loaded.numbers.Of(listed.standing.player);
    loaded.pool.Set(number, StandingOf(listed.standing));
    if (!listed.standing.pinned) continue;
    loaded.pool.Pin(number);
    loaded.pinned.insert(listed.standing.player);
  }
  if (absl::Status read = LoadEstimates(store, record, wanted, loaded); !read.ok()) return read;
  const std::vector<storage::PlayerPair> keys(pairs.begin(), pairs.end());
  const auto met = store.Pairs(record.number, keys);
  if (!met.ok()) return met.status();
  for (const storage::PairStanding& pair : *met) SetPair(pair, loaded.numbers, loaded.pool);
  return loaded;
}

}  // namespace

Ratings::Verdict Ratings::JudgeMatch(const FinishedGame& game, Candidate& candidate,
                                     std::vector<base::GameId>& played) const {
  if (!options_.find_match) return Verdict::kWait;
  const absl::StatusOr<MatchForRating> match = options_.find_match(game.match);
  if (absl::IsNotFound(match.status())) return Verdict::kDiscard;
  if (!match.ok()) return Verdict::kWait;
  // The game that decides it has a row of its own.
  if (!match->over || match->players.size() != game.players.size()) return Verdict::kDiscard;
  candidate.match.match = game.match;
  candidate.match.players = match->players;
  candidate.match.places = match->places;
  candidate.match.length = std::clamp(match->length, 1, 1'000);
  candidate.match.exempt = match->exempt;
  candidate.match.finished_at = match->finished_at;
  played = match->played;
  return Verdict::kRate;
}

Ratings::Verdict Ratings::Audit(absl::Span<const base::GameId> played,
                                RatedMatchRecord& match) const {
  if (!options_.audit) return Verdict::kRate;
  for (const base::GameId& game : played) {
    const absl::Status audit = options_.audit(game);
    if (audit.ok()) continue;
    if (!absl::IsDataLoss(audit)) return Verdict::kWait;
    match.state = storage::MatchState::kAnnulled;
    match.reason = "the audit of its log and dice failed";
    return Verdict::kRate;
  }
  return Verdict::kRate;
}

Ratings::Verdict Ratings::Judge(const FinishedGame& game, Candidate& candidate) const {
  if (game.rated_already || !MayBeRated(game)) return Verdict::kDiscard;
  const auto ruleset = catalog_.Find(game.ruleset, game.rules_version);
  if (ruleset == nullptr) return Verdict::kWait;
  const bool with_bots = std::ranges::any_of(game.bots, [](bool bot) { return bot; });
  const int seats = static_cast<int>(game.players.size());
  const auto pool = PoolName(ruleset->about(), game.options, seats, game.clock, with_bots);
  if (!pool.ok()) return Verdict::kDiscard;
  candidate.outbox = game.id;
  candidate.pool = *pool;
  candidate.ruleset = game.ruleset;
  candidate.seats = static_cast<uint8_t>(SeatClassOf(seats));
  RatedMatchRecord& match = candidate.match;
  match.match = base::MatchId(game.game.bytes());
  match.players = game.players;
  match.places = game.places;
  match.finished_at = game.finished_at;
  match.early = GivenUp(game.ending) && game.actions < kEarlyActions;
  std::vector<base::GameId> played = {game.game};
  if (!game.match.is_nil()) {
    const Verdict verdict = JudgeMatch(game, candidate, played);
    if (verdict != Verdict::kRate) return verdict;
  }
  if (std::ranges::any_of(match.places, [](int32_t place) { return place < 1 || place > 255; })) {
    return Verdict::kDiscard;
  }
  if (game.one_household) {
    match.state = storage::MatchState::kAnnulled;
    match.reason = "two of the players live together";
    return Verdict::kRate;
  }
  return Audit(played, match);
}

// Who calls a rated game off, gives it up before anybody has acted, or lets the time of the first
// turn run out, has not shown up.
Ratings::Verdict Ratings::JudgeNoShow(const FinishedGame& game, storage::NoShow& missed) const {
  missed = {game.id, game.aborted_by, game.game, game.finished_at};
  // Who takes back a game that still waits for players lets nobody down.
  if (std::ranges::any_of(game.players, &base::PlayerId::is_nil)) return Verdict::kDiscard;
  size_t seat = game.players.size();
  if (GivenUp(game.ending)) {
    seat = static_cast<size_t>(std::ranges::max_element(game.places) - game.places.begin());
  } else if (!game.waiting_position.empty()) {
    const auto ruleset = catalog_.Find(game.ruleset, game.rules_version);
    if (ruleset == nullptr) return Verdict::kWait;
    const auto position = ruleset->FromBytes(game.waiting_position);
    if (!position.ok()) return Verdict::kDiscard;
    seat = static_cast<size_t>(ruleset->Actor(*position));
  }
  if (seat < game.players.size()) missed.player = game.players[seat];
  return missed.player.is_nil() ? Verdict::kDiscard : Verdict::kRate;
}

absl::StatusOr<size_t> Ratings::Round() {
  const base::Instant now = clock_.Now();
  const auto games = store_.FinishedGames(now, kMaxGames);
  if (!games.ok()) return games.status();
  std::map<std::string, std::vector<Candidate>> pools;
  std::set<base::MatchId> seen;
  std::vector<int64_t> discarded;
  std::vector<int64_t> waiting;
  std::vector<storage::NoShow> missed;
  for (const FinishedGame& game : *games) {
    Candidate candidate;
    storage::NoShow no_show;
    const bool played = WasPlayed(game);
    switch (played ? Judge(game, candidate) : JudgeNoShow(game, no_show)) {
      case Verdict::kWait:
        waiting.push_back(game.id);
        continue;
      case Verdict::kDiscard:
        discarded.push_back(game.id);
        continue;
      case Verdict::kRate:
        break;
    }
    if (!played) {
      missed.push_back(no_show);
      continue;
    }
    if (!seen.insert(candidate.match.match).second) {
      discarded.push_back(game.id);
      continue;
    }
    pools[candidate.pool].push_back(std::move(candidate));
  }
  absl::Status status;
  if (!discarded.empty()) status.Update(store_.Discard(discarded));
  if (!missed.empty()) status.Update(store_.NoteNoShows(missed));
  if (!waiting.empty()) {
    status.Update(store_.Postpone(waiting, {now.micros + kWaitMs * 1'000}));
  }
  for (auto& [name, candidates] : pools) status.Update(RatePool(std::move(candidates)));
  if (!status.ok()) return status;
  return games->size();
}

absl::Status Ratings::RatePool(std::vector<Candidate> candidates) {
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const absl::StatusOr<bool> rated = TryRate(candidates);
    if (rated.ok() && *rated) return absl::OkStatus();
    if (rated.ok()) continue;
    if (!absl::IsAlreadyExists(rated.status())) return rated.status();
    // Another node was faster with one of them: one by one.
    if (candidates.size() == 1) return store_.Discard({candidates[0].outbox});
    absl::Status status;
    for (Candidate& candidate : candidates) {
      std::vector<Candidate> alone;
      alone.push_back(std::move(candidate));
      status.Update(RatePool(std::move(alone)));
    }
    return status;
  }
  return absl::OkStatus();  // the next round goes on
}

absl::StatusOr<bool> Ratings::TryRate(absl::Span<const Candidate> candidates) {
  PoolRecord wanted;
  wanted.name = candidates[0].pool;
  wanted.ruleset = candidates[0].ruleset;
  wanted.seats = candidates[0].seats;
  wanted.profile = algorithms::FormatProfile(options_.profiles.For(wanted.ruleset));
  wanted.created_at = clock_.Now();
  const absl::StatusOr<PoolRecord> pool = store_.EnsurePool(wanted);
  if (!pool.ok()) return pool.status();
  std::set<base::PlayerId> players;
  std::set<storage::PlayerPair> pairs;
  for (const Candidate& candidate : candidates) {
    players.insert(candidate.match.players.begin(), candidate.match.players.end());
    pairs.merge(PairsOf(candidate.match));
  }
  absl::StatusOr<LoadedPool> loaded = LoadPool(store_, *pool, players, pairs);
  if (!loaded.ok()) return loaded.status();

  storage::RatingBatch batch;
  batch.pool = pool->number;
  batch.expected_order = pool->next_order;
  batch.expected_revision = pool->revision;
  std::set<base::PlayerId> changed;
  for (const Candidate& candidate : candidates) {
    RatedMatchRecord match = candidate.match;
    match.rated_order = pool->next_order + static_cast<int64_t>(batch.matches.size());
    match.revision = pool->revision;
    match.estimates = loaded->EstimatesOf(match.players);
    const algorithms::MatchOutcome outcome = loaded->pool.Apply(MatchOf(match, loaded->numbers));
    for (storage::StepRecord& step : StepsOf(match, outcome, pool->revision)) {
      batch.steps.push_back(std::move(step));
    }
    if (outcome.rated) changed.insert(match.players.begin(), match.players.end());
    batch.outbox.push_back(candidate.outbox);
    batch.matches.push_back(std::move(match));
  }
  for (const base::PlayerId& player : changed) {
    const algorithms::Standing standing = loaded->pool.Of(loaded->numbers.Of(player));
    batch.standings.push_back(ListedAt(loaded->pool.profile(), loaded->pool.seats(),
                                       RecordOf(standing, player, loaded->pinned.contains(player)),
                                       clock_.Now()));
  }
  for (const storage::PlayerPair& key : pairs) {
    storage::PairStanding pair = PairOf(loaded->pool, loaded->numbers, key);
    if (pair.matches > 0) batch.pairs.push_back(std::move(pair));
  }
  return store_.Rate(batch);
}

absl::Status Ratings::RefreshLists() {
  const base::Instant now = clock_.Now();
  const base::Instant today{now.micros - now.micros % kDayMicros};
  const auto pools = store_.PoolsToRefresh(today, storage::RatingStore::kMaxListed);
  if (!pools.ok()) return pools.status();
  for (const PoolRecord& pool : *pools) {
    const auto profile = ProfileOf(pool);
    if (!profile.ok()) return profile.status();
    base::PlayerId after;
    while (true) {
      const auto page = store_.AllStandings(pool.number, after, storage::RatingStore::kMaxRead);
      if (!page.ok()) return page.status();
      if (page->empty()) break;
      after = page->back().standing.player;
      std::vector<ListedStanding> changed;
      for (const ListedStanding& listed : *page) {
        ListedStanding aged = ListedAt(*profile, SeatsOf(pool), listed.standing, now);
        const bool differs =
            aged.listed != listed.listed || (aged.listed && aged.lower_bound != listed.lower_bound);
        if (differs) changed.push_back(std::move(aged));
      }
      if (changed.empty()) continue;
      if (absl::Status written = store_.Relist(pool.number, changed); !written.ok()) return written;
    }
    const std::string day = absl::FormatCivilTime(
        absl::ToCivilDay(absl::FromUnixMicros(now.micros), absl::UTCTimeZone()));
    if (absl::Status taken = store_.TakeSnapshot(pool.number, day, now); !taken.ok()) return taken;
    if (absl::Status marked = store_.MarkRefreshed(pool.number, now); !marked.ok()) return marked;
  }
  return absl::OkStatus();
}

absl::Status Ratings::TakeCheckpoints() {
  const base::Instant now = clock_.Now();
  const auto pools = store_.PoolsWithoutCheckpoint({now.micros - kCheckpointMicros},
                                                   storage::RatingStore::kMaxListed);
  if (!pools.ok()) return pools.status();
  for (const PoolRecord& pool : *pools) {
    if (absl::Status taken = store_.TakeCheckpoint(pool.number, now); !taken.ok()) return taken;
  }
  return absl::OkStatus();
}

void Ratings::RunForEver(base::Scheduler& scheduler) {
  scheduler.PostAfter(kRoundMs, [this, &scheduler] {
    // While there is more, and the store does not fail, at once.
    for (int i = 0; i < 8; ++i) {
      const absl::StatusOr<size_t> taken = Round();
      if (!taken.ok() || *taken < kMaxGames) break;
    }
    (void)RefreshLists();
    (void)TakeCheckpoints();
    RunForEver(scheduler);
  });
}

absl::StatusOr<std::vector<PredictedSeat>> Ratings::Predict(
    const PoolRecord& pool, absl::Span<const base::PlayerId> players, int32_t length) {
  const std::set<base::PlayerId> different(players.begin(), players.end());
  const size_t most = pool.seats == 2 ? 2 : algorithms::kMaxRatedSeats;
  if (different.size() != players.size() || players.size() < 2 || players.size() > most ||
      (pool.seats != 2 && players.size() == 2)) {
    return Error(Reason::kBadField, "these are not as many different players as the pool seats")
        .With("field", "player_ids");
  }
  RatedMatchRecord record;
  record.players.assign(players.begin(), players.end());
  record.places.assign(players.size(), 1);
  record.length = length;
  record.finished_at = clock_.Now();
  absl::StatusOr<LoadedPool> loaded = LoadPool(store_, pool, different, PairsOf(record));
  if (!loaded.ok()) return loaded.status();
  const RatedMatch drawn = MatchOf(record, loaded->numbers);
  const RatingPool& ratings = loaded->pool;

  std::vector<PredictedSeat> seats(players.size());
  std::vector<algorithms::WengLin> table;
  for (size_t seat = 0; seat < seats.size(); ++seat) {
    PredictedSeat& predicted = seats[seat];
    predicted.pinned = loaded->pinned.contains(players[seat]);
    predicted.stored = predicted.now = ratings.Of(drawn.players[seat]);
    if (!predicted.pinned) {
      predicted.now = algorithms::AgedStanding(ratings.profile(), ratings.seats(), predicted.now,
                                               record.finished_at);
    }
    table.push_back({predicted.now.rating, predicted.now.deviation});
    RatedMatch won = drawn;
    RatedMatch lost = drawn;
    uint8_t place = 2;
    for (size_t other = 0; other < seats.size(); ++other) {
      if (other == seat) continue;
      won.places[other] = place;
      lost.places[other] = static_cast<uint8_t>(place - 1);
      ++place;
    }
    lost.places[seat] = static_cast<uint8_t>(place - 1);
    const auto after = [&](const RatedMatch& match) {
      const algorithms::MatchOutcome outcome = ratings.Preview(match);
      return outcome.rated ? outcome.changes[seat].after : predicted.now;
    };
    predicted.win = after(won);
    predicted.draw = after(drawn);
    predicted.loss = after(lost);
  }
  if (pool.seats != 2) {
    const auto chances = algorithms::FirstPlaceChances(table, ratings.profile().table.beta);
    for (size_t seat = 0; seat < seats.size(); ++seat) seats[seat].first = chances[seat];
    return seats;
  }
  for (const size_t seat : {size_t{0}, size_t{1}}) {
    const auto glicko = [](const PredictedSeat& of) {
      return algorithms::Glicko{of.now.rating, of.now.deviation, of.now.volatility};
    };
    seats[seat].first =
        algorithms::ExpectedGlickoScore(glicko(seats[seat]), glicko(seats[1 - seat]),
                                        algorithms::MatchInformation(ratings.profile(), length));
  }
  return seats;
}

}  // namespace astragal::core
