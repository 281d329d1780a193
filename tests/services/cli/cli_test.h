// What the end to end tests of the command line share: an astragald with its own PostgreSQL, and
// people with configuration folders of their own who type at it.
#ifndef ASTRAGAL_TESTS_SERVICES_CLI_CLI_TEST_H_
#define ASTRAGAL_TESTS_SERVICES_CLI_CLI_TEST_H_

#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "services/cli/client.h"
#include "services/cli/key_file.h"
#include "tests/services/cli/program.h"

namespace astragal::cli {

using nlohmann::json;
using tests::Folder;
using tests::FreePort;
using tests::Program;

inline const std::string kBin = ASTRAGAL_BUILD_DIR "/bin/";

struct Ran {
  int code = 0;
  std::string text;
};

// Set up once for all tests of the program.
class CliTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    data_ = new Folder("astragal-cli");
    address_ = "127.0.0.1:" + std::to_string(FreePort());
    StartServer();
    ASSERT_EQ(RunAs("", {"health", "--wait", "90"}).code, 0) << ServerOutput();
  }
  static void TearDownTestSuite() {
    server_->Signal(SIGTERM);
    EXPECT_EQ(server_->Wait(), 0) << server_->output();
    delete server_;
    delete data_;
  }

  static void StartServer() {
    server_ = new Program({kBin + "astragald", "--listen", address_, "--data-dir",
                           data_->path() + "/data", "--plugins", ASTRAGAL_BUILD_DIR "/plugins"},
                          {});
  }
  static void KillServer() {
    server_->Signal(SIGKILL);
    server_->Wait();
    delete server_;
  }
  static std::string ServerOutput() {
    server_->WaitFor("no such text", 0);
    return server_->output();
  }

  // Everybody has a configuration folder, as on a machine of their own.
  static Program::Environment EnvironmentOf(const std::string& who) {
    return {{"XDG_CONFIG_HOME", data_->path() + "/config-" + who},
            {"ASTRAGAL_SERVER", address_},
            {"ASTRAGAL_KEY", ""}};
  }
  static std::unique_ptr<Program> Start(const std::string& who, std::vector<std::string> words) {
    words.insert(words.begin(), kBin + "astragal");
    return std::make_unique<Program>(words, EnvironmentOf(who));
  }
  static Ran RunAs(const std::string& who, const std::vector<std::string>& words,
                   const std::string& input = "") {
    const std::unique_ptr<Program> program = Start(who, words);
    program->Type(input);
    const int code = program->Wait();
    return {code, program->output()};
  }

  // Players are made once for all tests of this process.
  static void MakePlayers() {
    for (const char* name : {"alice", "bob", "carol"}) {
      if (RunAs(name, {"whoami"}).code == 0) continue;
      const Ran made = RunAs(name, {"player", "new", name});
      ASSERT_EQ(made.code, 0) << made.text;
    }
  }
  // A running game: alice plays white.
  static std::string NewGame(const std::string& ruleset = "long_narde") {
    const Ran made = RunAs("alice", {"new", ruleset, "--json"});
    EXPECT_EQ(made.code, 0) << made.text;
    const std::string id = json::parse(made.text)["game_id"];
    const Ran joined = RunAs("bob", {"join", id});
    EXPECT_EQ(joined.code, 0) << joined.text;
    return id;
  }
  static std::vector<json> Events(const std::string& game) {
    const Ran ran = RunAs("", {"events", game, "--json"});
    EXPECT_EQ(ran.code, 0) << ran.text;
    std::vector<json> events;
    for (const absl::string_view line : absl::StrSplit(ran.text, '\n', absl::SkipEmpty())) {
      events.push_back(json::parse(std::string(line)));
    }
    return events;
  }
  static int CountActions(const std::vector<json>& events) {
    int count = 0;
    for (const json& event : events) count += event.contains("action") ? 1 : 0;
    return count;
  }
  // The first action that a session listed last.
  static std::string FirstListed(const Program& program) {
    const std::string& text = program.output();
    const size_t list = text.rfind("can play:\n");
    if (list == std::string::npos) return "";
    std::vector<std::string> words =
        absl::StrSplit(text.substr(list + 10, 80), absl::ByAnyChar(" \n"), absl::SkipEmpty());
    return words.empty() ? "" : words[0];
  }
  static std::unique_ptr<Client> ClientOf(const std::string& who) {
    Client::Options options;
    options.server = address_;
    const KeyFile keys(data_->path() + "/config-" + who + "/astragal/keys");
    options.key = (*keys.Find(address_, ""))->key;
    return std::make_unique<Client>(options);
  }

  inline static Folder* data_ = nullptr;
  inline static std::string address_;
  inline static Program* server_ = nullptr;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_TESTS_SERVICES_CLI_CLI_TEST_H_
