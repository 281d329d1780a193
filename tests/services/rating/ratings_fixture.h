// What the tests of rating share: players and games on a real PostgreSQL, as rating sees them.
#ifndef ASTRAGAL_TESTS_SERVICES_RATING_RATINGS_FIXTURE_H_
#define ASTRAGAL_TESTS_SERVICES_RATING_RATINGS_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "plugins/host/library.h"
#include "services/base/status.h"
#include "services/core/ratings.h"
#include "storage/pg_rating_store.h"
#include "storage/rating_queries.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::core {
using base::PlayerId;
using storage::Ending;
using storage::PoolRecord;
using storage::StandingRecord;

inline constexpr int64_t kDay = Ratings::kDayMicros;
inline constexpr int64_t kStart = 1'700'000'000'000'000;
inline constexpr char kPool[] = "long_narde/2/standard/human";

inline std::shared_ptr<const host::Ruleset> Library(const std::string& name) {
  auto library = host::OpenLibrary({"", ASTRAGAL_BUILD_DIR "/plugins/lib" + name + ".so"});
  EXPECT_TRUE(library.ok()) << library.status();
  return *library;
}

inline std::vector<int64_t> DefaultsOf(const host::About& about) {
  std::vector<int64_t> options;
  for (const host::Option& option : about.options) options.push_back(option.default_value);
  return options;
}

inline std::vector<MatchCorrection> Fix(base::MatchId match, bool annul,
                                        std::vector<int32_t> places, const std::string& reason) {
  return {{match, annul, std::move(places), reason}};
}

// A service with players and games, as rating sees them. Times are of a clock moved by hand.
class RatingsTest : public testing::Test {
 protected:
  RatingsTest()
      : long_narde_(Library("long_narde")),
        catalog_(host::CatalogOptions{}),
        clock_(base::Instant{kStart}),
        open_(database_.Open()),
        store_(open_->pool()),
        ratings_(store_, catalog_, clock_, {}) {
    catalog_.Add(long_narde_);
  }

  PlayerId NewPlayer(bool bot = false) {
    const auto id = make_.NewId<PlayerId>();
    const std::string sql = "INSERT INTO players (id, name, bot, version, created_at) VALUES ('" +
                            storage::UuidText(id.bytes()) + "', 'p" + std::to_string(++named_) +
                            "', " + (bot ? "true" : "false") + ", 1, 0)";
    EXPECT_TRUE(database_.Connect()->Script(sql).ok());
    return id;
  }
  std::vector<PlayerId> NewPlayers(size_t count) {
    std::vector<PlayerId> players;
    while (players.size() < count) players.push_back(NewPlayer());
    return players;
  }

  struct Result {
    PlayerId first;
    PlayerId second;
    int winner = 0;  // seat; -1: a draw
    bool rated = true;
    Ending ending = Ending::kPlayed;
    int actions = 20;
    PlayerId ended_by = {};  // whose command it was, of one event
  };

  // Games that end in one commit, as the commit queue stores them. Their ids.
  std::vector<base::GameId> Finish(const std::vector<Result>& results) {
    std::vector<storage::GameCommit> begun;
    std::vector<storage::GameCommit> ended;
    for (const Result& result : results) {
      storage::GameCommit commit = make_.Create(result.first, make_.NewRequest());
      commit.create->rules_version = long_narde_->about().rules_version;
      commit.create->options = DefaultsOf(long_narde_->about());
      commit.create->terms.rated = result.rated;
      commit.create->terms.clock = {storage::ClockKind::kDelay, 840'000, 8'000};
      commit.seats[1].player = result.second;
      commit.events[1].kind = storage::EventKind::kSeated;
      const base::GameId game = commit.create->id;
      storage::GameCommit end = make_.Play(game, 2);
      for (int i = 1; i < result.actions; ++i) {
        end.events.push_back(make_.Event(game, static_cast<uint32_t>(3 + i)));
      }
      if (result.actions == 0) end.events[0].kind = storage::EventKind::kThrow;
      end.head.sequence = end.events.back().sequence;
      end.head.status = storage::GameStatus::kFinished;
      end.head.ending = result.ending;
      end.head.updated_at = clock_.Now();
      if (!result.ended_by.is_nil()) end.events.back().request->player = result.ended_by;
      if (!storage::HasResult(result.ending)) {
        end.head.status = storage::GameStatus::kAborted;
        end.head.position = waiting_position_;
      }
      end.seats = {{0, result.first, result.winner <= 0 ? 1 : 2, 0},
                   {1, result.second, result.winner == 0 ? 2 : 1, 0}};
      begun.push_back(std::move(commit));
      ended.push_back(std::move(end));
    }
    std::vector<base::GameId> games;
    for (const auto& batch : {begun, ended}) {
      const auto report = open_->games().Commit(batch);
      EXPECT_TRUE(report.ok()) << report.status();
      for (const storage::CommitOutcome outcome : report->outcomes) {
        EXPECT_EQ(outcome, storage::CommitOutcome::kCommitted);
      }
    }
    for (const storage::GameCommit& commit : begun) games.push_back(commit.create->id);
    return games;
  }

  std::vector<base::GameId> FinishAndRate(const std::vector<Result>& results) {
    const std::vector<base::GameId> games = Finish(results);
    const auto rated = std::ranges::count(results, true, &Result::rated);
    EXPECT_EQ(ratings_.Round().value(), static_cast<size_t>(rated));
    return games;
  }

  // A game a day of random players.
  std::vector<base::GameId> PlayDays(const std::vector<PlayerId>& players, int days,
                                     uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<base::GameId> games;
    for (int day = 0; day < days; ++day) {
      clock_.Advance(kDay);
      const size_t one = random() % players.size();
      const size_t other = (one + 1 + random() % (players.size() - 1)) % players.size();
      const int winner = static_cast<int>(random() % 5) % 3 - 1;
      games.push_back(FinishAndRate({{players[one], players[other], winner}})[0]);
    }
    return games;
  }

  PoolRecord Pool() { return store_.GetPool(kPool).value(); }

  std::map<PlayerId, StandingRecord> AllStandings() {
    std::map<PlayerId, StandingRecord> standings;
    const auto all = store_.AllStandings(Pool().number, {}, 10'000);
    for (const auto& listed : *all) {
      standings[listed.standing.player] = listed.standing;
    }
    return standings;
  }

  StandingRecord StandingOf(PlayerId player) {
    const auto found = store_.Standings(Pool().number, {player}).value();
    return found.empty() ? StandingRecord() : found[0].standing;
  }

  Recomputation Check() { return ratings_.Recompute(Pool(), {}, Ratings::Write::kNever).value(); }

  void ExpectSound() {
    const Recomputation check = Check();
    EXPECT_THAT(check.differences, testing::IsEmpty());
    EXPECT_EQ(check.matches, Pool().next_order - 1);
  }

  int64_t Count(const std::string& from) {
    return database_.Connect()->Script("SELECT count(*) FROM " + from)->Int(0, 0);
  }

  void Change(const std::string& sql) {
    const auto changed = database_.Connect()->Script(sql);
    ASSERT_TRUE(changed.ok()) << changed.status();
  }

  tests::GameMaker make_;
  const std::shared_ptr<const host::Ruleset> long_narde_;
  host::Catalog catalog_;
  base::ManualClock clock_;
  tests::TestDatabase database_;
  const std::unique_ptr<storage::Database> open_;
  storage::PgRatingStore store_;
  Ratings ratings_;
  int named_ = 0;
  std::string waiting_position_ = "none";  // of games that end without a result
};

}  // namespace astragal::core

#endif  // ASTRAGAL_TESTS_SERVICES_RATING_RATINGS_FIXTURE_H_
