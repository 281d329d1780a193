// Who is connected: known at once on the own node, within a second on others, through lost
// connections, dead nodes and a database that forgot it all.
#include "services/core/presence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "services/base/status.h"
#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using base::PlayerId;
using core::Attendance;
using core::Presence;
using storage::Attendee;
using testing::ElementsAre;
using testing::IsEmpty;

// The table that the nodes share, and which of them live.
struct SharedTable {
  std::set<std::pair<std::string, Attendee>> rows;
  std::set<std::string> dead;
  int writes = 0;
  bool away = false;
};

class SimulatedPresenceStore : public storage::PresenceStore {
 public:
  SimulatedPresenceStore(SharedTable& table, std::string node)
      : table_(table), node_(std::move(node)) {}
  absl::Status Write(absl::Span<const Attendee> came, absl::Span<const Attendee> went) override {
    if (table_.away) return Away();
    ++table_.writes;
    for (const Attendee& attendee : came) table_.rows.insert({node_, attendee});
    for (const Attendee& attendee : went) table_.rows.erase({node_, attendee});
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<storage::AttendeeRow>> Read(
      absl::Span<const core::GameId> games) override {
    if (table_.away) return Away();
    std::vector<storage::AttendeeRow> rows;
    for (const auto& [node, attendee] : table_.rows) {
      const bool asked = std::ranges::find(games, attendee.game) != games.end();
      if (asked && !table_.dead.contains(node)) rows.push_back({attendee, node == node_});
    }
    return rows;
  }
  absl::Status Sweep() override {
    std::erase_if(table_.rows, [&](const auto& row) { return table_.dead.contains(row.first); });
    return absl::OkStatus();
  }

 private:
  static absl::Status Away() { return base::Error(Reason::kStoreUnavailable, "away"); }

  SharedTable& table_;
  const std::string node_;
};

struct Reader : core::PresenceViewer {
  void OnPresence() override { ++told; }
  int told = 0;
};

class PresenceTest : public testing::Test {
 protected:
  struct Node {
    Node(const base::ManualClock& clock, SimulatedScheduler& scheduler, SharedTable& table,
         const std::string& name)
        : store(table, name), presence(clock, scheduler, store) {}
    SimulatedPresenceStore store;
    Presence presence;
  };
  void PollBoth() {
    here_.presence.Poll();
    there_.presence.Poll();
  }
  // Both nodes look every second meanwhile.
  void Pass(int64_t ms) {
    for (int64_t passed = 0; passed < ms; passed += Presence::kPollMs) {
      clock_.Advance(Presence::kPollMs * 1'000);
      PollBoth();
    }
  }
  static PlayerId Who(int number) { return Player(static_cast<uint8_t>(number)); }

  base::ManualClock clock_;
  SimulatedScheduler scheduler_{clock_, 1};
  SharedTable table_;
  Node here_{clock_, scheduler_, table_, "here"};
  Node there_{clock_, scheduler_, table_, "there"};
  const core::GameId game_ = core::GameId(Player(77).bytes());
  const core::GameId other_game_ = core::GameId(Player(78).bytes());
  std::shared_ptr<Reader> reader_here_ = std::make_shared<Reader>();
  std::shared_ptr<Reader> reader_there_ = std::make_shared<Reader>();
};

TEST_F(PresenceTest, IsKnownAtOnceHereAndWithTheNextLookThere) {
  const auto onlooker = there_.presence.Attend(game_, {}, reader_there_);
  const auto first = here_.presence.Attend(game_, Who(1), reader_here_);
  EXPECT_THAT(here_.presence.Known(game_), ElementsAre(Who(1)));
  EXPECT_EQ(reader_here_->told, 1);
  EXPECT_THAT(there_.presence.Known(game_), IsEmpty());
  PollBoth();
  EXPECT_THAT(there_.presence.Known(game_), ElementsAre(Who(1)));
  EXPECT_EQ(reader_there_->told, 1);
  EXPECT_EQ(here_.presence.Of(game_).value(), there_.presence.Of(game_).value());
  EXPECT_THAT(here_.presence.Of(other_game_).value(), IsEmpty());
  // Nothing is written or told while nothing happens.
  const int writes = table_.writes;
  Pass(60'000);
  EXPECT_EQ(table_.writes, writes);
  EXPECT_EQ(reader_there_->told, 1);
}

TEST_F(PresenceTest, WhoComesBackSoonWasNeverGone) {
  const auto onlooker = here_.presence.Attend(game_, {}, reader_here_);
  auto first = here_.presence.Attend(game_, Who(1), reader_here_);
  PollBoth();
  const int told = reader_here_->told;
  first.reset();
  PollBoth();
  first = here_.presence.Attend(game_, Who(1), reader_here_);
  Pass(5'000);
  EXPECT_EQ(reader_here_->told, told);
  // By way of the other node, too.
  const auto second = there_.presence.Attend(game_, Who(1), reader_there_);
  first.reset();
  Pass(5'000);
  EXPECT_EQ(reader_here_->told, told);
  EXPECT_THAT(here_.presence.Known(game_), ElementsAre(Who(1)));
}

TEST_F(PresenceTest, WhoStaysAwayIsGoneEverywhere) {
  const auto onlooker = there_.presence.Attend(game_, {}, reader_there_);
  auto first = here_.presence.Attend(game_, Who(1), reader_here_);
  auto again = here_.presence.Attend(game_, Who(1), reader_here_);
  const auto second = here_.presence.Attend(game_, Who(2), reader_here_);
  PollBoth();
  first.reset();
  Pass(5'000);
  EXPECT_THAT(there_.presence.Known(game_), ElementsAre(Who(1), Who(2))) << "one of two streams";
  again.reset();
  Pass(Presence::kLingerMs + 2 * Presence::kPollMs);
  EXPECT_THAT(here_.presence.Known(game_), ElementsAre(Who(2)));
  EXPECT_THAT(there_.presence.Known(game_), ElementsAre(Who(2)));
  EXPECT_EQ(table_.rows.size(), 1U);
}

TEST_F(PresenceTest, ADeadNodesPlayersAreGoneAndItsRowsAreSwept) {
  const auto onlooker = there_.presence.Attend(game_, {}, reader_there_);
  const auto first = here_.presence.Attend(game_, Who(1), reader_here_);
  PollBoth();
  table_.dead.insert("here");
  there_.presence.Poll();
  EXPECT_THAT(there_.presence.Known(game_), IsEmpty());
  EXPECT_EQ(reader_there_->told, 2);
  clock_.Advance(Presence::kSweepEveryMs * 1'000);
  there_.presence.Poll();
  EXPECT_THAT(table_.rows, IsEmpty());
}

TEST_F(PresenceTest, ADatabaseThatForgotIsToldAgain) {
  const auto onlooker = there_.presence.Attend(game_, {}, reader_there_);
  const auto first = here_.presence.Attend(game_, Who(1), reader_here_);
  PollBoth();
  table_.rows.clear();
  Pass(3'000);
  EXPECT_THAT(there_.presence.Known(game_), ElementsAre(Who(1)));
  EXPECT_EQ(reader_here_->told, 1) << "here nobody was ever gone";
}

TEST_F(PresenceTest, WhatCouldNotBeWrittenIsWrittenLater) {
  const auto onlooker = there_.presence.Attend(game_, {}, reader_there_);
  auto first = here_.presence.Attend(game_, Who(1), reader_here_);
  PollBoth();
  table_.away = true;
  const auto second = here_.presence.Attend(game_, Who(2), reader_here_);
  first.reset();
  Pass(5'000);
  EXPECT_THAT(there_.presence.Known(game_), ElementsAre(Who(1))) << "as it was last known";
  EXPECT_TRUE(absl::IsUnavailable(there_.presence.Of(other_game_).status()));
  table_.away = false;
  Pass(2'000);
  EXPECT_THAT(there_.presence.Known(game_), ElementsAre(Who(2)));
}

}  // namespace
}  // namespace astragal::tests
