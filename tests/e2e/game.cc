#include "tests/e2e/game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <string_view>
#include <thread>

#include "services/algorithms/dice.h"
#include "services/base/bytes.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"

namespace astragal::e2e {
namespace {

using base::ByteWriter;

// An event as it is hashed.
struct Hashed {
  uint8_t kind = 0;
  int8_t seat = -1;
  int64_t number = 0;
  std::string detail;
};

std::string IdBytes(const std::string& text) {
  const auto bytes = base::IdFromText(text);
  return bytes ? std::string(base::AsView(*bytes)) : std::string();
}

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

int64_t OptionValue(const v1::RulesetOption& option, const std::string& text) {
  if (option.choices().empty()) return std::stoll(text);
  return std::ranges::find(option.choices(), text) - option.choices().begin();
}

std::string CreatedDetail(const v1::Game& game, const v1::Ruleset& ruleset) {
  ByteWriter out;
  out.Put(static_cast<uint8_t>(game.ruleset_id().size())).Put(std::string_view(game.ruleset_id()));
  out.Put(game.rules_version()).Put(std::string_view(FromHex(game.build_sha256())));
  out.Put(static_cast<uint8_t>(ruleset.options_size()));
  for (const v1::RulesetOption& option : ruleset.options()) {
    out.Put(OptionValue(option, game.options().at(option.name())));
  }
  out.Put(std::string_view(IdBytes(game.creator_player_id()))).Put(uint32_t{0});
  out.Put(std::string_view(game.fairness_commitment()));
  const v1::ClockPolicy& clock = game.clock_policy();
  out.Put(static_cast<uint8_t>(game.visibility())).Put(static_cast<uint8_t>(game.rated()));
  out.Put(static_cast<uint8_t>(clock.kind())).Put(clock.reserve_ms());
  out.Put(clock.increment_ms()).Put(clock.first_turn_ms());
  out.Put(static_cast<uint8_t>(game.starting_reserves_ms_size()));
  for (const int64_t reserve : game.starting_reserves_ms()) out.Put(reserve);
  const std::string match(16, '\0');
  out.Put(std::string_view(game.match_id().empty() ? match : IdBytes(game.match_id())));
  out.Put(static_cast<uint16_t>(game.match_game()));
  return out.Take();
}

std::string FinishedDetail(const v1::GameFinished& finished) {
  ByteWriter out;
  for (const v1::Seat& seat : finished.seats()) out.Put(seat.place()).Put(seat.points());
  out.Put(std::string_view(finished.fairness_secret()));
  return out.Take();
}

int KindOf(const v1::Ruleset& ruleset, const std::string& name) {
  const auto found = std::ranges::find(ruleset.throw_kinds(), name, &v1::ThrowKind::name);
  return static_cast<int>(found - ruleset.throw_kinds().begin());
}

std::string ActionDetail(const v1::ActionTaken& action) {
  const int flags = (action.keeps_turn() ? 1 : 0) | (action.lag_credit_us() > 0 ? 2 : 0);
  if (flags == 0) return {};
  ByteWriter out;
  out.Put(static_cast<uint8_t>(flags));
  if (action.lag_credit_us() > 0) out.Put(static_cast<int64_t>(action.lag_credit_us()));
  return out.Take();
}

Hashed HashedOf(const v1::Game& game, const v1::Ruleset& ruleset, const v1::Event& event) {
  switch (event.kind_case()) {
    case v1::Event::kCreated:
      return {1, -1, game.seats_size(), CreatedDetail(game, ruleset)};
    case v1::Event::kSeated:
      return {2, static_cast<int8_t>(event.seated().seat()), 0,
              IdBytes(event.seated().player_id())};
    case v1::Event::kStarted:
      return {3, -1, 0, {}};
    case v1::Event::kThrow:
      return {4,
              -1,
              static_cast<int64_t>(KindOf(ruleset, event.throw_().throw_kind())) << 16 |
                  event.throw_().outcome(),
              {}};
    case v1::Event::kAction:
      return {5, static_cast<int8_t>(event.action().seat()), event.action().action().action(),
              ActionDetail(event.action())};
    case v1::Event::kResigned:
      return {6, static_cast<int8_t>(event.resigned().seat()), event.resigned().points(), {}};
    case v1::Event::kFinished:
      return {7, -1, event.finished().ending(), FinishedDetail(event.finished())};
    case v1::Event::kBuildChanged:
      return {8, -1, 0, FromHex(event.build_changed().build_sha256())};
    case v1::Event::kLeft:
      return {9, static_cast<int8_t>(event.left().seat()), 0, {}};
    case v1::Event::kOffered: {
      const v1::Offer& offer = event.offered().offer();
      return {10, static_cast<int8_t>(offer.seat()), offer.points() << 8 | offer.kind(), {}};
    }
    case v1::Event::kAnswered:
      return {11, static_cast<int8_t>(event.answered().seat()), event.answered().accepted(), {}};
    case v1::Event::kUndone:
      return {12, static_cast<int8_t>(event.undone().seat()), event.undone().count(), {}};
    case v1::Event::kTurnEnded:
      return {13, static_cast<int8_t>(event.turn_ended().seat()), 0, {}};
    case v1::Event::kTimedOut:
      return {14, static_cast<int8_t>(event.timed_out().seat()), event.timed_out().points(), {}};
    case v1::Event::kTimeCredited:
      return {15,
              static_cast<int8_t>(event.time_credited().seat()),
              event.time_credited().credit_us(),
              {}};
    case v1::Event::kContributionsInvited:
      return {16, -1, 0, {}};
    case v1::Event::kContributionPledged: {
      const v1::ContributionPledged& pledged = event.contribution_pledged();
      return {17, static_cast<int8_t>(pledged.seat()), 0, pledged.contribution_sha256()};
    }
    case v1::Event::kPledgesClosed:
      return {18, -1, 0, {}};
    case v1::Event::kContributionGiven: {
      const v1::ContributionGiven& given = event.contribution_given();
      return {19, static_cast<int8_t>(given.seat()), 0, given.contribution()};
    }
    case v1::Event::KIND_NOT_SET:
      break;
  }
  return {};
}

}  // namespace

std::string NewGame(const Client& first, const Client& second, const std::string& ruleset) {
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id(ruleset);
  create.set_seat(0);
  const auto created = first.Call(&Game::CreateGame, create);
  EXPECT_TRUE(created.ok()) << created.status.error_message();
  v1::JoinGameRequest join;
  join.set_request_id(NewRequestId());
  join.set_game_id(created->game().game_id());
  const auto joined = second.Call(&Game::JoinGame, join);
  EXPECT_TRUE(joined.ok()) << joined.status.error_message();
  EXPECT_EQ(joined->seat(), 1);
  return created->game().game_id();
}

v1::Game LoggedPart(v1::Game game) {
  for (v1::Seat& seat : *game.mutable_seats()) seat.clear_connected();
  return game;
}

v1::Game GetGame(const Client& client, const std::string& game_id) {
  v1::GetGameRequest request;
  request.set_game_id(game_id);
  auto answer = client.Call(&Game::GetGame, request);
  EXPECT_TRUE(answer.ok()) << answer.status.error_message();
  return std::move(*answer.message.mutable_game());
}

std::vector<v1::Event> ListEvents(const Client& client, const std::string& game_id, int page_size) {
  std::vector<v1::Event> events;
  v1::ListEventsRequest request;
  request.set_game_id(game_id);
  request.set_page_size(page_size);
  do {
    const auto page = client.Call(&History::ListEvents, request);
    EXPECT_TRUE(page.ok()) << page.status.error_message();
    EXPECT_LE(page->events_size(), page_size);
    events.insert(events.end(), page->events().begin(), page->events().end());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return events;
}

v1::Ruleset GetRuleset(const Client& client, const std::string& ruleset_id) {
  v1::GetRulesetRequest request;
  request.set_ruleset_id(ruleset_id);
  auto answer = client.Call(&Ruleset::GetRuleset, request);
  EXPECT_TRUE(answer.ok()) << answer.status.error_message();
  return std::move(*answer.message.mutable_ruleset());
}

Table::Table(std::string game_id, std::vector<const Client*> seats, uint32_t seed)
    : game_id_(std::move(game_id)), seats_(std::move(seats)), random_(seed) {
  std::cout << "actions are drawn from seed " << seed << std::endl;
}

template <typename Stub, typename Request, typename Response>
Answer<Response> Table::Call(const Client& client,
                             grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                          Response*),
                             const Request& request) const {
  Answer<Response> answer = client.Call(method, request);
  for (int64_t waited_ms = 0; patient_ && waited_ms < kPatienceMs; waited_ms += 20) {
    // The client's own words when a connection broke are UNAVAILABLE, too.
    if (answer.status.error_code() != grpc::StatusCode::UNAVAILABLE) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    answer = client.Call(method, request);
  }
  return answer;
}

// From the node of the seat to act, which may not have heard of the last action yet.
Answer<v1::ListLegalActionsResponse> Table::ListActions() const {
  v1::ListLegalActionsRequest list;
  list.set_game_id(game_id_);
  auto legal = Call(*seats_[next_], &Game::ListLegalActions, list);
  for (int tries = 0; legal.ok() && legal->sequence() < sequence_ && tries < 500; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    legal = Call(*seats_[next_], &Game::ListLegalActions, list);
  }
  return legal;
}

Answer<v1::PlayActionsResponse> Table::PlayOne() {
  Answer<v1::PlayActionsResponse> failed;
  const auto legal = ListActions();
  const int actor = legal->position().actor();
  failed.status = legal.status;
  if (!legal.ok() || actor < 0 || legal->actions().empty()) return failed;

  const auto last = static_cast<uint32_t>(legal->actions_size() - 1);
  const v1::Action& action =
      legal->actions(static_cast<int>(std::uniform_int_distribution<uint32_t>(0, last)(random_)));
  v1::PlayActionsRequest play;
  play.set_request_id(NewRequestId());
  play.set_game_id(game_id_);
  play.set_expected_sequence(legal->sequence());
  // A client may send either.
  if (random_() % 2 == 0) {
    play.add_actions()->set_action(action.action());
  } else {
    play.add_actions()->set_notation(action.notation());
  }
  auto played = Call(*seats_[static_cast<size_t>(actor)], &Game::PlayActions, play);
  if (played.ok()) {
    next_ = static_cast<size_t>(std::max(played->position().actor(), 0));
    ++played_;
    ledger_.insert(ledger_.end(), played->events().begin(), played->events().end());
    sequence_ = played->sequence();
    over_ = played->status() == v1::GAME_STATUS_FINISHED;
  }
  return played;
}

bool Table::Play(int actions) {
  for (int i = 0; i < actions && !over_; ++i) {
    const auto played = PlayOne();
    if (played.ok()) continue;
    ADD_FAILURE() << "after " << sequence_ << ": " << played.status.error_message();
    return false;
  }
  return true;
}

std::string ChainProblem(const v1::Game& game, const v1::Ruleset& ruleset,
                         const std::vector<v1::Event>& events) {
  std::string previous(32, '\0');
  for (size_t i = 0; i < events.size(); ++i) {
    const v1::Event& event = events[i];
    const std::string at = "event " + std::to_string(i + 1);
    if (event.sequence() != i + 1) return at + " has number " + std::to_string(event.sequence());
    const Hashed hashed = HashedOf(game, ruleset, event);
    const google::protobuf::Timestamp& time = event.event_time();
    ByteWriter out;
    out.Put(std::string_view("astragal-event-1")).Put(std::string_view(previous));
    out.Put(std::string_view(IdBytes(game.game_id()))).Put(event.sequence());
    out.Put(hashed.kind).Put(hashed.seat).Put(hashed.number);
    out.Put(int64_t{time.seconds() * 1'000'000 + time.nanos() / 1000});
    out.Put(std::string_view(event.position_hash()));
    out.Put(static_cast<uint32_t>(hashed.detail.size())).Put(std::string_view(hashed.detail));
    previous = std::string(base::AsView(base::Sha256(out.bytes())));
    if (previous != event.log_hash()) return at + " has another hash: " + event.ShortDebugString();
  }
  return previous == game.log_hash() ? "" : "the game has another hash than its last event";
}

std::string DiceProblem(const v1::Game& game, const v1::Ruleset& ruleset,
                        const std::vector<v1::Event>& events) {
  if (events.empty() || !events.back().has_finished()) return "the game is not over";
  const std::string& published = events.back().finished().fairness_secret();
  algorithms::DiceSource dice;
  if (published.size() != dice.secret.size()) return "no secret was published";
  std::ranges::copy(published, dice.secret.begin());
  dice.game = *base::GameId::Parse(game.game_id());
  dice.contributions.resize(static_cast<size_t>(game.seats_size()));
  const base::Bytes32 commitment = algorithms::DiceCommitment(dice.game, dice.secret);
  if (base::AsView(commitment) != game.fairness_commitment()) return "another secret was committed";

  uint64_t index = 0;
  for (const v1::Event& event : events) {
    if (!event.has_throw_()) continue;
    const v1::ThrowKind& kind = ruleset.throw_kinds(KindOf(ruleset, event.throw_().throw_kind()));
    std::vector<uint32_t> weights;
    for (const v1::ThrowOutcome& outcome : kind.outcomes()) weights.push_back(outcome.weight());
    const int outcome = algorithms::DrawOutcome(dice, index, weights);
    const bool same = static_cast<uint32_t>(outcome) == event.throw_().outcome() &&
                      kind.outcomes(outcome).label() == event.throw_().notation();
    if (!same) return "throw " + std::to_string(index) + " was another one";
    ++index;
  }
  return index == 0 ? "nothing was thrown" : "";
}

}  // namespace astragal::e2e
