// A whole game of two clients with watchers, then everything that can be known of it afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string_view>

#include "services/base/crypto.h"
#include "tests/e2e/game.h"
#include "tests/services/algorithms/rulesets.h"

namespace astragal::e2e {
namespace {

using testing::ElementsAreArray;

// The position after each event, as a replay tells it.
std::map<uint32_t, v1::Position> Replayed(const Client& client, const std::string& game_id,
                                          const std::vector<v1::Event>& log) {
  v1::StreamReplayRequest request;
  request.set_game_id(game_id);
  grpc::ClientContext context;
  client.Prepare(context);
  const auto reader = client.stub<History>().StreamReplay(&context, request);
  std::map<uint32_t, v1::Position> positions;
  v1::StreamReplayResponse step;
  while (reader->Read(&step)) {
    const uint32_t sequence = step.event().sequence();
    EXPECT_EQ(sequence, positions.size() + 1);
    EXPECT_LE(sequence, log.size());
    if (sequence <= log.size()) {
      EXPECT_EQ(TextOf(step.event()), TextOf(log[sequence - 1]));
    }
    EXPECT_EQ(base::AsView(base::Sha256(step.position().data())), step.event().position_hash());
    positions[sequence] = step.position();
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(positions.size(), log.size());
  return positions;
}

// GetPosition replays from the start each time: `step` beyond 1 asks for some only.
void ExpectPositionsEqual(const Client& client, const std::string& game_id,
                          const std::map<uint32_t, v1::Position>& positions, uint32_t step) {
  v1::GetPositionRequest request;
  request.set_game_id(game_id);
  for (const auto& [sequence, position] : positions) {
    if (sequence % step != 0) continue;
    request.set_sequence(sequence);
    const auto answer = client.Call(&History::GetPosition, request);
    ASSERT_TRUE(answer.ok()) << answer.status.error_message();
    ASSERT_EQ(answer->sequence(), sequence);
    ASSERT_EQ(TextOf(answer->position()), TextOf(position)) << "at " << sequence;
  }
  request.clear_sequence();
  const auto last = client.Call(&History::GetPosition, request);
  EXPECT_EQ(last->sequence(), positions.rbegin()->first);
  EXPECT_EQ(TextOf(last->position()), TextOf(positions.rbegin()->second));
}

// Effects as one line, for comparison.
template <typename Effects>
std::string EffectsText(const Effects& effects) {
  std::string text;
  for (const auto& effect : effects) text += TextOf(effect) + "; ";
  return text;
}

v1::Effect ToProto(const host::Effect& effect) {
  v1::Effect out;
  out.set_kind(static_cast<v1::Effect::Kind>(effect.kind));
  out.set_seat(effect.seat);
  out.set_piece(effect.piece);
  out.set_from(effect.from);
  out.set_to(effect.to);
  out.set_amount(effect.amount);
  return out;
}

// Each throw and action tells what the ruleset says of it, in the ruleset's order. Returns the
// kinds of effects that were told.
std::set<v1::Effect::Kind> ExpectEffectsOfRuleset(
    const host::Ruleset& ruleset, const std::vector<v1::Event>& log,
    const std::map<uint32_t, v1::Position>& positions) {
  std::set<v1::Effect::Kind> kinds;
  for (const v1::Event& event : log) {
    if (!event.has_throw_() && !event.has_action()) continue;
    const auto before = ruleset.FromBytes(positions.at(event.sequence() - 1).data());
    EXPECT_TRUE(before.ok()) << before.status();
    if (!before.ok()) return kinds;
    const bool thrown = event.has_throw_();
    const int64_t number = thrown ? host::ChanceAction(*ruleset.ThrowKind(*before),
                                                       static_cast<int>(event.throw_().outcome()))
                                  : event.action().action().action();
    const auto expected =
        ruleset.Effects(*before, thrown ? host::kChance : event.action().seat(), number);
    EXPECT_TRUE(expected.ok()) << expected.status();
    if (!expected.ok()) return kinds;
    std::vector<v1::Effect> effects;
    for (const host::Effect& effect : *expected) effects.push_back(ToProto(effect));
    const auto& told = thrown ? event.throw_().effects() : event.action().action().effects();
    EXPECT_EQ(EffectsText(told), EffectsText(effects)) << "event " << event.sequence();
    for (const v1::Effect& effect : told) kinds.insert(effect.kind());
  }
  return kinds;
}

// What every whole game of random players has: forced passes, payments, extra throws and discarded
// ones among it.
std::vector<v1::Effect::Kind> KindsOf(std::string_view ruleset) {
  using v1::Effect;
  if (ruleset == "patolli") {
    return {Effect::KIND_THROW, Effect::KIND_ENTER,       Effect::KIND_MOVE, Effect::KIND_BEAR_OFF,
            Effect::KIND_PASS,  Effect::KIND_EXTRA_THROW, Effect::KIND_PAY,  Effect::KIND_TAKE,
            Effect::KIND_TURN,  Effect::KIND_FINISH};
  }
  return {Effect::KIND_THROW,   Effect::KIND_MOVE, Effect::KIND_BEAR_OFF,
          Effect::KIND_DISCARD, Effect::KIND_TURN, Effect::KIND_FINISH};
}

void ExpectResult(const v1::Game& game, const v1::Event& last, v1::GameEnding ending) {
  EXPECT_EQ(game.status(), v1::GAME_STATUS_FINISHED);
  EXPECT_EQ(game.ending(), ending);
  EXPECT_EQ(game.seats_to_act_size(), 0);
  ASSERT_TRUE(last.has_finished());
  EXPECT_EQ(last.finished().ending(), ending);
  std::vector<int> places;
  for (int i = 0; i < game.seats_size(); ++i) {
    places.push_back(game.seats(i).place());
    EXPECT_EQ(game.seats(i).place(), last.finished().seats(i).place());
    EXPECT_EQ(game.seats(i).points(), last.finished().seats(i).points());
  }
  EXPECT_THAT(places, testing::Contains(1));
}

class WholeGame : public testing::TestWithParam<const char*> {
 protected:
  Person alice_ = NewPerson(SharedService(), "Alice");
  Person bob_ = NewPerson(SharedService(), "Bob");
  Client spectator_{SharedService().Connect()};
};

TEST_P(WholeGame, IsSeenByAllAndComesBackAsAReplay) {
  const std::string game_id = NewGame(alice_.client, bob_.client, GetParam());
  const v1::Ruleset ruleset = GetRuleset(spectator_, GetParam());
  const v1::Game before = GetGame(spectator_, game_id);
  EXPECT_EQ(before.fairness_commitment().size(), 32U);
  EXPECT_EQ(before.seats(0).player_name(), alice_.name);
  EXPECT_EQ(before.seats(1).player_id(), bob_.id);

  Watcher at_seat_0(alice_.client, game_id);
  Watcher at_seat_1(bob_.client, game_id, before.sequence());
  Watcher spectator(spectator_, game_id, 0);
  for (Watcher* watcher : {&at_seat_0, &at_seat_1, &spectator}) {
    ASSERT_TRUE(watcher->AwaitSnapshot());
  }

  Table table(game_id, {&alice_.client, &bob_.client}, std::random_device()());
  ASSERT_TRUE(table.Play());
  const v1::Game game = GetGame(spectator_, game_id);
  ASSERT_EQ(game.sequence(), table.sequence());
  const std::vector<v1::Event> log = ListEvents(spectator_, game_id);
  ASSERT_EQ(log.size(), game.sequence());
  ExpectResult(game, log.back(), v1::GAME_ENDING_PLAYED);

  for (Watcher* watcher : {&at_seat_0, &at_seat_1, &spectator}) {
    const std::optional<grpc::Status> end = watcher->AwaitEnd();
    ASSERT_TRUE(end && end->ok()) << "a watcher of a finished game ends well";
    EXPECT_EQ(watcher->disorder(), "");
  }
  const std::vector<v1::Event> tail(log.begin() + before.sequence(), log.end());
  EXPECT_THAT(TextOf(spectator.events()), ElementsAreArray(TextOf(log)));
  EXPECT_THAT(TextOf(at_seat_0.events()), ElementsAreArray(TextOf(tail)));
  EXPECT_THAT(TextOf(at_seat_1.events()), ElementsAreArray(TextOf(tail)));
  EXPECT_THAT(TextOf(table.ledger()), ElementsAreArray(TextOf(tail)));
  EXPECT_EQ(TextOf(LoggedPart(at_seat_0.snapshot()->game())), TextOf(LoggedPart(before)));
  EXPECT_FALSE(spectator.snapshot()->has_position()) << "before event 1 there is no position";

  EXPECT_EQ(ChainProblem(game, ruleset, log), "");
  EXPECT_EQ(DiceProblem(game, ruleset, log), "");
  EXPECT_THAT(TextOf(ListEvents(spectator_, game_id, 7)), ElementsAreArray(TextOf(log)));
  const std::map<uint32_t, v1::Position> positions = Replayed(spectator_, game_id, log);
  const uint32_t step = std::string_view(GetParam()) == "long_narde" ? 1 : 16;
  ExpectPositionsEqual(spectator_, game_id, positions, step);
  const auto plugin = tests::OpenRuleset(GetParam());
  ASSERT_NE(plugin, nullptr);
  EXPECT_THAT(ExpectEffectsOfRuleset(*plugin, log, positions),
              testing::IsSupersetOf(KindsOf(GetParam())));
}

std::string NameOf(const testing::TestParamInfo<const char*>& one) { return one.param; }
INSTANTIATE_TEST_SUITE_P(Rulesets, WholeGame, testing::Values("long_narde", "patolli"), NameOf);

// The checks above would be worth nothing if they could not fail.
TEST(WholeGameChecks, FindWhatWasChanged) {
  const Person alice = NewPerson(SharedService(), "Alice");
  const Person bob = NewPerson(SharedService(), "Bob");
  const std::string game_id = NewGame(alice.client, bob.client);
  Table table(game_id, {&alice.client, &bob.client}, 1);
  ASSERT_TRUE(table.Play(8));
  v1::ResignGameRequest resign;
  resign.set_request_id(NewRequestId());
  resign.set_game_id(game_id);
  ASSERT_TRUE(bob.client.Call(&Game::ResignGame, resign).ok());
  const v1::Ruleset ruleset = GetRuleset(alice.client, "long_narde");
  const v1::Game game = GetGame(alice.client, game_id);
  const std::vector<v1::Event> log = ListEvents(alice.client, game_id);
  ExpectResult(game, log.back(), v1::GAME_ENDING_RESIGNED);
  EXPECT_EQ(game.seats(0).place(), 1);
  EXPECT_EQ(game.seats(1).place(), 2);
  ASSERT_EQ(ChainProblem(game, ruleset, log), "");
  ASSERT_EQ(DiceProblem(game, ruleset, log), "");

  std::vector<v1::Event> forged = log;
  for (v1::Event& event : forged) {
    if (event.has_throw_()) event.mutable_throw_()->set_outcome(event.throw_().outcome() ^ 1);
  }
  EXPECT_NE(ChainProblem(game, ruleset, forged), "");
  EXPECT_NE(DiceProblem(game, ruleset, forged), "");
  forged = log;
  forged.back().mutable_finished()->mutable_fairness_secret()->at(0) ^= 1;
  EXPECT_NE(ChainProblem(game, ruleset, forged), "");
  EXPECT_NE(DiceProblem(game, ruleset, forged), "");
  forged = log;
  forged.pop_back();
  EXPECT_NE(ChainProblem(game, ruleset, forged), "");
}

}  // namespace
}  // namespace astragal::e2e
