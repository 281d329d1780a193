#include "services/core/match_state.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using algorithms::MatchGoal;
using algorithms::MatchStarter;
using algorithms::PlayedGame;
using storage::FirstMover;
using storage::GameStatus;
using storage::GameSummary;
using storage::MatchKind;
using storage::MatchRecord;

// The numbers are the same on purpose: storage and algorithms know nothing of each other.
static_assert(static_cast<int>(MatchKind::kPoints) == static_cast<int>(MatchGoal::kPoints));
static_assert(static_cast<int>(MatchKind::kBestOf) == static_cast<int>(MatchGoal::kBestOf));
static_assert(static_cast<int>(MatchKind::kGames) == static_cast<int>(MatchGoal::kGames));
static_assert(static_cast<int>(FirstMover::kRules) == static_cast<int>(MatchStarter::kRules));
static_assert(static_cast<int>(FirstMover::kWinner) == static_cast<int>(MatchStarter::kWinner));
static_assert(static_cast<int>(FirstMover::kLoser) == static_cast<int>(MatchStarter::kLoser));
static_assert(static_cast<int>(FirstMover::kAlternate) ==
              static_cast<int>(MatchStarter::kAlternate));
static_assert(algorithms::kMaxMatchGames == storage::MatchStore::kMaxGames);

bool IsOver(const GameSummary& game) {
  return game.status == GameStatus::kFinished || game.status == GameStatus::kAborted;
}

}  // namespace

algorithms::MatchRules RulesOf(const MatchRecord& match) {
  return {static_cast<MatchGoal>(match.kind), match.length,
          static_cast<MatchStarter>(match.first_mover), match.timeout_loses,
          static_cast<int>(match.players.size())};
}

size_t SeatIn(const GameSummary& game, base::PlayerId player) {
  const auto found = std::ranges::find(game.seats, player, &storage::SeatRecord::player);
  return found == game.seats.end() ? 0 : static_cast<size_t>(found - game.seats.begin());
}

PlayedGame PlayedOf(const MatchRecord& match, const GameSummary& game) {
  PlayedGame played;
  played.counts = game.status == GameStatus::kFinished;
  played.on_time = game.ending == storage::Ending::kTimedOut;
  for (const base::PlayerId& player : match.players) {
    const size_t seat = SeatIn(game, player);
    const bool known = seat < game.seats.size();
    played.places.push_back(known ? game.seats[seat].place : 0);
    played.points.push_back(known ? game.seats[seat].points : 0);
  }
  return played;
}

MatchState MatchFrom(storage::StoredMatch match, std::vector<storage::MatchGame> games) {
  MatchState state{std::move(match), std::move(games), {}};
  std::vector<PlayedGame> played;
  for (const storage::MatchGame& game : state.games) {
    if (IsOver(game.game)) played.push_back(PlayedOf(state.match.record, game.game));
  }
  state.score = algorithms::ScoreOf(RulesOf(state.match.record), played);
  return state;
}

absl::StatusOr<MatchPtr> ReadMatch(storage::MatchStore& store, base::MatchId id) {
  absl::StatusOr<storage::StoredMatch> match = store.GetMatch(id);
  if (!match.ok()) return match.status();
  absl::StatusOr<std::vector<storage::MatchGame>> games = store.GamesOf({id});
  if (!games.ok()) return games.status();
  if (games->empty()) return base::Error(base::Reason::kNotFound, "no such match");
  return std::make_shared<const MatchState>(MatchFrom(*std::move(match), *std::move(games)));
}

MatchStage MatchState::Stage() const {
  if (score.over) return MatchStage::kOver;
  if (games.empty()) return MatchStage::kWaiting;
  const GameSummary& last = games.back().game;
  if (!IsOver(last)) return MatchStage::kPlaying;
  return last.status == GameStatus::kFinished ? MatchStage::kDue : MatchStage::kWaiting;
}

uint64_t MatchState::Version() const {
  if (games.empty()) return 0;
  return 2 * games.size() + (IsOver(games.back().game) ? 1 : 0);
}

const GameSummary* LastCounted(const MatchState& match) {
  for (size_t i = match.games.size(); i > 0; --i) {
    const GameSummary& game = match.games[i - 1].game;
    if (game.status == GameStatus::kFinished) return &game;
  }
  return nullptr;
}

bool MaySee(const storage::StoredMatch& match, base::PlayerId viewer) {
  if (match.visibility != storage::Visibility::kPrivate) return true;
  if (viewer.is_nil()) return false;
  const std::vector<base::PlayerId>& players = match.record.players;
  return match.record.created_by == viewer || std::ranges::find(players, viewer) != players.end();
}

}  // namespace astragal::core
