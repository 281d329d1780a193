#include "services/cli/match_text.h"

#include <vector>

#include "services/cli/text.h"

namespace astragal::cli {
namespace {

std::string NameOf(const v1::MatchPlayer& player) {
  return player.player_name().empty() ? player.player_id() : player.player_name();
}

std::string ValueOf(const v1::Match& match, const v1::MatchPlayer& player) {
  if (match.terms().kind() != v1::MATCH_KIND_BEST_OF) return std::to_string(player.points());
  const int halves = 2 * player.wins() + player.draws();
  return std::to_string(halves / 2) + (halves % 2 == 0 ? "" : ".5");
}

std::string KindText(const v1::MatchTerms& terms) {
  const std::string length = std::to_string(terms.length());
  switch (terms.kind()) {
    case v1::MATCH_KIND_POINTS:
      return "to " + length + (terms.length() == 1 ? " point" : " points");
    case v1::MATCH_KIND_BEST_OF:
      return "best of " + length;
    case v1::MATCH_KIND_GAMES:
      return length + (terms.length() == 1 ? " game" : " games");
    default:
      return "of an unknown kind";
  }
}

}  // namespace

std::string MatchTermsText(const v1::MatchTerms& terms) {
  std::vector<std::string> parts = {KindText(terms)};
  if (terms.first_mover() == v1::MATCH_FIRST_MOVER_WINNER) parts.emplace_back("winner begins");
  if (terms.first_mover() == v1::MATCH_FIRST_MOVER_LOSER) parts.emplace_back("loser begins");
  if (terms.first_mover() == v1::MATCH_FIRST_MOVER_ALTERNATE) {
    parts.emplace_back("players begin in turns");
  }
  if (terms.match_clock()) parts.emplace_back("match clock");
  if (terms.timeout_loses()) parts.emplace_back("timeout loses the match");
  return Join(parts, ", ");
}

std::string MatchScoreText(const v1::Match& match) {
  if (match.players_size() == 2) {
    const v1::MatchPlayer& first = match.players(0);
    const v1::MatchPlayer& second = match.players(1);
    return NameOf(first) + " " + ValueOf(match, first) + " : " + ValueOf(match, second) + " " +
           NameOf(second);
  }
  std::vector<std::string> parts;
  for (const v1::MatchPlayer& player : match.players()) {
    parts.push_back(NameOf(player) + " " + ValueOf(match, player));
  }
  return Join(parts, ", ");
}

std::string MatchStatusText(const v1::Match& match) {
  if (match.status() == v1::MATCH_STATUS_WAITING) return "waits for a new game";
  if (match.status() == v1::MATCH_STATUS_RUNNING) return "running";
  if (match.status() != v1::MATCH_STATUS_OVER) return "unknown";
  if (!match.has_winner()) return "over: drawn";
  const bool known = match.winner() >= 0 && match.winner() < match.players_size();
  const std::string who = known ? NameOf(match.players(match.winner())) : "somebody";
  return "over: " + who + " has won" + (match.ended_on_time() ? " on time" : "");
}

std::string MatchGameText(const v1::Match& match, const v1::MatchGame& game) {
  std::string text = "game " + std::to_string(game.number()) + "  " + game.game_id() + "  " +
                     std::string(StatusWord(game.status()));
  if (game.status() != v1::GAME_STATUS_FINISHED) return text;
  bool drawn = true;
  for (int i = 0; i < game.points_size() && i < match.players_size(); ++i) {
    if (game.points(i) == 0) continue;
    drawn = false;
    text += ", " + NameOf(match.players(i)) + " " + std::to_string(game.points(i)) +
            (game.points(i) == 1 ? " point" : " points");
  }
  return text + (drawn ? ", no points" : "");
}

}  // namespace astragal::cli
