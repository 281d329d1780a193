// Replaying with every hash: whatever is changed in a stored game is found, and where.
#include "services/core/replay.h"

#include <functional>
#include <set>

#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using storage::EventKind;
using storage::EventRecord;

class ReplayTest : public CoreTest {
 protected:
  // Every kind of event but kBuild.
  GameId WholeGame() {
    core::CreateGame create = NewRace();
    create.ruleset = "relay";
    create.options = {{"seats", "3"}};
    const GameId id = Create(*a_, create)->after->facts->id;
    EXPECT_TRUE(Do(*a_, id, JoinBy(2, 2)).ok());
    EXPECT_TRUE(Do(*a_, id, JoinBy(3, 3)).ok());
    EXPECT_TRUE(PlayTurn(*a_, id, 10).ok());
    EXPECT_TRUE(Do(*a_, id, ResignBy(1, 11)).ok());
    for (uint64_t i = 0; StateOf(id)->status == storage::GameStatus::kRunning; ++i) {
      if (!PlayTurn(*a_, id, 20 + i).ok()) {
        EXPECT_TRUE(Do(*a_, id, PlayBy(StateOf(id)->Actor() + 1, 500 + i, {int64_t{1}})).ok());
      }
      if (i > 100) break;
    }
    return id;
  }

  // The first status that is not OK.
  absl::Status ReplayAll(GameId id) {
    absl::StatusOr<core::Replay> replay = core::Replay::Open(a_->games.world(), id);
    if (!replay.ok()) return replay.status();
    while (true) {
      const auto event = replay->Next();
      if (!event.ok()) return event.status();
      if (!*event) return absl::OkStatus();
    }
  }

  // Replays with `change` made to the event at `sequence`, and puts everything back.
  absl::Status With(GameId id, uint32_t sequence, const std::function<void(EventRecord&)>& change) {
    const SimulatedStore::Tables good = store_.Backup();
    store_.Tamper(
        [&](SimulatedStore::Tables& tables) { change(tables.games[id].events[sequence - 1]); });
    const absl::Status status = ReplayAll(id);
    store_.Restore(good);
    return status;
  }
};

TEST_F(ReplayTest, AWholeGame) {
  const GameId id = WholeGame();
  absl::StatusOr<core::Replay> replay = core::Replay::Open(a_->games.world(), id);
  ASSERT_TRUE(replay.ok()) << replay.status();
  std::set<EventKind> kinds;
  while (true) {
    const auto event = replay->Next();
    ASSERT_TRUE(event.ok()) << event.status();
    if (!*event) break;
    kinds.insert((*event)->record.kind);
    const bool played =
        (*event)->record.kind == EventKind::kThrow || (*event)->record.kind == EventKind::kAction;
    EXPECT_EQ((*event)->notation.empty(), !played);
  }
  EXPECT_EQ(kinds.size(), 7u) << "all kinds but kBuild";
  const core::StatePtr live = StateOf(id);
  EXPECT_EQ(replay->state().chain_hash, live->chain_hash);
  EXPECT_TRUE(replay->state().position == live->position);
  EXPECT_EQ(replay->state().seats, live->seats);
  EXPECT_EQ(replay->state().status, live->status);
  EXPECT_EQ(replay->state().ending, live->ending);
  EXPECT_EQ(replay->state().throws_drawn, live->throws_drawn);
  EXPECT_EQ(replay->state().changed_sequence, live->changed_sequence);
  // What the head caches is what the log says.
  Restart();
  const core::StatePtr loaded = StateOf(id);
  EXPECT_EQ(loaded->chain_hash, replay->state().chain_hash);
  EXPECT_EQ(loaded->changed_sequence, replay->state().changed_sequence);
  EXPECT_EQ(loaded->throws_drawn, replay->state().throws_drawn);
}

TEST_F(ReplayTest, EveryFlippedBitOfEveryFieldIsFound) {
  const GameId id = WholeGame();
  const std::vector<EventRecord> log = store_.Log(id);
  ASSERT_TRUE(ReplayAll(id).ok());
  int flipped = 0;
  const auto expect_found = [&](uint32_t sequence, const char* field, size_t bit,
                                const std::function<void(EventRecord&)>& change) {
    const absl::Status status = With(id, sequence, change);
    ++flipped;
    EXPECT_EQ(base::ReasonOf(status), Reason::kReplayMismatch) << field << " bit " << bit;
    // Another number is missed where it should be.
    const std::string named = Detail(status, "sequence");
    if (std::string_view(field) != "sequence") {
      EXPECT_EQ(named, std::to_string(sequence)) << field << " bit " << bit << ": " << status;
    }
  };
  for (uint32_t sequence = 1; sequence <= log.size(); ++sequence) {
    const EventRecord& event = log[sequence - 1];
    for (size_t bit = 0; bit < 64; ++bit) {
      const uint64_t mask = uint64_t{1} << bit;
      expect_found(sequence, "number", bit, [&](EventRecord& e) {
        e.number = static_cast<int64_t>(static_cast<uint64_t>(e.number) ^ mask);
      });
      expect_found(sequence, "at", bit, [&](EventRecord& e) {
        e.at.micros = static_cast<int64_t>(static_cast<uint64_t>(e.at.micros) ^ mask);
      });
    }
    for (size_t bit = 0; bit < 8; ++bit) {
      const auto mask = static_cast<uint8_t>(1 << bit);
      expect_found(sequence, "seat", bit, [&](EventRecord& e) {
        e.seat = static_cast<int8_t>(static_cast<uint8_t>(e.seat) ^ mask);
      });
      expect_found(sequence, "kind", bit, [&](EventRecord& e) {
        e.kind = static_cast<EventKind>(static_cast<uint8_t>(e.kind) ^ mask);
      });
    }
    for (size_t bit = 0; bit < 256; bit += 5) {
      const auto mask = static_cast<uint8_t>(1 << (bit % 8));
      expect_found(sequence, "position_hash", bit,
                   [&](EventRecord& e) { e.position_hash[bit / 8] ^= mask; });
      expect_found(sequence, "chain_hash", bit,
                   [&](EventRecord& e) { e.chain_hash[bit / 8] ^= mask; });
    }
    for (size_t bit = 0; bit < 8 * event.detail.size(); ++bit) {
      expect_found(sequence, "detail", bit, [&](EventRecord& e) {
        e.detail[bit / 8] = static_cast<char>(e.detail[bit / 8] ^ (1 << (bit % 8)));
      });
    }
    expect_found(sequence, "detail", 0, [&](EventRecord& e) { e.detail += '\0'; });
    expect_found(sequence, "game", 0, [&](EventRecord& e) { e.game = GameId(); });
  }
  EXPECT_GT(flipped, 5'000);
}

TEST_F(ReplayTest, EventsThatAreMissingDoubledOrSwapped) {
  const GameId id = WholeGame();
  const SimulatedStore::Tables good = store_.Backup();
  const struct {
    const char* name;
    std::function<void(std::vector<EventRecord>&)> change;
    const char* sequence;
  } cases[] = {
      {"missing", [](auto& log) { log.erase(log.begin() + 4); }, "6"},
      {"first missing", [](auto& log) { log.erase(log.begin()); }, "2"},
      {"swapped",
       [](auto& log) {
         std::swap(log[4], log[5]);
         std::swap(log[4].sequence, log[5].sequence);
       },
       "5"},
      {"created again",
       [](auto& log) {
         EventRecord again = log[0];
         again.sequence = log.back().sequence + 1;
         log.push_back(again);
       },
       ""},
  };
  for (const auto& [name, change, sequence] : cases) {
    store_.Tamper([&](SimulatedStore::Tables& tables) { change(tables.games[id].events); });
    const absl::Status status = ReplayAll(id);
    EXPECT_EQ(base::ReasonOf(status), Reason::kReplayMismatch) << name << status;
    if (*sequence != '\0') {
      EXPECT_EQ(Detail(status, "sequence"), sequence) << name;
    }
    store_.Restore(good);
  }
}

// The facts stand in a row of their own; the first event says what they were.
TEST_F(ReplayTest, FactsThatWereChanged) {
  const GameId id = WholeGame();
  const SimulatedStore::Tables good = store_.Backup();
  const struct {
    const char* name;
    void (*change)(storage::GameFacts&);
  } cases[] = {
      {"options", [](storage::GameFacts& f) { f.options[1] = 13; }},
      {"build", [](storage::GameFacts& f) { f.build = std::string(64, '0'); }},
      {"seats", [](storage::GameFacts& f) { f.seats = 4; }},
      {"creator", [](storage::GameFacts& f) { f.created_by = Player(9); }},
      {"instant", [](storage::GameFacts& f) { ++f.created_at.micros; }},
      {"epoch", [](storage::GameFacts& f) { ++f.restore_epoch; }},
      {"commitment", [](storage::GameFacts& f) { f.commitment[0] ^= 1; }},
  };
  for (const auto& [name, change] : cases) {
    store_.Tamper([&](SimulatedStore::Tables& tables) { change(tables.games[id].stored.facts); });
    const absl::Status status = ReplayAll(id);
    EXPECT_EQ(base::ReasonOf(status), Reason::kReplayMismatch) << name;
    EXPECT_EQ(Detail(status, "sequence"), "1") << name;
    store_.Restore(good);
  }
}

// The head is a cache: one that does not belong to its last event is not believed.
TEST_F(ReplayTest, HeadsThatWereChanged) {
  const GameId id = Started();
  const SimulatedStore::Tables good = store_.Backup();
  const struct {
    const char* name;
    void (*change)(storage::GameHead&);
  } cases[] = {
      {"chain", [](storage::GameHead& h) { h.chain_hash[0] ^= 1; }},
      {"sequence", [](storage::GameHead& h) { --h.sequence; }},
      {"beyond", [](storage::GameHead& h) { ++h.sequence; }},
      {"position", [](storage::GameHead& h) { h.position[0] = 3; }},
      {"no position", [](storage::GameHead& h) { h.position = "x"; }},
  };
  for (const auto& [name, change] : cases) {
    store_.Tamper([&](SimulatedStore::Tables& tables) { change(tables.games[id].stored.head); });
    Restart();
    const absl::Status status = a_->games.Get(id, {}).status();
    EXPECT_EQ(base::ReasonOf(status), Reason::kReplayMismatch) << name << status;
    EXPECT_EQ(ReasonOf(Do(*a_, id, JoinBy(9, 9))), Reason::kReplayMismatch) << name;
    store_.Restore(good);
  }
  Restart();
  EXPECT_TRUE(a_->games.Get(id, {}).ok());
}

TEST_F(ReplayTest, SkipsToAnySequence) {
  const GameId id = WholeGame();
  const auto head = static_cast<uint32_t>(store_.Log(id).size());
  for (uint32_t sequence = 0; sequence <= head; ++sequence) {
    absl::StatusOr<core::Replay> replay = core::Replay::Open(a_->games.world(), id);
    ASSERT_TRUE(replay->SkipTo(sequence).ok());
    EXPECT_EQ(replay->state().sequence, sequence);
    const auto next = replay->Next();
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(next->has_value(), sequence < head);
  }
  absl::StatusOr<core::Replay> replay = core::Replay::Open(a_->games.world(), id);
  const absl::Status beyond = replay->SkipTo(head + 1);
  EXPECT_EQ(base::ReasonOf(beyond), Reason::kSequenceUnknown);
  EXPECT_EQ(Detail(beyond, "current_sequence"), std::to_string(head));
}

}  // namespace
}  // namespace astragal::tests
