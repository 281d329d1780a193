// Audits of ended games: a log that was written anew, with every hash right, is found by its dice.
#include <functional>

#include "services/core/event.h"
#include "services/core/verification.h"
#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using storage::EventKind;
using storage::EventRecord;
using testing::HasSubstr;

class AuditTest : public CoreTest {
 protected:
  // Begun, thrown for, and given up.
  GameId EndedGame() {
    const GameId id = Started(NewRace());
    EXPECT_TRUE(Do(*a_, id, ResignBy(1, 11)).ok());
    return id;
  }
  absl::Status Audit(GameId id) { return core::AuditGame(a_->games.world(), id); }

  // Writes the whole log again with `change` made to each event, and right hashes.
  void Forge(GameId id, const std::function<void(EventRecord&)>& change) {
    const core::StatePtr now = StateOf(id);
    core::GameState state = core::StartState(*now->facts, now->ruleset).value();
    std::vector<EventRecord> log = store_.Log(id);
    for (EventRecord& event : log) {
      change(event);
      const absl::Status appended = core::Append(state, event);
      ASSERT_TRUE(appended.ok()) << appended;
    }
    store_.Tamper([&](SimulatedStore::Tables& tables) {
      tables.games[id].events = log;
      tables.games[id].stored.head = core::HeadOf(state);
    });
  }
};

TEST_F(AuditTest, AnHonestGamePasses) {
  const GameId id = EndedGame();
  EXPECT_TRUE(Audit(id).ok()) << Audit(id);
  Forge(id, [](EventRecord&) {});
  EXPECT_TRUE(Audit(id).ok()) << "the same log, written again";
}

TEST_F(AuditTest, AnotherThrowIsFound) {
  const GameId id = EndedGame();
  int thrown = 0;
  Forge(id, [&](EventRecord& event) {
    if (event.kind != EventKind::kThrow) return;
    ++thrown;
    const int outcome = host::ChanceOutcome(event.number);
    event.number = host::ChanceAction(host::ChanceKind(event.number), outcome == 0 ? 1 : 0);
  });
  ASSERT_GE(thrown, 1);
  const absl::Status audit = Audit(id);
  EXPECT_TRUE(absl::IsDataLoss(audit)) << audit;
  EXPECT_THAT(std::string(audit.message()), HasSubstr("throw 0"));
}

TEST_F(AuditTest, AnotherSecretIsFound) {
  const GameId id = EndedGame();
  Forge(id, [](EventRecord& event) {
    if (event.kind == EventKind::kFinished) event.detail.back() ^= 1;
  });
  const absl::Status audit = Audit(id);
  EXPECT_TRUE(absl::IsDataLoss(audit)) << audit;
  EXPECT_THAT(std::string(audit.message()), HasSubstr("secret"));
}

TEST_F(AuditTest, AChangedEventIsFoundByItsHash) {
  const GameId id = EndedGame();
  store_.Tamper([&](SimulatedStore::Tables& tables) { ++tables.games[id].events[2].at.micros; });
  EXPECT_TRUE(absl::IsDataLoss(Audit(id))) << Audit(id);
}

TEST_F(AuditTest, AGameThatGoesOnHasNoEnd) {
  const GameId id = Started(NewRace());
  EXPECT_THAT(std::string(Audit(id).message()), HasSubstr("no end"));
}

}  // namespace
}  // namespace astragal::tests
