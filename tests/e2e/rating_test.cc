// Ratings over the wire: two players play rated games and a match, see their ratings move as it was
// predicted, and the operator changes the past and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "astragal/v1/rating_service.grpc.pb.h"
#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kPool[] = "long_narde/2/days/human";  // without a clock

std::string OperatorKey(const Service& service) {
  std::ifstream file(service.data_dir() + "/operator.key");
  std::string key;
  std::getline(file, key);
  return key;
}

class RatingCalls : public testing::Test {
 protected:
  RatingCalls() {
    for (const char* name : {"white", "black", "other"}) {
      people_.push_back(NewPerson(service_, name));
    }
    ratings_ = v1::RatingService::NewStub(people_[0].client.channel());
    anybody_ = std::make_unique<Client>(service_.Connect());
    operator_ = std::make_unique<Client>(service_.Connect(), OperatorKey(service_));
  }

  template <typename Request, typename Response>
  Answer<Response> Call(grpc::Status (v1::RatingService::Stub::*method)(grpc::ClientContext*,
                                                                        const Request&, Response*),
                        const Request& request, bool as_operator = false) {
    Answer<Response> answer;
    grpc::ClientContext context;
    (as_operator ? operator_ : anybody_)->Prepare(context);
    answer.status = (ratings_.get()->*method)(&context, request, &answer.message);
    return answer;
  }

  std::string NewRatedGame(bool rated = true) {
    v1::CreateGameRequest create;
    create.set_request_id(NewRequestId());
    create.set_ruleset_id("long_narde");
    create.set_seat(0);
    create.set_rated(rated);
    const auto created = people_[0].client.Call(&Game::CreateGame, create);
    EXPECT_TRUE(created.ok()) << created.status.error_message();
    v1::JoinGameRequest join;
    join.set_request_id(NewRequestId());
    join.set_game_id(created->game().game_id());
    EXPECT_TRUE(people_[1].client.Call(&Game::JoinGame, join).ok());
    return created->game().game_id();
  }
  // Plays by chance to the end, or for some actions and then `resigns` gives up.
  v1::Game Play(const std::string& game_id, uint32_t seed, const Person* resigns = nullptr) {
    Table table(game_id, {&people_[0].client, &people_[1].client}, seed);
    EXPECT_TRUE(table.Play(resigns == nullptr ? 100'000 : 12));
    if (resigns != nullptr) Resign(*resigns, game_id);
    return GetGame(people_[0].client, game_id);
  }
  void Resign(const Person& person, const std::string& game_id) {
    v1::ResignGameRequest resign;
    resign.set_request_id(NewRequestId());
    resign.set_game_id(game_id);
    const auto resigned = person.client.Call(&Game::ResignGame, resign);
    EXPECT_TRUE(resigned.ok()) << resigned.status.error_message();
  }

  v1::Rating RatingOf(const Person& person) {
    v1::GetRatingRequest request;
    request.set_player_id(person.id);
    const auto answer = Call(&v1::RatingService::Stub::GetRating, request);
    EXPECT_TRUE(answer.ok()) << answer.status.error_message();
    return answer->ratings_size() == 1 ? answer->ratings(0) : v1::Rating();
  }
  // Once this player has so many rated matches: rating follows soon after the end of a match.
  v1::Rating AwaitMatches(const Person& person, int matches) {
    v1::Rating rating;
    for (int i = 0; i < 400; ++i) {
      rating = RatingOf(person);
      if (rating.matches() >= matches) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_EQ(rating.matches(), matches);
    return rating;
  }
  std::vector<v1::RatingStep> Steps(const Person& person) {
    v1::ListRatingStepsRequest request;
    request.set_player_id(person.id);
    request.set_pool_id(kPool);
    request.set_page_size(2);
    std::vector<v1::RatingStep> steps;
    do {
      const auto page = Call(&v1::RatingService::Stub::ListRatingSteps, request);
      EXPECT_TRUE(page.ok()) << page.status.error_message();
      steps.insert(steps.end(), page->steps().begin(), page->steps().end());
      request.set_page_token(page->next_page_token());
    } while (!request.page_token().empty());
    return steps;
  }
  v1::PredictResultResponse Predict(int length) {
    v1::PredictResultRequest request;
    request.set_pool_id(kPool);
    request.add_player_ids(people_[0].id);
    request.add_player_ids(people_[1].id);
    request.set_length(length);
    const auto answer = Call(&v1::RatingService::Stub::PredictResult, request);
    EXPECT_TRUE(answer.ok()) << answer.status.error_message();
    return *answer;
  }
  // A recomputation with what `correct` puts into it.
  template <typename Correct>
  v1::RecomputeResponse Recompute(bool validate_only, Correct correct) {
    v1::RecomputeRequest request;
    request.set_request_id(NewRequestId());
    request.set_pool_id(kPool);
    request.set_validate_only(validate_only);
    correct(request);
    const auto answer = Call(&v1::RatingService::Stub::Recompute, request, true);
    EXPECT_TRUE(answer.ok()) << answer.status.error_message();
    return *answer;
  }
  v1::RecomputeResponse Check() {
    return Recompute(true, [](v1::RecomputeRequest&) {});
  }

  Answer<v1::EstimateOwnRatingResponse> Estimate(const Person& person,
                                                 v1::EstimateOwnRatingRequest& request) {
    Answer<v1::EstimateOwnRatingResponse> answer;
    if (request.request_id().empty()) request.set_request_id(NewRequestId());
    request.set_pool_id(kPool);
    grpc::ClientContext context;
    person.client.Prepare(context);
    answer.status = ratings_->EstimateOwnRating(&context, request, &answer.message);
    return answer;
  }
  // The first message of a player's own affairs.
  v1::AffairsSnapshot AffairsOf(const Person& person) {
    grpc::ClientContext context;
    person.client.Prepare(context);
    const auto reader =
        person.client.stub<Events>().WatchMyEvents(&context, v1::WatchMyEventsRequest());
    v1::WatchMyEventsResponse message;
    EXPECT_TRUE(reader->Read(&message));
    context.TryCancel();
    reader->Finish();
    return message.snapshot();
  }

  Service& service_ = SharedService();
  std::vector<Person> people_;
  std::unique_ptr<v1::RatingService::Stub> ratings_;
  std::unique_ptr<Client> anybody_;
  std::unique_ptr<Client> operator_;
};

TEST_F(RatingCalls, MoveWithRatedGamesAsPredicted) {
  const Person& white = people_[0];
  const Person& black = people_[1];
  EXPECT_EQ(RatingOf(white).pool_id(), "") << "nothing was rated yet";
  Play(NewRatedGame(false), 7, &white);

  // A whole game by chance: its log and its dice bear the audit that rating begins with.
  const v1::Game whole = Play(NewRatedGame(), 11);
  const int winner = whole.seats(0).place() == 1 ? 0 : 1;
  const v1::Rating won = AwaitMatches(people_[winner], 1);
  const v1::Rating lost = AwaitMatches(people_[1 - winner], 1);
  EXPECT_EQ(won.pool_id(), kPool);
  EXPECT_GT(won.rating(), 1510);
  EXPECT_NEAR(won.rating() + lost.rating(), 3000, 1e-3);
  EXPECT_LT(won.deviation(), 175);
  EXPECT_EQ(won.state(), v1::RANK_STATE_PROVISIONAL);
  EXPECT_GT(won.fibs_rating(), 1500);
  EXPECT_THAT(Steps(white), SizeIs(1)) << "the game that was not rated is not there";

  const v1::PredictResultResponse predicted = Predict(1);
  ASSERT_EQ(predicted.predictions_size(), 2);
  EXPECT_NEAR(predicted.predictions(0).expected() + predicted.predictions(1).expected(), 1, 1e-9);
  Play(NewRatedGame(), 12, &white);
  // A few seconds have passed since: deviations have grown by less than can be seen.
  const auto after = [](const v1::Prediction& of, double change) {
    return of.rating().rating() + change;
  };
  EXPECT_NEAR(AwaitMatches(black, 2).rating(),
              after(predicted.predictions(1), predicted.predictions(1).win_change()), 1e-3);
  EXPECT_NEAR(AwaitMatches(white, 2).rating(),
              after(predicted.predictions(0), predicted.predictions(0).loss_change()), 1e-3);

  const std::vector<v1::RatingStep> steps = Steps(black);
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_EQ(steps[1].match_id(), whole.game_id());
  EXPECT_THAT(steps[0].places(), ElementsAre(2, 1));
  EXPECT_NEAR(steps[0].rating_before(), steps[1].rating_after(), 1e-9);
  EXPECT_EQ(steps[0].rating_after(), RatingOf(black).rating());

  v1::GetHeadToHeadRequest pair;
  pair.set_player_id(black.id);
  pair.set_opponent_id(white.id);
  const auto record = Call(&v1::RatingService::Stub::GetHeadToHead, pair);
  ASSERT_EQ(record->records_size(), 1);
  EXPECT_EQ(record->records(0).matches(), 2);
  EXPECT_EQ(record->records(0).wins(), 1 + winner);
  EXPECT_EQ(record->records(0).losses(), 1 - winner);
}

TEST_F(RatingCalls, AMatchOfSeveralGamesMovesThemOnce) {
  v1::CreateMatchRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("long_narde");
  create.set_rated(true);
  create.add_player_ids(people_[0].id);
  create.add_player_ids(people_[1].id);
  create.mutable_terms()->set_kind(v1::MATCH_KIND_POINTS);
  create.mutable_terms()->set_length(5);
  const auto created = operator_->Call(&Match::CreateMatch, create);
  ASSERT_TRUE(created.ok()) << created.status.error_message();
  v1::GetMatchRequest get;
  get.set_match_id(created->match().match_id());
  v1::Match match = created->match();
  int resigned = 0;
  for (int i = 0; i < 400 && match.status() != v1::MATCH_STATUS_OVER; ++i) {
    if (match.games_size() > resigned) {
      // A resignation before the other seat has acted is a loss like any other.
      Resign(people_[resigned == 1 ? 1 : 0], match.games(resigned).game_id());
      ++resigned;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    match = people_[0].client.Call(&Match::GetMatch, get)->match();
  }
  ASSERT_EQ(match.status(), v1::MATCH_STATUS_OVER);
  ASSERT_GE(match.games_size(), 3);
  AwaitMatches(people_[1], 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(1'200));  // two more rounds of rating
  const std::vector<v1::RatingStep> steps = Steps(people_[1]);
  ASSERT_THAT(steps, SizeIs(1));
  EXPECT_EQ(steps[0].match_id(), match.match_id());
  EXPECT_EQ(steps[0].length(), 5);
  EXPECT_NEAR(steps[0].information(), 3, 1e-9) << "1 + (5 - 1) / 2";
  EXPECT_THAT(steps[0].places(), ElementsAre(2, 1));
  EXPECT_GT(steps[0].rating_after(), 1560) << "five points tell more than one";
  EXPECT_THAT(Check().differences(), IsEmpty());
}

TEST_F(RatingCalls, TheOperatorChangesThePastAndBack) {
  const Person& white = people_[0];
  const Person& black = people_[1];
  const v1::Game first = Play(NewRatedGame(), 21, &black);
  for (uint32_t seed = 22; seed < 25; ++seed) Play(NewRatedGame(), seed, &black);
  AwaitMatches(white, 4);
  const std::vector<v1::RatingStep> original = Steps(white);
  ASSERT_THAT(original, SizeIs(4));
  v1::RecomputeResponse checked = Check();
  EXPECT_GE(checked.matches(), 4);
  EXPECT_EQ(checked.steps_changed() + checked.players_changed(), 0);

  const auto annul = [&](v1::RecomputeRequest& request) {
    v1::MatchCorrection& correction = *request.add_corrections();
    correction.set_match_id(first.game_id());
    correction.set_annul(true);
    correction.set_reason("not played fairly");
  };
  EXPECT_FALSE(Recompute(true, annul).switched());
  EXPECT_EQ(TextOf(Steps(white)), TextOf(original));
  const v1::RecomputeResponse annulled = Recompute(false, annul);
  EXPECT_TRUE(annulled.switched());
  EXPECT_EQ(annulled.pool().revision(), checked.pool().revision() + 1);
  EXPECT_EQ(annulled.players_changed(), 2);
  EXPECT_THAT(Steps(white), SizeIs(3));
  EXPECT_LT(RatingOf(white).rating(), original[0].rating_after());
  EXPECT_EQ(RatingOf(white).matches(), 3);
  checked = Check();
  EXPECT_EQ(checked.steps_changed() + checked.players_changed(), 0);

  EXPECT_TRUE(Recompute(false, [&](v1::RecomputeRequest& request) {
                v1::MatchCorrection& correction = *request.add_corrections();
                correction.set_match_id(first.game_id());
                correction.set_reason("it was");
              }).switched());
  const std::vector<v1::RatingStep> back = Steps(white);
  ASSERT_THAT(back, SizeIs(4));
  for (size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].rating_after(), original[i].rating_after()) << i;
    EXPECT_EQ(back[i].deviation_after(), original[i].deviation_after()) << i;
  }
  EXPECT_EQ(back[3].reason(), "it was");

  v1::RecomputeRequest request;
  request.set_request_id(NewRequestId());
  request.set_pool_id(kPool);
  EXPECT_EQ(ProblemOf(Call(&v1::RatingService::Stub::Recompute, request).status).reason,
            "TOKEN_MISSING");

  annul(request);
  const auto once = Call(&v1::RatingService::Stub::Recompute, request, true);
  ASSERT_TRUE(once.ok()) << once.status.error_message();
  EXPECT_TRUE(once->switched());
  const auto again = Call(&v1::RatingService::Stub::Recompute, request, true);
  ASSERT_TRUE(again.ok()) << again.status.error_message();
  EXPECT_EQ(TextOf(*again), TextOf(*once)) << "a repeat gets the first answer";
  request.mutable_corrections(0)->set_annul(false);
  EXPECT_EQ(ProblemOf(Call(&v1::RatingService::Stub::Recompute, request, true).status).reason,
            "REQUEST_ID_REUSED");
  EXPECT_THAT(Steps(white), SizeIs(3));
}

TEST_F(RatingCalls, KnowWhoDidNotShowUp) {
  v1::AbortGameRequest call_off;
  call_off.set_request_id(NewRequestId());
  call_off.set_game_id(NewRatedGame());
  ASSERT_TRUE(people_[1].client.Call(&Game::AbortGame, call_off).ok());
  v1::GetRatingRequest request;
  request.set_player_id(people_[1].id);
  v1::Conduct conduct;
  for (int i = 0; i < 400 && conduct.games() == 0; ++i) {
    const auto answer = Call(&v1::RatingService::Stub::GetRating, request);
    ASSERT_TRUE(answer.ok()) << answer.status.error_message();
    conduct = answer->conduct();
    if (conduct.games() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(conduct.games(), 1);
  EXPECT_EQ(conduct.no_shows(), 1);
  EXPECT_EQ(conduct.no_show_rate(), 1);
  EXPECT_EQ(conduct.completion_rate(), 0);
  request.set_player_id(people_[0].id);
  EXPECT_EQ(Call(&v1::RatingService::Stub::GetRating, request)->conduct().games(), 0);
}

TEST_F(RatingCalls, TheOperatorVoidsAllThatAPlayerPlayedLately) {
  for (uint32_t seed = 41; seed < 44; ++seed) Play(NewRatedGame(), seed, &people_[1]);
  AwaitMatches(people_[0], 3);
  const auto annul = [&](v1::RecomputeRequest& request) {
    request.mutable_annulled_player()->set_player_id(people_[1].id);
    request.mutable_annulled_player()->set_reason("a program played for him");
  };
  EXPECT_EQ(Recompute(true, annul).players_changed(), 2);
  EXPECT_TRUE(Recompute(false, annul).switched());
  EXPECT_THAT(Steps(people_[0]), IsEmpty());
  EXPECT_EQ(RatingOf(people_[0]).rating(), 1500);
  EXPECT_THAT(Check().differences(), IsEmpty());
  const v1::AffairsSnapshot told = AffairsOf(people_[0]);
  ASSERT_EQ(told.ratings_size(), 1) << "whom it concerns is told";
  EXPECT_EQ(told.ratings(0).pool_id(), kPool);
  EXPECT_EQ(told.ratings(0).players_changed(), 2);
  EXPECT_GT(told.ratings(0).rating_before(), 1500);
  EXPECT_EQ(told.ratings(0).rating_after(), 1500);
  EXPECT_EQ(AffairsOf(people_[2]).ratings_size(), 0);

  v1::RecomputeRequest request;
  request.set_request_id(NewRequestId());
  request.set_pool_id(kPool);
  annul(request);
  request.mutable_annulled_player()->set_days(-1);
  EXPECT_THAT(ProblemOf(Call(&v1::RatingService::Stub::Recompute, request, true).status).bad_fields,
              ElementsAre("days"));
}

TEST_F(RatingCalls, TheOperatorSaysWhoLivesTogether) {
  v1::SetHouseholdRequest request;
  request.set_request_id(NewRequestId());
  request.add_player_ids(people_[0].id);
  request.add_player_ids(people_[1].id);
  const auto set = &v1::RatingService::Stub::SetHousehold;
  EXPECT_EQ(ProblemOf(Call(set, request).status).reason, "TOKEN_MISSING");
  EXPECT_TRUE(Call(set, request, true).ok());
  EXPECT_TRUE(Call(set, request, true).ok()) << "a repeat";
  request.add_player_ids(people_[0].id);
  EXPECT_EQ(ProblemOf(Call(set, request, true).status).reason, "REQUEST_ID_REUSED");
  request.set_request_id(NewRequestId());
  EXPECT_THAT(ProblemOf(Call(set, request, true).status).bad_fields, ElementsAre("player_ids"));
}

TEST_F(RatingCalls, RefuseWhatIsNotThere) {
  Play(NewRatedGame(), 31, &people_[0]);
  AwaitMatches(people_[0], 1);
  v1::ListRatingPoolsRequest list;
  const auto pools = Call(&v1::RatingService::Stub::ListRatingPools, list);
  const auto own = std::find_if(pools->pools().begin(), pools->pools().end(),
                                [](const v1::RatingPool& pool) { return pool.pool_id() == kPool; });
  ASSERT_TRUE(own != pools->pools().end());
  EXPECT_GE(own->matches(), 1);
  EXPECT_THAT(own->profile(), testing::HasSubstr("start_deviation="));

  v1::ListLeaderboardRequest board;
  board.set_pool_id(kPool);
  EXPECT_EQ(Call(&v1::RatingService::Stub::ListLeaderboard, board)->entries_size(), 0)
      << "nobody is ranked after one match";
  board.set_around_player_id(people_[0].id);
  EXPECT_EQ(ProblemOf(Call(&v1::RatingService::Stub::ListLeaderboard, board).status).reason,
            "NOT_FOUND");
  board.clear_around_player_id();
  board.set_snapshot("2001-01-01");
  EXPECT_EQ(ProblemOf(Call(&v1::RatingService::Stub::ListLeaderboard, board).status).reason,
            "NOT_FOUND");
  board.clear_snapshot();
  v1::ListLeaderboardSnapshotsRequest snapshots;
  snapshots.set_pool_id(kPool);
  EXPECT_TRUE(Call(&v1::RatingService::Stub::ListLeaderboardSnapshots, snapshots).ok());
  board.set_pool_id("chess/2/blitz/human");
  EXPECT_EQ(ProblemOf(Call(&v1::RatingService::Stub::ListLeaderboard, board).status).reason,
            "NOT_FOUND");
  v1::PredictResultRequest predict;
  predict.set_pool_id(kPool);
  predict.add_player_ids(people_[0].id);
  const Problem alone = ProblemOf(Call(&v1::RatingService::Stub::PredictResult, predict).status);
  EXPECT_EQ(alone.reason, "BAD_FIELD");
  EXPECT_THAT(alone.bad_fields, ElementsAre("player_ids"));
}

TEST_F(RatingCalls, NewcomersMaySayHowStrongTheyAre) {
  Play(NewRatedGame(), 51, &people_[0]);
  AwaitMatches(people_[0], 1);
  v1::EstimateOwnRatingRequest request;
  EXPECT_THAT(ProblemOf(Estimate(people_[2], request).status).bad_fields, ElementsAre("estimate"));
  request.set_estimate(v1::SELF_ESTIMATE_STRONG);
  const auto begun = Estimate(people_[2], request);
  ASSERT_TRUE(begun.ok()) << begun.status.error_message();
  EXPECT_EQ(begun->rating().shown(), 1650);
  EXPECT_EQ(begun->rating().state(), v1::RANK_STATE_PROVISIONAL);
  EXPECT_EQ(TextOf(*Estimate(people_[2], request)), TextOf(*begun)) << "a repeat";
  request.clear_request_id();
  request.set_estimate(v1::SELF_ESTIMATE_BEGINNER);
  EXPECT_EQ(ProblemOf(Estimate(people_[2], request).status).reason, "ALREADY_EXISTS");
  request.clear_request_id();
  EXPECT_EQ(ProblemOf(Estimate(people_[0], request).status).reason, "ALREADY_EXISTS")
      << "he was rated";
  v1::GetRatingRequest get;
  get.set_player_id(people_[2].id);
  get.set_pool_id(kPool);
  const auto rating = Call(&v1::RatingService::Stub::GetRating, get);
  ASSERT_TRUE(rating.ok()) << rating.status.error_message();
  EXPECT_EQ(rating->ratings(0).shown(), 1650);
  EXPECT_EQ(rating->ratings(0).matches(), 0);
}

// A table of three, of which two give up after some turns.
TEST_F(RatingCalls, TheOperatorExaminesTables) {
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("ashtapada");
  (*create.mutable_options())["players"] = "3";
  create.set_seat(0);
  create.set_rated(true);
  const auto created = people_[0].client.Call(&Game::CreateGame, create);
  ASSERT_TRUE(created.ok()) << created.status.error_message();
  for (const size_t seat : {1, 2}) {
    v1::JoinGameRequest join;
    join.set_request_id(NewRequestId());
    join.set_game_id(created->game().game_id());
    join.set_seat(static_cast<int32_t>(seat));
    const auto joined = people_[seat].client.Call(&Game::JoinGame, join);
    ASSERT_TRUE(joined.ok()) << joined.status.error_message();
  }
  Table table(created->game().game_id(),
              {&people_[0].client, &people_[1].client, &people_[2].client}, 61);
  EXPECT_TRUE(table.Play(90));
  Resign(people_[1], created->game().game_id());
  Resign(people_[2], created->game().game_id());
  AwaitMatches(people_[0], 1);

  v1::ExamineTablesRequest request;
  request.set_player_id(people_[0].id);
  request.set_pool_id("ashtapada/3-4/days/human");
  const auto examine = &v1::RatingService::Stub::ExamineTables;
  EXPECT_EQ(ProblemOf(Call(examine, request).status).reason, "TOKEN_MISSING");
  const auto help = Call(examine, request, true);
  ASSERT_TRUE(help.ok()) << help.status.error_message();
  EXPECT_EQ(help->matches(), 1);
  EXPECT_EQ(help->games(), 1);
  EXPECT_FALSE(help->cut_short());
  EXPECT_GT(help->choices(), 0);
  EXPECT_EQ(help->others_size(), 2);
  request.set_matches(101);
  EXPECT_THAT(ProblemOf(Call(examine, request, true).status).bad_fields, ElementsAre("matches"));
}

}  // namespace
}  // namespace astragal::e2e
