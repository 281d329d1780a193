// The ratings of a pool as a fold over its matches in their order: live rating, replay after a
// correction, checks and simulations all go through Apply.
//
// A RatingPool is a value: a copy is a checkpoint, from which the rest can be replayed. It owns its
// standings and what the rule against farming needs to know. After each match ratings and
// deviations are rounded to 1e-6 and volatilities to 1e-9 (of tables mu and sigma to 1e-9), so that
// stored values are exactly these. One thread at a time.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_RATING_POOL_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_RATING_POOL_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "services/algorithms/rating_profile.h"

namespace astragal::algorithms {

inline constexpr size_t kMaxRatedSeats = 4;

// The n-th rated match of two players within these days counts with its information divided by
// max(1, n - 5); beyond 20 it is not rated. What a tournament paired is exempt.
inline constexpr int64_t kFarmingDays = 30;
inline constexpr int kFarmingFree = 5;
inline constexpr size_t kFarmingMost = 20;

// Shown points between the three steps in which newcomers may estimate themselves.
inline constexpr double kEstimateStep = 150;

// A match as ratings see it. Players are numbers that whoever calls chose, small and dense.
struct RatedMatch {
  base::Instant finished_at;
  uint8_t seats = 2;                               // 2 to 4
  std::array<uint32_t, kMaxRatedSeats> players{};  // different ones
  std::array<uint8_t, kMaxRatedSeats> places{};    // 1 is best, shared by equals
  uint16_t length = 1;                             // points that the match went to
  int8_t first_mover = -1;  // the seat that the system let begin; -1: dice did
  bool exempt = false;      // from the rule against farming
  bool annulled = false;    // as if it had not been played
  // Steps above the start that a player begins with, should this be his first match that counts.
  std::array<int8_t, kMaxRatedSeats> estimates{};
};

// What somebody begins with who estimated himself so many steps above the start: as uncertain as
// everybody, on the pool's scale.
Standing EstimatedStanding(const RatingProfile& profile, SeatClass seats, int steps);

// What a match did to one seat.
struct SeatChange {
  uint32_t player = 0;
  Standing before;  // aged to the end of the match
  Standing after;
};

struct MatchOutcome {
  bool rated = false;      // false: nothing changed (annulled, or one match too many of a pair)
  double information = 0;  // it counted with; 0 if it was not rated
  uint8_t seats = 0;
  std::array<SeatChange, kMaxRatedSeats> changes;  // of each seat, if it was rated
};

// What a pool knows of two players, from the side of the one with the smaller number.
struct PairRecord {
  uint32_t matches = 0;
  uint32_t wins = 0;  // matches in which the smaller number came before the other
  uint32_t draws = 0;
  std::vector<base::Instant> recent;  // ends of their last rated matches, at most kFarmingMost

  friend bool operator==(const PairRecord&, const PairRecord&) = default;
};

class RatingPool {
 public:
  RatingPool(const RatingProfile& profile, SeatClass seats) : profile_(profile), seats_(seats) {}

  const RatingProfile& profile() const { return profile_; }
  SeatClass seats() const { return seats_; }

  // Rates the next match. Seats must fit the pool and players differ.
  MatchOutcome Apply(const RatedMatch& match);
  // Rates these, one after another: `visit(i, outcome)`. A long replay waits for memory more than
  // it computes, so what later matches will need is fetched ahead.
  template <typename Visit>
  void ApplyAll(absl::Span<const RatedMatch> matches, Visit visit) {
    for (size_t i = 0; i < matches.size(); ++i) {
      if (i + kFetchedAhead < matches.size()) Fetch(matches[i + kFetchedAhead]);
      visit(i, Apply(matches[i]));
    }
  }
  // The same arithmetic without any change: what would come of it.
  MatchOutcome Preview(const RatedMatch& match) const;

  // A player who never played has the starting standing.
  Standing Of(uint32_t player) const;
  // Highest number of a player so far, and 1.
  size_t players() const { return standings_.size(); }
  PairRecord PairOf(uint32_t one, uint32_t other) const;

  // Begins from stored values instead of from nothing.
  void Set(uint32_t player, const Standing& standing);
  void SetPair(uint32_t one, uint32_t other, const PairRecord& record);
  // Is rated never; its standing is as it was set.
  void Pin(uint32_t player);

 private:
  struct Meeting {
    base::Instant finished_at;
    uint32_t previous;  // of the same pair; kNone: the first
  };
  struct Pair {
    uint32_t last;  // meeting
    uint32_t matches;
    uint32_t wins;
    uint32_t draws;
  };
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  static uint64_t Key(uint32_t one, uint32_t other);
  static constexpr size_t kFetchedAhead = 12;
  // What Apply will read of this match begins its way into the processor's cache.
  void Fetch(const RatedMatch& match) const;
  // What is known of each two seats i > j of a match, at i * (i - 1) / 2 + j; null: they never met.
  using Met = std::array<const Pair*, kMaxRatedSeats*(kMaxRatedSeats - 1) / 2>;

  Met FindPairs(const RatedMatch& match) const;
  MatchOutcome Rate(const RatedMatch& match, const Met& met) const;
  // How many of the pair's last kFarmingMost rated matches are of the kFarmingDays before `at`.
  size_t RecentMeetings(const Pair& pair, base::Instant at) const;
  double InformationOf(const RatedMatch& match, const Met& met) const;
  void RateTwo(const RatedMatch& match, MatchOutcome& outcome) const;
  void RateTable(const RatedMatch& match, MatchOutcome& outcome) const;
  void Count(const RatedMatch& match, const Met& met, MatchOutcome& outcome) const;
  void Meet(const RatedMatch& match, const Met& met);
  void Meet(const RatedMatch& match, size_t i, size_t j, Pair& pair);
  bool IsPinned(uint32_t player) const { return player < pinned_.size() && pinned_[player]; }

  RatingProfile profile_;
  SeatClass seats_;
  std::vector<Standing> standings_;
  std::vector<bool> pinned_;
  absl::flat_hash_map<uint64_t, Pair> pairs_;
  std::vector<Meeting> meetings_;
};

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_RATING_POOL_H_
