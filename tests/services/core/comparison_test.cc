// Two builds of one rules version side by side over a stored game: whatever a player would see
// differ is named, with the first event after which it does; bytes alone are no difference.
#include <functional>

#include "services/core/verification.h"
#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using storage::EventKind;
using storage::EventRecord;
using testing::HasSubstr;
using testing::Not;

// The race as it stands after an event, told from the log alone.
struct Seen {
  int at[2] = {0, 0};
  int taken = 0;  // actions of the turn
  bool thrown = false;
  bool over = false;

  void Take(const EventRecord& event) {
    if (event.kind == EventKind::kThrow) {
      thrown = true;
      taken = 0;
    } else if (event.kind == EventKind::kAction) {
      int& runner = at[event.seat];
      runner += static_cast<int>(event.number);
      over = runner >= 12;
      thrown = ++taken < 2 && !over;
    }
  }
};

class ComparisonTest : public CoreTest {
 protected:
  // A game of single steps, to its end.
  GameId Played() {
    const GameId id = Started();
    for (uint64_t request = 10; StateOf(id)->status == storage::GameStatus::kRunning; ++request) {
      EXPECT_TRUE(PlayTurn(*a_, id, request).ok());
    }
    return id;
  }
  // The first event after which this is so; 0: none.
  uint32_t First(GameId id, const std::function<bool(const Seen&)>& is_so) {
    Seen seen;
    for (const EventRecord& event : store_.Log(id)) {
      seen.Take(event);
      if (is_so(seen)) return event.sequence;
    }
    return 0;
  }
  core::Comparison Compare(GameId id, const std::shared_ptr<const host::Ruleset>& other) {
    const auto found = core::CompareRules(a_->games.world(), id, catalog_->Find("race"), other);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.value_or(core::Comparison{});
  }
};

TEST_F(ComparisonTest, NamesWhatIsOtherwiseAndSinceWhen) {
  const GameId id = Played();
  const struct {
    Oddness oddness;
    const char* what;
    std::function<bool(const Seen&)> since;
    const char* own;
    const char* other;
  } cases[] = {
      {Oddness::kActor, "actor",
       [](const Seen& seen) { return seen.thrown && seen.at[0] + seen.at[1] >= 3; }, "", ""},
      {Oddness::kLegal, "legal actions",
       [](const Seen& seen) { return seen.thrown && seen.taken == 1; }, "rest walk 1", "walk 1"},
      {Oddness::kResult, "result", [](const Seen& seen) { return seen.over; }, "1:2", "1:3"},
      {Oddness::kText, "text", [](const Seen& seen) { return seen.at[0] >= 2; }, "r ..o",
       "r is tired"},
      {Oddness::kApply, "refused",
       [](const Seen& seen) { return seen.at[0] == 6 || seen.at[1] == 6; }, "walk 1", "enough"},
  };
  for (const auto& [oddness, what, since, own, other] : cases) {
    SCOPED_TRACE(what);
    const core::Comparison found = Compare(id, MakeOddRace(oddness));
    EXPECT_EQ(found.what, what);
    EXPECT_EQ(found.sequence, First(id, since));
    EXPECT_EQ(found.events + 1, found.sequence) << "all before it were compared";
    EXPECT_THAT(found.one, HasSubstr(own));
    EXPECT_THAT(found.other, HasSubstr(other));
    EXPECT_NE(found.one, found.other);
  }
  EXPECT_THAT(Compare(id, MakeOddRace(Oddness::kLegal)).other, Not(HasSubstr("rest")));
}

TEST_F(ComparisonTest, OtherBytesOfTheSameRulesAreNoDifference) {
  const GameId id = Played();
  const auto other = MakeOddRace(Oddness::kBytes);
  const std::vector<int64_t> options = store_.Load(id)->facts.options;
  EXPECT_NE(other->Start(options)->bytes(), catalog_->Find("race")->Start(options)->bytes());
  const core::Comparison found = Compare(id, other);
  EXPECT_EQ(found.what, "") << found.one << " / " << found.other;
  EXPECT_EQ(found.sequence, 0u);
  EXPECT_EQ(found.events, store_.Log(id).size());
}

}  // namespace
}  // namespace astragal::tests
