// Tournaments that are hurt: a service that is killed at every step, and results, overrides and
// withdrawals that arrive at once.
#include "tests/e2e/tournament.h"

#include <gmock/gmock.h>

#include <atomic>
#include <mutex>

#include "tests/faults/scale.h"

namespace astragal::e2e {
namespace {

using faults::Scaled;

// One for both tests, so that the whole costs one start.
Service& OwnService() {
  static Service* const own = [] {
    static Service service;
    service.Start();
    return &service;
  }();
  return *own;
}

class TournamentFaults : public TournamentCalls {
 protected:
  TournamentFaults() : TournamentCalls(OwnService()) {}

  // Everything that anybody can see of it.
  std::string Picture() {
    std::string picture = Get().DebugString() + Standings().DebugString();
    const int rounds = Get().rounds_published();
    for (int round = 1; round <= rounds; ++round) picture += GetRound(round).DebugString();
    v1::ListTournamentEventsRequest log;
    log.set_tournament_id(id_);
    log.set_page_size(1'000);
    picture += Caller(director_).Call(&Tournaments::ListTournamentEvents, log)->DebugString();
    return picture;
  }
  void KillAndCompare(const std::string& where) {
    const std::string before = Picture();
    service_.Kill();
    service_.Start();
    EXPECT_EQ(Picture(), before) << where;
  }
  v1::TournamentTerms Manual(int rounds) {
    v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 0);
    terms.set_manual(true);
    terms.set_rounds(rounds);
    return terms;
  }
};

TEST_F(TournamentFaults, AServiceKilledAtAnyStepGoesOnWhereItWas) {
  const int rounds = Scaled(1, 5);
  NewPlayers(7);
  Create(Manual(rounds));
  RegisterAll();
  ASSERT_TRUE(Direct(&Directors::StartTournament).ok());
  std::map<std::string, std::string> game_of;
  for (int round = 1; round <= rounds; ++round) {
    const auto drafted = Direct(&Directors::DraftRound);
    ASSERT_TRUE(drafted.ok()) << drafted.status.error_message();
    KillAndCompare("drafted");
    ASSERT_TRUE(Direct(&Directors::PublishRound).ok());
    // Matches begin now, and perhaps not all of them have.
    service_.Kill();
    service_.Start();
    const v1::GetRoundResponse published = GetRound(round);
    for (const v1::Pairing& pairing : published.pairings()) {
      if (pairing.sides_size() < 2) continue;
      const std::string game = GameOf(pairing);
      ASSERT_FALSE(game.empty());
      EXPECT_EQ(game_of.emplace(pairing.match_id(), game).first->second, game);
      Play(pairing);
    }
    // Whatever of the results is in: none is lost, and none comes twice.
    service_.Kill();
    service_.Start();
    ASSERT_TRUE(Await([&](const v1::Tournament& now) { return now.rounds_closed() >= round; }));
    KillAndCompare("closed");
    const v1::GetRoundResponse after = GetRound(round);
    for (const v1::Pairing& pairing : after.pairings()) {
      if (pairing.sides_size() < 2) continue;
      EXPECT_EQ(game_of[pairing.match_id()], GameOf(pairing)) << "one game for a pairing";
      const bool first = pairing.sides(0).number() < pairing.sides(1).number();
      EXPECT_EQ(pairing.sides(first ? 0 : 1).result(), v1::PAIRING_RESULT_WIN);
    }
  }
  const auto finished = Direct(&Directors::FinishTournament);
  ASSERT_TRUE(finished.ok()) << finished.status.error_message();
}

// A result for every board arrives while the director overrides some and withdraws players, all at
// once and each by the version that was seen last.
TEST_F(TournamentFaults, NothingIsLostWhileEverybodyWritesAtOnce) {
  const int players = Scaled(24, 400);
  NewPlayers(players);
  Create(Manual(3));
  RegisterAll();
  ASSERT_TRUE(Direct(&Directors::StartTournament).ok());
  ASSERT_TRUE(Direct(&Directors::DraftRound).ok());
  ASSERT_TRUE(Direct(&Directors::PublishRound).ok());
  const v1::GetRoundResponse round = GetRound(1);
  for (const v1::Pairing& pairing : round.pairings()) ASSERT_FALSE(GameOf(pairing).empty());

  std::mutex mutex;
  std::map<uint32_t, bool> overridden;  // boards; whether the second one wins
  std::vector<std::string> withdrawn;
  std::atomic<int> stale = 0;
  const auto count_stale = [&stale](const grpc::Status& status) {
    if (status.ok()) return;
    EXPECT_EQ(ProblemOf(status).reason, "STALE_VERSION") << status.error_message();
    ++stale;
  };
  std::vector<std::thread> threads;
  const int half = round.pairings_size() / 2;
  for (int part = 0; part < 4; ++part) {
    threads.emplace_back([&, part] {
      for (int i = part; i < round.pairings_size(); i += 4) Play(round.pairings(i));
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < half; ++i) {
      v1::OverrideResultRequest request;
      *request.mutable_header() = Header("a race");
      request.mutable_header()->set_expected_version(Get().version());
      request.set_round(1);
      request.set_board(round.pairings(i).board());
      request.set_first(v1::PAIRING_RESULT_LOSS);
      request.set_second(v1::PAIRING_RESULT_WIN);
      const auto done = Direct(&Directors::OverrideResult, request);
      count_stale(done.status);
      const std::lock_guard lock(mutex);
      if (done.ok()) overridden[request.board()] = true;
    }
  });
  threads.emplace_back([&] {
    for (int i = 0; i < half; ++i) {
      v1::WithdrawPlayerRequest request;
      *request.mutable_header() = Header("a race");
      request.mutable_header()->set_expected_version(Get().version());
      request.set_player_id(round.pairings(half + i).sides(0).player_id());
      const auto done = Direct(&Directors::WithdrawPlayer, request);
      count_stale(done.status);
      const std::lock_guard lock(mutex);
      if (done.ok()) withdrawn.push_back(request.player_id());
    }
  });
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(Await([](const v1::Tournament& now) { return now.rounds_closed() == 1; }));
  RecordProperty("stale", stale);

  const v1::GetRoundResponse after = GetRound(1);
  for (const v1::Pairing& pairing : after.pairings()) {
    const bool turned = overridden.contains(pairing.board());
    EXPECT_EQ(pairing.overridden(), turned) << pairing.board();
    const bool first = pairing.sides(0).number() < pairing.sides(1).number() && !turned;
    EXPECT_EQ(pairing.sides(0).result(), first ? v1::PAIRING_RESULT_WIN : v1::PAIRING_RESULT_LOSS)
        << pairing.board();
  }
  v1::ListEntrantsRequest list;
  list.set_tournament_id(id_);
  list.set_page_size(1'000);
  const auto entrants = Caller(director_).Call(&Tournaments::ListEntrants, list);
  std::vector<std::string> out;
  for (const v1::Entrant& entrant : entrants->entrants()) {
    if (entrant.status() == v1::ENTRANT_STATUS_WITHDRAWN) out.push_back(entrant.player_id());
  }
  EXPECT_THAT(out, testing::UnorderedElementsAreArray(withdrawn));
}

}  // namespace
}  // namespace astragal::e2e
