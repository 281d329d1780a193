// Stages in sequence, and commands that nobody waits for, on two nodes over one store in memory:
// the next stage is made once, whoever dies or comes in between.
#include "services/core/tournaments/next_stage.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "services/core/tournaments/rounds.h"
#include "services/core/tournaments/tournaments.h"
#include "tests/services/core/sim/match_fixture.h"

namespace astragal::tests {
namespace {

using core::TournamentCommand;
using core::TournamentFormat;
using core::TournamentPtr;
using core::TournamentStatus;
using storage::TournamentEntry;
using storage::TournamentHead;
using storage::TournamentId;
using testing::SizeIs;
using Kind = storage::TournamentEntryKind;

struct Tables {
  struct One {
    TournamentHead head;
    std::vector<TournamentEntry> log;
  };
  std::map<TournamentId, One> all;
  std::map<std::pair<base::PlayerId, base::IdBytes>, TournamentId> by_request;
};

// What one node has of it. Leases are left out: they only save work.
class NodeStore : public storage::TournamentStore {
 public:
  explicit NodeStore(Tables& tables) : tables_(tables) {}

  // After so many writes more the node is dead: nothing it does arrives.
  void DieAfter(int writes) { left_ = writes; }
  // Somebody else is faster than the write behind so many others.
  void Before(int write, std::function<void()> what) {
    before_ = write;
    what_ = std::move(what);
  }

  absl::StatusOr<TournamentId> Create(const TournamentHead& head,
                                      const TournamentEntry& first) override {
    if (!Write()) return Away();
    const auto [found, made] =
        tables_.by_request.try_emplace({first.by, first.request.bytes}, head.id);
    if (made) tables_.all[head.id] = {head, {first}};
    return found->second;
  }
  absl::StatusOr<bool> Append(const TournamentHead& head, uint32_t seen,
                              absl::Span<const TournamentEntry> entries) override {
    if (!Write()) return Away();
    Tables::One& one = tables_.all.at(head.id);
    if (one.log.size() != seen) return false;
    one.head = head;
    one.log.insert(one.log.end(), entries.begin(), entries.end());
    return true;
  }
  absl::Status Schedule(TournamentId id, uint32_t version,
                        std::optional<base::Instant> due_at) override {
    if (!Write()) return Away();
    Tables::One& one = tables_.all.at(id);
    if (one.log.size() == version) one.head.due_at = due_at;
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<TournamentId>> TakeDue(int64_t, size_t) override {
    if (left_ == 0) return Away();
    std::vector<TournamentId> due;
    for (const auto& [id, one] : tables_.all) {
      if (one.head.due_at) due.push_back(id);
    }
    return due;
  }
  absl::StatusOr<TournamentHead> GetHead(TournamentId id) override {
    return tables_.all.at(id).head;
  }
  absl::StatusOr<std::vector<TournamentEntry>> ReadLog(TournamentId id, uint32_t after,
                                                       size_t) override {
    if (left_ == 0) return Away();
    const std::vector<TournamentEntry>& log = tables_.all.at(id).log;
    if (after >= log.size()) return std::vector<TournamentEntry>();
    return std::vector<TournamentEntry>(log.begin() + after, log.end());
  }
  absl::StatusOr<std::vector<TournamentHead>> List(uint8_t, TournamentId, size_t) override {
    return std::vector<TournamentHead>();
  }

 private:
  static absl::Status Away() {
    return base::Error(Reason::kStoreUnavailable, "the simulated database is away");
  }
  bool Write() {
    if (before_ == 0) std::exchange(what_, nullptr)();
    if (before_ >= 0) --before_;
    if (left_ == 0) return false;
    if (left_ > 0) --left_;
    return true;
  }

  Tables& tables_;
  int left_ = -1;  // forever
  int before_ = -1;
  std::function<void()> what_;
};

class StagesTest : public MatchesTest {
 protected:
  static constexpr int kPlayers = 8;
  const base::PlayerId owner_ = Player(100);

  TournamentCommand Step(Kind kind, base::PlayerId by) {
    TournamentCommand command;
    command.kind = kind;
    command.by = by;
    command.reason = "because";
    if (!by.is_nil()) command.request = Request(++request_);
    return command;
  }
  void Must(const TournamentCommand& command) {
    const auto done = first_.Do(id_, command);
    ASSERT_TRUE(done.ok()) << done.status();
  }
  void Owner(Kind kind) { Must(Step(kind, owner_)); }
  // A round of a Swiss tournament that its director holds; the second of each board wins.
  void PlayFirstStage(std::optional<core::NextStage> next) {
    core::NewTournament made;
    made.by = owner_;
    made.request = Request(++request_);
    made.terms.name = "League";
    made.terms.rounds = 1;
    made.terms.automatic = false;
    made.terms.play.ruleset = "long_narde";
    made.terms.next_stage = next;
    const auto created = first_.Create(made);
    ASSERT_TRUE(created.ok()) << created.status();
    id_ = (*created)->id;
    TournamentCommand role = Step(Kind::kRoleGiven, owner_);
    role.player = Player(101);
    role.number = static_cast<int64_t>(core::TournamentRole::kDirector);
    Must(role);
    for (int i = 1; i <= kPlayers; ++i) {
      TournamentCommand enter = Step(Kind::kRegistered, Player(static_cast<uint8_t>(i)));
      enter.number = 2'000 - i;
      Must(enter);
    }
    Owner(Kind::kStarted);
    Owner(Kind::kRoundDrafted);
    Owner(Kind::kRoundPublished);
    TournamentCommand results = Step(Kind::kResults, {});
    results.round = 1;
    for (uint32_t board = 1; board <= kPlayers / 2; ++board) {
      results.results.push_back({board, algorithms::Outcome::kLoss, algorithms::Outcome::kWin, {}});
    }
    Must(results);
    Owner(Kind::kRoundClosed);
    Owner(Kind::kFinished);
  }
  static core::NextStage KnockOut(uint16_t qualify) {
    core::NextStage next;
    next.qualify = qualify;
    next.third_place = true;
    return next;
  }
  TournamentPtr Now(TournamentId id) { return second_.Read(id, owner_).value(); }
  // The first stage has one behind it, complete, and everybody knows which.
  void ExpectOneNextStage(const std::string& where) {
    SCOPED_TRACE(where);
    const TournamentPtr first = Now(id_);
    ASSERT_THAT(tables_.all, SizeIs(2));
    ASSERT_FALSE(first->next_stage.is_nil());
    const TournamentPtr next = Now(first->next_stage);
    EXPECT_EQ(next->terms.format, TournamentFormat::kSingleElimination);
    EXPECT_TRUE(next->terms.third_place);
    EXPECT_EQ(next->terms.name, "League (2)");
    EXPECT_EQ(next->status, TournamentStatus::kRegistration);
    EXPECT_EQ(next->owner, owner_);
    EXPECT_EQ(next->RoleOf(Player(101)), core::TournamentRole::kDirector);
    EXPECT_EQ(core::SeedingOf(*next), core::QualifiersOf(*first));
    EXPECT_THAT(next->players, SizeIs(4));
    const auto& log = tables_.all.at(id_).log;
    EXPECT_EQ(std::ranges::count(log, Kind::kNextStageCreated, &TournamentEntry::kind), 1);
  }
  void Forget() {
    tables_ = {};
    store_a_.DieAfter(-1);
  }

  Tables tables_;
  NodeStore store_a_{tables_};
  NodeStore store_b_{tables_};
  core::Tournaments first_{a_->games, *on_a_, matches_, store_a_, nullptr};
  core::Tournaments second_{b_->games, *on_b_, matches_, store_b_, nullptr};
  TournamentId id_;
};

TEST_F(StagesTest, TheBestGoOnSeededByTheStandingsAndNobodyElseComesIn) {
  PlayFirstStage(KnockOut(4));
  first_.Poll();
  ExpectOneNextStage("a node that lives");
  EXPECT_FALSE(tables_.all.at(id_).head.due_at.has_value());
  const TournamentPtr first = Now(id_);
  for (const core::Standing& row : core::StandingsOf(*first)) {
    const base::PlayerId player = first->players[static_cast<size_t>(row.player)].id;
    const bool on = Now(first->next_stage)->IndexOf(player) != algorithms::kNobody;
    EXPECT_EQ(on, row.points == 10) << "the four who won";
  }
  TournamentCommand late = Step(Kind::kRegistered, Player(50));
  late.facts.emplace();
  EXPECT_FALSE(first_.Do(first->next_stage, late).ok());
  // A place that becomes free is nobody's either.
  const base::PlayerId leaver = Now(first->next_stage)->players[3].id;
  ASSERT_TRUE(first_.Do(first->next_stage, Step(Kind::kWithdrawn, leaver)).ok());
  late.request = Request(++request_);
  EXPECT_FALSE(first_.Do(first->next_stage, late).ok());
}

TEST_F(StagesTest, ANodeThatDiesAnywhereInBetweenLeavesTheRestToTheOther) {
  for (int writes = 0; writes <= 4; ++writes) {
    Forget();
    PlayFirstStage(KnockOut(4));
    store_a_.DieAfter(writes);
    first_.Poll();
    second_.Poll();
    second_.Poll();
    ExpectOneNextStage("died after " + std::to_string(writes) + " writes");
  }
}

TEST_F(StagesTest, OfTwoNodesAtOnceOneMakesIt) {
  for (int write = 0; write <= 3; ++write) {
    Forget();
    PlayFirstStage(KnockOut(4));
    bool came = false;
    store_a_.Before(write, [&] {
      came = true;
      second_.Poll();
    });
    first_.Poll();
    EXPECT_TRUE(came || write > 2);
    store_a_.Before(-1, nullptr);
    first_.Poll();
    ExpectOneNextStage("before write " + std::to_string(write));
  }
}

TEST_F(StagesTest, ReopeningChangesNothingInTheNextStage) {
  PlayFirstStage(KnockOut(4));
  first_.Poll();
  const TournamentId next = Now(id_)->next_stage;
  const uint32_t version = Now(next)->version;
  TournamentCommand reopen = Step(Kind::kReopened, owner_);
  reopen.accepts = {"STANDINGS_OPEN_AGAIN"};
  Must(reopen);
  TournamentCommand expel = Step(Kind::kExpelled, owner_);
  expel.player = Player(8);
  expel.accepts = {"OUT_OF_STANDINGS"};
  Must(expel);
  Owner(Kind::kFinished);
  first_.Poll();
  EXPECT_EQ(Now(id_)->next_stage, next);
  EXPECT_EQ(Now(next)->version, version);
  EXPECT_THAT(tables_.all, SizeIs(2));
}

TEST_F(StagesTest, WithoutOneNothingFollows) {
  PlayFirstStage(std::nullopt);
  first_.Poll();
  EXPECT_THAT(tables_.all, SizeIs(1));
  EXPECT_FALSE(tables_.all.at(id_).head.due_at.has_value());
}

TEST_F(StagesTest, WhatNobodyWaitsForIsNotStored) {
  PlayFirstStage(std::nullopt);
  TournamentCommand reopen = Step(Kind::kReopened, owner_);
  reopen.accepts = {"STANDINGS_OPEN_AGAIN"};
  const size_t before = tables_.all.at(id_).log.size();
  reopen.go_on = [] { return absl::CancelledError("the caller does not wait any longer"); };
  EXPECT_TRUE(absl::IsCancelled(first_.Do(id_, reopen).status()));
  EXPECT_THAT(tables_.all.at(id_).log, SizeIs(before));
  // The same request of a caller who waits.
  reopen.go_on = nullptr;
  EXPECT_TRUE(first_.Do(id_, reopen).ok());
  EXPECT_THAT(tables_.all.at(id_).log, SizeIs(before + 1));
}

TEST(NextStageTermsTest, WhatCannotFollowIsRefused) {
  core::TournamentTerms terms;
  terms.name = "League";
  terms.play.ruleset = "long_narde";
  terms.next_stage = core::NextStage{};
  EXPECT_FALSE(core::CheckTerms(terms).ok()) << "nobody qualifies";
  terms.next_stage->qualify = 2;
  EXPECT_TRUE(core::CheckTerms(terms).ok()) << core::CheckTerms(terms);
  terms.next_stage->format = TournamentFormat::kArena;
  EXPECT_FALSE(core::CheckTerms(terms).ok());
  terms.next_stage->format = TournamentFormat::kSwiss;
  terms.name = std::string(78, 'x');
  EXPECT_FALSE(core::CheckTerms(terms).ok()) << "no room for the name of the next one";
}

}  // namespace
}  // namespace astragal::tests
