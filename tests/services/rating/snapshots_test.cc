// Snapshots of lists on a real PostgreSQL.
#include "tests/services/rating/ratings_fixture.h"

namespace astragal::core {
namespace {

// Midnight UTC of 2026-10-30.
constexpr int64_t kOctober30 = 1'793'318'400'000'000;

class SnapshotsTest : public RatingsTest {
 protected:
  // Players with these ratings, all of them in the list.
  std::vector<PlayerId> Listed(const std::vector<double>& ratings) {
    const auto players = NewPlayers(ratings.size());
    FinishAndRate({{players[0], players[1]}});
    for (size_t i = 0; i < players.size(); ++i) {
      storage::ListedStanding entry;
      entry.standing.player = players[i];
      entry.standing.pinned = true;
      entry.standing.rating = ratings[i];
      entry.standing.deviation = 50;
      entry.standing.volatility = 0.04;
      entry.standing.matches = 30;
      entry.standing.opponents = 10;
      entry.standing.last_at = clock_.Now();
      entry.lower_bound = ratings[i] - 50;
      entry.listed = true;
      EXPECT_TRUE(store_.Pin(Pool(), entry, {}).value());
    }
    return players;
  }

  std::vector<std::string> Days() {
    std::vector<std::string> days;
    const auto snapshots = store_.Snapshots(Pool().number).value();
    for (const storage::Snapshot& snapshot : snapshots) {
      days.push_back(snapshot.day + (snapshot.official ? " official" : ""));
    }
    return days;
  }
};

TEST_F(SnapshotsTest, ASnapshotIsTheListOfItsDayWhateverComesLater) {
  const auto players = Listed({1600, 1700, 1500});
  const int32_t pool = Pool().number;
  ASSERT_TRUE(store_.TakeSnapshot(pool, "2026-11-01", clock_.Now()).ok());
  Change(
      "UPDATE ratings SET rating = rating + 500, lower_bound = lower_bound + 500, listed = "
      "rating < 1650");
  ASSERT_TRUE(store_.TakeSnapshot(pool, "2026-11-01", clock_.Now()).ok());

  const auto rows = store_.SnapshotRows(pool, "2026-11-01", 0, 10).value();
  ASSERT_EQ(rows.size(), 3u) << "the first of a day stays";
  EXPECT_EQ(rows[0].standing.player, players[1]);
  EXPECT_EQ(rows[0].standing.rating, 1700);
  EXPECT_EQ(rows[0].lower_bound, 1650);
  EXPECT_EQ(rows[2].standing.player, players[2]);
  EXPECT_EQ(store_.SnapshotRows(pool, "2026-11-01", 1, 1).value()[0].standing.player, players[0]);
  EXPECT_EQ(store_.RankIn(pool, "2026-11-01", players[2]).value(), 3);
  EXPECT_EQ(store_.RankIn(pool, "2026-11-01", NewPlayer()).value(), std::nullopt);
  const auto snapshot = store_.Snapshots(pool).value().at(0);
  EXPECT_EQ(snapshot.players, 3);
  EXPECT_EQ(snapshot.taken_at.micros, clock_.Now().micros);
}

TEST_F(SnapshotsTest, PlayersAreFoundInAListAsTheyWereInIt) {
  const auto players = Listed({1600, 1700, 1500});
  const int32_t pool = Pool().number;
  ASSERT_TRUE(store_.TakeSnapshot(pool, "2026-11-01", clock_.Now()).ok());
  Change("UPDATE ratings SET rating = rating + 500");
  const std::vector<PlayerId> asked = {players[2], NewPlayer(), players[0]};
  const auto rows = store_.SnapshotOf(pool, "2026-11-01", asked).value();
  std::map<PlayerId, double> found;
  for (const auto& one : rows) found[one.standing.player] = one.standing.rating;
  EXPECT_EQ(found, (std::map<PlayerId, double>{{players[0], 1600}, {players[2], 1500}}));
  EXPECT_TRUE(store_.SnapshotOf(pool, "2026-11-02", asked).value().empty());
}

TEST(SnapshotNames, MeanADayOrTheLatestOrTheOfficialOne) {
  const storage::Snapshot official{"2026-11-01", {}, 3, true};
  const storage::Snapshot other{"2026-11-02", {}, 3, false};
  EXPECT_TRUE(storage::IsNamed(official, "official"));
  EXPECT_FALSE(storage::IsNamed(other, "official"));
  EXPECT_TRUE(storage::IsNamed(other, "latest"));
  EXPECT_TRUE(storage::IsNamed(other, "2026-11-02"));
  EXPECT_FALSE(storage::IsNamed(other, "2026-11-01"));
}

TEST_F(SnapshotsTest, OneIsTakenEachDayAndTheFirstOfAMonthStays) {
  clock_.Advance(kOctober30 - kStart + 1'000'000);
  Listed({1600, 1700, 1500});
  Change("UPDATE rating_pools SET refreshed_at = 0");
  for (int day = 0; day < 12; ++day) {
    ASSERT_TRUE(ratings_.RefreshLists().ok());
    ASSERT_TRUE(ratings_.RefreshLists().ok());
    clock_.Advance(kDay);
  }
  // Until November 10; of seven days before it.
  EXPECT_THAT(Days(), testing::ElementsAre("2026-11-10", "2026-11-09", "2026-11-08", "2026-11-07",
                                           "2026-11-06", "2026-11-05", "2026-11-04",
                                           "2026-11-01 official", "2026-10-30 official"));
  EXPECT_EQ(Count("(SELECT DISTINCT day FROM rating_snapshot_rows) AS d"), 9)
      << "rows go with their snapshot";
}

}  // namespace
}  // namespace astragal::core
