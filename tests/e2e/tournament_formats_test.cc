// Tables, arenas, ladders, conditions, corrections, checks, watched standings and imports, over the
// wire.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/e2e/tournament.h"

namespace astragal::e2e {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TournamentFormats : public TournamentCalls {
 protected:
  void Resign(const Person& loser, const v1::Pairing& pairing) {
    v1::ResignGameRequest resign;
    resign.set_request_id(NewRequestId());
    resign.set_game_id(GameOf(pairing));
    const auto resigned = loser.client.Call(&Game::ResignGame, resign);
    EXPECT_TRUE(resigned.ok()) << resigned.status.error_message();
  }
  void Cancel() {
    v1::CancelTournamentRequest cancel;
    *cancel.mutable_header() = Header("the test is over");
    cancel.mutable_header()->add_accept_warnings("ENDS_WITHOUT_STANDINGS");
    EXPECT_TRUE(Direct(&Directors::CancelTournament, cancel).ok());
  }
  // The other way round than it was played.
  v1::OverrideResultRequest Turned(int round, const v1::Pairing& pairing) {
    v1::OverrideResultRequest turn;
    *turn.mutable_header() = Header("typed wrongly");
    turn.set_round(round);
    turn.set_board(pairing.board());
    const bool won = pairing.sides(0).result() == v1::PAIRING_RESULT_WIN;
    turn.set_first(won ? v1::PAIRING_RESULT_LOSS : v1::PAIRING_RESULT_WIN);
    turn.set_second(won ? v1::PAIRING_RESULT_WIN : v1::PAIRING_RESULT_LOSS);
    return turn;
  }
  v1::CheckPairingResponse Check(int round) {
    v1::CheckPairingRequest request;
    request.set_tournament_id(id_);
    request.set_round(round);
    const auto checked = Caller(director_).Call(&Tournaments::CheckPairing, request);
    EXPECT_TRUE(checked.ok()) << checked.status.error_message();
    return *checked;
  }
};

TEST_F(TournamentFormats, TheBestOfASwissTournamentPlayAFinal) {
  NewPlayers(4);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 4);
  terms.set_rounds(1);
  terms.mutable_next_stage()->set_format(v1::TOURNAMENT_FORMAT_SINGLE_ELIMINATION);
  terms.mutable_next_stage()->set_qualify(2);
  EXPECT_EQ(Create(terms).terms().next_stage().qualify(), 2);
  RegisterAll();
  PlayRound(1);
  ASSERT_TRUE(Await([](const v1::Tournament& now) { return !now.next_tournament_id().empty(); }));
  const v1::ListStandingsResponse standings = Standings();
  id_ = Get().next_tournament_id();
  // Its field is full: it begins by itself.
  PlayRound(1);
  ASSERT_TRUE(AwaitStatus(v1::TOURNAMENT_STATUS_FINISHED));
  EXPECT_EQ(Get().terms().name(), terms.name() + " (2)");
  const v1::ListStandingsResponse last = Standings();
  ASSERT_EQ(last.rows_size(), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(last.rows(i).number(), i + 1) << "the better seed won";
    EXPECT_EQ(last.rows(i).player_id(), standings.rows(i).player_id());
  }
}

TEST_F(TournamentFormats, ATableOfFourIsPlayedForPlaces) {
  NewPlayers(4);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_TABLES, 4);
  terms.set_rounds(1);
  terms.mutable_play()->set_ruleset_id("ashtapada");
  Create(terms);
  RegisterAll();
  ASSERT_TRUE(AwaitRound(1));
  const v1::GetRoundResponse round = GetRound(1);
  ASSERT_EQ(round.pairings_size(), 1);
  const v1::Pairing& table = round.pairings(0);
  ASSERT_EQ(table.sides_size(), 4);
  // The last one leaves first.
  std::vector<v1::PairingSide> sides(table.sides().begin(), table.sides().end());
  std::ranges::sort(sides, std::ranges::greater(), &v1::PairingSide::number);
  for (size_t i = 0; i < 3; ++i) Resign(*by_id_.at(sides[i].player_id()), table);
  ASSERT_TRUE(AwaitStatus(v1::TOURNAMENT_STATUS_FINISHED));
  std::vector<int> numbers, points;
  const v1::ListStandingsResponse standings = Standings();
  for (const v1::StandingsRow& row : standings.rows()) {
    numbers.push_back(row.number());
    points.push_back(row.points_tenths());
  }
  EXPECT_THAT(numbers, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(points, ElementsAre(60, 40, 20, 0));
}

TEST_F(TournamentFormats, TablesNeedRulesForThreeAndFour) {
  v1::CreateTournamentRequest request;
  request.set_request_id(NewRequestId());
  *request.mutable_terms() = Terms(v1::TOURNAMENT_FORMAT_TABLES, 4);
  const auto made = Caller(director_).Call(&Tournaments::CreateTournament, request);
  EXPECT_EQ(ProblemOf(made.status).reason, "BAD_FIELD");
}

TEST_F(TournamentFormats, AnArenaPairsWhoeverWaitsUntilItsTimeIsUp) {
  NewPlayers(4);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_ARENA, 4);
  terms.set_duration_seconds(7);
  Create(terms);
  RegisterAll();
  std::set<std::string> played;  // matches
  ASSERT_TRUE(Await([&](const v1::Tournament& now) {
    for (int wave = 1; wave <= now.rounds_published(); ++wave) {
      const v1::GetRoundResponse round = GetRound(wave);
      for (const v1::Pairing& pairing : round.pairings()) {
        if (played.insert(pairing.match_id()).second) Play(pairing);
      }
    }
    return now.status() == v1::TOURNAMENT_STATUS_FINISHED;
  }));
  int points = 0;
  const v1::ListStandingsResponse standings = Standings();
  for (const v1::StandingsRow& row : standings.rows()) points += row.points_tenths();
  EXPECT_GE(played.size(), 2U);
  EXPECT_EQ(points, 10 * static_cast<int>(played.size())) << "a win is a point";
}

TEST_F(TournamentFormats, AChallengerWhoWinsStandsAbove) {
  NewPlayers(3);
  Create(Terms(v1::TOURNAMENT_FORMAT_LADDER, 0));
  RegisterAll();
  ASSERT_TRUE(Direct(&Directors::StartTournament).ok());
  const auto challenge = [this](const Person& by, const Person& of) {
    v1::ChallengeRequest request;
    request.set_request_id(NewRequestId());
    request.set_tournament_id(id_);
    request.set_player_id(of.id);
    return Caller(by).Call(&Tournaments::Challenge, request);
  };
  EXPECT_EQ(ProblemOf(challenge(people_[0], people_[1]).status).reason, "TOURNAMENT_STATE");
  const auto made = challenge(people_[2], people_[0]);
  ASSERT_TRUE(made.ok()) << made.status.error_message();
  EXPECT_EQ(ProblemOf(challenge(people_[1], people_[0]).status).reason, "TOURNAMENT_STATE")
      << "he plays";
  Resign(people_[0], GetRound(1).pairings(0));
  ASSERT_TRUE(Await([](const v1::Tournament& now) { return now.rounds_closed() == 1; }));
  std::vector<int> numbers;
  const v1::ListStandingsResponse standings = Standings();
  for (const v1::StandingsRow& row : standings.rows()) numbers.push_back(row.number());
  EXPECT_THAT(numbers, ElementsAre(3, 1, 2));
  EXPECT_TRUE(Direct(&Directors::FinishTournament).ok());
}

TEST_F(TournamentFormats, WhoHasNoInvitationIsRefusedOrTakenByADirector) {
  NewPlayers(2);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 8);
  terms.mutable_conditions()->set_invite_code("open sesame");
  const v1::Tournament made = Create(terms);
  EXPECT_TRUE(made.terms().conditions().invited_only());
  EXPECT_THAT(made.terms().conditions().invite_code(), IsEmpty());
  v1::RegisterRequest request;
  request.set_request_id(NewRequestId());
  request.set_tournament_id(id_);
  const auto refused = Caller(people_[0]).Call(&Tournaments::Register, request);
  EXPECT_EQ(ProblemOf(refused.status).reason, "TOURNAMENT_STATE");
  request.set_request_id(NewRequestId());
  request.set_invite_code("open sesame");
  EXPECT_TRUE(Caller(people_[0]).Call(&Tournaments::Register, request).ok());
  v1::AddPlayerRequest add;
  *add.mutable_header() = Header();
  add.set_player_id(people_[1].id);
  const Problem problem = ProblemOf(Direct(&Directors::AddPlayer, add).status);
  EXPECT_EQ(problem.reason, "WARNINGS_NOT_ACCEPTED");
  EXPECT_EQ(problem.metadata.at("warnings"), "CONDITIONS_NOT_MET");
  add.mutable_header()->add_accept_warnings("CONDITIONS_NOT_MET");
  EXPECT_TRUE(Direct(&Directors::AddPlayer, add).ok());
  EXPECT_EQ(Get().players(), 2);
}

TEST_F(TournamentFormats, WhoWentOnByMistakeIsReplaced) {
  NewPlayers(4);
  Create(Terms(v1::TOURNAMENT_FORMAT_SINGLE_ELIMINATION, 4));
  RegisterAll();
  PlayRound(1);
  ASSERT_TRUE(AwaitRound(2));
  const v1::Pairing semifinal = GetRound(1).pairings(0);
  const bool won = semifinal.sides(0).result() == v1::PAIRING_RESULT_WIN;
  const int wrong = semifinal.sides(won ? 0 : 1).number();
  const int right = semifinal.sides(won ? 1 : 0).number();
  v1::OverrideResultRequest turn = Turned(1, semifinal);
  EXPECT_EQ(ProblemOf(Direct(&Directors::OverrideResult, turn).status).metadata.at("warnings"),
            "WENT_ON");
  turn.mutable_header()->add_accept_warnings("WENT_ON");
  ASSERT_TRUE(Direct(&Directors::OverrideResult, turn).ok());
  ASSERT_TRUE(AwaitRound(3));
  const v1::Pairing final_match = GetRound(3).pairings(0);
  std::set<int> players;
  for (const v1::PairingSide& side : final_match.sides()) players.insert(side.number());
  EXPECT_TRUE(players.contains(right));
  EXPECT_FALSE(players.contains(wrong));
  Play(final_match);
  ASSERT_TRUE(AwaitStatus(v1::TOURNAMENT_STATUS_FINISHED));
}

// The published round stays, is right by what was known then, and the director sees what it would
// be by now.
TEST_F(TournamentFormats, ACorrectionLeavesThePublishedRound) {
  NewPlayers(8);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 8);
  terms.set_rounds(4);
  Create(terms);
  RegisterAll();
  PlayRound(1);
  ASSERT_TRUE(AwaitRound(2));
  const auto pairs = [this] {
    std::set<std::pair<int, int>> all;
    const v1::GetRoundResponse round = GetRound(2);
    for (const v1::Pairing& pairing : round.pairings()) {
      all.emplace(pairing.sides(0).number(), pairing.sides(1).number());
    }
    return all;
  };
  const auto before = pairs();
  const auto turned = Direct(&Directors::OverrideResult, Turned(1, GetRound(1).pairings(0)));
  ASSERT_TRUE(turned.ok()) << turned.status.error_message();
  EXPECT_EQ(turned->answer().would_have_paired_size(), 4);
  EXPECT_EQ(pairs(), before);
  for (const int round : {1, 2}) {
    const v1::CheckPairingResponse check = Check(round);
    EXPECT_TRUE(check.same()) << check.DebugString();
    EXPECT_EQ(check.faults_size(), 0);
  }
  Cancel();
}

TEST_F(TournamentFormats, ACheckNamesPairsThatADirectorMade) {
  NewPlayers(4);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 0);
  terms.set_manual(true);
  terms.set_rounds(2);
  Create(terms);
  RegisterAll();
  ASSERT_TRUE(Direct(&Directors::StartTournament).ok());
  v1::EditPairingRequest edit;
  edit.add_pairings()->set_first(1);
  edit.mutable_pairings(0)->set_second(4);
  ASSERT_TRUE(Direct(&Directors::EditPairing, edit).ok());
  const v1::CheckPairingResponse check = Check(1);
  EXPECT_FALSE(check.same());
  EXPECT_EQ(check.faults_size(), 0);
  ASSERT_EQ(check.only_played_size(), 2);
  ASSERT_EQ(check.only_expected_size(), 2);
  std::set<std::pair<int, int>> expected;
  for (const v1::NumberPair& pair : check.only_expected()) {
    expected.emplace(pair.first(), pair.second());
  }
  EXPECT_THAT(expected, ElementsAre(std::pair(1, 3), std::pair(2, 4)));
  // Nobody else sees the draft.
  v1::CheckPairingRequest request;
  request.set_tournament_id(id_);
  EXPECT_EQ(Caller(people_[0]).Call(&Tournaments::CheckPairing, request).status.error_code(),
            grpc::NOT_FOUND);
  Cancel();
}

TEST_F(TournamentFormats, AWatcherGetsThePartOfTheStandingsAroundAPlayer) {
  NewPlayers(4);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 4);
  terms.set_rounds(1);
  Create(terms);
  RegisterAll();
  PlayRound(1);
  ASSERT_TRUE(AwaitStatus(v1::TOURNAMENT_STATUS_FINISHED));
  const v1::ListStandingsResponse standings = Standings();
  for (const bool around : {false, true}) {
    const auto stub = v1::TournamentService::NewStub(director_.client.channel());
    v1::WatchTournamentRequest request;
    request.set_tournament_id(id_);
    request.set_standings_rows(2);
    if (around) request.set_around_player_id(standings.rows(3).player_id());
    grpc::ClientContext context;
    director_.client.Prepare(context);
    const auto reader = stub->WatchTournament(&context, request);
    v1::StandingsChange last;
    for (v1::WatchTournamentResponse message; reader->Read(&message);) {
      if (message.has_standings()) last = message.standings();
    }
    EXPECT_TRUE(reader->Finish().ok());
    EXPECT_EQ(last.total(), 4);
    EXPECT_EQ(last.size(), 2);
    EXPECT_EQ(last.first_position(), around ? 3 : 1);
    ASSERT_EQ(last.rows_size(), 2);
    EXPECT_EQ(last.rows(0).player_id(), standings.rows(around ? 2 : 0).player_id());
    EXPECT_EQ(last.version(), standings.version());
  }
}

TEST_F(TournamentFormats, AReportFileGoesOnAsATournament) {
  NewPlayers(6);
  v1::TournamentTerms terms = Terms(v1::TOURNAMENT_FORMAT_SWISS, 0);
  terms.set_manual(true);
  terms.set_rounds(3);
  Create(terms);
  RegisterAll();
  ASSERT_TRUE(Direct(&Directors::StartTournament).ok());
  ASSERT_TRUE(Direct(&Directors::DraftRound).ok());
  ASSERT_TRUE(Direct(&Directors::PublishRound).ok());
  PlayRound(1);
  ASSERT_TRUE(Await([](const v1::Tournament& now) { return now.rounds_closed() == 1; }));
  v1::ExportTournamentRequest out;
  out.set_tournament_id(id_);
  out.set_content(v1::TOURNAMENT_EXPORT_TRF);
  const std::string file = Caller(director_).Call(&Tournaments::ExportTournament, out)->text();
  const v1::ListStandingsResponse before = Standings();
  Cancel();

  v1::ImportTournamentRequest in;
  in.set_request_id(NewRequestId());
  *in.mutable_terms() = Terms(v1::TOURNAMENT_FORMAT_SWISS, 0);
  in.mutable_terms()->set_rounds(3);
  in.set_file(file);
  const auto made = Caller(director_).Call(&Tournaments::ImportTournament, in);
  ASSERT_TRUE(made.ok()) << made.status.error_message();
  const auto again = Caller(director_).Call(&Tournaments::ImportTournament, in);
  EXPECT_EQ(again->tournament().tournament_id(), made->tournament().tournament_id());
  id_ = made->tournament().tournament_id();
  EXPECT_EQ(Get().rounds_closed(), 1);
  EXPECT_EQ(Get().rounds_planned(), 3);
  const v1::ListStandingsResponse after = Standings();
  ASSERT_EQ(after.rows_size(), before.rows_size());
  for (int i = 0; i < after.rows_size(); ++i) {
    EXPECT_EQ(after.rows(i).points_tenths(), before.rows(i).points_tenths());
  }
  for (int round = 2; round <= 3; ++round) PlayRound(round);
  ASSERT_TRUE(AwaitStatus(v1::TOURNAMENT_STATUS_FINISHED));

  std::string strange = file;
  strange.replace(strange.find("entrant"), 7, "nobody-");
  in.set_request_id(NewRequestId());
  in.set_file(strange);
  const auto refused = Caller(director_).Call(&Tournaments::ImportTournament, in);
  EXPECT_EQ(refused.status.error_code(), grpc::NOT_FOUND) << refused.status.error_message();
}

}  // namespace
}  // namespace astragal::e2e
