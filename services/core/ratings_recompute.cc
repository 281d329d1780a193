// Replaying a pool: page by page, so that only standings and pairs are in memory. What differs from
// the stored steps goes into a shadow revision while the pool is rated on, until there is nothing
// left to replay; then all of it is switched to at once.
//
// With corrections nothing before the first of them can change: the replay begins at the last
// checkpoint before it, and the matches between are folded without a look at their steps, which is
// most of what a replay reads. Without corrections it is a check: it begins at the first match.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "services/base/status.h"
#include "services/core/ratings.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;
using storage::ListedStanding;
using storage::PoolRecord;
using storage::RatedMatchRecord;
using storage::RatingStore;
using storage::StepRecord;

// Matches of one page: their steps must fit one answer of the store.
constexpr size_t kPage = RatingStore::kMaxRead / 4;
// How often a pool that is rated on is caught up with before the switch.
constexpr int kMaxRounds = 1'000;

// But for the revision.
bool SayTheSame(const storage::StepRecord& a, const storage::StepRecord& b) {
  if (a.counted != b.counted || a.rated_order != b.rated_order ||
      a.after.player != b.after.player) {
    return false;
  }
  // What did nothing carries no numbers.
  if (!a.counted) return true;
  return a.information == b.information && a.rating_before == b.rating_before &&
         a.deviation_before == b.deviation_before && a.volatility_before == b.volatility_before &&
         a.after == b.after;
}

bool ArePlaces(const std::vector<int32_t>& places, size_t seats) {
  return places.size() == seats && std::ranges::min(places) == 1 &&
         std::ranges::all_of(places, [&](int32_t place) {
           return place >= 1 && static_cast<size_t>(place) <= seats;
         });
}

class Replaying {
 public:
  Replaying(RatingStore& store, const base::Clock& clock, const PoolRecord& pool,
            const algorithms::RatingProfile& profile, Ratings::Write write,
            const AnswerTo<Recomputation>& answer)
      : store_(store),
        clock_(clock),
        pool_record_(pool),
        pool_(profile, SeatsOf(pool)),
        write_(write),
        answer_(answer) {}

  absl::Status Correct(absl::Span<const MatchCorrection> corrections) {
    for (const MatchCorrection& correction : corrections) {
      const auto found = store_.FindMatch(correction.match);
      if (!found.ok()) return found.status();
      if (found->first != pool_record_.number) {
        return Error(Reason::kNotFound, "this match is not of this pool");
      }
      if (!correction.places.empty() &&
          !ArePlaces(correction.places, found->second.players.size())) {
        return Error(Reason::kBadField,
                     "places are 1 to the number of seats, one for each, and "
                     "somebody is first")
            .With("field", "places");
      }
      if (!corrections_.emplace(found->second.rated_order, correction).second) {
        return Error(Reason::kBadField, "a match is corrected twice").With("field", "match_id");
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Recomputation> Run() {
    if (absl::Status ready = Begin(); !ready.ok()) return ready;
    for (int round = 0; round < kMaxRounds; ++round) {
      if (absl::Status replayed = ReplayToTheEnd(); !replayed.ok()) return replayed;
      const absl::StatusOr<bool> done = Finish();
      if (!done.ok()) return done.status();
      if (*done) return std::move(result_);
    }
    return Error(Reason::kStaleVersion, "the pool is rated faster than it can be replayed");
  }

 private:
  absl::Status Begin() {
    if (write_ == Ratings::Write::kIfDifferent) {
      const absl::StatusOr<int32_t> shadow = store_.BeginShadow(pool_record_);
      if (!shadow.ok()) return shadow.status();
      shadow_ = *shadow;
    }
    // Pinned players are as they were set, before the first match.
    return ForEachStanding([&](const ListedStanding& listed) {
      if (!listed.standing.pinned) return;
      algorithms::Standing fixed = StandingOf(listed.standing);
      fixed.matches = fixed.opponents = fixed.wins = fixed.draws = 0;
      fixed.last_at = {};
      fixed.peak = 0;
      fixed.peak_at = {};
      const uint32_t number = numbers_.Of(listed.standing.player);
      pool_.Set(number, fixed);
      pool_.Pin(number);
    });
  }

  // Page by page; `visit` gives the place after which the next page begins.
  template <typename Place, typename Read, typename Visit>
  static absl::Status ForEachRow(Read read, Visit visit) {
    Place after{};
    while (true) {
      const auto page = read(after);
      if (!page.ok()) return page.status();
      if (page->empty()) return absl::OkStatus();
      for (const auto& row : *page) after = visit(row);
    }
  }

  template <typename Visit>
  absl::Status ForEachStanding(Visit visit) {
    return ForEachRow<base::PlayerId>(
        [&](base::PlayerId after) {
          return store_.AllStandings(pool_record_.number, after, RatingStore::kMaxRead);
        },
        [&](const ListedStanding& listed) {
          visit(listed);
          return listed.standing.player;
        });
  }

  absl::Status ReplayToTheEnd() {
    if (absl::Status folded = FoldToTheFirst(); !folded.ok()) return folded;
    while (true) {
      auto page = store_.Matches(pool_record_.number, replayed_, kPage);
      if (!page.ok()) return page.status();
      if (page->empty()) return absl::OkStatus();
      const int64_t until = page->back().rated_order;
      const auto steps = store_.Steps(pool_record_, replayed_, until);
      if (!steps.ok()) return steps.status();
      std::vector<RatedMatchRecord>& matches = *page;
      for (RatedMatchRecord& match : matches) ApplyCorrection(match);
      std::vector<StepRecord> different;
      size_t next = 0;
      pool_.ApplyAll(MatchesOf(matches), [&](size_t i, const algorithms::MatchOutcome& outcome) {
        size_t end = next;
        while (end < steps->size() && (*steps)[end].rated_order == matches[i].rated_order) ++end;
        Compare(matches[i], outcome, absl::MakeConstSpan(*steps).subspan(next, end - next),
                different);
        next = end;
      });
      result_.matches += static_cast<int64_t>(page->size());
      result_.steps_changed += static_cast<int64_t>(different.size());
      if (!different.empty() && write_ == Ratings::Write::kIfDifferent) {
        const absl::Status written = store_.WriteShadow(pool_record_, shadow_, different);
        if (!written.ok()) return written;
      }
      replayed_ = until;
    }
  }

  // Up to the match before the first correction.
  absl::Status FoldToTheFirst() {
    if (corrections_.empty()) return absl::OkStatus();
    const int64_t last = corrections_.begin()->first - 1;
    if (absl::Status loaded = LoadCheckpoint(last); !loaded.ok()) return loaded;
    while (replayed_ < last) {
      const size_t limit = std::min(RatingStore::kMaxRead, static_cast<size_t>(last - replayed_));
      const auto page = store_.Matches(pool_record_.number, replayed_, limit);
      if (!page.ok()) return page.status();
      if (page->empty()) return Error(Reason::kInternal, "the log of the pool has a gap");
      pool_.ApplyAll(MatchesOf(*page), [](size_t, const algorithms::MatchOutcome&) {});
      result_.matches += static_cast<int64_t>(page->size());
      replayed_ = page->back().rated_order;
    }
    return absl::OkStatus();
  }

  // The latest checkpoint up to this match, unless it was replayed farther already.
  absl::Status LoadCheckpoint(int64_t last) {
    if (replayed_ > 0) return absl::OkStatus();
    const auto checkpoint = store_.FindCheckpoint(pool_record_, last + 1);
    if (!checkpoint.ok()) return checkpoint.status();
    if (!*checkpoint) return absl::OkStatus();
    const int64_t order = **checkpoint;
    const absl::Status standings = ForEachRow<base::PlayerId>(
        [&](base::PlayerId after) {
          return store_.CheckpointStandings(pool_record_.number, order, after,
                                            RatingStore::kMaxRead);
        },
        [&](const ListedStanding& listed) {
          pool_.Set(numbers_.Of(listed.standing.player), StandingOf(listed.standing));
          return listed.standing.player;
        });
    if (!standings.ok()) return standings;
    result_.checkpoint = replayed_ = order;
    return ForEachRow<storage::PlayerPair>(
        [&](const storage::PlayerPair& after) {
          return store_.CheckpointPairs(pool_record_.number, order, after, RatingStore::kMaxRead);
        },
        [&](const storage::PairStanding& pair) {
          SetPair(pair, numbers_, pool_);
          return storage::PlayerPair(pair.low, pair.high);
        });
  }

  std::vector<algorithms::RatedMatch> MatchesOf(absl::Span<const RatedMatchRecord> records) {
    std::vector<algorithms::RatedMatch> matches;
    matches.reserve(records.size());
    for (const RatedMatchRecord& record : records) matches.push_back(MatchOf(record, numbers_));
    return matches;
  }

  void ApplyCorrection(RatedMatchRecord& match) {
    const auto correction = corrections_.find(match.rated_order);
    if (correction == corrections_.end()) return;
    const MatchCorrection& change = correction->second;
    match.reason = change.reason;
    if (change.annul) {
      match.state = storage::MatchState::kAnnulled;
    } else if (change.places.empty()) {
      match.state = storage::MatchState::kCounted;
    } else {
      match.places = change.places;
      match.state = storage::MatchState::kCorrected;
    }
    changed_matches_.push_back(match);
  }

  void Compare(const RatedMatchRecord& match, const algorithms::MatchOutcome& outcome,
               absl::Span<const StepRecord> stored, std::vector<StepRecord>& different) {
    bool counted_differently = corrections_.contains(match.rated_order);
    for (StepRecord& step : StepsOf(match, outcome, pool_record_.revision)) {
      const auto same = std::ranges::find(stored, step.after.player,
                                          [](const StepRecord& of) { return of.after.player; });
      if (same != stored.end() && SayTheSame(*same, step)) continue;
      counted_differently |= same == stored.end() || same->counted != step.counted;
      Note("match " + std::to_string(match.rated_order) + ", player " + step.after.player.ToText() +
           ": " + std::to_string(step.after.rating) +
           (same == stored.end() ? " and no stored step"
                                 : ", stored " + std::to_string(same->after.rating)));
      different.push_back(std::move(step));
    }
    if (!counted_differently) return;
    for (size_t i = 0; i < match.players.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        changed_pairs_.insert(PairKey(match.players[i], match.players[j]));
      }
    }
  }

  void Note(std::string difference) {
    if (result_.differences.size() < Ratings::kMaxDifferences) {
      result_.differences.push_back(std::move(difference));
    }
  }

  // True: done. False: the pool was rated on meanwhile.
  absl::StatusOr<bool> Finish() {
    const absl::StatusOr<PoolRecord> now = store_.GetPool(pool_record_.name);
    if (!now.ok()) return now.status();
    if (now->revision != pool_record_.revision) {
      return Error(Reason::kStaleVersion, "another recomputation came between");
    }
    if (now->next_order != replayed_ + 1) return false;
    std::vector<ListedStanding> standings;
    const absl::Status compared = CompareStandings(standings);
    if (!compared.ok()) return compared;
    result_.standings_changed = static_cast<int64_t>(standings.size());
    result_.pool = *now;
    const bool nothing =
        standings.empty() && result_.steps_changed == 0 && changed_matches_.empty();
    if (write_ == Ratings::Write::kNever) return true;
    if (!nothing) return Switch(*now, std::move(standings));
    if (!answer_) return true;
    if (absl::Status kept = store_.KeepAnswer(answer_(result_)); !kept.ok()) return kept;
    return true;
  }

  // False: the pool was rated on meanwhile.
  absl::StatusOr<bool> Switch(const PoolRecord& now, std::vector<ListedStanding> standings) {
    Recomputation done = result_;
    done.pool.revision = now.revision + 1;
    done.switched = true;
    storage::RatingSwitch change;
    change.pool = now.number;
    change.expected_order = now.next_order;
    change.expected_revision = now.revision;
    change.shadow = shadow_;
    change.matches = changed_matches_;
    change.standings = std::move(standings);
    for (const storage::PlayerPair& key : changed_pairs_) {
      change.pairs.push_back(PairOf(pool_, numbers_, key));
    }
    // A check that found the store wrong trusts no checkpoint of it.
    change.first_order = corrections_.empty() ? 1 : corrections_.begin()->first;
    change.at = clock_.Now();
    if (answer_) change.answer = answer_(done);
    absl::StatusOr<bool> switched = store_.Switch(change);
    if (switched.ok() && *switched) result_ = std::move(done);
    return switched;
  }

  absl::Status CompareStandings(std::vector<ListedStanding>& different) {
    std::set<base::PlayerId> seen;
    const auto compare = [&](base::PlayerId player, bool pinned,
                             const storage::StandingRecord* stored) {
      const storage::StandingRecord computed =
          RecordOf(pool_.Of(numbers_.Of(player)), player, pinned);
      if (stored != nullptr && *stored == computed) return;
      Note("standing of " + player.ToText() + ": " + std::to_string(computed.rating) +
           (stored == nullptr ? " and nothing stored"
                              : ", stored " + std::to_string(stored->rating)));
      different.push_back(ListedAt(pool_.profile(), pool_.seats(), computed, clock_.Now()));
    };
    const absl::Status read = ForEachStanding([&](const ListedStanding& listed) {
      seen.insert(listed.standing.player);
      compare(listed.standing.player, listed.standing.pinned, &listed.standing);
    });
    if (!read.ok()) return read;
    for (uint32_t i = 0; i < numbers_.ids().size(); ++i) {
      const base::PlayerId player = numbers_.ids()[i];
      // Who only sat in annulled matches has no standing.
      if (!seen.contains(player) && pool_.Of(i).matches > 0) compare(player, false, nullptr);
    }
    return absl::OkStatus();
  }

  RatingStore& store_;
  const base::Clock& clock_;
  const PoolRecord pool_record_;
  algorithms::RatingPool pool_;
  const Ratings::Write write_;
  const AnswerTo<Recomputation>& answer_;
  PlayerNumbers numbers_;
  std::map<int64_t, MatchCorrection> corrections_;  // by order
  std::vector<RatedMatchRecord> changed_matches_;
  std::set<storage::PlayerPair> changed_pairs_;
  int32_t shadow_ = 0;
  int64_t replayed_ = 0;  // up to this order
  Recomputation result_;
};

}  // namespace

absl::StatusOr<Recomputation> Ratings::Recompute(const PoolRecord& pool,
                                                 absl::Span<const MatchCorrection> corrections,
                                                 Write write,
                                                 const AnswerTo<Recomputation>& answer) {
  const auto profile = ProfileOf(pool);
  if (!profile.ok()) return profile.status();
  Replaying replaying(store_, clock_, pool, *profile, write, answer);
  if (absl::Status known = replaying.Correct(corrections); !known.ok()) return known;
  return replaying.Run();
}

}  // namespace astragal::core
