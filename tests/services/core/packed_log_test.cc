// Packed logs: they give the very log back, wrong ones are found to within kCheckEvery events, a
// usual game needs less than a kilobyte, and nobody who reads can tell.
#include "services/core/packed_log.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "plugins/host/library.h"
#include "services/base/history_reasons.h"
#include "services/core/packed_bits.h"
#include "services/core/packed_store.h"
#include "services/core/packing.h"
#include "services/core/record_log.h"
#include "services/core/verification.h"
#include "tests/services/core/sim/core_test.h"
#include "tests/services/core/sim/simulated_packed_logs.h"

namespace astragal::tests {
namespace {

using storage::EventKind;
using storage::EventRecord;

constexpr char kCorpus[] = ASTRAGAL_SOURCE_DIR "/tests/services/core/data/records/";
constexpr const char* kRulesets[] = {"long_narde", "patolli", "ashtapada"};

TEST(PackedBits, NumbersComeBack) {
  const uint64_t values[] = {0, 1, 2, 127, 128, 300, 1'000'000, 1ULL << 40, ~uint64_t{0}};
  std::string varints;
  for (const uint64_t value : values) core::PutVarint(value, varints);
  core::PackedReader in(varints);
  for (const uint64_t value : values) EXPECT_EQ(in.Varint(), value);
  EXPECT_TRUE(in.at_end());
  in.Varint();
  EXPECT_FALSE(in.ok());
  for (const int bits : {0, 1, 20, 63}) {
    core::BitWriter writer;
    for (const uint64_t value : values) writer.PutRice(value, bits);
    const std::string written = writer.Take();
    core::PackedReader rice(written);
    for (const uint64_t value : values) EXPECT_EQ(rice.Rice(bits), value) << bits << " bits";
    rice.EndBits();
    EXPECT_TRUE(rice.at_end()) << bits << " bits";
  }
  for (const int64_t value : {int64_t{0}, int64_t{-1}, INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(core::Unzigzag(core::Zigzag(value)), value);
  }
}

class PackedLogTest : public CoreTest {
 protected:
  struct Game {
    storage::GameFacts facts;
    std::vector<EventRecord> log;
    std::shared_ptr<const host::Ruleset> ruleset;
  };

  PackedLogTest() {
    for (const char* id : kRulesets) {
      auto ruleset = host::OpenLibrary(
          {std::string(64, 'd'), ASTRAGAL_BUILD_DIR "/plugins/lib" + std::string(id) + ".so"});
      EXPECT_TRUE(ruleset.ok()) << ruleset.status();
      if (ruleset.ok()) catalog_->Add(*ruleset);
    }
  }

  std::vector<Game> Corpus(const std::string& ruleset) {
    std::ifstream file(kCorpus + ruleset + ".rgl");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    std::vector<Game> games;
    for (const algorithms::RecordPart& part : algorithms::SplitRecords(text)) {
      algorithms::ReadRecord read = algorithms::ReadPart(part);
      algorithms::RecordFault fault = read.fault;
      const auto commit = core::CommitOf(a_->games.world(), *read.record, fault);
      EXPECT_TRUE(commit) << fault.reason;
      if (commit) games.push_back({*commit->create, commit->events, catalog_->Find(ruleset)});
    }
    return games;
  }

  // A game of Long Narde by two who take some seconds for each turn and play it in one request.
  GameId PlayLongNarde() {
    core::CreateGame create = NewRace(++request_ + 100'000);
    create.ruleset = "long_narde";
    create.body_hash = Body("create " + std::to_string(request_));
    const GameId id = Create(*a_, create)->after->facts->id;
    EXPECT_TRUE(Do(*a_, id, JoinBy(2, ++request_)).ok());
    while (StateOf(id)->status == storage::GameStatus::kRunning) {
      clock_.Advance(static_cast<int64_t>(1'000'000 + random_() % 12'000'000));
      const core::StatePtr state = StateOf(id);
      const int player = state->seats[static_cast<size_t>(state->Actor())].player.bytes()[15];
      EXPECT_TRUE(Do(*a_, id, PlayBy(player, ++request_, Turn(*state))).ok());
    }
    return id;
  }
  std::vector<core::ActionChoice> Turn(const core::GameState& state) {
    std::vector<core::ActionChoice> turn;
    host::Position position = state.position;
    const int seat = state.Actor();
    while (state.ruleset->Actor(position) == seat) {
      const std::vector<int64_t> actions = *state.ruleset->Actions(position);
      const int64_t action = actions[random_() % actions.size()];
      EXPECT_TRUE(state.ruleset->Apply(position, seat, action).ok());
      turn.emplace_back(action);
    }
    return turn;
  }
  // All but that of the creation.
  std::vector<EventRecord> WithoutRequests(std::vector<EventRecord> log) {
    for (EventRecord& event : log) {
      if (event.sequence > 1) event.request.reset();
    }
    return log;
  }

  std::mt19937_64 random_{7};
  uint64_t request_ = 1'000;
};

TEST_F(PackedLogTest, GamesOfTheCorpusComeBackWithEveryHash) {
  for (const char* ruleset : kRulesets) {
    size_t events = 0, bytes = 0;
    for (const Game& game : Corpus(ruleset)) {
      const auto packed = core::PackLog(game.facts, game.log);
      ASSERT_TRUE(packed);
      const auto log = core::UnpackLog(game.facts, game.ruleset, *packed);
      ASSERT_TRUE(log.ok()) << log.status();
      EXPECT_EQ(*log, game.log);
      events += game.log.size();
      bytes += packed->size();
    }
    std::printf("%s: %zu events in %zu bytes\n", ruleset, events, bytes);
  }
}

TEST_F(PackedLogTest, AUsualGameNeedsLessThanAKilobyte) {
  size_t turns = 0, bytes = 0;
  constexpr size_t kGames = 12;
  for (size_t game = 0; game < kGames; ++game) {
    const GameId id = PlayLongNarde();
    const std::vector<EventRecord> log = store_.Log(id);
    const auto packed = core::PackLog(store_.Load(id)->facts, log);
    ASSERT_TRUE(packed);
    turns += static_cast<size_t>(std::ranges::count(log, EventKind::kThrow, &EventRecord::kind));
    bytes += packed->size();
  }
  std::printf("%zu turns and %zu bytes a game\n", turns / kGames, bytes / kGames);
  EXPECT_LE(bytes * 100, 1'024 * turns) << "of 100 turns";
}

TEST_F(PackedLogTest, AWrongEventIsNamedToWithinSixteen) {
  const Game game = Corpus("long_narde").front();
  for (size_t at = 1; at < game.log.size(); at += 7) {
    for (int what = 0; what < 3; ++what) {
      std::vector<EventRecord> log = game.log;
      if (what == 0) log[at].number ^= 1;
      if (what == 1) log[at].detail += "x";
      for (size_t i = at; what == 2 && i < log.size(); ++i) ++log[i].at.micros;
      const auto packed = core::PackLog(game.facts, log);
      ASSERT_TRUE(packed);
      const auto found = core::UnpackLog(game.facts, game.ruleset, *packed);
      ASSERT_EQ(base::ReasonOf(found.status()), Reason::kReplayMismatch) << at << " " << what;
      const auto named = std::stoul(Detail(found.status(), "sequence"));
      EXPECT_LE(named, at + 1) << what;
      EXPECT_GT(named + core::kCheckEvery, at + 1) << what;
    }
  }
}

TEST_F(PackedLogTest, NoFlippedBitPassesAndNoneCrashes) {
  const Game game = Corpus("patolli")[5];
  const std::string packed = *core::PackLog(game.facts, game.log);
  for (size_t bit = 0; bit < packed.size() * 8; ++bit) {
    std::string bad = packed;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ 1 << bit % 8);
    const auto log = core::UnpackLog(game.facts, game.ruleset, bad);
    // Some bits only fill a byte.
    if (log.ok()) {
      EXPECT_EQ(*log, game.log);
    } else {
      EXPECT_EQ(base::ReasonOf(log.status()), Reason::kReplayMismatch) << log.status();
    }
  }
  for (size_t size = 0; size < packed.size(); ++size) {
    EXPECT_FALSE(core::UnpackLog(game.facts, game.ruleset, packed.substr(0, size)).ok());
  }
}

TEST_F(PackedLogTest, WhoeverReadsCannotTell) {
  const GameId id = PlayLongNarde();
  const std::vector<EventRecord> log = WithoutRequests(store_.Log(id));
  ASSERT_TRUE(log.front().request);
  SimulatedPackedLogs logs(store_);
  core::PackedStore reading(store_, logs, *catalog_);
  Node node(clock_, reading, *catalog_, box_, 3);
  const core::World& world = node.games.world();
  const auto record = core::RecordOf(world, *store_.Load(id));
  ASSERT_TRUE(record.ok()) << record.status();

  core::Packing packing(world, store_, logs, {.after_ms = 60'000, .on_kept = {}});
  EXPECT_EQ(packing.Run()->packed, 0U);  // it has just ended
  clock_.Advance(61'000'000);
  EXPECT_EQ(packing.Run()->packed, 1U);
  EXPECT_EQ(packing.Run()->looked_at, 0U);
  ASSERT_TRUE(store_.Log(id).empty());

  EXPECT_EQ(*core::WholeLog(reading, id), log);
  EXPECT_EQ(reading.Events(id, 10, 3)->front(), log[10]);
  EXPECT_EQ(reading.Events(id, 10, 3)->size(), 3U);
  EXPECT_TRUE(reading.Events(id, static_cast<uint32_t>(log.size()), 3)->empty());
  const auto again = core::RecordOf(world, *store_.Load(id));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(algorithms::WriteLines(*again), algorithms::WriteLines(*record));
  const auto verified = core::VerifyGame(world, id);
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_EQ(verified->difference, "");
  EXPECT_EQ(verified->events, log.size());

  const std::string bytes = logs.logs_[id].bytes;
  ASSERT_TRUE(logs.Archive({id}, "old.rgl").ok());
  core::PackedStore later(store_, logs, *catalog_);
  for (core::PackedStore* store : {&later, &reading}) {  // one of them had it unpacked
    EXPECT_EQ(base::ReasonOf(store->Events(id, 0, 10).status()), base::kLogArchived);
  }
  ASSERT_TRUE(logs.Restore(id, bytes).ok());
  EXPECT_EQ(later.Events(id, 0, 10)->size(), 10U);
}

TEST_F(PackedLogTest, ALogThatDoesNotReplayStaysAsItIs) {
  const GameId id = PlayLongNarde();
  store_.Tamper([&](SimulatedStore::Tables& tables) { tables.games[id].events[20].number ^= 1; });
  clock_.Advance(1'000'000);
  SimulatedPackedLogs logs(store_);
  std::vector<GameId> kept;
  core::Packing packing(
      a_->games.world(), store_, logs,
      {.after_ms = 0, .on_kept = [&](GameId game, const absl::Status&) { kept.push_back(game); }});
  const auto step = packing.Run();
  ASSERT_TRUE(step.ok()) << step.status();
  EXPECT_EQ(step->looked_at, 1U);
  EXPECT_EQ(step->packed, 0U);
  EXPECT_EQ(kept, std::vector<GameId>{id});
  EXPECT_FALSE(store_.Log(id).empty());
  // It is told of once, not whenever the store has been walked through, and tried again later.
  EXPECT_EQ(packing.Run()->looked_at, 1U);
  EXPECT_EQ(kept.size(), 1U);
  clock_.Advance(core::Packing::kTryAgainMs * 1'000);
  EXPECT_EQ(packing.Run()->looked_at, 1U);
  EXPECT_EQ(kept.size(), 2U);
}

}  // namespace
}  // namespace astragal::tests
