// The operator and moderators in the terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/services/cli/cli_test.h"

namespace astragal::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

using Args = std::vector<std::string>;

class AdminTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    MakePlayers();
  }
  // As whoever has this key: a file or a key itself.
  Ran With(const std::string& key, Args args) {
    args.insert(args.begin(), "admin");
    args.insert(args.end(), {"--operator-key", key});
    return RunAs("", args);
  }
  Ran Operate(const Args& args) { return With(data_->path() + "/data/operator.key", args); }
  json OperateJson(Args args) {
    args.push_back("--json");
    const Ran ran = Operate(args);
    EXPECT_EQ(ran.code, 0) << ran.text;
    return json::parse(ran.text);
  }
};

TEST_F(AdminTest, KeysAreMadeListedAndRevoked) {
  const json made =
      OperateJson({"keys", "new", "alice", "--scopes", "moderate", "--reason", "on duty"});
  const std::string key = made["api_key"];
  EXPECT_THAT(key, testing::StartsWith("ast_"));
  EXPECT_THAT(Operate({"keys", "list", "alice"}).text, HasSubstr("read,moderate"));
  EXPECT_EQ(With(key, {"audit"}).code, 0);
  const Ran mode = With(key, {"mode", "draining", "--reason", "no business of hers"});
  EXPECT_NE(mode.code, 0);
  EXPECT_THAT(mode.text, HasSubstr("operate"));
  const std::string id = made["key"]["key_id"];
  ASSERT_EQ(Operate({"keys", "revoke", "alice", id, "--reason", "off duty"}).code, 0);
  EXPECT_NE(With(key, {"audit"}).code, 0);
  EXPECT_EQ(OperateJson({"audit"}).dump().find(key.substr(4)), std::string::npos);
}

TEST_F(AdminTest, PlayersAreRestrictedAndFreedWithAReason) {
  const Args ban = {"players", "restrict", "alice", "ban"};
  EXPECT_NE(Operate(ban).code, 0) << "without a reason";
  Args with_reason = ban;
  with_reason.insert(with_reason.end(), {"--days", "30", "--reason", "two accounts"});
  const Ran banned = Operate(with_reason);
  ASSERT_EQ(banned.code, 0) << banned.text;
  const Ran refused = RunAs("alice", {"new", "long_narde"});
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.text, HasSubstr("banned"));
  const Ran freed =
      Operate({"players", "restrict", "alice", "none", "--reason", "they were brothers"});
  ASSERT_EQ(freed.code, 0) << freed.text;
  EXPECT_EQ(RunAs("alice", {"new", "long_narde"}).code, 0);
  const std::string audit = Operate({"audit"}).text;
  EXPECT_THAT(audit, HasSubstr("two accounts"));
  EXPECT_THAT(audit, ContainsRegex("RestrictPlayer.*they were brothers"));
  EXPECT_NE(RunAs("alice", {"admin", "audit"}).code, 0) << "nobody but staff reads it";
}

TEST_F(AdminTest, AGameIsAnnulledAndAnAccountExportedAndErased) {
  ASSERT_EQ(RunAs("dave", {"player", "new", "dave"}).code, 0);
  const Ran made = RunAs("alice", {"new", "long_narde", "--json"});
  ASSERT_EQ(made.code, 0) << made.text;
  const std::string game = json::parse(made.text)["game_id"];
  ASSERT_EQ(RunAs("dave", {"join", game}).code, 0);
  const Ran annulled = Operate({"games", "annul", game, "--reason", "a test"});
  ASSERT_EQ(annulled.code, 0) << annulled.text;
  const Ran exported = Operate({"players", "export", "dave"});
  ASSERT_EQ(exported.code, 0) << exported.text;
  EXPECT_THAT(json::parse(exported.text)["games"], testing::Contains(json(game)));
  ASSERT_EQ(Operate({"players", "erase", "dave", "--reason", "asked for it"}).code, 0);
  EXPECT_NE(Operate({"players", "export", "dave"}).code, 0) << "nobody has this name";
  EXPECT_EQ(RunAs("alice", {"position", game}).code, 0) << "the game stays, and replays";
  const Ran games = RunAs("alice", {"games"});
  EXPECT_EQ(games.code, 0) << games.text;
  EXPECT_EQ(games.text.find("dave"), std::string::npos);
}

TEST_F(AdminTest, ModesAndLimitsAreShownAndSet) {
  EXPECT_THAT(RunAs("", {"admin", "info"}).text, HasSubstr("mode normal"));
  const Ran set = Operate({"mode", "read-only", "--capacity", "500", "--reason", "a test"});
  ASSERT_EQ(set.code, 0) << set.text;
  EXPECT_THAT(RunAs("", {"admin", "info"}).text, HasSubstr("mode read-only"));
  EXPECT_THAT(set.text, HasSubstr("read-only, capacity 500 a second"));
  const json back = OperateJson({"mode", "normal", "--capacity", "0", "--reason", "a test"});
  EXPECT_EQ(back["mode"], "SERVER_MODE_NORMAL");
  EXPECT_EQ(RunAs("alice", {"new", "long_narde"}).code, 0);
}

TEST_F(AdminTest, BuildsAreListedRetiredAndLoadedAgain) {
  const auto long_narde = [this] {
    const json all = OperateJson({"rulesets", "list"});
    for (const json& build : all["builds"]) {
      if (build["ruleset_id"] == "long_narde") return build;
    }
    return json();
  };
  const std::string build = long_narde()["sha256"].get<std::string>().substr(0, 12);
  EXPECT_THAT(Operate({"rulesets", "list"}).text, ContainsRegex("long_narde.*new games"));
  EXPECT_NE(Operate({"rulesets", "retire", "0000000000000000"}).code, 0);
  EXPECT_NE(Operate({"rulesets", "retire", build.substr(0, 4)}).code, 0) << "too short a name";
  const Ran retired = Operate({"rulesets", "retire", build});
  ASSERT_EQ(retired.code, 0) << retired.text;
  EXPECT_THAT(Operate({"rulesets", "list"}).text, ContainsRegex("long_narde.*retired"));
  EXPECT_NE(RunAs("alice", {"new", "long_narde"}).code, 0);
  EXPECT_THAT(Operate({"rulesets", "load"}).text, HasSubstr("long_narde"));
  EXPECT_FALSE(long_narde().value("retired", false));
  EXPECT_EQ(RunAs("alice", {"new", "long_narde"}).code, 0);
  EXPECT_NE(RunAs("alice", {"admin", "rulesets", "list"}).code, 0) << "nobody but the operator";
}

TEST_F(AdminTest, ChecksReplayEveryGame) {
  ASSERT_EQ(RunAs("alice", {"new", "long_narde"}).code, 0);
  const Ran checked = Operate({"checks"});
  EXPECT_EQ(checked.code, 0) << checked.text;
  EXPECT_THAT(checked.text, ContainsRegex("[1-9][0-9]* of [1-9][0-9]* games verified"));
  const json report = OperateJson({"checks"});
  EXPECT_EQ(report["games"], report["verified"]);
  EXPECT_NE(RunAs("alice", {"admin", "checks"}).code, 0) << "nobody but the operator";
}

}  // namespace
}  // namespace astragal::cli
