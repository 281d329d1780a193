#include "services/core/affair.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace astragal::core {
namespace {

template <typename Ptr, typename IdOf>
auto IndexOf(const std::vector<Ptr>& items, IdOf id_of) {
  absl::flat_hash_map<decltype(id_of(items.front())), Ptr> index;
  for (const Ptr& item : items) index[id_of(item)] = item;
  return index;
}

GameId IdOfGame(const GameAffairPtr& game) { return game->game.id; }
ProposalId IdOfProposal(const ProposalPtr& proposal) { return proposal->record.id; }

bool HasStarted(const GameAffair* game) {
  return game != nullptr && game->game.status != GameStatus::kOpen &&
         game->game.status != GameStatus::kContributing;
}

}  // namespace

std::optional<int> GameAffair::SeatOf(PlayerId player) const {
  for (const SeatRecord& seat : game.seats) {
    if (seat.player == player && !player.is_nil()) return seat.seat;
  }
  return std::nullopt;
}

bool GameAffair::AwaitsActionOf(PlayerId player) const {
  const std::optional<int> seat = SeatOf(player);
  return seat && game.status == GameStatus::kRunning && game.actor == *seat;
}

bool GameAffair::AwaitsAnswerOf(PlayerId player) const {
  const std::optional<int> seat = SeatOf(player);
  if (!seat || !offer || game.status != GameStatus::kRunning) return false;
  const bool is_in = (gone >> *seat & 1) == 0;
  return is_in && offer->seat != *seat && (offer->accepted >> *seat & 1) == 0;
}

absl::StatusOr<GameAffair> AffairOf(const host::Ruleset& ruleset,
                                    const storage::StoredGame& stored) {
  absl::StatusOr<Proceedings> proceedings = DecodeProceedings(ruleset, stored.head.proceedings);
  if (!proceedings.ok()) return proceedings.status();
  GameAffair affair;
  storage::GameSummary& game = affair.game;
  game.id = stored.facts.id;
  game.ruleset = stored.facts.ruleset;
  game.rules_version = stored.facts.rules_version;
  game.status = stored.head.status;
  game.ending = stored.head.ending;
  game.sequence = stored.head.sequence;
  game.actor = stored.head.actor;
  game.created_at = stored.facts.created_at;
  game.updated_at = stored.head.updated_at;
  game.seats = stored.seats;
  affair.changed_sequence = stored.head.changed_sequence;
  affair.terms = stored.facts.terms;
  affair.offer = proceedings->offer;
  affair.gone = proceedings->gone;
  affair.turn_ends = DeadlineOf(affair.terms.clock, proceedings->clock);
  return affair;
}

std::vector<GameNews> NewsOf(PlayerId player, const GameAffair* before, const GameAffair& after) {
  const bool had_seat = before != nullptr && before->SeatOf(player).has_value();
  const bool has_seat = after.SeatOf(player).has_value();
  const bool awaited_action = before != nullptr && before->AwaitsActionOf(player);
  const bool awaits_action = after.AwaitsActionOf(player);
  const bool awaited_answer = before != nullptr && before->AwaitsAnswerOf(player);
  const bool awaits_answer = after.AwaitsAnswerOf(player);
  const bool moved_on = before == nullptr || before->changed_sequence != after.changed_sequence;
  std::vector<GameNews> news;
  const auto add_if = [&news](bool happened, GameNews what) {
    if (happened) news.push_back(what);
  };
  add_if(!had_seat && has_seat, GameNews::kSeated);
  add_if(!HasStarted(before) && after.game.status == GameStatus::kRunning, GameNews::kStarted);
  add_if(awaits_action && (!awaited_action || moved_on), GameNews::kYourTurn);
  add_if(awaited_action && !awaits_action, GameNews::kTurnOver);
  add_if(awaits_answer && !awaited_answer, GameNews::kOfferMade);
  add_if(awaited_answer && !awaits_answer, GameNews::kOfferClosed);
  add_if(after.IsOver(), GameNews::kEnded);
  add_if(had_seat && !has_seat, GameNews::kNotFollowed);
  return news;
}

std::optional<AffairDifference> Compare(PlayerId player, const AffairPicture& before,
                                        const AffairPicture& after) {
  AffairDifference difference;
  const auto old_games = IndexOf(before.games, IdOfGame);
  const auto new_games = IndexOf(after.games, IdOfGame);
  const auto past_games = IndexOf(after.past_games, IdOfGame);
  for (const GameAffairPtr& game : after.games) {
    const auto old = old_games.find(game->game.id);
    if (old != old_games.end() && old->second == game) continue;
    std::vector<GameNews> news =
        NewsOf(player, old == old_games.end() ? nullptr : old->second.get(), *game);
    if (!news.empty()) difference.games.push_back({game, std::move(news)});
  }
  for (const GameAffairPtr& game : before.games) {
    if (new_games.contains(game->game.id)) continue;
    const auto past = past_games.find(game->game.id);
    if (past == past_games.end()) return std::nullopt;
    std::vector<GameNews> news = NewsOf(player, game.get(), *past->second);
    // It goes on, and others are newer.
    const bool goes_on = !past->second->IsOver() && past->second->SeatOf(player).has_value();
    if (goes_on) news = {GameNews::kNotFollowed};
    difference.games.push_back({past->second, std::move(news)});
  }
  const auto long_past_games = IndexOf(before.past_games, IdOfGame);
  for (const GameAffairPtr& game : after.past_games) {
    const GameId id = game->game.id;
    if (long_past_games.contains(id) || old_games.contains(id)) continue;
    difference.games.push_back({game, NewsOf(player, nullptr, *game)});
  }
  for (const storage::RatingNews& news : after.ratings) {
    if (std::ranges::count(before.ratings, news) == 0) difference.ratings.push_back(news);
  }
  const auto old_proposals = IndexOf(before.proposals, IdOfProposal);
  const auto new_proposals = IndexOf(after.proposals, IdOfProposal);
  const auto past_proposals = IndexOf(after.past_proposals, IdOfProposal);
  for (const ProposalPtr& proposal : after.proposals) {
    if (!old_proposals.contains(IdOfProposal(proposal))) difference.proposals.push_back(proposal);
  }
  for (const ProposalPtr& proposal : before.proposals) {
    if (new_proposals.contains(IdOfProposal(proposal))) continue;
    const auto past = past_proposals.find(IdOfProposal(proposal));
    if (past == past_proposals.end()) return std::nullopt;
    difference.proposals.push_back(past->second);
  }
  const auto long_past_proposals = IndexOf(before.past_proposals, IdOfProposal);
  for (const ProposalPtr& proposal : after.past_proposals) {
    const ProposalId id = IdOfProposal(proposal);
    if (long_past_proposals.contains(id) || old_proposals.contains(id)) continue;
    difference.proposals.push_back(proposal);
  }
  return difference;
}

}  // namespace astragal::core
