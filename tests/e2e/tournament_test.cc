// Tournaments over the wire: from registration to final standings without a person, what directors
// do, and watching.
#include "tests/e2e/tournament.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace astragal::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
TEST_F(TournamentCalls, ASwissGoesFromRegistrationToStandingsByItself) {
  NewPlayers(7);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 7);
  terms.set_rounds(3);
  const v1::Tournament made = Create(terms);
  EXPECT_EQ(made.status(), v1::TOURNAMENT_STATUS_REGISTRATION);
  RegisterAll();
  for (int round = 1; round <= 3; ++round) PlayRound(round);
  ASSERT_TRUE(AwaitStatus(v1::TOURNAMENT_STATUS_FINISHED));
  const v1::ListStandingsResponse standings = Standings();
  ASSERT_EQ(standings.rows_size(), 7);
  EXPECT_EQ(standings.rows(0).number(), 1);
  EXPECT_EQ(standings.rows(0).points_tenths(), 30);
  EXPECT_EQ(standings.missing(), 0);
  int points = 0;
  for (const v1::StandingsRow& row : standings.rows()) points += row.points_tenths();
  EXPECT_EQ(points, 3 * 4 * 10) << "three wins and a bye in each round";
  EXPECT_EQ(GetRound(1).round().engine(), v1::PAIRING_ENGINE_DUTCH);

  v1::ExplainPairingRequest explain;
  explain.set_tournament_id(id_);
  explain.set_round(2);
  EXPECT_EQ(Caller(director_).Call(&Tournaments::ExplainPairing, explain)->notes_size(), 4);
  v1::ExportTournamentRequest out;
  out.set_tournament_id(id_);
  out.set_content(v1::TOURNAMENT_EXPORT_TRF);
  EXPECT_THAT(Caller(director_).Call(&Tournaments::ExportTournament, out)->text(),
              HasSubstr("012 Open of the tests"));
}

TEST_F(TournamentCalls, OtherFormatsEndWithOneWinner) {
  NewPlayers(5);
  for (const v1::TournamentFormat format :
       {v1::TOURNAMENT_FORMAT_ROUND_ROBIN, v1::TOURNAMENT_FORMAT_SINGLE_ELIMINATION,
        v1::TOURNAMENT_FORMAT_DOUBLE_ELIMINATION, v1::TOURNAMENT_FORMAT_SWISS_TO_LOSSES}) {
    v1::TournamentTerms terms = Terms(format, 5);
    terms.set_losses(2);
    Create(terms);
    RegisterAll();
    int rounds = 0;
    while (rounds < 20) {
      ASSERT_TRUE(Await([rounds](const v1::Tournament& now) {
        return now.rounds_published() > rounds || now.status() == v1::TOURNAMENT_STATUS_FINISHED;
      })) << format;
      if (Get().status() == v1::TOURNAMENT_STATUS_FINISHED) break;
      PlayRound(++rounds);
    }
    const v1::ListStandingsResponse standings = Standings();
    ASSERT_EQ(standings.rows_size(), 5);
    EXPECT_EQ(standings.rows(0).number(), 1) << format;
    EXPECT_EQ(standings.rows(0).rank(), 1) << format;
    EXPECT_GT(standings.rows(1).rank(), 1) << format;
  }
}

TEST_F(TournamentCalls, DirectorsCommandIsJudgedLoggedAndOnce) {
  NewPlayers(4);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 0);
  terms.set_manual(true);
  terms.set_rounds(3);
  Create(terms);
  RegisterAll();
  ASSERT_TRUE(Direct(&Directors::StartTournament).ok());
  // Nobody sees a draft but those who hold the tournament.
  ASSERT_TRUE(Direct(&Directors::DraftRound).ok());
  v1::GetRoundRequest round;
  round.set_tournament_id(id_);
  EXPECT_EQ(Caller(people_[0]).Call(&Tournaments::GetRound, round).status.error_code(),
            grpc::NOT_FOUND);
  v1::EditPairingRequest edit;
  edit.add_pairings()->set_first(1);
  edit.mutable_pairings(0)->set_second(4);
  *edit.mutable_header() = Header();
  edit.mutable_header()->set_validate_only(true);
  const auto looked = Direct(&Directors::EditPairing, edit);
  ASSERT_TRUE(looked.ok()) << looked.status.error_message();
  EXPECT_EQ(looked->answer().would_be_pairings_size(), 2);
  EXPECT_FALSE(GetRound().pairings(0).manual());
  edit.mutable_header()->set_validate_only(false);
  const auto edited = Direct(&Directors::EditPairing, edit);
  ASSERT_TRUE(edited.ok());
  EXPECT_TRUE(Direct(&Directors::EditPairing, edit)->answer().repeated_request());
  EXPECT_TRUE(GetRound().pairings(0).locked());

  v1::PublishRoundRequest publish;
  *publish.mutable_header() = Header();
  publish.mutable_header()->set_expected_version(edited->answer().tournament().version() - 1);
  EXPECT_EQ(ProblemOf(Direct(&Directors::PublishRound, publish).status).reason, "STALE_VERSION");
  EXPECT_EQ(ProblemOf(Caller(people_[0]).Call(&Directors::PublishRound, publish).status).reason,
            "SCOPE_MISSING");
  ASSERT_TRUE(Direct(&Directors::PublishRound).ok());

  v1::OverrideResultRequest result;
  result.set_board(1);
  result.set_first(v1::PAIRING_RESULT_LOSS);
  result.set_second(v1::PAIRING_RESULT_WIN);
  *result.mutable_header() = Header("");
  EXPECT_EQ(ProblemOf(Direct(&Directors::OverrideResult, result).status).reason, "BAD_FIELD");
  *result.mutable_header() = Header("the board was set up wrongly");
  ASSERT_TRUE(Direct(&Directors::OverrideResult, result).ok());
  EXPECT_TRUE(GetRound().pairings(0).overridden());
  EXPECT_EQ(ProblemOf(Direct(&Directors::UnpublishRound).status).reason, "TOURNAMENT_STATE");

  v1::CloseRoundRequest close;
  *close.mutable_header() = Header();
  const Problem missing = ProblemOf(Direct(&Directors::CloseRound, close).status);
  EXPECT_EQ(missing.reason, "WARNINGS_NOT_ACCEPTED");
  EXPECT_EQ(missing.metadata.at("warnings"), "RESULTS_MISSING");
  close.mutable_header()->add_accept_warnings("RESULTS_MISSING");
  ASSERT_TRUE(Direct(&Directors::CloseRound, close).ok());
  EXPECT_EQ(ProblemOf(Direct(&Directors::FinishTournament).status).reason, "TOURNAMENT_STATE");
  // The result that was missing comes after all.
  Play(GetRound(1).pairings(1));
  ASSERT_TRUE(Await([this](const v1::Tournament&) { return Standings().missing() == 0; }));
  v1::FinishTournamentRequest finish;
  *finish.mutable_header() = Header();
  finish.mutable_header()->add_accept_warnings("ROUNDS_LEFT");
  ASSERT_TRUE(Direct(&Directors::FinishTournament, finish).ok());

  v1::ListTournamentEventsRequest log;
  log.set_tournament_id(id_);
  log.set_page_size(1'000);
  const auto events = Caller(director_).Call(&Tournaments::ListTournamentEvents, log);
  ASSERT_EQ(static_cast<uint32_t>(events->events_size()), Get().version());
  bool told = false;
  for (const v1::TournamentEvent& event : events->events()) {
    told = told || (event.kind() == "RESULT_OVERRIDDEN" &&
                    event.reason() == "the board was set up wrongly" &&
                    event.by_player_id() == director_.id);
  }
  EXPECT_TRUE(told);
}

TEST_F(TournamentCalls, AWatcherGetsEveryEntryOnce) {
  NewPlayers(2);
  Create(Terms(v1::TOURNAMENT_FORMAT_SWISS, 2));
  RegisterAll();
  PlayRound(1);
  ASSERT_TRUE(AwaitStatus(v1::TOURNAMENT_STATUS_FINISHED));
  const auto stub = v1::TournamentService::NewStub(director_.client.channel());
  v1::WatchTournamentRequest request;
  request.set_tournament_id(id_);
  request.set_after_version(2);
  grpc::ClientContext context;
  director_.client.Prepare(context);
  const auto reader = stub->WatchTournament(&context, request);
  uint32_t last = 2;
  for (v1::WatchTournamentResponse message; reader->Read(&message);) {
    for (const v1::TournamentEvent& event : message.events().events()) {
      EXPECT_EQ(event.version(), ++last);
    }
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(last, Get().version());
}

}  // namespace
}  // namespace astragal::e2e
