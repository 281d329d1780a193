// What tests of matches share: the matches of two nodes over one simulated store, and games that
// are over as soon as somebody resigns.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_MATCH_FIXTURE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_MATCH_FIXTURE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugins/host/library.h"
#include "services/core/matches.h"
#include "tests/services/core/sim/core_test.h"
#include "tests/services/core/sim/simulated_match_store.h"

namespace astragal::tests {

using base::MatchId;
using core::MatchPtr;
using core::MatchStage;
using core::MatchTerms;
using storage::FirstMover;
using storage::MatchKind;
using MatchResult = absl::StatusOr<MatchPtr>;

struct MatchInbox {
  int answers = 0;
  MatchResult result = absl::UnknownError("no answer");
  core::Matches::Done Done() {
    return [this](MatchResult answer) {
      ++answers;
      result = std::move(answer);
    };
  }
};

inline MatchTerms Terms(MatchKind kind, int length,
                        std::optional<FirstMover> first = FirstMover::kRules) {
  return {kind, static_cast<uint16_t>(length), first, false, false};
}

inline std::shared_ptr<const host::Ruleset> LongNarde() {
  auto ruleset = host::OpenLibrary({"", ASTRAGAL_BUILD_DIR "/plugins/liblong_narde.so"});
  EXPECT_TRUE(ruleset.ok()) << ruleset.status();
  return *ruleset;
}

class MatchesTest : public CoreTest {
 protected:
  MatchesTest() {
    catalog_->Add(LongNarde());
    Begin();
  }
  // The matches of both nodes, which start the games that are due.
  void Begin() {
    on_a_ = std::make_unique<core::Matches>(a_->games, matches_);
    on_b_ = std::make_unique<core::Matches>(b_->games, matches_);
    a_->on_match_game_over = [this](const core::GameState& game) { on_a_->OnGameOver(game); };
    b_->on_match_game_over = [this](const core::GameState& game) { on_b_->OnGameOver(game); };
  }
  // From now on a node that ends a game dies before it starts the next one.
  void StartNothing() {
    a_->on_match_game_over = nullptr;
    b_->on_match_game_over = nullptr;
  }

  MatchResult Await(MatchInbox& inbox) {
    for (int ms = 0; ms < 500 && inbox.answers == 0; ++ms) {
      RunAll();
      clock_.Advance(1'000);
    }
    EXPECT_EQ(inbox.answers, 1);
    return inbox.result;
  }
  core::CreateGame First(const std::string& ruleset = "race", storage::ClockPolicy clock = {}) {
    core::CreateGame first;
    first.request = Request(++request_);
    first.body_hash = Body("create a match");
    first.ruleset = ruleset;
    first.players = {Player(1), Player(2)};
    first.terms.clock = clock;
    return first;
  }
  MatchResult Create(core::CreateGame first, const MatchTerms& terms) {
    MatchInbox inbox;
    on_a_->Create(std::move(first), terms, inbox.Done());
    return Await(inbox);
  }
  MatchId Created(core::CreateGame first, const MatchTerms& terms) {
    const MatchResult created = Create(std::move(first), terms);
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? (*created)->match.record.id : MatchId();
  }
  MatchPtr Now(MatchId id) {
    const MatchResult match = on_a_->Read(id, {});
    EXPECT_TRUE(match.ok()) << match.status();
    return *match;
  }
  GameId Last(MatchId id) { return Now(id)->games.back().game.id; }
  MatchResult StartNext(core::Matches& matches, MatchId id, uint32_t number) {
    MatchInbox inbox;
    matches.StartNext(Now(id), number, inbox.Done());
    return Await(inbox);
  }
  // This player resigns the last game: the other one gets the most it could be worth.
  void Resign(MatchId id, int player) { Resign(*a_, id, player); }
  void Resign(Node& node, MatchId id, int player) {
    const Result resigned = Do(node, Last(id), ResignBy(player, ++request_));
    EXPECT_TRUE(resigned.ok()) << resigned.status();
    RunAll();
  }
  template <typename What>
  void By(MatchId id, int player, What what) {
    core::Command command = JoinBy(player, ++request_);
    command.what = std::move(what);
    const Result done = Do(*a_, Last(id), std::move(command));
    EXPECT_TRUE(done.ok()) << done.status();
    RunAll();
  }
  void Agree(MatchId id, storage::OfferKind kind) {
    By(id, 1, core::MakeOffer{kind, 0});
    By(id, 2, core::AnswerOffer{true});
  }
  void LetPass(int64_t ms) {
    for (int64_t passed = 0; passed < ms; passed += 500) {
      clock_.Advance(500'000);
      RunAll();
      a_->games.Poll();
      b_->games.Poll();
      RunAll();
    }
  }
  std::vector<int64_t> Points(MatchId id) {
    std::vector<int64_t> points;
    const auto match = Now(id);
    for (const auto& player : match->score.players) points.push_back(player.points);
    return points;
  }
  // Who sits where in the last game.
  std::vector<int> Seating(MatchId id) {
    std::vector<int> players;
    const auto match = Now(id);
    for (const auto& seat : match->games.back().game.seats) {
      players.push_back(seat.player.bytes()[15]);
    }
    return players;
  }
  int Beginner(MatchId id) {
    const core::StatePtr state = StateOf(Last(id));
    return state->seats[static_cast<size_t>(state->Actor())].player.bytes()[15];
  }

  SimulatedMatchStore matches_{store_};
  std::unique_ptr<core::Matches> on_a_;
  std::unique_ptr<core::Matches> on_b_;
  uint64_t request_ = 0;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_MATCH_FIXTURE_H_
