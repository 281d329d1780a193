// Several rules versions and builds side by side in a server that goes on serving.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/services/admin/desk.h"

namespace astragal::admin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The builds that took over, in order.
std::vector<std::string> Changes(Desk& desk, const std::string& game) {
  std::vector<std::string> builds;
  for (const v1::Event& event : desk.Events(game)) {
    if (event.has_build_changed()) builds.push_back(event.build_changed().build_sha256());
  }
  return builds;
}

void ExpectGoesOn(Desk& desk, const std::string& game, int actions = 2) {
  const uint32_t before = desk.Game(game).sequence();
  const grpc::Status status = desk.Play(game, actions);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_GT(desk.Game(game).sequence(), before);
}

void ExpectEnds(Desk& desk, const std::string& game) {
  const grpc::Status status = desk.Play(game);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(desk.Game(game).status(), v1::GAME_STATUS_FINISHED);
  EXPECT_EQ(desk.Replay(game), static_cast<int>(desk.Game(game).sequence()));
}

TEST(Builds, AnotherBuildOfTheSameRulesGoesOnWithAGame) {
  Desk desk({});
  desk.Drop(kBuild1a);
  desk.Load();
  const std::string game = desk.NewGame();
  ExpectGoesOn(desk, game);
  EXPECT_EQ(desk.Game(game).build_sha256(), Desk::Sha256Of(kBuild1a));
  EXPECT_THAT(Changes(desk, game), IsEmpty());

  desk.Drop(kBuild1b);  // over the file of the first
  EXPECT_THAT(Changes(desk, game), IsEmpty()) << "nobody loaded it yet";
  const v1::LoadRulesetsResponse report = desk.Load();
  ASSERT_EQ(report.loaded_size(), 1);
  EXPECT_FALSE(report.loaded(0).was_loaded());
  ExpectGoesOn(desk, game);
  EXPECT_THAT(Changes(desk, game), ElementsAre(Desk::Sha256Of(kBuild1b)));
  EXPECT_EQ(desk.Game(game).build_sha256(), Desk::Sha256Of(kBuild1a)) << "the one it began with";

  // A new game begins with the new build: nothing takes over.
  const std::string next = desk.NewGame();
  ExpectEnds(desk, next);
  EXPECT_EQ(desk.Game(next).build_sha256(), Desk::Sha256Of(kBuild1b));
  EXPECT_THAT(Changes(desk, next), IsEmpty());

  // And back again.
  EXPECT_TRUE(desk.Retire(kBuild1b).ok());
  ExpectEnds(desk, game);
  EXPECT_THAT(Changes(desk, game), ElementsAre(Desk::Sha256Of(kBuild1b), Desk::Sha256Of(kBuild1a)));
}

TEST(Builds, RulesVersionsServeSideBySide) {
  Desk desk({kBuild1a});
  const std::string old_game = desk.NewGame();
  ExpectGoesOn(desk, old_game);
  desk.Drop(kBuild2, "libsprint_2.so");
  desk.Load();
  const std::string new_game = desk.NewGame();
  EXPECT_EQ(desk.Game(old_game).rules_version(), 1U);
  EXPECT_EQ(desk.Game(new_game).rules_version(), 2U);
  ExpectEnds(desk, old_game);
  ExpectEnds(desk, new_game);
  EXPECT_THAT(Changes(desk, old_game), IsEmpty());
  EXPECT_THAT(Changes(desk, new_game), IsEmpty());
}

TEST(Builds, AGameWhoseRulesAreGoneIsRefusedUntilTheyAreBack) {
  Desk desk({kBuild1a, kBuild1b, kBuild2});
  const std::string new_game = desk.NewGame();
  EXPECT_TRUE(desk.Retire(kBuild2).ok());
  const std::string game = desk.NewGame();
  EXPECT_EQ(desk.Game(game).rules_version(), 1U) << "the newest that is left";
  EXPECT_EQ(ReasonOf(desk.Play(new_game, 1)), "RULESET_VERSION_UNAVAILABLE");
  ExpectGoesOn(desk, game);
  EXPECT_TRUE(desk.Retire(kBuild1b).ok());
  ExpectGoesOn(desk, game);
  EXPECT_TRUE(desk.Retire(kBuild1a).ok());
  EXPECT_TRUE(desk.Retire(kBuild1a).ok()) << "twice is once";
  const uint32_t before = desk.Game(game).sequence();
  const grpc::Status refused = desk.Play(game, 1);
  EXPECT_EQ(refused.error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_EQ(ReasonOf(refused), "RULESET_VERSION_UNAVAILABLE");
  EXPECT_EQ(desk.Game(game).sequence(), before);
  EXPECT_EQ(desk.Builds([](const auto& build) { return build.retired(); }).size(), 3U);

  desk.Load();
  EXPECT_THAT(desk.Builds([](const auto& build) { return build.retired(); }), IsEmpty());
  ExpectEnds(desk, game);
  ExpectEnds(desk, new_game);
}

TEST(Builds, WhatHappensToTheFileDoesNotReachTheService) {
  Desk desk({});
  desk.Drop(kBuild1a);
  desk.Load();
  const std::string game = desk.NewGame();
  ExpectGoesOn(desk, game);
  // In place, which is what takes down a process that has mapped the file itself.
  const std::string file = desk.plugins() + "/libsprint.so";
  std::ofstream(file, std::ios::trunc) << std::string(100'000, 'x');
  ExpectGoesOn(desk, game, 5);
  const v1::LoadRulesetsResponse report = desk.Load();
  EXPECT_EQ(report.loaded_size(), 0);
  ASSERT_EQ(report.refused_size(), 1);
  EXPECT_EQ(report.refused(0).reason(), "NOT_ELF");
  ExpectGoesOn(desk, game);
  std::filesystem::remove(file);
  ExpectGoesOn(desk, game);
  EXPECT_EQ(desk.Load().refused_size(), 0);
  ExpectEnds(desk, game);
  EXPECT_THAT(Changes(desk, game), IsEmpty());
}

TEST(Builds, ARestartFindsTheFolderAsItIs) {
  Desk desk({kBuild1a});
  const std::string key = desk.operator_key();
  const std::string game = desk.NewGame();
  ExpectGoesOn(desk, game);
  desk.Stop();
  std::filesystem::remove(desk.plugins() + "/libsprint_1a.so");
  desk.Drop(kBuild2, "libsprint_2.so");
  desk.Start();
  EXPECT_EQ(desk.operator_key(), key);
  grpc::ClientContext context;
  Desk::Authorize(context, desk.player_key());
  v1::ListLegalActionsRequest ask;
  ask.set_game_id(game);
  v1::ListLegalActionsResponse legal;
  const grpc::Status refused =
      v1::GameService::NewStub(desk.channel())->ListLegalActions(&context, ask, &legal);
  EXPECT_EQ(refused.error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_EQ(ReasonOf(refused), "RULESET_VERSION_UNAVAILABLE");
  desk.Drop(kBuild1b, "libsprint_1.so");
  desk.Load();
  ExpectEnds(desk, game);
  EXPECT_THAT(Changes(desk, game), ElementsAre(Desk::Sha256Of(kBuild1b)));
}

}  // namespace
}  // namespace astragal::admin
