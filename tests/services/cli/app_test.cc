// The program without a server: help, mistakes of typing, exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "services/cli/command.h"
#include "services/cli/errors.h"
#include "tests/services/cli/run_words.h"

namespace astragal::cli {
namespace {

using testing::HasSubstr;

using Ran = tests::RanWords;
using tests::RunWords;

TEST(HelpTest, EveryCommandHasASummaryAndExamplesThatItUnderstands) {
  for (const Command& command : Commands()) {
    std::vector<std::string> words = absl::StrSplit(std::string(command.path), ' ');
    words.push_back("--help");
    const Ran ran = RunWords(words);
    EXPECT_EQ(ran.code, kExitOk) << command.path;
    EXPECT_THAT(ran.out, HasSubstr(std::string(command.summary)));
    EXPECT_THAT(ran.out, HasSubstr("Examples:\n"));
    EXPECT_THAT(std::string(command.examples), HasSubstr("astragal "));
    EXPECT_THAT(std::string(command.examples), HasSubstr(std::string(command.path)));
  }
}

TEST(HelpTest, TheProgramListsItsCommands) {
  const Ran ran = RunWords({"--help"});
  EXPECT_EQ(ran.code, kExitOk);
  for (const Command& command : Commands()) {
    const std::string first = std::string(command.path.substr(0, command.path.find(' ')));
    EXPECT_THAT(ran.out, HasSubstr(first));
  }
  EXPECT_THAT(ran.out, HasSubstr("Exit codes"));
}

TEST(HelpTest, Version) {
  const Ran ran = RunWords({"--version"});
  EXPECT_EQ(ran.code, kExitOk);
  EXPECT_THAT(ran.out, testing::MatchesRegex("astragal [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

struct Typed {
  std::string name;
  std::vector<std::string> words;
};
class UsageTest : public testing::TestWithParam<Typed> {};

TEST_P(UsageTest, IsRefusedWithTheWayOut) {
  const Ran ran = RunWords(GetParam().words);
  EXPECT_EQ(ran.code, kExitUsage);
  EXPECT_THAT(ran.err, HasSubstr("--help"));
  EXPECT_EQ(ran.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, UsageTest,
    testing::Values(Typed{"nothing", {}}, Typed{"unknown_command", {"dance"}},
                    Typed{"unknown_option", {"games", "--colour"}}, Typed{"missing_game", {"play"}},
                    Typed{"too_much", {"join", "a", "b"}}, Typed{"group_alone", {"player"}},
                    Typed{"bad_status", {"games", "--status", "lost"}},
                    Typed{"bad_limit", {"games", "--limit", "0"}},
                    Typed{"bad_number", {"replay", "g", "--from", "x"}},
                    Typed{"both_paces", {"replay", "g", "--step", "--delay", "5"}},
                    Typed{"page_with_keys", {"replay", "g", "--step", "--html", "g.html"}},
                    Typed{"bad_timeout", {"health", "--timeout", "0"}},
                    Typed{"demo_option",
                          {"demo", "--option", "seats", "--server", "127.0.0.1:1", "--ruleset", "x",
                           "--timeout", "0.1"}}),
    [](const testing::TestParamInfo<Typed>& the) { return the.param.name; });

// Nothing listens on port 1 of this machine.
TEST(UnavailableTest, SaysWhereItLookedAndWhatToDo) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"rulesets"}, {"health"}, {"games"}, {"demo"}}) {
    std::vector<std::string> all = {"--server", "127.0.0.1:1", "--timeout", "0.3"};
    all.insert(all.end(), words.begin(), words.end());
    const Ran ran = RunWords(all);
    EXPECT_EQ(ran.code, kExitUnavailable) << words[0];
    EXPECT_THAT(ran.err, HasSubstr("UNAVAILABLE")) << words[0];
    EXPECT_THAT(ran.err, HasSubstr("deploy/run")) << words[0];
  }
}

TEST(NobodyTest, IsToldToCreateAPlayer) {
  std::string folder = testing::TempDir() + "app_test.XXXXXX";
  setenv("XDG_CONFIG_HOME", mkdtemp(folder.data()), 1);
  unsetenv("ASTRAGAL_KEY");
  const Ran nobody = RunWords({"new", "long_narde"});
  EXPECT_EQ(nobody.code, kExitRefused);
  EXPECT_THAT(nobody.err, HasSubstr("astragal player new NAME"));
  const Ran unknown = RunWords({"--player", "carol", "whoami"});
  EXPECT_EQ(unknown.code, kExitRefused);
  EXPECT_THAT(unknown.err, HasSubstr("carol"));
}

}  // namespace
}  // namespace astragal::cli
