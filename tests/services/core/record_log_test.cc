// Records of games: what is written is read back to the same log, whatever is changed is found, and
// the games recorded by earlier releases replay to their hashes.
#include "services/core/record_log.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <set>

#include "plugins/host/library.h"
#include "services/core/verification.h"
#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using algorithms::GameRecord;
using algorithms::ReadRecord;
using algorithms::RecordFault;
using storage::EventKind;
using storage::GameStatus;
using testing::HasSubstr;

// Games of the first release that recorded any; a later one adds its own and changes none.
constexpr char kCorpus[] = ASTRAGAL_SOURCE_DIR "/tests/services/core/data/records/";
constexpr const char* kRulesets[] = {"long_narde", "patolli", "ashtapada"};
constexpr int kCorpusGames[] = {34, 33, 33};
constexpr int kWholeGames = 3;  // of each ruleset; the others are given up early, to be short

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

class RecordLogTest : public CoreTest {
 protected:
  RecordLogTest() {
    for (const char* id : kRulesets) {
      auto ruleset = host::OpenLibrary(
          {std::string(64, 'd'), ASTRAGAL_BUILD_DIR "/plugins/lib" + std::string(id) + ".so"});
      EXPECT_TRUE(ruleset.ok()) << ruleset.status();
      if (ruleset.ok()) catalog_->Add(*ruleset);
    }
  }

  template <typename What>
  Result By(GameId id, int player, What what) {
    core::Command command = JoinBy(player, ++request_);
    command.body_hash = Body("body " + std::to_string(request_));
    command.what = std::move(what);
    return Do(*a_, id, command);
  }
  void Wait() {
    clock_.Advance(static_cast<int64_t>(random_() % 4 == 0 ? 0 : random_() % 3'000'000));
  }

  // A whole game with everything that can happen in one; `moves`: given up after so many.
  GameId PlayGame(const std::string& ruleset, int moves) {
    core::CreateGame create = NewRace(++request_ + 100'000);
    create.ruleset = ruleset;
    create.body_hash = Body("create " + std::to_string(request_));
    create.terms.rated = random_() % 2 == 0;
    if (random_() % 2 == 0) create.terms.clock = {storage::ClockKind::kDelay, 3'600'000, 12'000, 0};
    const bool contribute = random_() % 2 == 0;
    const Result created = Create(*a_, create);
    EXPECT_TRUE(created.ok()) << created.status();
    const GameId id = created->after->facts->id;
    const int seats = static_cast<int>(created->after->seats.size());
    if (contribute) {
      EXPECT_TRUE(By(id, 1, core::Pledge{base::Sha256("of player 1")}).ok());
    }
    for (int player = 2; player <= seats; ++player) {
      Wait();
      core::Join join;
      if (contribute) join.pledge = base::Sha256("of player " + std::to_string(player));
      EXPECT_TRUE(By(id, player, join).ok());
    }
    for (int player = 1; contribute && player <= seats; ++player) {
      EXPECT_TRUE(By(id, player, core::Contribute{"of player " + std::to_string(player)}).ok());
    }
    for (int move = 0; StateOf(id)->status == GameStatus::kRunning && move < 3'000; ++move) {
      Wait();
      if (move == moves) {
        EXPECT_TRUE(
            By(id, 1 + static_cast<int>(random_() % static_cast<uint64_t>(seats)), core::Resign{})
                .ok());
        if (seats > 2) moves += 3;
        continue;
      }
      Act(id, seats);
    }
    EXPECT_TRUE(StateOf(id)->IsOver());
    return id;
  }

  void Act(GameId id, int seats) {
    const core::StatePtr state = StateOf(id);
    const int actor = state->Actor();
    const int player = state->seats[static_cast<size_t>(actor)].player.bytes()[15];
    if (state->ruleset->Actor(state->position) != actor) {
      EXPECT_TRUE(By(id, player, core::EndTurn{}).ok());
      return;
    }
    if (random_() % 50 == 0 && seats == 2) {
      if (By(id, player, core::MakeOffer{storage::OfferKind::kAbort, 0}).ok()) {
        EXPECT_TRUE(By(id, 3 - player, core::AnswerOffer{false}).ok());
      }
      return;
    }
    const std::vector<int64_t> actions = *state->ruleset->Actions(state->position);
    const bool keeps = random_() % 12 == 0;
    EXPECT_TRUE(By(id, player, core::Play{{actions[random_() % actions.size()]}, !keeps}).ok());
    const core::StatePtr after = StateOf(id);
    if (keeps && !after->proceedings.turn.actions.empty() && random_() % 2 == 0) {
      Wait();
      EXPECT_TRUE(By(id, player, core::Undo{1}).ok());
    }
  }

  GameRecord RecordOf(GameId id) {
    const absl::StatusOr<GameRecord> record = core::RecordOf(a_->games.world(), *store_.Load(id));
    EXPECT_TRUE(record.ok()) << record.status();
    return record.ok() ? *record : GameRecord();
  }
  // The log that the record stands for; empty and a failure when it is refused.
  std::vector<storage::EventRecord> LogOf(GameRecord& record) {
    RecordFault fault;
    const auto commit = core::CommitOf(a_->games.world(), record, fault);
    EXPECT_TRUE(commit) << fault.line << ": " << fault.reason;
    return commit ? commit->events : std::vector<storage::EventRecord>();
  }
  // Stored, but for the requests, which are nobody's business.
  std::vector<storage::EventRecord> StoredLog(GameId id) {
    std::vector<storage::EventRecord> log = store_.Log(id);
    for (storage::EventRecord& event : log) event.request.reset();
    return log;
  }

  std::mt19937_64 random_{5};
  uint64_t request_ = 1'000;
};

TEST_F(RecordLogTest, BothFormatsGiveTheSameLogBack) {
  std::set<EventKind> kinds;
  for (const char* ruleset : {"race", "long_narde", "patolli", "ashtapada"}) {
    for (int game = 0; game < 4; ++game) {
      SCOPED_TRACE(std::string(ruleset) + " " + std::to_string(game));
      const GameId id = PlayGame(ruleset, game == 0 ? 5'000 : 20 + 20 * game);
      GameRecord record = RecordOf(id);
      const std::string lines = WriteLines(record);
      const std::string text = WriteText(record);
      ReadRecord from_lines = algorithms::ReadLines(lines);
      ASSERT_TRUE(from_lines.record) << from_lines.fault.line << ": " << from_lines.fault.reason;
      ReadRecord from_text = algorithms::ReadText(text);
      ASSERT_TRUE(from_text.record)
          << from_text.fault.line << ": " << from_text.fault.reason << "\n"
          << text;
      const auto log = StoredLog(id);
      EXPECT_EQ(LogOf(*from_lines.record), log);
      EXPECT_EQ(LogOf(*from_text.record), log);
      // What was filled in makes either format out of the other.
      EXPECT_EQ(WriteLines(*from_lines.record), lines);
      EXPECT_EQ(WriteText(*from_lines.record), text);
      EXPECT_EQ(WriteLines(*from_text.record), lines);
      EXPECT_EQ(WriteText(*from_text.record), text);
      for (const storage::EventRecord& event : log) kinds.insert(event.kind);
    }
  }
  for (const EventKind kind : {EventKind::kUndone, EventKind::kTurnEnded, EventKind::kOffered,
                               EventKind::kAnswered, EventKind::kResigned}) {
    EXPECT_TRUE(kinds.contains(kind)) << static_cast<int>(kind) << " did not happen";
  }
}

TEST_F(RecordLogTest, MarksOfActionsAreKeptInBothFormats) {
  for (const core::ActionDetail& detail :
       {core::ActionDetail{}, core::ActionDetail{true, 0}, core::ActionDetail{false, 1},
        core::ActionDetail{true, 1'234'567}}) {
    const algorithms::ActionMarks marks{detail.keeps_turn, detail.lag_us};
    const std::string bytes = algorithms::ActionDetailOf(marks);
    ASSERT_EQ(bytes, core::EncodeAction(detail));
    GameRecord record = RecordOf(PlayGame("race", 8));
    algorithms::RecordEvent* action = nullptr;
    for (algorithms::RecordEvent& event : record.events) {
      if (event.kind == algorithms::kRecordAction) action = &event;
    }
    ASSERT_NE(action, nullptr);
    action->detail = bytes;
    const size_t index = action->sequence - 1;
    for (const ReadRecord& read :
         {algorithms::ReadLines(WriteLines(record)), algorithms::ReadText(WriteText(record))}) {
      ASSERT_TRUE(read.record) << read.fault.reason;
      EXPECT_EQ(read.record->events[index].detail, bytes);
    }
  }
}

TEST_F(RecordLogTest, AnImportedGameIsTheGame) {
  const GameId id = PlayGame("long_narde", 40);
  GameRecord record = RecordOf(id);
  const auto before = store_.Log(id);
  const storage::StoredGame original = *store_.Load(id);
  RecordFault fault;
  auto commit = core::CommitOf(a_->games.world(), record, fault);
  ASSERT_TRUE(commit) << fault.reason;
  // On another server, which has never heard of it.
  store_.Tamper([&](SimulatedStore::Tables& tables) { tables = {}; });
  Restart();
  const auto report = store_.Commit({*commit});
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->outcomes.front(), storage::CommitOutcome::kCommitted);
  const storage::StoredGame imported = *store_.Load(id);
  EXPECT_EQ(imported.head.chain_hash, original.head.chain_hash);
  EXPECT_EQ(imported.head.position, original.head.position);
  EXPECT_EQ(imported.seats, original.seats);
  const auto verified = core::VerifyGame(a_->games.world(), id);
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_TRUE(verified->verified()) << verified->difference;
  EXPECT_EQ(verified->events, before.size());
  EXPECT_EQ(WriteLines(RecordOf(id)), WriteLines(record));
  const auto proof = core::ProofOf(a_->games.world(), {}, id);
  ASSERT_TRUE(proof.ok()) << proof.status();
  EXPECT_TRUE(algorithms::CheckProof(*proof).faults.empty());
}

TEST_F(RecordLogTest, ALogThatWasReadBeforeMakesTheSameRecord) {
  const GameId id = PlayGame("race", 8);
  const std::vector<storage::StoredLog> logs = store_.Logs({&id, 1}).value();
  ASSERT_EQ(logs.size(), 1u);
  ASSERT_GT(logs[0].events.size(), 2u);
  const auto record = core::RecordOf(a_->games.world(), logs[0].game, logs[0].events);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(WriteLines(*record), WriteLines(RecordOf(id)));
  // It is compared as well as one that is read here.
  std::vector<storage::EventRecord> other = logs[0].events;
  other[1].at.micros += 1;
  EXPECT_EQ(base::ReasonOf(core::RecordOf(a_->games.world(), logs[0].game, other).status()),
            Reason::kReplayMismatch);
}

TEST_F(RecordLogTest, OnlyGamesThatHaveEndedHaveARecordAndAProof) {
  const GameId id = Started();
  EXPECT_EQ(base::ReasonOf(core::RecordOf(a_->games.world(), *store_.Load(id)).status()),
            Reason::kGameStillRunning);
  EXPECT_EQ(base::ReasonOf(core::ProofOf(a_->games.world(), {}, id).status()),
            Reason::kGameStillRunning);
  const auto verified = core::VerifyGame(a_->games.world(), id);
  ASSERT_TRUE(verified.ok());
  EXPECT_TRUE(verified->verified()) << verified->difference;
  EXPECT_EQ(verified->throws_checked, 0u);
}

TEST_F(RecordLogTest, WhatIsChangedInARecordIsFoundWithItsLine) {
  const GameId id = PlayGame("long_narde", 30);
  const std::string good = WriteLines(RecordOf(id));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  // The hash over the lines would find all of it first.
  const auto without_lines = [](std::string text) {
    const size_t at = text.rfind(",\"lines\":");
    return text.erase(at, text.rfind('}') - at);
  };
  const struct {
    const char* name;
    std::string text;
  } cases[] = {
      {"lines", changed("\"at\":", "\"at\": ")},
      {"ruleset", without_lines(changed("\"ruleset\":\"long_narde\"", "\"ruleset\":\"chess\""))},
      {"version", without_lines(changed("\"rules_version\":", "\"rules_version\":9"))},
      {"build", without_lines(changed("\"build\":\"", "\"build\":\"00"))},
      {"commitment", without_lines(changed("\"commitment\":\"", "\"commitment\":\"ab"))},
      {"kind of event", without_lines(changed("\"t\":\"throw\"", "\"t\":\"cast\""))},
      {"order", without_lines(changed("\"n\":5,", "\"n\":6,"))},
      {"outcome", without_lines(changed("\"outcome\":", "\"outcome\":1"))},
      {"notation", without_lines(changed("\"v\":\"", "\"v\":\"x"))},
      {"no end", good.substr(0, good.rfind("{\"t\":\"end\""))},
      {"end too soon", changed("\"t\":\"started\"", "\"t\":\"end\"")},
      {"log hash", without_lines(changed("\"log_hash\":\"", "\"log_hash\":\"00"))},
      {"secret", without_lines(changed("\"secret\":\"", "\"secret\":\"zz"))},
      {"no JSON", without_lines(changed("{\"n\":4", "{n:4"))},
  };
  for (const auto& [name, text] : cases) {
    ReadRecord read = algorithms::ReadLines(text);
    RecordFault fault = read.fault;
    const bool taken = read.record && core::CommitOf(a_->games.world(), *read.record, fault);
    EXPECT_FALSE(taken) << name;
    EXPECT_FALSE(fault.reason.empty()) << name;
  }
}

TEST_F(RecordLogTest, EveryFlippedCharacterOfANumberIsFound) {
  const GameId id = PlayGame("race", 12);
  const std::string good = WriteLines(RecordOf(id));
  const size_t end = good.rfind(",\"lines\":");
  const std::string base = good.substr(0, end) + "}\n";
  int tried = 0;
  for (size_t at = base.find('\n'); at < base.size(); ++at) {
    if (base[at] < '0' || base[at] > '9') continue;
    std::string text = base;
    text[at] = base[at] == '9' ? '8' : static_cast<char>(base[at] + 1);
    ReadRecord read = algorithms::ReadLines(text);
    RecordFault fault;
    ++tried;
    EXPECT_FALSE(read.record && core::CommitOf(a_->games.world(), *read.record, fault))
        << text.substr(text.rfind('\n', at - 1) + 1, 200);
  }
  EXPECT_GT(tried, 500);
}

TEST_F(RecordLogTest, UnknownKeysAreKeptInBothFormats) {
  const GameId id = PlayGame("race", 6);
  std::string lines = WriteLines(RecordOf(id));
  lines = lines.substr(0, lines.rfind(",\"lines\":")) + "}\n";
  const auto insert = [&](const std::string& before, const std::string& text) {
    lines.insert(lines.find(before) + before.size(), text);
  };
  insert("{\"format\":\"astragal-game-1\",",
         "\"Event\":\"Open, 3rd round\",\"stream\":{\"lang\":[\"de\"]},");
  insert("{\"n\":1,", "\"why\":\"for fun\",");
  insert("{\"n\":4,", "\"comment\":\"a good throw; {really}\",");
  ReadRecord read = algorithms::ReadLines(lines);
  ASSERT_TRUE(read.record) << read.fault.reason;
  EXPECT_EQ(read.record->extra["Event"], "Open, 3rd round");
  EXPECT_EQ(read.record->events[3].extra["comment"], "a good throw; {really}");
  LogOf(*read.record);
  const std::string text = WriteText(*read.record);
  EXPECT_THAT(text, HasSubstr("[Event \"Open, 3rd round\"]"));
  ReadRecord again = algorithms::ReadText(text);
  ASSERT_TRUE(again.record) << again.fault.line << ": " << again.fault.reason;
  LogOf(*again.record);
  EXPECT_EQ(WriteLines(*again.record), WriteLines(*read.record));
  EXPECT_THAT(WriteLines(*again.record), HasSubstr("\"stream\":{\"lang\":[\"de\"]}"));
}

TEST_F(RecordLogTest, TamperedGamesAreFoundByVerification) {
  const GameId id = PlayGame("long_narde", 30);
  const auto difference_after = [&](const std::function<void(SimulatedStore::Game&)>& change) {
    const SimulatedStore::Tables good = store_.Backup();
    store_.Tamper([&](SimulatedStore::Tables& tables) { change(tables.games[id]); });
    const auto verified = core::VerifyGame(a_->games.world(), id);
    EXPECT_TRUE(verified.ok()) << verified.status();
    store_.Restore(good);
    return verified.ok() ? verified->difference : "";
  };
  EXPECT_EQ(difference_after([](SimulatedStore::Game&) {}), "");
  const struct {
    const char* name;
    std::function<void(SimulatedStore::Game&)> change;
  } cases[] = {
      {"an action", [](SimulatedStore::Game& g) { g.events[9].number ^= 1; }},
      {"an instant", [](SimulatedStore::Game& g) { ++g.events[6].at.micros; }},
      {"the head's hash", [](SimulatedStore::Game& g) { g.stored.head.chain_hash[0] ^= 1; }},
      {"the head's position", [](SimulatedStore::Game& g) { g.stored.head.position[3] ^= 1; }},
      {"the ending",
       [](SimulatedStore::Game& g) { g.stored.head.ending = storage::Ending::kPlayed; }},
      {"the points", [](SimulatedStore::Game& g) { ++g.stored.seats[0].points; }},
      {"the last event is gone", [](SimulatedStore::Game& g) { g.events.pop_back(); }},
      {"the commitment", [](SimulatedStore::Game& g) { g.stored.facts.commitment[0] ^= 1; }},
  };
  for (const auto& [name, change] : cases) EXPECT_NE(difference_after(change), "") << name;
}

TEST_F(RecordLogTest, ComparisonWithTheSameRulesFindsNothing) {
  const GameId id = PlayGame("race", 12);
  const auto own = *core::BuildOf(*catalog_, *store_.Load(id));
  const auto same = core::CompareRules(a_->games.world(), id, own, MakeRace(std::string(64, 'c')));
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->what, "");
  EXPECT_EQ(same->events, store_.Log(id).size());
  const auto other = core::CompareRules(a_->games.world(), id, own, catalog_->Find("long_narde"));
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_NE(other->what, "");
}

// ---- The corpus.

TEST_F(RecordLogTest, GamesOfEveryReleaseReplayToTheirHashes) {
  int games = 0;
  for (size_t i = 0; i < std::size(kRulesets); ++i) {
    const std::string path = kCorpus + std::string(kRulesets[i]);
    if (std::getenv("ASTRAGAL_RECORD_CORPUS") != nullptr) {
      std::string lines, text;
      for (int game = 0; game < kCorpusGames[i]; ++game) {
        const GameRecord record =
            RecordOf(PlayGame(kRulesets[i], game < kWholeGames ? 5'000 : 5 + game));
        lines += WriteLines(record);
        text += WriteText(record) + "\n";
      }
      std::ofstream(path + ".rgl", std::ios::binary) << lines;
      std::ofstream(path + ".rgn", std::ios::binary) << text;
    }
    const std::string lines = ReadFile(path + ".rgl");
    const std::string text = ReadFile(path + ".rgn");
    const auto line_parts = algorithms::SplitRecords(lines);
    const auto text_parts = algorithms::SplitRecords(text);
    ASSERT_EQ(line_parts.size(), text_parts.size()) << path;
    for (size_t part = 0; part < line_parts.size(); ++part) {
      SCOPED_TRACE(path + " game " + std::to_string(part + 1));
      ReadRecord from_lines = algorithms::ReadPart(line_parts[part]);
      ReadRecord from_text = algorithms::ReadPart(text_parts[part]);
      ASSERT_TRUE(from_lines.record) << from_lines.fault.line << ": " << from_lines.fault.reason;
      ASSERT_TRUE(from_text.record) << from_text.fault.line << ": " << from_text.fault.reason;
      // CommitOf compares with the stored hash.
      EXPECT_EQ(LogOf(*from_lines.record), LogOf(*from_text.record));
      EXPECT_EQ(WriteLines(*from_text.record), line_parts[part].text);
      ++games;
    }
  }
  EXPECT_EQ(games, 100);
}

TEST(RecordColumns, BeginWithWhoeverBeganAndLeaveOutHowThatWasFound) {
  const auto thrown = [](int kind, const char* notation) {
    algorithms::RecordEvent event;
    event.kind = algorithms::kRecordThrow;
    event.number = kind << 16;
    event.notation = notation;
    return event;
  };
  const auto played = [](int8_t seat, const char* notation) {
    algorithms::RecordEvent event;
    event.kind = algorithms::kRecordAction;
    event.seat = seat;
    event.notation = notation;
    return event;
  };
  GameRecord record;
  record.seats = 2;
  record.events = {thrown(0, "5-5"),   thrown(0, "1-5"),  thrown(1, "6-3"), played(1, "24/18"),
                   played(1, "18/15"), thrown(1, "6-6"),  thrown(1, "2-1"), played(1, "15/12"),
                   thrown(1, "4-1"),   played(0, "24/20")};
  const std::string text = WriteColumns(record, {"Alice", "Bob"});
  const std::string column(34, ' ');
  EXPECT_THAT(text, HasSubstr("\n  1) " + column +
                              " 63: 24/18 18/15\n"
                              "  2) 66: -" +
                              column.substr(5) +
                              " 21: 15/12\n"
                              "  3) 41: 24/20\n"));
}

}  // namespace
}  // namespace astragal::tests
