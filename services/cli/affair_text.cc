#include "services/cli/affair_text.h"

#include <array>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/cli/lobby_text.h"
#include "services/cli/rating_text.h"
#include "services/cli/seats.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

constexpr std::array<std::pair<v1::GameNews, std::string_view>, 8> kNews = {{
    {v1::GAME_NEWS_SEATED, "you have a seat"},
    {v1::GAME_NEWS_STARTED, "it has begun"},
    {v1::GAME_NEWS_YOUR_TURN, "your turn"},
    {v1::GAME_NEWS_TURN_OVER, "your turn is over"},
    {v1::GAME_NEWS_OFFER_MADE, "an offer for you"},
    {v1::GAME_NEWS_OFFER_CLOSED, "no offer any more"},
    {v1::GAME_NEWS_ENDED, "it is over"},
    {v1::GAME_NEWS_NOT_FOLLOWED, "not followed any more"},
}};

std::string Opponents(const v1::GameAffair& affair) {
  std::vector<std::string> names;
  for (const v1::Seat& seat : affair.game().seats()) {
    const bool own = affair.has_seat() && seat.seat() == affair.seat();
    if (!own && !seat.player_id().empty()) names.push_back(seat.player_name());
  }
  return names.empty() ? "nobody yet" : Join(names, ", ");
}

bool IsOver(const v1::Game& game) {
  return game.status() == v1::GAME_STATUS_FINISHED || game.status() == v1::GAME_STATUS_ABORTED;
}

std::vector<std::string> States(const v1::GameAffair& affair) {
  std::vector<std::string> states;
  if (affair.awaits_action()) states.emplace_back("your turn");
  if (affair.awaits_answer()) states.emplace_back("an offer for you");
  if (states.empty()) states.emplace_back(StatusWord(affair.game().status()));
  return states;
}

}  // namespace

std::string_view NewsText(v1::GameNews news) {
  for (const auto& [value, text] : kNews) {
    if (value == news) return text;
  }
  return "something new";
}

std::string AffairText(const v1::GameAffair& affair) {
  std::vector<std::string> news;
  for (const int what : affair.news()) {
    news.emplace_back(NewsText(static_cast<v1::GameNews>(what)));
  }
  const v1::Game& game = affair.game();
  std::string text =
      absl::StrCat(game.game_id(), "  ", game.ruleset_id(), " against ", Opponents(affair), ": ",
                   Join(news.empty() ? States(affair) : news, ", "));
  if (IsOver(game)) {
    text += ", " + ResultText({game.seats().begin(), game.seats().end()}, game.ending());
  }
  return text;
}

std::string ProposalNewsText(const v1::Proposal& proposal) {
  std::string text = ProposalText(proposal);
  if (proposal.state() == v1::PROPOSAL_STATE_OPEN) return text;
  absl::StrAppend(&text, ", ", std::string(ProposalStateWord(proposal.state())));
  if (!proposal.game_id().empty()) absl::StrAppend(&text, " as game ", proposal.game_id());
  return text;
}

std::string RatingNewsText(const v1::RatingsRecomputed& news) {
  const std::string before = news.rating_before() == 0 ? "none" : Fixed(news.rating_before(), 1);
  return absl::StrCat(news.pool_id(), "  your rating was computed again from match ",
                      news.first_order(), " on: ", before, " became ",
                      Fixed(news.rating_after(), 1));
}

}  // namespace astragal::cli
