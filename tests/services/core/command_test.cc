// Judging: each reason of the public table, and that a refusal changes nothing.
#include "services/core/command.h"

#include <map>

#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using core::ActionChoice;
using core::Command;
using storage::EventKind;
using storage::GameStatus;

class CommandTest : public CoreTest {
 protected:
  using Details = std::map<std::string, std::string>;

  // Refused for this reason, on either node, and nothing is stored or shown for it. Returns the
  // details, the message among them.
  Details ExpectRefused(GameId id, const Command& command, Reason reason) {
    clock_.Advance(core::LiveGame::kFreshForMs * 1'000);  // both nodes will ask the store
    StateOf(id, *a_);
    StateOf(id, *b_);
    const std::vector<storage::EventRecord> log = store_.Log(id);
    const size_t batches = store_.batches();
    absl::Status status;
    for (Node* node : {a_.get(), b_.get()}) {
      const core::StatePtr before = StateOf(id, *node);
      const Result result = Do(*node, id, command);
      status = result.status();
      EXPECT_EQ(base::ReasonOf(status), reason) << status;
      const core::StatePtr after = StateOf(id, *node);
      EXPECT_EQ(after->chain_hash, before->chain_hash);
      EXPECT_TRUE(after->position == before->position);
      EXPECT_EQ(after->seats, before->seats);
    }
    EXPECT_EQ(store_.Log(id), log);
    EXPECT_EQ(store_.batches(), batches) << "something was sent to be stored";
    Details details = base::DetailsOf(status);
    details["message"] = std::string(status.message());
    return details;
  }
  static std::string Detail(const Details& details, const std::string& key) {
    const auto found = details.find(key);
    return found == details.end() ? "" : found->second;
  }
};

std::vector<ActionChoice> Steps(std::vector<int64_t> steps) {
  return std::vector<ActionChoice>(steps.begin(), steps.end());
}

TEST_F(CommandTest, NotSeated) {
  const GameId id = Started();
  ExpectRefused(id, PlayBy(9, 10, Steps({1, 1})), Reason::kNotSeated);
  ExpectRefused(id, ResignBy(9, 11), Reason::kNotSeated);
  // Not even in a game with a free seat may the player without an id act for it.
  const GameId open = Create(*a_, NewRace(50))->after->facts->id;
  Command nobody = PlayBy(9, 12, Steps({1, 1}));
  nobody.player = {};
  ExpectRefused(open, nobody, Reason::kNotSeated);
}

TEST_F(CommandTest, NotYourTurn) {
  const GameId id = Started();
  const Details status =
      ExpectRefused(id, PlayBy(Waiting(id), 10, Steps({1, 1})), Reason::kNotYourTurn);
  EXPECT_EQ(Detail(status, "seats_to_act"), std::to_string(StateOf(id)->Actor()));
}

TEST_F(CommandTest, IllegalAction) {
  const GameId id = Started();
  const int player = ToAct(id);
  const core::StatePtr state = StateOf(id);
  const size_t legal = state->ruleset->Actions(state->position)->size();
  const struct {
    const char* name;
    std::vector<int64_t> actions;
    const char* field;
    size_t legal;
  } cases[] = {
      {"too far", {4}, "actions[0]", legal},
      {"rest first", {0}, "actions[0]", legal},
      {"no such number", {1'000'000'000'000}, "actions[0]", legal},
      {"negative", {-1}, "actions[0]", legal},
      {"the second is wrong", {1, 4}, "actions[1]", legal + 1},  // rest has become legal
      {"more than a turn", {1, 1, 1}, "actions[2]", 0},
  };
  for (const auto& [name, actions, field, count] : cases) {
    SCOPED_TRACE(name);
    const Details status =
        ExpectRefused(id, PlayBy(player, 10, Steps(actions)), Reason::kIllegalAction);
    EXPECT_EQ(Detail(status, "field"), field);
    EXPECT_EQ(Detail(status, "legal_actions"), std::to_string(count));
    EXPECT_FALSE(Detail(status, "message").empty());
  }
}

TEST_F(CommandTest, BadNotationAndBadField) {
  const GameId id = Started();
  const int player = ToAct(id);
  const Details first =
      ExpectRefused(id, PlayBy(player, 10, {std::string("jump")}), Reason::kBadNotation);
  EXPECT_EQ(Detail(first, "field"), "actions[0]");
  EXPECT_THAT(Detail(first, "message"), testing::HasSubstr("walk 1"));
  const Details second = ExpectRefused(
      id, PlayBy(player, 10, {std::string("walk 1"), std::string("")}), Reason::kBadNotation);
  EXPECT_EQ(Detail(second, "field"), "actions[1]");

  for (const size_t count : {size_t{0}, core::kMaxActionsPerCall + 1}) {
    const Details status = ExpectRefused(
        id, PlayBy(player, 10, std::vector<ActionChoice>(count, int64_t{1})), Reason::kBadField);
    EXPECT_EQ(Detail(status, "field"), "actions") << count;
  }
}

TEST_F(CommandTest, NumbersAndNotationMeanTheSame) {
  const GameId id = Started();
  const Result played = Do(*a_, id, PlayBy(ToAct(id), 10, {int64_t{1}, std::string(" REST ")}));
  ASSERT_TRUE(played.ok()) << played.status();
  ASSERT_EQ(played->events.size(), 3u);  // two actions and the next throw
  EXPECT_EQ(played->events[0]->notation, "walk 1");
  EXPECT_EQ(played->events[0]->effects.size(), 1u);
  EXPECT_EQ(played->events[1]->notation, "rest");
  EXPECT_EQ(played->events[2]->record.kind, EventKind::kThrow);
}

TEST_F(CommandTest, StaleOnlyWhenSomethingChanged) {
  core::CreateGame create = NewRace();
  create.options = {{"seats", "3"}};
  const GameId id = Create(*a_, create)->after->facts->id;
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  ASSERT_TRUE(Do(*a_, id, JoinBy(3, 3)).ok());
  // 1 created, 2 to 4 seated, 5 started, 6 the throw.
  const int player = StateOf(id)->Actor() + 1;
  for (uint32_t seen = 0; seen < 6; ++seen) {
    const Details status = ExpectRefused(id, Expecting(PlayBy(player, 10, Steps({1, 1})), seen),
                                         Reason::kStaleSequence);
    EXPECT_EQ(Detail(status, "current_sequence"), "6");
  }
  const Details unknown =
      ExpectRefused(id, Expecting(PlayBy(player, 10, Steps({1, 1})), 7), Reason::kSequenceUnknown);
  EXPECT_EQ(Detail(unknown, "current_sequence"), "6");
  EXPECT_EQ(Detail(unknown, "restore_epoch"), "0");
  // Another build takes over: an event, but nothing that a player could see.
  catalog_->Add(MakeRace(std::string(64, 'c')));
  Restart();
  const Result played = Do(*a_, id, Expecting(PlayBy(player, 10, Steps({1, 1})), 6));
  ASSERT_TRUE(played.ok()) << played.status();
  EXPECT_EQ(played->events[0]->record.kind, EventKind::kBuild);
  EXPECT_EQ(played->after->build, std::string(64, 'c'));
  ExpectSoundLog(id);
}

TEST_F(CommandTest, SeatingDoesNotMakeASequenceStale) {
  const Result created = Create(*a_, NewRace());
  const core::GameState& state = *created->after;
  EXPECT_EQ(state.sequence, 2u);
  EXPECT_EQ(state.changed_sequence, 1u) << "taking a seat changes neither position nor turn";
}

TEST_F(CommandTest, JoiningIsJudgedToo) {
  core::CreateGame create = NewRace();
  const GameId id = Create(*a_, create)->after->facts->id;
  ExpectRefused(id, JoinBy(1, 10), Reason::kAlreadySeated);
  ExpectRefused(id, JoinBy(2, 10, 0), Reason::kGameFull);
  for (const int seat : {-1, 2, 127}) {
    const Details status = ExpectRefused(id, JoinBy(2, 10, seat), Reason::kBadField);
    EXPECT_EQ(Detail(status, "field"), "seat");
  }
  ExpectRefused(id, PlayBy(1, 10, Steps({1, 1})), Reason::kGameNotRunning);
  ExpectRefused(id, ResignBy(1, 10), Reason::kGameNotRunning);

  const Result joined = Do(*a_, id, JoinBy(2, 2, 1));
  ASSERT_TRUE(joined.ok());
  EXPECT_EQ(joined->after->status, GameStatus::kRunning);
  ExpectRefused(id, JoinBy(3, 10), Reason::kGameFull);
  ExpectRefused(id, JoinBy(2, 10), Reason::kAlreadySeated);
}

TEST_F(CommandTest, GameOver) {
  const GameId id = Started();
  const Result resigned = Do(*a_, id, ResignBy(2, 10));
  ASSERT_TRUE(resigned.ok());
  EXPECT_EQ(resigned->after->ending, storage::Ending::kResigned);
  EXPECT_EQ(resigned->after->seats[0].place, 1);
  EXPECT_EQ(resigned->after->seats[0].points, 2);
  EXPECT_EQ(resigned->after->seats[1].place, 2);
  EXPECT_EQ(resigned->after->seats[1].points, 0);
  for (const Command& command : {PlayBy(1, 11, Steps({1, 1})), ResignBy(1, 11), JoinBy(3, 11),
                                 Expecting(PlayBy(1, 11, Steps({1, 1})), 1)}) {
    const Details status = ExpectRefused(id, command, Reason::kGameOver);
    EXPECT_EQ(Detail(status, "ending"), "2");
  }
}

TEST_F(CommandTest, AGameThatIsPlayedOutPublishesItsSecret) {
  core::CreateGame create = NewRace();
  create.options = {{"length", "1"}};
  const GameId id = Started(create);
  const int winner = ToAct(id);
  const Result won = Do(*a_, id, PlayBy(winner, 10, Steps({1})));
  ASSERT_TRUE(won.ok());
  EXPECT_EQ(won->after->status, GameStatus::kFinished);
  EXPECT_EQ(won->after->ending, storage::Ending::kPlayed);
  EXPECT_EQ(won->after->Actor(), host::kOver);
  const storage::EventRecord& last = won->events.back()->record;
  const auto finish = core::DecodeFinish(last, 2);
  ASSERT_TRUE(finish.ok());
  EXPECT_EQ(algorithms::DiceCommitment(id, finish->secret), won->after->facts->commitment);
  EXPECT_EQ(finish->seats[static_cast<size_t>(winner - 1)].place, 1);
  // The throws of the log are those of the secret.
  algorithms::DiceSource dice{finish->secret, id, 0, {"", ""}};
  const std::vector<uint32_t> weights = {1, 2, 1};
  uint64_t index = 0;
  for (const storage::EventRecord& event : store_.Log(id)) {
    if (event.kind != EventKind::kThrow) continue;
    EXPECT_EQ(event.number, algorithms::DrawOutcome(dice, index++, weights));
  }
  EXPECT_EQ(index, 1u);
}

TEST_F(CommandTest, ASecretIsNowhereBeforeTheEnd) {
  const GameId id = Started();
  const auto stored = store_.Load(id);
  const auto secret = box_.Open(stored->facts.sealed_secret, base::AsView(id.bytes()));
  ASSERT_TRUE(secret.ok());
  for (const storage::EventRecord& event : store_.Log(id)) {
    EXPECT_EQ(event.detail.find(*secret), std::string::npos);
  }
  EXPECT_EQ(stored->head.position.find(*secret), std::string::npos);
}

TEST_F(CommandTest, ASeatThatLeavesARelay) {
  core::CreateGame create = NewRace();
  create.ruleset = "relay";
  create.options = {{"seats", "3"}};
  const GameId id = Create(*a_, create)->after->facts->id;
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  ASSERT_TRUE(Do(*a_, id, JoinBy(3, 3)).ok());
  const int to_act = StateOf(id)->Actor() + 1;
  const Result left = Do(*a_, id, ResignBy(to_act, 10));
  ASSERT_TRUE(left.ok()) << left.status();
  EXPECT_EQ(left->after->status, GameStatus::kRunning);
  EXPECT_EQ(left->events.back()->record.kind, EventKind::kThrow) << "the next seat's throw";
  ExpectRefused(id, PlayBy(to_act, 11, Steps({1, 1})), Reason::kNotSeated);
  ExpectRefused(id, ResignBy(to_act, 11), Reason::kNotSeated);
  const int next = StateOf(id)->Actor() + 1;
  const Result second = Do(*a_, id, ResignBy(next, 12));
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->after->status, GameStatus::kFinished);
  EXPECT_EQ(second->after->ending, storage::Ending::kResigned);
  ExpectSoundLog(id);
}

TEST_F(CommandTest, ValidateOnlyChangesNothing) {
  const GameId id = Started();
  const uint32_t head = StateOf(id)->sequence;
  const size_t batches = store_.batches();
  const Result looked = Do(*a_, id, OnlyValidating(PlayBy(ToAct(id), 10, Steps({1, 1}))));
  ASSERT_TRUE(looked.ok()) << looked.status();
  EXPECT_TRUE(looked->events.empty());
  EXPECT_EQ(StateOf(id)->sequence, head);
  EXPECT_EQ(store_.batches(), batches);
  ExpectRefused(id, OnlyValidating(PlayBy(ToAct(id), 11, Steps({4}))), Reason::kIllegalAction);
  // The id was not used up.
  EXPECT_TRUE(Do(*a_, id, PlayBy(ToAct(id), 10, Steps({1, 1}))).ok());
}

// Whoever asked would see dice that are not thrown yet, and could choose another command.
TEST_F(CommandTest, ValidateOnlyDrawsNoThrow) {
  core::CreateGame create = NewRace();
  create.ruleset = "relay";
  create.options = {{"seats", "3"}};
  const GameId id = Create(*a_, create)->after->facts->id;
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
  const Result join = Do(*a_, id, OnlyValidating(JoinBy(3, 3)));
  ASSERT_TRUE(join.ok()) << join.status();
  EXPECT_EQ(join->after->throws_drawn, 0u) << "the last seat would start the game";
  ASSERT_TRUE(Do(*a_, id, JoinBy(3, 3)).ok());
  const uint32_t drawn = StateOf(id)->throws_drawn;
  for (const Command& command : {PlayBy(ToAct(id), 10, Steps({1, 1})), ResignBy(ToAct(id), 11)}) {
    const Result looked = Do(*a_, id, OnlyValidating(command));
    ASSERT_TRUE(looked.ok()) << looked.status();
    EXPECT_EQ(looked->after->throws_drawn, drawn);
  }
}

TEST_F(CommandTest, ValidateOnlySeesWhatAnotherNodeDid) {
  const GameId id = Started();
  const int player = ToAct(id);
  ASSERT_NE(StateOf(id, *b_), nullptr);  // both have it in memory
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  Advance(core::LiveGame::kFreshForMs + 1);
  const Result looked = Do(*b_, id, OnlyValidating(PlayBy(player, 11, Steps({1, 1}))));
  EXPECT_EQ(ReasonOf(looked), Reason::kNotYourTurn) << looked.status();
}

// ---- Rulesets that misbehave are never the player's fault.

TEST_F(CommandTest, RulesetFaults) {
  const struct {
    const char* trouble;
    ActionChoice action;
  } cases[] = {{"parse", std::string("walk 1")}, {"mute", int64_t{1}}};
  uint64_t request = 100;
  for (const auto& [trouble, action] : cases) {
    SCOPED_TRACE(trouble);
    core::CreateGame create = NewRace(request += 10);
    create.options = {{"trouble", trouble}};
    const GameId id = Started(create);
    ExpectRefused(id, PlayBy(ToAct(id), request + 5, {action}), Reason::kRulesetFault);
  }
  core::CreateGame create = NewRace(request + 10);
  create.options = {{"trouble", "endless"}};
  const GameId id = Create(*a_, create)->after->facts->id;
  ExpectRefused(id, JoinBy(2, request + 11), Reason::kRulesetFault);
  EXPECT_EQ(StateOf(id)->status, GameStatus::kOpen);
}

// ---- Creation.

TEST_F(CommandTest, CreationsThatAreRefused) {
  using Options = std::vector<std::pair<std::string, std::string>>;
  const struct {
    const char* name;
    std::string ruleset;
    uint32_t rules_version;
    std::string preset;
    Options options;
    std::optional<int> seat;
    Reason reason;
    const char* field;
  } cases[] = {
      {"no ruleset", "chess", 0, "", {}, 0, Reason::kNotFound, "ruleset_id"},
      {"no version", "race", 7, "", {}, 0, Reason::kRulesetVersionUnavailable, ""},
      {"no preset", "race", 0, "huge", {}, 0, Reason::kBadOption, "preset"},
      {"no option", "race", 0, "", {{"colour", "red"}}, 0, Reason::kBadOption, "options.colour"},
      {"nameless option", "race", 0, "", {{"", "3"}}, 0, Reason::kBadOption, "options"},
      {"signed number", "race", 0, "", {{"length", "+3"}}, 0, Reason::kBadOption, "options.length"},
      {"bounds", "race", 0, "", {{"length", "0"}}, 0, Reason::kBadOption, "options.length"},
      {"twice",
       "race",
       0,
       "",
       {{"length", "3"}, {"length", "3"}},
       0,
       Reason::kBadOption,
       "options.length"},
      {"together",
       "race",
       0,
       "",
       {{"seats", "4"}, {"length", "1"}},
       0,
       Reason::kBadOption,
       "options.length"},
      {"seat", "race", 0, "", {}, 2, Reason::kBadField, "seat"},
      {"negative seat", "race", 0, "", {}, -1, Reason::kBadField, "seat"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    core::CreateGame create = NewRace();
    create.ruleset = test.ruleset;
    create.rules_version = test.rules_version;
    create.preset = test.preset;
    create.options = test.options;
    create.seat = test.seat;
    const Result result = Create(*a_, create);
    EXPECT_EQ(ReasonOf(result), test.reason) << result.status();
    EXPECT_EQ(tests::Detail(result.status(), "field"), test.field);
    EXPECT_EQ(store_.batches(), 0u);
  }
}

TEST_F(CommandTest, WhatACreationWrites) {
  core::CreateGame create = NewRace();
  create.preset = "long";
  create.options = {{"seats", "3"}};
  create.seat = std::nullopt;
  const Result created = Create(*a_, create);
  ASSERT_TRUE(created.ok()) << created.status();
  const core::GameState& state = *created->after;
  EXPECT_EQ(state.status, GameStatus::kOpen);
  EXPECT_EQ(state.facts->options, (std::vector<int64_t>{3, 60, 0}));
  EXPECT_EQ(state.facts->seats, 3);
  EXPECT_EQ(state.facts->build, std::string(64, 'a'));
  EXPECT_EQ(state.facts->created_by, Player(1));
  EXPECT_EQ(state.SeatOf(Player(1)), std::nullopt) << "no seat was asked for";
  ASSERT_EQ(created->events.size(), 1u);
  EXPECT_FALSE(created->events[0]->position_text.empty());
  ExpectSoundLog(state.facts->id);
}

TEST_F(CommandTest, UnknownGames) {
  EXPECT_EQ(ReasonOf(Do(*a_, GameId(), PlayBy(1, 1, Steps({1})))), Reason::kNotFound);
  EXPECT_EQ(base::ReasonOf(a_->games.Get(GameId(), {}).status()), Reason::kNotFound);
  EXPECT_EQ(base::ReasonOf(a_->games.StartWatch(GameId(), {}, 0, [] {}).status()),
            Reason::kNotFound);
}

TEST_F(CommandTest, RulesThatAreNotLoadedAnyMore) {
  const GameId id = Started();
  catalog_ = std::make_unique<host::Catalog>(host::CatalogOptions{});
  Restart();
  const Result result = Do(*a_, id, PlayBy(1, 10, Steps({1, 1})));
  EXPECT_EQ(ReasonOf(result), Reason::kRulesetVersionUnavailable);
  EXPECT_EQ(tests::Detail(result.status(), "ruleset"), "race");
  EXPECT_EQ(tests::Detail(result.status(), "rules_version"), "1");
}

}  // namespace
}  // namespace astragal::tests
