// Bad input to a game, and bad credentials.
#include "tests/e2e/bad_input.h"

namespace astragal::e2e {
namespace {

using grpc::StatusCode;

// A PlayActions call that would be accepted but for what `change` does to it.
Call Playing(std::function<void(const Scene&, v1::PlayActionsRequest&)> change) {
  return [change](const Scene& scene) {
    v1::PlayActionsRequest play = GoodPlay(scene);
    change(scene, play);
    return scene.mover().Call(&Game::PlayActions, play).status;
  };
}

Call Joining(const Person Scene::*who, const std::string Scene::*game,
             std::optional<int> seat = {}) {
  return [=](const Scene& scene) {
    v1::JoinGameRequest join;
    join.set_request_id(NewRequestId());
    join.set_game_id(scene.*game);
    if (seat) join.set_seat(*seat);
    return (scene.*who).client.Call(&Game::JoinGame, join).status;
  };
}

// The same PlayActions with another credential.
Call PlayingAs(const std::string& token) {
  return [token](const Scene& scene) {
    return Client(scene.nobody.channel(), token).Call(&Game::PlayActions, GoodPlay(scene)).status;
  };
}

std::vector<Case> GameCases() {
  using PlayRequest = v1::PlayActionsRequest;
  return {
      {"UnknownGame",
       Playing([](const Scene&, PlayRequest& play) { play.set_game_id(kUnknownId); }),
       StatusCode::NOT_FOUND, "NOT_FOUND"},
      {"MalformedGameId",
       Playing([](const Scene&, PlayRequest& play) { play.set_game_id("'; DROP TABLE games"); }),
       StatusCode::NOT_FOUND, "NOT_FOUND"},
      {"NoGameId",
       Playing([](const Scene&, PlayRequest& play) { play.clear_game_id(); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"game_id"}},
      {"NoRequestId",
       Playing([](const Scene&, PlayRequest& play) { play.clear_request_id(); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"request_id"}},
      {"RequestIdIsNoUuid",
       Playing([](const Scene&, PlayRequest& play) { play.set_request_id("42"); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"request_id"}},
      {"RequestIdIsNil",
       Playing([](const Scene&, PlayRequest& play) {
         play.set_request_id("00000000-0000-0000-0000-000000000000");
       }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"request_id"}},
      {"NoActions",
       Playing([](const Scene&, PlayRequest& play) { play.clear_actions(); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"actions"}},
      {"TooManyActions",
       Playing([](const Scene&, PlayRequest& play) {
         while (play.actions_size() < 65) *play.add_actions() = play.actions(0);
       }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"actions"}},
      {"UnknownPositionView",
       Playing([](const Scene&, PlayRequest& play) {
         play.set_position_view(static_cast<v1::PositionView>(9));
       }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"position_view"}},
      {"EmptyAction",
       Playing([](const Scene&, PlayRequest& play) { play.add_actions(); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"actions[1]"}},
      {"NegativeAction",
       Playing([](const Scene&, PlayRequest& play) { play.mutable_actions(0)->set_action(-1); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"actions[0]"}},
      {"MalformedNotation",
       Playing([](const Scene&, PlayRequest& play) {
         play.mutable_actions(0)->set_notation("24/twenty");
       }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_NOTATION",
       {"actions[0]"}},
      {"EmptyNotation",
       Playing([](const Scene&, PlayRequest& play) { play.mutable_actions(0)->set_notation(""); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_NOTATION",
       {"actions[0]"}},
      {"LongNotation",
       Playing([](const Scene&, PlayRequest& play) {
         play.mutable_actions(0)->set_notation(std::string(65, '1'));
       }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_NOTATION",
       {"actions[0]"}},
      {"IllegalAction",
       Playing([](const Scene&, PlayRequest& play) {
         play.mutable_actions(0)->set_action(int64_t{1} << 40);
       }),
       StatusCode::FAILED_PRECONDITION,
       "ILLEGAL_ACTION",
       {},
       {{"legal_actions", "*"}, {"field", "actions[0]"}}},
      {"LegalThenIllegal",
       Playing([](const Scene&, PlayRequest& play) {
         play.add_actions()->set_action(int64_t{1} << 40);
       }),
       StatusCode::FAILED_PRECONDITION,
       "ILLEGAL_ACTION",
       {},
       {{"field", "actions[1]"}}},
      {"StaleSequence",
       Playing([](const Scene&, PlayRequest& play) { play.set_expected_sequence(3); }),
       StatusCode::ABORTED,
       "STALE_SEQUENCE",
       {},
       {{"current_sequence", "*"}}},
      {"SequenceAhead",
       Playing([](const Scene& scene, PlayRequest& play) {
         play.set_expected_sequence(scene.sequence + 1);
       }),
       StatusCode::FAILED_PRECONDITION,
       "SEQUENCE_UNKNOWN",
       {},
       {{"current_sequence", "*"}, {"restore_epoch", "0"}}},
      {"OtherSeatsTurn",
       [](const Scene& scene) {
         return scene.waiter().Call(&Game::PlayActions, GoodPlay(scene)).status;
       },
       StatusCode::FAILED_PRECONDITION,
       "NOT_YOUR_TURN",
       {},
       {{"seats_to_act", "*"}}},
      {"HoldsNoSeat",
       [](const Scene& scene) {
         return scene.carol.client.Call(&Game::PlayActions, GoodPlay(scene)).status;
       },
       StatusCode::PERMISSION_DENIED, "NOT_SEATED"},
      {"GameOver",
       Playing([](const Scene& scene, PlayRequest& play) { play.set_game_id(scene.finished); }),
       StatusCode::FAILED_PRECONDITION,
       "GAME_OVER",
       {},
       {{"ending", "2"}}},
      {"GameNotStarted",
       [](const Scene& scene) {
         v1::PlayActionsRequest play = GoodPlay(scene);
         play.set_game_id(scene.open);
         return scene.alice.client.Call(&Game::PlayActions, play).status;
       },
       StatusCode::FAILED_PRECONDITION, "GAME_NOT_RUNNING"},
      {"ResignByAStranger",
       [](const Scene& scene) {
         v1::ResignGameRequest resign;
         resign.set_request_id(NewRequestId());
         resign.set_game_id(scene.running);
         return scene.carol.client.Call(&Game::ResignGame, resign).status;
       },
       StatusCode::PERMISSION_DENIED, "NOT_SEATED"},
      {"JoinFullGame", Joining(&Scene::carol, &Scene::running), StatusCode::FAILED_PRECONDITION,
       "GAME_FULL"},
      {"JoinTwice", Joining(&Scene::alice, &Scene::open), StatusCode::FAILED_PRECONDITION,
       "ALREADY_SEATED"},
      {"JoinFinishedGame", Joining(&Scene::carol, &Scene::finished),
       StatusCode::FAILED_PRECONDITION, "GAME_OVER"},
      {"JoinTakenSeat", Joining(&Scene::carol, &Scene::open, 0), StatusCode::FAILED_PRECONDITION,
       "GAME_FULL"},
      {"JoinSeatOutOfRange",
       Joining(&Scene::carol, &Scene::open, 2),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"seat"}},
      {"JoinNegativeSeat",
       Joining(&Scene::carol, &Scene::open, -1),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"seat"}},
      {"DeadlineTooShort",
       [](const Scene& scene) {
         Client hasty(scene.mover().channel(), scene.mover().token());
         hasty.set_deadline_ms(40);
         return hasty.Call(&Game::PlayActions, GoodPlay(scene)).status;
       },
       // The client's own clock may say so before the server's answer comes.
       StatusCode::DEADLINE_EXCEEDED, "DEADLINE_TOO_SHORT or none"},
      {"HugeMessage", Playing([](const Scene&, PlayRequest& play) {
         play.mutable_actions(0)->set_notation(std::string(70'000, 'x'));
       }),
       StatusCode::RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE"},
  };
}

std::vector<Case> CredentialCases() {
  return {
      {"TokenMissing", PlayingAs(""), StatusCode::UNAUTHENTICATED, "TOKEN_MISSING"},
      {"TokenMalformed", PlayingAs("hello"), StatusCode::UNAUTHENTICATED, "TOKEN_INVALID"},
      {"TokenUnknown", PlayingAs("ast_" + std::string(64, '0')), StatusCode::UNAUTHENTICATED,
       "TOKEN_INVALID"},
      {"TokenInUpperCase",
       [](const Scene& scene) {
         std::string token = scene.mover().token();
         for (size_t i = 4; i < token.size(); ++i) token[i] = static_cast<char>(toupper(token[i]));
         return Client(scene.nobody.channel(), token)
             .Call(&Game::PlayActions, GoodPlay(scene))
             .status;
       },
       StatusCode::UNAUTHENTICATED, "TOKEN_INVALID"},
      {"CreateWithoutToken",
       [](const Scene& scene) {
         v1::CreateGameRequest create;
         create.set_request_id(NewRequestId());
         create.set_ruleset_id("long_narde");
         return scene.nobody.Call(&Game::CreateGame, create).status;
       },
       StatusCode::UNAUTHENTICATED, "TOKEN_MISSING"},
      {"WhoAmIWithoutToken",
       Asking<Auth, v1::WhoAmIRequest>(&Auth::WhoAmI, [](const Scene&, auto&) {}),
       StatusCode::UNAUTHENTICATED, "TOKEN_MISSING"},
  };
}

INSTANTIATE_TEST_SUITE_P(Games, BadInput, testing::ValuesIn(GameCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Credentials, BadInput, testing::ValuesIn(CredentialCases()), NameOfCase);

}  // namespace
}  // namespace astragal::e2e
