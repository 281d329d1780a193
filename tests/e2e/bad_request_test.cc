// Bad input to everything but the playing of a game.
#include "tests/e2e/bad_input.h"

namespace astragal::e2e {
namespace {

using grpc::StatusCode;

Call Creating(std::function<void(v1::CreateGameRequest&)> change) {
  return [change](const Scene& scene) {
    v1::CreateGameRequest create;
    create.set_request_id(NewRequestId());
    create.set_ruleset_id("long_narde");
    change(create);
    return scene.alice.client.Call(&Game::CreateGame, create).status;
  };
}

std::vector<Case> CreationCases() {
  using Create = v1::CreateGameRequest;
  return {
      {"NoRuleset",
       Creating([](Create& create) { create.clear_ruleset_id(); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"ruleset_id"}},
      {"UnknownRuleset",
       Creating([](Create& create) { create.set_ruleset_id("ludo"); }),
       StatusCode::NOT_FOUND,
       "NOT_FOUND",
       {},
       {{"field", "ruleset_id"}}},
      {"UnknownRulesVersion",
       Creating([](Create& create) { create.set_rules_version(999); }),
       StatusCode::FAILED_PRECONDITION,
       "RULESET_VERSION_UNAVAILABLE",
       {},
       {{"ruleset", "long_narde"}, {"rules_version", "999"}}},
      {"UnknownPreset",
       Creating([](Create& create) { create.set_preset("club"); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_OPTION",
       {"preset"}},
      {"UnknownOption",
       Creating([](Create& create) { (*create.mutable_options())["speed"] = "9"; }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_OPTION",
       {"options.speed"}},
      {"UnknownOptionValue",
       Creating([](Create& create) { (*create.mutable_options())["scoring"] = "9"; }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_OPTION",
       {"options.scoring"}},
      {"SeatOutOfRange",
       Creating([](Create& create) { create.set_seat(2); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"seat"}},
      {"NegativeSeat",
       Creating([](Create& create) { create.set_seat(-1); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"seat"}},
  };
}

std::vector<Case> ListCases() {
  using Events = v1::ListEventsRequest;
  using Games = v1::ListGamesRequest;
  using At = v1::GetPositionRequest;
  const auto events = [](std::function<void(const Scene&, Events&)> change) {
    return Asking<History, Events>(&History::ListEvents,
                                   [change](const Scene& scene, Events& list) {
                                     list.set_game_id(scene.running);
                                     change(scene, list);
                                   });
  };
  return {
      {"NegativePageSize",
       events([](const Scene&, Events& list) { list.set_page_size(-1); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"page_size"}},
      {"ForgedPageToken",
       events([](const Scene&, Events& list) { list.set_page_token("AAAAAAAAAAAAAAAAAAAAAAAx"); }),
       StatusCode::INVALID_ARGUMENT,
       "PAGE_TOKEN_INVALID",
       {"page_token"}},
      {"BentPageToken",
       events([](const Scene& scene, Events& list) {
         list.set_page_token(scene.page_token);
         char& first = list.mutable_page_token()->front();
         first = first == 'A' ? 'B' : 'A';
       }),
       StatusCode::INVALID_ARGUMENT,
       "PAGE_TOKEN_INVALID",
       {"page_token"}},
      {"PageTokenOfAnotherGame",
       events([](const Scene& scene, Events& list) {
         list.set_page_token(scene.page_token);
         list.set_game_id(scene.finished);
       }),
       StatusCode::INVALID_ARGUMENT,
       "PAGE_TOKEN_INVALID",
       {"page_token"}},
      {"PageTokenOfAnotherList",
       Asking<Game, Games>(
           &Game::ListGames,
           [](const Scene& scene, Games& list) { list.set_page_token(scene.page_token); }),
       StatusCode::INVALID_ARGUMENT,
       "PAGE_TOKEN_INVALID",
       {"page_token"}},
      {"UnknownStatus",
       Asking<Game, Games>(
           &Game::ListGames,
           [](const Scene&, Games& list) { list.set_status(static_cast<v1::GameStatus>(77)); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"status"}},
      {"EventsOfUnknownGame",
       events([](const Scene&, Events& list) { list.set_game_id(kUnknownId); }),
       StatusCode::NOT_FOUND, "NOT_FOUND"},
      {"PositionAtZero",
       Asking<History, At>(&History::GetPosition,
                           [](const Scene& scene, At& at) {
                             at.set_game_id(scene.running);
                             at.set_sequence(0);
                           }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"sequence"}},
      {"PositionBeyondTheLog",
       Asking<History, At>(&History::GetPosition,
                           [](const Scene& scene, At& at) {
                             at.set_game_id(scene.running);
                             at.set_sequence(scene.sequence + 1);
                           }),
       StatusCode::FAILED_PRECONDITION,
       "SEQUENCE_UNKNOWN",
       {},
       {{"current_sequence", "*"}}},
      {"UnknownPlayer",
       Asking<Player, v1::GetPlayerRequest>(
           &Player::GetPlayer, [](const Scene&, auto& get) { get.set_player_id(kUnknownId); }),
       StatusCode::NOT_FOUND, "NOT_FOUND"},
      {"UnknownGameRead",
       Asking<Game, v1::GetGameRequest>(
           &Game::GetGame, [](const Scene&, auto& get) { get.set_game_id(kUnknownId); }),
       StatusCode::NOT_FOUND, "NOT_FOUND"},
  };
}

// A call by Alice with a request that `change` fills; its request_id is good.
template <typename Stub, typename Request, typename Response>
Call Changing(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
              std::function<void(const Scene&, Request&)> change) {
  return [=](const Scene& scene) {
    Request request;
    request.set_request_id(NewRequestId());
    change(scene, request);
    return scene.alice.client.Call(method, request).status;
  };
}

std::vector<Case> AccountCases() {
  using NewPlayer = v1::CreatePlayerRequest;
  using Key = v1::CreateApiKeyRequest;
  using Update = v1::UpdatePlayerRequest;
  const auto naming = [](const std::string& name) {
    return Changing<Player, NewPlayer>(
        &Player::CreatePlayer, [name](const Scene&, NewPlayer& create) { create.set_name(name); });
  };
  const auto expiring = [](int64_t seconds, int nanos) {
    return Changing<Auth, Key>(&Auth::CreateApiKey, [=](const Scene&, Key& create) {
      create.mutable_expire_time()->set_seconds(seconds);
      create.mutable_expire_time()->set_nanos(nanos);
    });
  };
  return {
      {"NoName", naming(""), StatusCode::INVALID_ARGUMENT, "BAD_FIELD", {"name"}},
      {"LongName",
       naming(std::string(41, 'a')),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"name"}},
      {"OddName", naming("<b>"), StatusCode::INVALID_ARGUMENT, "BAD_FIELD", {"name"}},
      {"NameWithZeroByte",
       naming(std::string("a\0b", 3)),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"name"}},
      {"PlayerWithoutRequestId",
       Changing<Player, NewPlayer>(&Player::CreatePlayer,
                                   [](const Scene&, NewPlayer& create) {
                                     create.clear_request_id();
                                     create.set_name("Dora");
                                   }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"request_id"}},
      {"TakenName",
       Changing<Player, NewPlayer>(&Player::CreatePlayer,
                                   [](const Scene& scene, NewPlayer& create) {
                                     create.set_name(scene.bob.name);
                                     create.mutable_name()->front() = 'b';
                                   }),
       StatusCode::ALREADY_EXISTS, "ALREADY_EXISTS"},
      {"LongLabel",
       Changing<Auth, Key>(
           &Auth::CreateApiKey,
           [](const Scene&, Key& create) { create.set_label(std::string(81, 'a')); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"label"}},
      {"KeyOfThePast",
       expiring(1'000'000, 0),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"expire_time"}},
      {"KeyBeyondTime",
       expiring(int64_t{1} << 62, 0),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"expire_time"}},
      {"KeyWithNegativeNanos",
       expiring(4'000'000'000, -1),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"expire_time"}},
      {"RevokeAnothersKey",
       Changing<Auth, v1::RevokeApiKeyRequest>(
           &Auth::RevokeApiKey,
           [](const Scene& scene, auto& revoke) {
             revoke.set_key_id(
                 scene.bob.client.Call(&Auth::WhoAmI, v1::WhoAmIRequest())->key().key_id());
           }),
       StatusCode::NOT_FOUND, "NOT_FOUND"},
      {"StaleEtag",
       Changing<Player, Update>(&Player::UpdatePlayer,
                                [](const Scene&, Update& update) {
                                  update.set_name("Alice " + NewRequestId().substr(0, 8));
                                  update.set_etag("7");
                                }),
       StatusCode::ABORTED,
       "STALE_VERSION",
       {},
       {{"current_version", "1"}}},
      {"OddEtag",
       Changing<Player, Update>(&Player::UpdatePlayer,
                                [](const Scene&, Update& update) {
                                  update.set_name("Alice");
                                  update.set_etag("1x");
                                }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"etag"}},
  };
}

std::vector<Case> RulesetCases() {
  using Get = v1::GetRulesetRequest;
  using Parse = v1::ParseActionRequest;
  using Apply = v1::ApplyActionsRequest;
  const auto parsing = [](std::function<void(Parse&)> change) {
    return Asking<Ruleset, Parse>(
        &Ruleset::ParseAction, [change](const Scene& scene, Parse& parse) {
          v1::ListLegalActionsRequest list;
          list.set_game_id(scene.running);
          const auto legal = scene.nobody.Call(&Game::ListLegalActions, list);
          parse.mutable_source()->set_ruleset_id("long_narde");
          parse.mutable_source()->set_text(legal->position().text());
          parse.set_notation(legal->actions(0).notation());
          change(parse);
        });
  };
  return {
      {"GetUnknownRuleset",
       Asking<Ruleset, Get>(&Ruleset::GetRuleset,
                            [](const Scene&, Get& get) { get.set_ruleset_id("ludo"); }),
       StatusCode::NOT_FOUND, "NOT_FOUND"},
      {"GetUnknownVersion",
       Asking<Ruleset, Get>(&Ruleset::GetRuleset,
                            [](const Scene&, Get& get) {
                              get.set_ruleset_id("long_narde");
                              get.set_rules_version(99);
                            }),
       StatusCode::FAILED_PRECONDITION, "RULESET_VERSION_UNAVAILABLE"},
      {"GeometryOfUnknownPreset",
       Asking<Ruleset, v1::GetGeometryRequest>(&Ruleset::GetGeometry,
                                               [](const Scene&, auto& get) {
                                                 get.set_ruleset_id("long_narde");
                                                 get.set_preset("club");
                                               }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_OPTION",
       {"preset"}},
      {"NoPosition",
       parsing([](Parse& parse) { parse.mutable_source()->clear_position(); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"source.position"}},
      {"PositionTextIsNone",
       parsing([](Parse& parse) { parse.mutable_source()->set_text("?"); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_NOTATION",
       {"source.text"}},
      {"PositionBytesAreNone",
       parsing([](Parse& parse) { parse.mutable_source()->set_data("\x01\x02"); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_NOTATION",
       {"source.data"}},
      {"NotationIsNone",
       parsing([](Parse& parse) { parse.set_notation("up"); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_NOTATION",
       {"notation"}},
      {"NotationTooLong",
       parsing([](Parse& parse) { parse.set_notation(std::string(65, '1')); }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_NOTATION",
       {"notation"}},
      {"TooManyApplied",
       Asking<Ruleset, Apply>(&Ruleset::ApplyActions,
                              [](const Scene&, Apply& apply) {
                                for (int i = 0; i < 65; ++i) {
                                  apply.add_notations("1-1");
                                }
                              }),
       StatusCode::INVALID_ARGUMENT,
       "BAD_FIELD",
       {"notations"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Creation, BadInput, testing::ValuesIn(CreationCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Lists, BadInput, testing::ValuesIn(ListCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Accounts, BadInput, testing::ValuesIn(AccountCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Rulesets, BadInput, testing::ValuesIn(RulesetCases()), NameOfCase);

}  // namespace
}  // namespace astragal::e2e
