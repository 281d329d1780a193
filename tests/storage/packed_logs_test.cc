// PgPackedLogs against its contract: which games are to be packed, that events go only when their
// log has come, and the way to an archive and back.
#include "storage/packed_logs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/base/status.h"
#include "storage/failures.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class PackedLogsTest : public testing::Test {
 protected:
  // A game of three events, the last of which ends it if `over`.
  base::GameId Made(bool over) {
    const GameCommit created = make_.Create();
    GameCommit last = make_.Play(created.head.id, created.head.sequence);
    if (over) {
      last.head.status = GameStatus::kFinished;
      last.head.ending = Ending::kPlayed;
    }
    EXPECT_EQ(open_->games().Commit({created}).value().outcomes[0], CommitOutcome::kCommitted);
    EXPECT_EQ(open_->games().Commit({last}).value().outcomes[0], CommitOutcome::kCommitted);
    return created.head.id;
  }
  size_t Events(base::GameId id) { return open_->games().Events(id, 0, 10).value().size(); }

  tests::TestDatabase database_;
  std::unique_ptr<Database> open_ = database_.Open();
  PgPackedLogs logs_{open_->pool()};
  tests::GameMaker make_;
  // GameMaker's games end in 2023; this is long after.
  const base::Instant later_{2'000'000'000'000'000};
  const std::string bytes_ = std::string("packed\0\x80'\\", 10);
};

TEST_F(PackedLogsTest, GamesThatHaveEndedArePackedOnce) {
  const base::GameId first = Made(true);
  const base::GameId running = Made(false);
  const base::GameId second = Made(true);
  EXPECT_THAT(logs_.Unpacked({}, later_, 10).value(), ElementsAre(first, second));
  EXPECT_THAT(logs_.Unpacked(first, later_, 10).value(), ElementsAre(second));
  EXPECT_THAT(logs_.Unpacked({}, later_, 1).value(), ElementsAre(first));
  EXPECT_THAT(logs_.Unpacked({}, {1'600'000'000'000'000}, 10).value(), IsEmpty());
  EXPECT_FALSE(logs_.Read(first).value());

  EXPECT_FALSE(logs_.Pack(running, 3, bytes_).value());
  EXPECT_FALSE(logs_.Pack(first, 2, bytes_).value()) << "another end";
  EXPECT_EQ(Events(first), 3U);
  EXPECT_TRUE(logs_.Pack(first, 3, bytes_).value());
  EXPECT_FALSE(logs_.Pack(first, 3, "other").value());
  EXPECT_EQ(Events(first), 0U);
  EXPECT_EQ(Events(second), 3U);
  EXPECT_EQ(logs_.Read(first).value()->bytes, bytes_);
  EXPECT_EQ(logs_.Read(first).value()->archive, "");
  EXPECT_THAT(logs_.Unpacked({}, later_, 10).value(), ElementsAre(second));
  // What the game is stands.
  EXPECT_EQ(open_->games().Load(first).value().head.sequence, 3U);
}

TEST_F(PackedLogsTest, EventsOfOtherGamesCannotBeDeleted) {
  const base::GameId first = Made(true);
  Made(true);
  ASSERT_TRUE(logs_.Pack(first, 3, bytes_).value());
  auto connection = database_.Connect();
  for (const char* sql : {"DELETE FROM events", "UPDATE events SET number = 1"}) {
    EXPECT_EQ(SqlStateOf(connection->Script(sql).status()), "23001") << sql;
  }
}

TEST_F(PackedLogsTest, LogsGoToAnArchiveAndComeBack) {
  const base::GameId packed = Made(true);
  const base::GameId plain = Made(true);
  ASSERT_TRUE(logs_.Pack(packed, 3, bytes_).value());
  EXPECT_FALSE(logs_.Restore(packed, bytes_).value()) << "it is here";
  EXPECT_EQ(logs_.Archive({packed, plain}, "2023.rgl").value(), 1U);
  EXPECT_EQ(logs_.Archive({packed}, "other.rgl").value(), 0U);
  EXPECT_EQ(logs_.Read(packed).value()->bytes, "");
  EXPECT_EQ(logs_.Read(packed).value()->archive, "2023.rgl");
  EXPECT_EQ(Events(plain), 3U);
  EXPECT_TRUE(logs_.Restore(packed, bytes_).value());
  EXPECT_EQ(logs_.Read(packed).value()->bytes, bytes_);
}

}  // namespace
}  // namespace astragal::storage
