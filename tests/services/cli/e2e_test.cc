// The program against a real astragald with its own PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "services/base/status.h"
#include "services/cli/call_status.h"
#include "tests/services/cli/cli_test.h"

namespace astragal::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST_F(CliTest, TheLobbyFindsOpponents) {
  MakePlayers();
  const Ran sought = RunAs("alice", {"seek", "patolli", "--clock", "fischer:5m+3s", "--json"});
  ASSERT_EQ(sought.code, 0) << sought.text;
  const std::string seek = json::parse(sought.text)["proposal_id"];
  EXPECT_THAT(RunAs("", {"lobby"}).text,
              testing::ContainsRegex(seek + " +alice +anybody +patolli +fischer:5m\\+3s"));
  const Ran accepted = RunAs("bob", {"accept", seek, "--json"});
  ASSERT_EQ(accepted.code, 0) << accepted.text;
  const std::string game = json::parse(accepted.text)["game"]["game_id"];
  const Ran late = RunAs("carol", {"accept", seek});
  EXPECT_EQ(late.code, 1);
  EXPECT_THAT(late.text, HasSubstr("PROPOSAL_CLOSED"));

  ASSERT_EQ(RunAs("bob", {"resign", game, "--yes"}).code, 0);
  EXPECT_EQ(RunAs("alice", {"rematch", game}).code, 0);
  const Ran again = RunAs("bob", {"rematch", game, "--json"});
  ASSERT_EQ(again.code, 0) << again.text;
  EXPECT_NE(json::parse(again.text)["game"]["game_id"], game);

  const Ran challenged = RunAs("alice", {"challenge", "bob", "long_narde", "--private", "--json"});
  ASSERT_EQ(challenged.code, 0) << challenged.text;
  const std::string challenge = json::parse(challenged.text)["proposal_id"];
  EXPECT_THAT(RunAs("bob", {"lobby", "--mine"}).text, HasSubstr(challenge));
  EXPECT_EQ(RunAs("carol", {"decline", challenge}).code, 1);
  EXPECT_THAT(RunAs("bob", {"decline", challenge}).text, HasSubstr("declined"));
  EXPECT_EQ(RunAs("alice", {"withdraw", challenge}).code, 1);

  // Both wait in the queue until the server pairs them, and print the same game.
  const std::unique_ptr<Program> waiting = Start("alice", {"queue", "long_narde"});
  ASSERT_TRUE(waiting->WaitFor("Waiting as")) << waiting->output();
  const Ran found = RunAs("carol", {"queue", "long_narde", "--json"});
  ASSERT_EQ(found.code, 0) << found.text;
  const std::string paired = json::parse(found.text.substr(found.text.find("\n{") + 1))["game_id"];
  EXPECT_TRUE(waiting->WaitFor(paired)) << waiting->output();
  EXPECT_EQ(waiting->Wait(), 0);

  const std::unique_ptr<Program> watching = Start("", {"lobby", "--watch"});
  const Ran other = RunAs("carol", {"seek", "ashtapada", "--json"});
  const std::string withdrawn = json::parse(other.text)["proposal_id"];
  EXPECT_TRUE(watching->WaitFor("+ " + withdrawn)) << watching->output();
  EXPECT_EQ(RunAs("carol", {"withdraw", withdrawn}).code, 0);
  EXPECT_TRUE(watching->WaitFor("- " + withdrawn)) << watching->output();
  EXPECT_EQ(RunAs("alice", {"seek", "patolli", "--clock", "blitz"}).code, 2);
}

TEST_F(CliTest, HealthAndRulesets) {
  EXPECT_THAT(RunAs("", {"health"}).text, HasSubstr("serving at " + address_));
  const Ran table = RunAs("", {"rulesets"});
  EXPECT_EQ(table.code, 0);
  EXPECT_THAT(table.text, HasSubstr("long_narde"));
  const json all = json::parse(RunAs("", {"rulesets", "--json"}).text);
  ASSERT_FALSE(all["rulesets"].empty());
  // Every ruleset can be shown, and --json says the same as the list.
  for (const json& ruleset : all["rulesets"]) {
    const std::string id = ruleset["ruleset_id"];
    EXPECT_EQ(json::parse(RunAs("", {"rulesets", id, "--json"}).text), ruleset);
    const Ran shown = RunAs("", {"rulesets", id});
    for (const json& option : ruleset["options"]) {
      EXPECT_THAT(shown.text, HasSubstr(option["name"].get<std::string>() + " = "));
    }
  }
  const Ran unknown = RunAs("", {"rulesets", "chess"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.text, HasSubstr("NOT_FOUND"));
}

TEST_F(CliTest, PlayersAreKeptAndChosen) {
  ASSERT_EQ(RunAs("dora", {"player", "new", "dora"}).code, 0);
  ASSERT_EQ(RunAs("dora", {"player", "new", "dora bot", "--bot"}).code, 0);
  EXPECT_THAT(RunAs("dora", {"whoami"}).text, HasSubstr("dora bot ("));
  EXPECT_THAT(RunAs("dora", {"whoami", "--player", "dora"}).text, HasSubstr("dora ("));
  EXPECT_EQ(RunAs("dora", {"player", "use", "dora"}).code, 0);
  EXPECT_THAT(RunAs("dora", {"whoami"}).text, HasSubstr("dora ("));
  EXPECT_THAT(RunAs("dora", {"player", "list"}).text, HasSubstr("*  dora "));
  EXPECT_THAT(RunAs("", {"player", "list", "--all"}).text, HasSubstr("dora bot"));
  const Ran taken = RunAs("eve", {"player", "new", "DORA"});
  EXPECT_EQ(taken.code, 1);
  EXPECT_THAT(taken.text, HasSubstr("ALREADY_EXISTS"));
  const Ran bad = RunAs("eve", {"player", "new", "no/slashes"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.text, HasSubstr("BAD_FIELD"));
}

TEST_F(CliTest, AKeyThatTheServerDoesNotKnowIsExplained) {
  Program::Environment environment = EnvironmentOf("frank");
  environment["ASTRAGAL_KEY"] = "ast_" + std::string(64, '0');
  Program program({kBin + "astragal", "whoami"}, environment);
  EXPECT_EQ(program.Wait(), 1);
  EXPECT_THAT(program.output(), HasSubstr("TOKEN_INVALID"));
}

TEST_F(CliTest, TwoPlayersPlayThroughPipesAndOneResigns) {
  MakePlayers();
  const std::string game = NewGame();
  const auto alice = Start("alice", {"play", game});
  const auto bob = Start("bob", {"play", game});
  const auto watcher = Start("", {"watch", game, "--from", "1", "--no-boards"});
  ASSERT_TRUE(alice->WaitFor("You (alice) play white")) << alice->output();
  ASSERT_TRUE(bob->WaitFor("You (bob) play black")) << bob->output();
  constexpr int kMoves = 8;
  for (int i = 0; i < kMoves; ++i) {
    const json position = json::parse(RunAs("", {"position", game, "--json"}).text);
    const int actor = position["position"]["actor"];
    ASSERT_GE(actor, 0) << position;
    Program& mover = actor == 0 ? *alice : *bob;
    const Program& other = actor == 0 ? *bob : *alice;
    ASSERT_TRUE(mover.WaitFor("can play:\n")) << mover.output();
    // The list may come in two reads; its last line ends with the end of what the session shows.
    ASSERT_TRUE(mover.WaitFor("\n")) << mover.output();
    const std::string action = FirstListed(mover);
    mover.Type(action + "\n");
    const std::string said = std::string(actor == 0 ? "white" : "black") + " plays " + action;
    ASSERT_TRUE(mover.WaitFor(said)) << mover.output();
    ASSERT_TRUE(const_cast<Program&>(other).WaitFor(said)) << other.output();
  }
  bob->Type("resign\n");
  for (Program* program : {alice.get(), bob.get()}) {
    EXPECT_TRUE(program->WaitFor("Result: 1. white (alice)")) << program->output();
    EXPECT_EQ(program->Wait(), 0) << program->output();
    EXPECT_THAT(program->output(), HasSubstr(" -o FILE")) << "nobody had to ask for the receipt";
  }
  EXPECT_EQ(watcher->Wait(), 0) << watcher->output();
  EXPECT_THAT(watcher->output(), HasSubstr("Receipt: key "));
  EXPECT_THAT(watcher->output(), HasSubstr("1  the game is created"));
  EXPECT_THAT(watcher->output(), HasSubstr("black resigns"));
  EXPECT_EQ(CountActions(Events(game)), kMoves);
  const Ran again = RunAs("bob", {"resign", game});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.text, HasSubstr("GAME_OVER"));
}

// What the two sessions at the boards of a challenge that invites contributions have said, and the
// proof of its dice afterwards.
struct Contributed {
  std::string said;
  json proof;
};

// A window of two seconds may be over before a session stands, on a busy machine.
TEST_F(CliTest, PlayersAtTheBoardAddToTheDiceOfAChallengeByThemselves) {
  MakePlayers();
  const auto play = []() -> Contributed {
    const Ran asked =
        RunAs("alice", {"challenge", "bob", "long_narde", "--contributions", "--json"});
    EXPECT_EQ(asked.code, 0) << asked.text;
    const Ran accepted = RunAs(
        "bob", {"accept", json::parse(asked.text)["proposal_id"].get<std::string>(), "--json"});
    EXPECT_EQ(accepted.code, 0) << accepted.text;
    const std::string game = json::parse(accepted.text)["game"]["game_id"];
    const auto alice = Start("alice", {"play", game});
    const auto bob = Start("bob", {"play", game});
    while (true) {
      const std::vector<json> events = Events(game);
      if (std::ranges::any_of(events, [](const json& e) { return e.contains("started"); })) break;
    }
    EXPECT_EQ(RunAs("alice", {"resign", game, "--yes"}).code, 0);
    EXPECT_EQ(alice->Wait(), 0) << alice->output();
    EXPECT_EQ(bob->Wait(), 0) << bob->output();
    return {alice->output() + bob->output(), json::parse(RunAs("", {"proof", game}).text)};
  };
  constexpr int kTries = 6;
  for (int i = 0; i < kTries; ++i) {
    const Contributed played = play();
    size_t given = 0;
    for (const json& seat : played.proof["seats"]) {
      const std::string bytes = seat["contribution"];
      if (bytes.empty()) continue;
      EXPECT_THAT(played.said, HasSubstr("Added to the dice: 32 random bytes, " + bytes));
      ++given;
    }
    if (given == 2) return;
  }
  FAIL() << "in none of " << kTries << " games did both seats add to the dice";
}

TEST_F(CliTest, OffersLeavingAndCallingOff) {
  MakePlayers();
  const Ran made = RunAs("alice", {"new", "long_narde", "--clock", "delay:14m+8s", "--json"});
  ASSERT_EQ(made.code, 0) << made.text;
  const std::string game = json::parse(made.text)["game_id"];
  const Ran left = RunAs("alice", {"leave", game});
  EXPECT_EQ(left.code, 0) << left.text;
  EXPECT_THAT(left.text, HasSubstr("waits for players"));
  ASSERT_EQ(RunAs("alice", {"join", game}).code, 0);
  ASSERT_EQ(RunAs("bob", {"join", game}).code, 0);
  const Ran offered = RunAs("alice", {"offer", game, "resign", "--points", "1"});
  EXPECT_EQ(offered.code, 0) << offered.text;
  EXPECT_THAT(offered.text, HasSubstr("the offer of white is open"));
  EXPECT_THAT(offered.text, HasSubstr("white 14:00"));
  const Ran nothing = RunAs("bob", {"undo", game});
  EXPECT_EQ(nothing.code, 1);
  const Ran accepted = RunAs("bob", {"answer", game, "yes"});
  EXPECT_EQ(accepted.code, 0) << accepted.text;
  EXPECT_THAT(accepted.text, HasSubstr("1. black (bob) 1 point, 2. white (alice) 0 points"));
  const Ran over = RunAs("bob", {"abort", game});
  EXPECT_EQ(over.code, 1);
  EXPECT_THAT(over.text, HasSubstr("GAME_OVER"));
}

TEST_F(CliTest, WhatIsRefusedIsExplainedAndChangesNothing) {
  MakePlayers();
  const std::string game = NewGame();
  const size_t before = Events(game).size();
  const json position = json::parse(RunAs("", {"position", game, "--json"}).text);
  const std::string mover = position["position"]["actor"] == 0 ? "alice" : "bob";

  const Ran notation = RunAs(mover, {"play", game}, "seven/eleven\n");
  EXPECT_EQ(notation.code, 1);
  EXPECT_THAT(notation.text, HasSubstr("BAD_NOTATION"));
  const Ran illegal = RunAs(mover, {"play", game}, "2/1\n");
  EXPECT_EQ(illegal.code, 1);
  EXPECT_THAT(illegal.text, HasSubstr("ILLEGAL_ACTION"));
  const Ran partly = RunAs(mover, {"play", game}, "24/23, 24/22, 24/21, 24/20, 24/19\n");
  EXPECT_EQ(partly.code, 1);
  const Ran stranger = RunAs("carol", {"play", game}, "24/18\n");
  EXPECT_EQ(stranger.code, 1);
  EXPECT_THAT(stranger.text, HasSubstr("NOT_SEATED"));
  const Ran full = RunAs("carol", {"join", game});
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.text, HasSubstr("GAME_FULL"));
  EXPECT_EQ(RunAs("carol", {"join", game, "--seat", "green"}).code, 2);
  const Ran ahead = RunAs("", {"position", game, "--at", "9999"});
  EXPECT_EQ(ahead.code, 1);
  EXPECT_THAT(ahead.text, HasSubstr("SEQUENCE_UNKNOWN"));
  const Ran option = RunAs("alice", {"new", "long_narde", "--option", "colour=green"});
  EXPECT_EQ(option.code, 1);
  EXPECT_THAT(option.text, HasSubstr("BAD_OPTION"));
  for (const char* command : {"play", "watch", "replay", "position", "events", "join"}) {
    const Ran unknown = RunAs("alice", {command, "nosuchgame"});
    EXPECT_EQ(unknown.code, 1) << command << ": " << unknown.text;
    EXPECT_THAT(unknown.text, HasSubstr("NOT_FOUND")) << command;
  }
  EXPECT_EQ(Events(game).size(), before);
}

TEST_F(CliTest, StaleAndRepeatedCallsAreToldApart) {
  MakePlayers();
  const std::string game = NewGame();
  v1::ListLegalActionsRequest list;
  list.set_game_id(game);
  const auto alice = ClientOf("alice");
  const auto legal = alice->Call(list);
  ASSERT_TRUE(legal.ok()) << legal.status();
  const auto mover = legal->position().actor() == 0 ? ClientOf("alice") : ClientOf("bob");
  const auto other = legal->position().actor() == 0 ? ClientOf("bob") : ClientOf("alice");
  base::SystemRandom random;
  v1::PlayActionsRequest request;
  request.set_game_id(game);
  request.set_request_id(NewRequestId(random));
  request.set_expected_sequence(legal->sequence());
  request.add_actions()->set_action(legal->actions(0).action());

  EXPECT_EQ(ReasonWordOf(other->Call(request).status()), "NOT_YOUR_TURN");
  const auto first = mover->Call(request);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto repeat = mover->Call(request);
  ASSERT_TRUE(repeat.ok()) << repeat.status();
  EXPECT_EQ(first->SerializeAsString(), repeat->SerializeAsString());

  v1::PlayActionsRequest late = request;
  late.set_request_id("");  // the client gives it a new one
  const absl::Status stale = mover->Call(late).status();
  EXPECT_EQ(ReasonWordOf(stale), "STALE_SEQUENCE");
  EXPECT_EQ(base::DetailsOf(stale).at("current_sequence"), std::to_string(first->sequence()));
  v1::PlayActionsRequest reused = request;
  reused.mutable_actions(0)->set_action(legal->actions(0).action() + 1);
  EXPECT_EQ(ReasonWordOf(mover->Call(reused).status()), "REQUEST_ID_REUSED");
}

TEST_F(CliTest, DemoPlaysEveryRulesetAndTheReplayIsTheSameGame) {
  const json all = json::parse(RunAs("", {"rulesets", "--json"}).text);
  for (const json& ruleset : all["rulesets"]) {
    const std::string id = ruleset["ruleset_id"];
    const Ran demo = RunAs("", {"demo", "--ruleset", id, "--seed", "3", "--boards", "none"});
    ASSERT_EQ(demo.code, 0) << demo.text;
    EXPECT_THAT(demo.text, HasSubstr("Result: 1. "));
    const size_t at = demo.text.find("\nGame ") + 6;
    const std::string game = demo.text.substr(at, demo.text.find('\n', at) - at);
    const Ran replay = RunAs("", {"replay", game, "--boards", "none"});
    EXPECT_EQ(replay.code, 0) << replay.text;
    EXPECT_THAT(demo.text, HasSubstr(replay.text));
    const std::vector<json> events = Events(game);
    for (size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i]["sequence"], i + 1);
    EXPECT_TRUE(events.back().contains("finished"));
    EXPECT_THAT(RunAs("", {"games", "--ruleset", id, "--status", "finished"}).text,
                HasSubstr(game));
  }
}

TEST_F(CliTest, AReplayCanBePartOfAGame) {
  const Ran demo = RunAs("", {"demo", "--games", "2", "--seed", "5"});
  ASSERT_EQ(demo.code, 0) << demo.text;
  const size_t at = demo.text.find("\n1  ") + 4;
  const std::string game = demo.text.substr(at, demo.text.find(' ', at) - at);
  const std::vector<json> events = Events(game);
  const Ran part = RunAs("", {"replay", game, "--from", "3", "--to", "9", "--json"});
  EXPECT_EQ(part.code, 0);
  const std::vector<std::string> lines = absl::StrSplit(part.text, '\n', absl::SkipEmpty());
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(json::parse(lines.front())["event"], events[2]);
  EXPECT_EQ(json::parse(lines.back())["event"], events[8]);
  const json last = json::parse(lines.back())["position"];
  EXPECT_EQ(json::parse(RunAs("", {"position", game, "--at", "9", "--json"}).text)["position"],
            last);
}

TEST_F(CliTest, BenchMeasuresAServer) {
  const std::string report = data_->path() + "/bench.json", chart = data_->path() + "/bench.svg";
  const Ran bench =
      RunAs("", {"bench", "--games", "4", "--watchers", "6", "--duration", "2", "--warmup", "0.2",
                 "--baseline", "0.3", "--json", report, "--svg", chart});
  ASSERT_EQ(bench.code, 0) << bench.text;
  EXPECT_THAT(bench.text, HasSubstr("actions to empty calls: "));
  EXPECT_THAT(bench.text, Not(HasSubstr("failed")));
  std::ifstream in(report);
  const json found = json::parse(in);
  const double actions = found["actions"]["count"];
  EXPECT_GT(actions, 0);
  EXPECT_NEAR(found["actions"]["per_second"].get<double>() * found["seconds"].get<double>(),
              actions, 1);
  // One or two streams follow each game, and every action is an event; throws are some more.
  const double events =
      found["watched"]["per_second"].get<double>() * found["seconds"].get<double>();
  EXPECT_GT(events, 0.9 * actions);
  EXPECT_GT(found["empty_calls"]["per_second"], 0);
  EXPECT_EQ(found["database"]["clients"], 4) << bench.text;
  EXPECT_GT(found["database"]["single"]["per_second"], 0);
  EXPECT_GT(found["database"]["batched"]["per_second"], 0);
  EXPECT_GT(found["service"]["cpu_s"], 0);
  EXPECT_GT(found["service"]["memory_before"], 1 << 20);
  EXPECT_GT(std::filesystem::file_size(chart), 1'000u);
  // The yardstick's table is gone, and what was played is in the store like any game.
  EXPECT_THAT(RunAs("", {"games", "--status", "running"}).text, HasSubstr("bench-"));
}

TEST_F(CliTest, BenchSaysWhatIsWrong) {
  EXPECT_EQ(RunAs("", {"bench", "--games", "0"}).code, 2);
  EXPECT_EQ(RunAs("", {"bench", "--think-ms", "1", "--open-rate", "1"}).code, 2);
  const Ran unknown = RunAs("", {"bench", "--ruleset", "chess", "--baseline", "0"});
  EXPECT_EQ(unknown.code, 1) << unknown.text;
}

TEST_F(CliTest, ASessionOutlivesAKilledServer) {
  MakePlayers();
  const std::string game = NewGame();
  const json position = json::parse(RunAs("", {"position", game, "--json"}).text);
  const std::string mover = position["position"]["actor"] == 0 ? "alice" : "bob";
  const std::string other = mover == "alice" ? "bob" : "alice";
  const auto session = Start(mover, {"play", game});
  const auto opponent = Start(other, {"play", game});
  ASSERT_TRUE(session->WaitFor("can play:\n") && session->WaitFor("\n")) << session->output();
  ASSERT_TRUE(opponent->WaitFor(" to act")) << opponent->output();
  KillServer();
  ASSERT_TRUE(session->WaitFor("connection lost")) << session->output();
  const std::string action = FirstListed(*session);
  session->Type(action + "\n");  // typed while nobody serves
  StartServer();
  ASSERT_EQ(RunAs("", {"health", "--wait", "90"}).code, 0) << ServerOutput();
  EXPECT_TRUE(session->WaitFor("plays " + action, 120)) << session->output();
  EXPECT_TRUE(opponent->WaitFor("plays " + action, 120)) << opponent->output();
  session->Type("quit\n");
  EXPECT_EQ(session->Wait(), 0) << session->output();
  opponent->Type("quit\n");
  EXPECT_EQ(opponent->Wait(), 0) << opponent->output();
  EXPECT_EQ(CountActions(Events(game)), 1);
}

}  // namespace
}  // namespace astragal::cli
