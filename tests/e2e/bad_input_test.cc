// Every case of bad input gets the code, reason and details it is promised, and changes nothing.
#include "tests/e2e/bad_input.h"

#include <gmock/gmock.h>

#include <string_view>

namespace astragal::e2e {
namespace {

using grpc::StatusCode;

std::string OpenGame(const Client& creator) {
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("long_narde");
  create.set_seat(0);
  return creator.Call(&Game::CreateGame, create)->game().game_id();
}

Scene MakeScene() {
  Scene scene;
  scene.running = NewGame(scene.alice.client, scene.bob.client);
  Table table(scene.running, {&scene.alice.client, &scene.bob.client}, 5);
  EXPECT_TRUE(table.Play(5));
  scene.finished = NewGame(scene.alice.client, scene.bob.client);
  v1::ResignGameRequest resign;
  resign.set_request_id(NewRequestId());
  resign.set_game_id(scene.finished);
  EXPECT_TRUE(scene.bob.client.Call(&Game::ResignGame, resign).ok());
  scene.open = OpenGame(scene.alice.client);

  v1::ListLegalActionsRequest list;
  list.set_game_id(scene.running);
  const auto legal = scene.nobody.Call(&Game::ListLegalActions, list);
  scene.actor = legal->position().actor();
  scene.sequence = legal->sequence();
  scene.legal.assign(legal->actions().begin(), legal->actions().end());
  v1::ListEventsRequest events;
  events.set_game_id(scene.running);
  events.set_page_size(3);
  scene.page_token = scene.nobody.Call(&History::ListEvents, events)->next_page_token();
  return scene;
}

void ExpectAsTold(const Problem& problem, const Case& expected) {
  EXPECT_EQ(problem.code, expected.code) << problem.message;
  EXPECT_EQ(problem.error_infos, 1);
  EXPECT_EQ(problem.reason, expected.reason);
  EXPECT_EQ(problem.domain, "astragal");
  EXPECT_NE(problem.message, "");
  EXPECT_THAT(problem.bad_fields, testing::ElementsAreArray(expected.fields));
  for (const auto& [key, value] : expected.metadata) {
    ASSERT_TRUE(problem.metadata.contains(key)) << key;
    EXPECT_NE(problem.metadata.at(key), "");
    if (value != "*") {
      EXPECT_EQ(problem.metadata.at(key), value) << key;
    }
  }
  if (expected.code == StatusCode::FAILED_PRECONDITION) {
    EXPECT_THAT(problem.preconditions, testing::ElementsAre(expected.reason));
  }
}

}  // namespace

const Scene& TheScene() {
  static const Scene* const scene = new Scene(MakeScene());
  return *scene;
}

v1::PlayActionsRequest GoodPlay(const Scene& scene) {
  v1::PlayActionsRequest play;
  play.set_request_id(NewRequestId());
  play.set_game_id(scene.running);
  play.add_actions()->set_action(scene.legal.front().action());
  return play;
}

TEST_P(BadInput, IsRefusedAsDocumentedAndChangesNothing) {
  const Scene& scene = TheScene();
  const std::vector<std::string> games = {scene.running, scene.finished, scene.open};
  std::vector<v1::Game> before;
  for (const std::string& game : games) before.push_back(GetGame(scene.nobody, game));

  const Problem problem = ProblemOf(GetParam().call(scene));
  if (std::string_view(GetParam().reason) == "DEADLINE_TOO_SHORT or none") {
    EXPECT_EQ(problem.code, StatusCode::DEADLINE_EXCEEDED);
  } else {
    ExpectAsTold(problem, GetParam());
  }

  for (size_t i = 0; i < games.size(); ++i) {
    const v1::Game after = GetGame(scene.nobody, games[i]);
    EXPECT_EQ(after.sequence(), before[i].sequence());
    EXPECT_EQ(after.log_hash(), before[i].log_hash());
  }
}

TEST(LegalActions, AreCountedInARefusal) {
  const Scene& scene = TheScene();
  v1::PlayActionsRequest play = GoodPlay(scene);
  play.mutable_actions(0)->set_action(int64_t{1} << 40);
  const Problem problem = ProblemOf(scene.mover().Call(&Game::PlayActions, play).status);
  EXPECT_EQ(problem.metadata.at("legal_actions"), std::to_string(scene.legal.size()));
}

}  // namespace astragal::e2e
