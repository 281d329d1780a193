// All tournaments: takes commands, moves on what is due, and lists them.
//
// A tournament is its log (state.h), and the log has a version: whoever writes names the version
// that he has judged by, and of two that write at once one judges again. So any node may do
// anything at any time, and a node that was killed or stood still does nothing twice. Which node
// looks at a tournament that is due is settled by a lease, only to save work. Matches begin under
// ids that follow from the log (pairing_match.h), and results are read from them; nothing is
// pushed, so nothing is lost.
//
// Keeps a bounded number of states in memory and brings them up to date from the log whenever they
// are asked for. Thread-safe. All methods block on the store, but for PollForEver. Must live until
// the scheduler has stopped.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_TOURNAMENTS_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_TOURNAMENTS_H_

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/core/matches.h"
#include "services/core/tournaments/command.h"
#include "services/core/tournaments/pairing_match.h"
#include "services/core/tournaments/rating_corrections.h"
#include "services/core/tournaments/rounds.h"
#include "storage/tournament_store.h"

namespace astragal::core {

struct NewTournament {
  base::PlayerId by;
  base::RequestId request;
  base::Bytes32 body_hash{};
  TournamentTerms terms;
  bool open = true;  // registration opens at once
  // Of one that was played elsewhere: what its log has behind the first entry (import.h).
  std::vector<TournamentEntry> imported;
};

struct TournamentAnswer {
  TournamentPtr tournament;  // after the command; before it, when it was only validated
  std::vector<TournamentWarning> warnings;
  bool repeated = false;
  // What validating would have made of the tournament; null: it was carried out.
  TournamentPtr would_be;
  std::vector<TournamentBoard> would_have_paired;  // see TournamentPlan
};

using StandingsPtr = std::shared_ptr<const std::vector<Standing>>;

class Tournaments {
 public:
  // How often this node looks for what is due.
  static constexpr int64_t kPollMs = 250;
  // How long another node leaves it alone meanwhile.
  static constexpr int64_t kLeaseMs = 15'000;
  // Tournaments taken in one round.
  static constexpr size_t kMaxDue = 16;
  // How soon one that could not be moved on is looked at again.
  static constexpr int64_t kTroubleMs = 10'000;
  // States kept in memory.
  static constexpr size_t kMaxKept = 256;
  // How often a command is judged again because others were faster.
  static constexpr int kMaxTries = 50;
  // How long a round may be paired.
  static constexpr int64_t kPairingMs = 120'000;
  // How long after an override its match may be rated for the rating to follow.
  static constexpr int64_t kRatingWaitMs = 86'400'000;

  using Wake = std::function<void()>;
  // What is known of a player who wants to come in (blocks).
  using FindFacts =
      std::function<absl::StatusOr<EntrantFacts>(const TournamentTerms&, base::PlayerId)>;
  // The list that a director names, with those of these players who are in it (blocks).
  using FindSeeds = std::function<absl::StatusOr<SeedList>(
      const TournamentTerms&, const std::string& snapshot, const std::vector<base::PlayerId>&)>;

  // True: the rating follows, now or before. False: the match is not rated (blocks).
  using CorrectRating = std::function<absl::StatusOr<bool>(const RatingChange&)>;

  Tournaments(Games& games, Matches& matches, storage::MatchStore& match_store,
              storage::TournamentStore& store, FindFacts find_facts,
              CorrectRating correct_rating = {}, FindSeeds find_seeds = {})
      : games_(games),
        matches_(matches),
        match_store_(match_store),
        store_(store),
        find_facts_(std::move(find_facts)),
        correct_rating_(std::move(correct_rating)),
        find_seeds_(std::move(find_seeds)) {}

  // BAD_FIELD, BAD_OPTION, RULESET_VERSION_UNAVAILABLE, REQUEST_ID_REUSED.
  absl::StatusOr<TournamentPtr> Create(const NewTournament& tournament);
  // What PlanCommand says, REQUEST_ID_REUSED, NOT_FOUND; DEADLINE_EXCEEDED when a round cannot be
  // paired in kPairingMs; what the command's go_on says, and then nothing is stored. Who registers
  // is looked up; the rating in the command is that of somebody whom the pool does not know. So is
  // the list that seeds a start; NOT_FOUND: it is not kept.
  absl::StatusOr<TournamentAnswer> Do(TournamentId id, TournamentCommand command);
  // As it stands. NOT_FOUND, also for one that `viewer` may not see.
  absl::StatusOr<TournamentPtr> Read(TournamentId id, base::PlayerId viewer);
  // The same as it stood at this version; for pages of a list that must fit together.
  absl::StatusOr<TournamentPtr> ReadAt(TournamentId id, base::PlayerId viewer, uint32_t version);
  // Newest first, below `before`, of this status or of any; those that are public.
  absl::StatusOr<std::vector<storage::TournamentHead>> List(std::optional<TournamentStatus> status,
                                                            TournamentId before, size_t limit);
  // Entries after this version, as they are in the log; at most `limit`.
  absl::StatusOr<std::vector<TournamentEntry>> ReadLog(TournamentId id, uint32_t after,
                                                       size_t limit);

  // Computed once for each version that somebody asks for.
  StandingsPtr Standings(const TournamentPtr& state) ABSL_LOCKS_EXCLUDED(mutex_);

  // Calls `wake` when the tournament has moved on, until `token` is gone.
  void StartWatch(TournamentId id, std::weak_ptr<void> token, Wake wake)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Moves on what is due, and tells those who watch.
  void Poll();
  void PollForEver();

 private:
  struct Watch {
    std::weak_ptr<void> token;
    Wake wake;
    uint32_t told = 0;
  };

  absl::StatusOr<TournamentPtr> Fresh(TournamentId id);
  TournamentPtr Kept(TournamentId id) ABSL_LOCKS_EXCLUDED(mutex_);
  void Keep(const TournamentPtr& state) ABSL_LOCKS_EXCLUDED(mutex_);
  // Stores a plan made from `before`. Null: somebody was faster.
  absl::StatusOr<TournamentPtr> Store(const TournamentPtr& before, TournamentPlan plan);
  // Adds what is not in the log yet.
  absl::StatusOr<TournamentPtr> Import(TournamentPtr state,
                                       const std::vector<TournamentEntry>& entries);
  absl::Status CheckPlay(const TournamentTerms& terms, uint32_t& rules_version);
  absl::Status AddFacts(const TournamentState& state, TournamentCommand& command);
  absl::Status AddSeeds(const TournamentState& state, TournamentCommand& command);
  // Everything that can be done for it now; then when it is due again.
  void Advance(TournamentId id);
  // Has the ratings follow overridden results, one after the other.
  absl::StatusOr<TournamentPtr> CorrectRatings(TournamentPtr state);
  absl::StatusOr<TournamentPtr> StepOn(TournamentPtr state);
  // Brings in results, begins matches and moves them on.
  absl::StatusOr<TournamentPtr> Referee(TournamentPtr state);
  absl::StatusOr<TournamentPtr> EnterResults(TournamentPtr state,
                                             const std::vector<PairingMatch>& matches);
  void MoveMatchesOn(const TournamentState& state, const std::vector<PairingMatch>& matches);
  absl::StatusOr<TournamentPtr> DoAsServer(const TournamentPtr& state,
                                           const TournamentCommand& command);
  // Makes the tournament that follows, once; whoever did a part of it before is helped out.
  absl::StatusOr<TournamentPtr> MakeNextStage(const TournamentPtr& state);
  void TellWatchers();

  Games& games_;
  Matches& matches_;
  storage::MatchStore& match_store_;
  storage::TournamentStore& store_;
  const FindFacts find_facts_;
  const CorrectRating correct_rating_;
  const FindSeeds find_seeds_;

  base::Mutex mutex_;
  std::map<TournamentId, TournamentPtr> kept_ ABSL_GUARDED_BY(mutex_);
  // With the version that they are of; of watched tournaments.
  std::map<TournamentId, std::pair<uint32_t, StandingsPtr>> standings_ ABSL_GUARDED_BY(mutex_);
  std::map<TournamentId, std::vector<Watch>> watches_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_TOURNAMENTS_H_
