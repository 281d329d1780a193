// Matches: written with their first game, read by themselves.
#include "storage/match_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

using testing::ElementsAre;

class MatchStoreTest : public testing::Test {
 protected:
  std::vector<CommitOutcome> Commit(const std::vector<GameCommit>& batch) {
    absl::StatusOr<CommitReport> report = store_.Commit(batch);
    EXPECT_TRUE(report.ok()) << report.status();
    if (!report.ok()) return {};
    return report->outcomes;
  }

  tests::TestDatabase database_;
  std::unique_ptr<Database> open_ = database_.Open();
  GameStore& store_ = open_->games();
  MatchStore& matches_ = open_->matches();
  tests::GameMaker make_;
};

TEST_F(MatchStoreTest, AMatchBeginsWithItsFirstGame) {
  GameCommit created = make_.Create();
  MatchRecord match{make_.NewId<base::MatchId>(),
                    MatchKind::kPoints,
                    5,
                    FirstMover::kWinner,
                    true,
                    true,
                    {make_.NewId<base::PlayerId>(), make_.NewId<base::PlayerId>()},
                    created.create->created_by,
                    created.create->created_at};
  created.match = match;
  created.create->terms.match = match.id;
  created.create->terms.match_game = 1;
  ASSERT_THAT(Commit({created}), ElementsAre(CommitOutcome::kCommitted));
  const StoredMatch stored = matches_.GetMatch(match.id).value();
  EXPECT_EQ(stored.record, match);
  EXPECT_EQ(stored.ruleset, "long_narde");
  EXPECT_EQ(stored.rules_version, 3u);
  EXPECT_EQ(stored.visibility, Visibility::kPublic);
  // Each of its games is created once, by whoever asks.
  GameCommit again = make_.Create();
  again.create->terms = created.create->terms;
  EXPECT_THAT(Commit({again}), ElementsAre(CommitOutcome::kDuplicateRequest));
  EXPECT_TRUE(absl::IsNotFound(store_.Load(again.head.id).status()));
}

TEST_F(MatchStoreTest, GamesOfMatchesComeInOrder) {
  const base::MatchId first = make_.NewId<base::MatchId>();
  const base::MatchId second = make_.NewId<base::MatchId>();
  // Created in another order than that of their numbers.
  const std::vector<std::pair<base::MatchId, int>> order = {
      {second, 1}, {first, 2}, {first, 1}, {first, 3}, {second, 2}};
  for (const auto& [match, number] : order) {
    GameCommit created = make_.Create();
    created.create->terms.match = match;
    created.create->terms.match_game = static_cast<uint16_t>(number);
    ASSERT_THAT(Commit({created}), ElementsAre(CommitOutcome::kCommitted));
    const std::vector<MatchGame> games = matches_.GamesOf({match}).value();
    const auto found = std::ranges::find(games, created.head.id,
                                         [](const MatchGame& game) { return game.game.id; });
    ASSERT_NE(found, games.end());
    EXPECT_EQ(found->number, number);
    EXPECT_EQ(found->game.seats, created.seats);
    EXPECT_EQ(found->game.status, GameStatus::kOpen);
  }
  std::vector<std::pair<base::MatchId, int>> listed;
  const std::vector<MatchGame> games = matches_.GamesOf({second, first}).value();
  for (const MatchGame& game : games) {
    listed.emplace_back(game.match, game.number);
  }
  EXPECT_THAT(listed, ElementsAre(std::pair(first, 1), std::pair(first, 2), std::pair(first, 3),
                                  std::pair(second, 1), std::pair(second, 2)));
  EXPECT_TRUE(matches_.GamesOf({make_.NewId<base::MatchId>()}).value().empty());
  EXPECT_TRUE(matches_.GamesOf({}).value().empty());
}

TEST_F(MatchStoreTest, MatchesOfAPlayerNewestFirstInPages) {
  const base::PlayerId player = make_.NewId<base::PlayerId>();
  std::vector<base::MatchId> ids;
  for (int i = 0; i < 4; ++i) {
    GameCommit created = make_.Create();
    MatchRecord match;
    match.id = make_.NewId<base::MatchId>();
    match.players = {make_.NewId<base::PlayerId>(), make_.NewId<base::PlayerId>()};
    match.players[static_cast<size_t>(i % 2)] = player;
    created.match = match;
    created.create->terms.match = match.id;
    created.create->terms.match_game = 1;
    if (i == 2) created.create->terms.visibility = Visibility::kPrivate;
    ASSERT_THAT(Commit({created}), ElementsAre(CommitOutcome::kCommitted));
    ids.push_back(match.id);
  }
  const auto listed = [&](bool with_hidden, base::MatchId before, size_t limit) {
    std::vector<base::MatchId> found;
    const auto page = matches_.ListMatches(player, with_hidden, before, limit).value();
    for (const StoredMatch& match : page) found.push_back(match.record.id);
    return found;
  };
  EXPECT_THAT(listed(true, {}, 10), ElementsAre(ids[3], ids[2], ids[1], ids[0]));
  EXPECT_THAT(listed(false, {}, 10), ElementsAre(ids[3], ids[1], ids[0]));
  EXPECT_THAT(listed(true, {}, 2), ElementsAre(ids[3], ids[2]));
  EXPECT_THAT(listed(true, ids[2], 2), ElementsAre(ids[1], ids[0]));
  EXPECT_TRUE(absl::IsNotFound(matches_.GetMatch(make_.NewId<base::MatchId>()).status()));
}

}  // namespace
}  // namespace astragal::storage
