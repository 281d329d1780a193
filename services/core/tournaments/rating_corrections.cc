#include "services/core/tournaments/rating_corrections.h"

#include <algorithm>
#include <string>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/crypto.h"
#include "services/base/derived_request.h"
#include "services/base/status.h"
#include "services/core/tournaments/pairing_match.h"

namespace astragal::core {
namespace {

using algorithms::Outcome;

bool Wins(Outcome outcome) { return outcome == Outcome::kWin || outcome == Outcome::kForfeitWin; }

// Nobody has won and nobody has drawn: a rest for both, or a forfeit of both.
bool IsVoid(const BoardResult& result) {
  if (!result.places.empty()) return false;
  const bool drawn = result.first == Outcome::kDraw;
  return !drawn && !Wins(result.first) && !Wins(result.second);
}

base::RequestId RequestOf(const TournamentState& state, const RatingDue& due) {
  base::ByteWriter name;
  name.Put(std::string_view("astragal-tournament-rating-1")).Put(state.id.bytes());
  return base::DeriveRequestId(name.Put(due.version).Take());
}

}  // namespace

RatingChange RatingChangeOf(const TournamentState& state, const RatingDue& due) {
  const BoardPlace place{due.round - size_t{1}, due.result.board - size_t{1}};
  TournamentState then = state;
  TournamentBoard& board = then.rounds[place.round].boards[place.board];
  board.attempt = due.attempt;
  RatingChange change;
  change.request = RequestOf(state, due);
  change.match = MatchIdOf(then, place);
  change.reason = due.reason;
  change.annul = IsVoid(due.result);
  if (change.annul) return change;
  const std::vector<int> players = board.Players();
  for (size_t seat = 0; seat < players.size(); ++seat) {
    const Outcome outcome = seat == 0 ? due.result.first : due.result.second;
    const bool best = Wins(outcome) || outcome == Outcome::kDraw;
    const bool named = seat < due.result.places.size();
    change.places.emplace_back(state.players[static_cast<size_t>(players[seat])].id,
                               named  ? due.result.places[seat]
                               : best ? 1
                                      : 2);
  }
  return change;
}

absl::StatusOr<bool> ChangeRating(Ratings& ratings, const RatingChange& change) {
  storage::RatingStore& store = ratings.store();
  const auto found = store.FindMatch(change.match);
  if (absl::IsNotFound(found.status())) return false;
  if (!found.ok()) return found.status();
  // The pool first: if another node answers the request after it was looked for, the revision has
  // moved on.
  const auto pools = store.PoolsByNumber({&found->first, 1});
  if (!pools.ok()) return pools.status();
  if (pools->empty()) return base::Error(base::Reason::kInternal, "a rated match has no pool");
  const auto answered = store.FindAnswer(storage::OperatorAccount(), change.request);
  if (!answered.ok()) return answered.status();
  if (*answered) return true;
  MatchCorrection correction{change.match, change.annul, {}, change.reason};
  for (const base::PlayerId& player : found->second.players) {
    if (change.annul) break;
    const auto place =
        std::ranges::find(change.places, player, &std::pair<base::PlayerId, int32_t>::first);
    if (place == change.places.end()) {
      return base::Error(base::Reason::kInternal, "a match was rated for others than it paired");
    }
    correction.places.push_back(place->second);
  }
  const auto done =
      ratings.Recompute(pools->front(), {&correction, 1}, Ratings::Write::kIfDifferent,
                        [&change](const Recomputation&) {
                          return storage::Answer{storage::OperatorAccount(), change.request,
                                                 base::Sha256(change.match.ToText()), "tournament"};
                        });
  if (!done.ok()) return done.status();
  return true;
}

}  // namespace astragal::core
