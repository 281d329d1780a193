// Tournaments over the wire, for tests: who calls, and what players and directors do.
#ifndef ASTRAGAL_TESTS_E2E_TOURNAMENT_H_
#define ASTRAGAL_TESTS_E2E_TOURNAMENT_H_

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "astragal/v1/tournament_director_service.grpc.pb.h"
#include "astragal/v1/tournament_service.grpc.pb.h"
#include "tests/e2e/game.h"

namespace astragal::e2e {

using Tournaments = v1::TournamentService::Stub;
using Directors = v1::TournamentDirectorService::Stub;

// One person's calls of the two services.
class Caller {
 public:
  explicit Caller(const Person& person)
      : client_(person.client),
        tournaments_(v1::TournamentService::NewStub(person.client.channel())),
        directors_(v1::TournamentDirectorService::NewStub(person.client.channel())) {}

  template <typename Request, typename Response>
  Answer<Response> Call(grpc::Status (Tournaments::*method)(grpc::ClientContext*, const Request&,
                                                            Response*),
                        const Request& request) const {
    return Run(*tournaments_, method, request);
  }
  template <typename Request, typename Response>
  Answer<Response> Call(grpc::Status (Directors::*method)(grpc::ClientContext*, const Request&,
                                                          Response*),
                        const Request& request) const {
    return Run(*directors_, method, request);
  }

 private:
  template <typename Stub, typename Method, typename Request>
  auto Run(Stub& stub, Method method, const Request& request) const {
    return RunWith(stub, method, request);
  }
  template <typename Stub, typename Request, typename Response>
  Answer<Response> RunWith(Stub& stub,
                           grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                        Response*),
                           const Request& request) const {
    Answer<Response> answer;
    grpc::ClientContext context;
    client_.Prepare(context);
    answer.status = (stub.*method)(&context, request, &answer.message);
    return answer;
  }

  const Client& client_;
  std::unique_ptr<Tournaments> tournaments_;
  std::unique_ptr<Directors> directors_;
};

inline v1::TournamentTerms Terms(v1::TournamentFormat format, int players) {
  v1::TournamentTerms terms;
  terms.set_name("Open of the tests");
  terms.set_format(format);
  terms.set_max_players(players);
  terms.mutable_play()->set_ruleset_id("long_narde");
  return terms;
}

class TournamentCalls : public testing::Test {
 protected:
  // The service must be running.
  explicit TournamentCalls(Service& service = SharedService()) : service_(service) {}

  void NewPlayers(int count) {
    for (int i = 0; i < count; ++i) people_.push_back(NewPerson(service_, "entrant"));
    for (const Person& person : people_) by_id_[person.id] = &person;
  }
  v1::Tournament Create(const v1::TournamentTerms& terms) {
    v1::CreateTournamentRequest request;
    request.set_request_id(NewRequestId());
    *request.mutable_terms() = terms;
    const auto made = Caller(director_).Call(&Tournaments::CreateTournament, request);
    EXPECT_TRUE(made.ok()) << made.status.error_message();
    id_ = made->tournament().tournament_id();
    // The same request makes nothing more.
    const auto again = Caller(director_).Call(&Tournaments::CreateTournament, request);
    EXPECT_EQ(again->tournament().tournament_id(), id_);
    return made->tournament();
  }
  // The first is seeded best.
  void RegisterAll() {
    int rating = 2'000;
    for (const Person& person : people_) {
      v1::RegisterRequest request;
      request.set_request_id(NewRequestId());
      request.set_tournament_id(id_);
      request.set_rating(rating--);
      const auto registered = Caller(person).Call(&Tournaments::Register, request);
      ASSERT_TRUE(registered.ok()) << registered.status.error_message();
    }
  }
  v1::Tournament Get() {
    v1::GetTournamentRequest request;
    request.set_tournament_id(id_);
    const auto got = Caller(director_).Call(&Tournaments::GetTournament, request);
    EXPECT_TRUE(got.ok()) << got.status.error_message();
    return got->tournament();
  }
  v1::GetRoundResponse GetRound(int round = 0) {
    v1::GetRoundRequest request;
    request.set_tournament_id(id_);
    request.set_round(round);
    request.set_page_size(1'000);
    const auto got = Caller(director_).Call(&Tournaments::GetRound, request);
    EXPECT_TRUE(got.ok()) << got.status.error_message();
    return *got;
  }
  v1::ListStandingsResponse Standings() {
    v1::ListStandingsRequest request;
    request.set_tournament_id(id_);
    const auto got = Caller(director_).Call(&Tournaments::ListStandings, request);
    EXPECT_TRUE(got.ok()) << got.status.error_message();
    return *got;
  }
  // Waits until the tournament is as wanted; false after 60 s.
  template <typename Condition>
  bool Await(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      if (condition(Get())) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  bool AwaitRound(int round) {
    return Await([round](const v1::Tournament& now) { return now.rounds_published() >= round; });
  }
  bool AwaitStatus(v1::TournamentStatus status) {
    return Await([status](const v1::Tournament& now) { return now.status() == status; });
  }
  // The game of a pairing, once it has begun; empty after 30 s.
  std::string GameOf(const v1::Pairing& pairing) {
    v1::GetMatchRequest request;
    request.set_match_id(pairing.match_id());
    for (int tries = 0; tries < 600; ++tries) {
      const auto match = director_.client.Call(&Match::GetMatch, request);
      if (match.ok() && match->match().games_size() > 0) {
        return match->match().games(match->match().games_size() - 1).game_id();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return "";
  }
  // Whoever has the greater number gives up.
  void Play(const v1::Pairing& pairing) {
    if (pairing.sides_size() < 2 || pairing.sides(0).result() != 0) return;
    const bool first = pairing.sides(0).number() > pairing.sides(1).number();
    v1::ResignGameRequest resign;
    resign.set_request_id(NewRequestId());
    resign.set_game_id(GameOf(pairing));
    const Person& loser = *by_id_.at(pairing.sides(first ? 0 : 1).player_id());
    const auto resigned = loser.client.Call(&Game::ResignGame, resign);
    EXPECT_TRUE(resigned.ok()) << resigned.status.error_message();
  }
  void PlayRound(int round) {
    ASSERT_TRUE(AwaitRound(round)) << round;
    const v1::GetRoundResponse published = GetRound(round);
    for (const v1::Pairing& pairing : published.pairings()) Play(pairing);
  }
  v1::DirectorHeader Header(const std::string& reason = "because") {
    v1::DirectorHeader header;
    header.set_tournament_id(id_);
    header.set_request_id(NewRequestId());
    header.set_reason(reason);
    return header;
  }
  template <typename Request, typename Response>
  Answer<Response> Direct(grpc::Status (Directors::*method)(grpc::ClientContext*, const Request&,
                                                            Response*),
                          Request request = {}) {
    if (!request.has_header()) *request.mutable_header() = Header();
    return Caller(director_).Call(method, request);
  }

  Service& service_;
  Person director_ = NewPerson(service_, "director");
  std::vector<Person> people_;
  std::map<std::string, const Person*> by_id_;
  std::string id_;
};

}  // namespace astragal::e2e

#endif  // ASTRAGAL_TESTS_E2E_TOURNAMENT_H_
