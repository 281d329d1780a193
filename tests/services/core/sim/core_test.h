// What tests of core share: two nodes over one simulated store, commands in a line, and answers.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_CORE_TEST_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_CORE_TEST_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/core/games.h"
#include "tests/services/core/sim/node.h"

namespace astragal::tests {

using base::Reason;
using core::CommandResult;
using core::GameId;
using Result = absl::StatusOr<CommandResult>;

// Collects what a Done callback gets.
struct Inbox {
  int answers = 0;
  Result result = absl::UnknownError("no answer");
  core::LiveGame::Done Done() {
    return [this](Result answer) {
      ++answers;
      result = std::move(answer);
    };
  }
};

inline base::Bytes32 Body(const std::string& text) { return base::Sha256(text); }

inline core::Command JoinBy(int player, uint64_t request, std::optional<int> seat = {}) {
  core::Command command;
  command.player = Player(static_cast<uint8_t>(player));
  command.request = Request(request);
  command.body_hash = Body("join " + std::to_string(seat.value_or(-1)));
  command.what = core::Join{seat};
  return command;
}

inline core::Command PlayBy(int player, uint64_t request, std::vector<core::ActionChoice> actions) {
  core::Command command = JoinBy(player, request);
  std::string body = "play";
  for (const core::ActionChoice& action : actions) {
    const int64_t* number = std::get_if<int64_t>(&action);
    body += number ? " " + std::to_string(*number) : " '" + std::get<std::string>(action) + "'";
  }
  command.body_hash = Body(body);
  command.what = core::Play{std::move(actions)};
  return command;
}

inline core::Command ResignBy(int player, uint64_t request) {
  core::Command command = JoinBy(player, request);
  command.body_hash = Body("resign");
  command.what = core::Resign{};
  return command;
}

inline core::Command Expecting(core::Command command, uint32_t sequence) {
  command.expected_sequence = sequence;
  return command;
}

inline core::Command OnlyValidating(core::Command command) {
  command.validate_only = true;
  return command;
}

inline Reason ReasonOf(const Result& result) { return base::ReasonOf(result.status()); }
inline std::string Detail(const absl::Status& status, const std::string& key) {
  const auto details = base::DetailsOf(status);
  const auto found = details.find(key);
  return found == details.end() ? "" : found->second;
}

class CoreTest : public testing::Test {
 protected:
  CoreTest() { Restart(); }

  // Both processes die and start again.
  void Restart() {
    a_.reset();
    b_.reset();
    a_ = std::make_unique<Node>(clock_, store_, *catalog_, box_, 1);
    b_ = std::make_unique<Node>(clock_, store_, *catalog_, box_, 2);
  }

  // Until both nodes have nothing due.
  void RunAll() {
    while (a_->scheduler.RunAll() + b_->scheduler.RunAll() > 0) {
    }
  }
  void Advance(int64_t ms) {
    for (int64_t step = 0; step < ms; ++step) {
      RunAll();
      clock_.Advance(1'000);
    }
    RunAll();
  }

  // Runs until `inbox` has its answer; a busy database may take a while.
  Result Await(Inbox& inbox) {
    for (int ms = 0; ms < 500; ++ms) {
      RunAll();
      if (inbox.answers > 0) break;
      clock_.Advance(1'000);
    }
    EXPECT_EQ(inbox.answers, 1);
    return inbox.result;
  }
  Result Do(Node& node, GameId game, core::Command command) {
    Inbox inbox;
    node.games.Submit(game, std::move(command), inbox.Done());
    return Await(inbox);
  }
  Result Create(Node& node, core::CreateGame create) {
    Inbox inbox;
    node.games.Create(std::move(create), inbox.Done());
    return Await(inbox);
  }

  core::CreateGame NewRace(uint64_t request = 1) {
    core::CreateGame create;
    create.player = Player(1);
    create.request = Request(request);
    create.body_hash = Body("create");
    create.ruleset = "race";
    create.seat = 0;
    return create;
  }
  // A running game of players 1 and 2.
  GameId Started(core::CreateGame create) {
    const Result created = Create(*a_, std::move(create));
    EXPECT_TRUE(created.ok()) << created.status();
    if (!created.ok()) return {};
    const GameId id = created->after->facts->id;
    const Result joined = Do(*a_, id, JoinBy(2, 2));
    EXPECT_TRUE(joined.ok()) << joined.status();
    return id;
  }
  GameId Started() { return Started(NewRace()); }

  core::StatePtr StateOf(GameId id, Node& node) {
    const absl::StatusOr<core::StatePtr> state = node.games.Get(id, {});
    EXPECT_TRUE(state.ok()) << state.status();
    return state.ok() ? *state : nullptr;
  }
  core::StatePtr StateOf(GameId id) { return StateOf(id, *a_); }
  // Plays walk 1 twice for whoever is to act.
  Result PlayTurn(Node& node, GameId id, uint64_t request) {
    const core::StatePtr state = StateOf(id, node);
    const auto& seat = state->seats[static_cast<size_t>(state->Actor())];
    const int player = seat.player.bytes()[15];
    return Do(node, id, PlayBy(player, request, {int64_t{1}, int64_t{1}}));
  }
  // The player to act, and the other one, of a game of players 1 and 2.
  int ToAct(GameId id) { return StateOf(id)->Actor() + 1; }
  int Waiting(GameId id) { return 2 - StateOf(id)->Actor(); }

  // Sequences 1 .. n, every hash as it must be.
  void ExpectSoundLog(GameId id) {
    absl::StatusOr<core::Replay> replay = core::Replay::Open(a_->games.world(), id);
    ASSERT_TRUE(replay.ok()) << replay.status();
    uint32_t sequence = 0;
    while (true) {
      const auto event = replay->Next();
      ASSERT_TRUE(event.ok()) << event.status();
      if (!*event) break;
      EXPECT_EQ((*event)->record.sequence, ++sequence);
    }
    EXPECT_EQ(sequence, replay->end());
  }

  base::ManualClock clock_;
  SimulatedStore store_{clock_};
  std::unique_ptr<host::Catalog> catalog_ = MakeCatalog();
  const base::SecretBox box_{base::Sha256("a key for tests")};
  std::unique_ptr<Node> a_;
  std::unique_ptr<Node> b_;
};

// The same command was answered in the same way.
inline void ExpectSameAnswer(const Result& first, const Result& again) {
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(first->after->sequence, again->after->sequence);
  EXPECT_EQ(first->after->chain_hash, again->after->chain_hash);
  EXPECT_EQ(first->after->status, again->after->status);
  EXPECT_EQ(first->after->seats, again->after->seats);
  EXPECT_TRUE(first->after->position == again->after->position);
  ASSERT_EQ(first->events.size(), again->events.size());
  for (size_t i = 0; i < first->events.size(); ++i) {
    EXPECT_EQ(first->events[i]->record, again->events[i]->record);
    EXPECT_EQ(first->events[i]->notation, again->events[i]->notation);
    EXPECT_EQ(first->events[i]->effects, again->events[i]->effects);
  }
}

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_CORE_TEST_H_
