// One tournament and two nodes of one database: one of them is stopped in the middle of whatever it
// does, wakes up late, and is killed; no round begins twice and no pairing has two games.
#include <gtest/gtest.h>
#include <signal.h>

#include <map>

#include "tests/e2e/tournament.h"
#include "tests/faults/scale.h"

namespace astragal::e2e {
namespace {

using faults::Scaled;

Service& FirstNode() {
  static Service* const node = [] {
    static Service service;
    service.Start();
    return &service;
  }();
  return *node;
}

class TournamentNodes : public TournamentCalls {
 protected:
  TournamentNodes() : TournamentCalls(FirstNode()) {}

  void SetUp() override { other_.Start(); }
  // How often each kind of entry is in the log.
  std::map<std::string, int> Counted() {
    v1::ListTournamentEventsRequest log;
    log.set_tournament_id(id_);
    log.set_page_size(1'000);
    std::map<std::string, int> counted;
    const auto events = Caller(director_).Call(&Tournaments::ListTournamentEvents, log);
    for (const v1::TournamentEvent& event : events->events()) ++counted[event.kind()];
    return counted;
  }

  Service other_{FirstNode().database_url(), FirstNode().key_file()};
};

TEST_F(TournamentNodes, NoRoundBeginsTwiceWhenNodesStopAndAreKilled) {
  const int rounds = Scaled(2, 6);
  NewPlayers(8);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 8);
  terms.set_rounds(rounds);
  Create(terms);
  RegisterAll();
  for (int round = 1; round <= rounds; ++round) {
    ASSERT_TRUE(AwaitRound(round)) << round;
    // Whatever it holds by now, it holds while the other one goes on.
    ASSERT_EQ(kill(other_.pid(), SIGSTOP), 0);
    PlayRound(round);
    // Another node does the work of the one that stands still, once its lease has ended.
    ASSERT_TRUE(Await([&](const v1::Tournament& now) { return now.rounds_closed() >= round; }));
    ASSERT_EQ(kill(other_.pid(), SIGCONT), 0);
    if (round % 2 != 0) continue;
    other_.Kill();
    other_.Start();
  }
  ASSERT_TRUE(AwaitStatus(v1::TOURNAMENT_STATUS_FINISHED));
  std::map<std::string, int> counted = Counted();
  EXPECT_EQ(counted["STARTED"], 1);
  EXPECT_EQ(counted["ROUND_DRAFTED"], rounds);
  EXPECT_EQ(counted["ROUND_PUBLISHED"], rounds);
  EXPECT_EQ(counted["ROUND_CLOSED"], rounds);
  EXPECT_EQ(counted["FINISHED"], 1);
  for (int round = 1; round <= rounds; ++round) {
    const v1::GetRoundResponse played = GetRound(round);
    for (const v1::Pairing& pairing : played.pairings()) {
      v1::GetMatchRequest request;
      request.set_match_id(pairing.match_id());
      const auto match = director_.client.Call(&Match::GetMatch, request);
      ASSERT_TRUE(match.ok()) << match.status.error_message();
      EXPECT_EQ(match->match().games_size(), 1) << "one game for a pairing";
    }
  }
}

}  // namespace
}  // namespace astragal::e2e
