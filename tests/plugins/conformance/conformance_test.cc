// ruleset_check over good rulesets and over one for each way to break an obligation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "plugins/conformance/elf_symbols.h"
#include "plugins/conformance/obligations.h"
#include "plugins/conformance/report.h"
#include "plugins/host/child.h"

namespace astragal::conformance {
namespace {

using host::ChildOptions;
using host::ChildResult;
using nlohmann::json;
using testing::HasSubstr;

ChildResult Check(std::vector<std::string> arguments) {
  ChildOptions child;
  child.command = {ASTRAGAL_BUILD_DIR "/bin/ruleset_check"};
  child.command.insert(child.command.end(), arguments.begin(), arguments.end());
  child.environment = host::PlainEnvironment();
  child.timeout = absl::Seconds(120);
  return host::RunChild(child).value();
}

std::string Library(const std::string& folder, const std::string& kind) {
  return ASTRAGAL_BUILD_DIR "/tests/" + folder + "/lib" + kind + ".so";
}

// Words of the obligations in this state.
std::set<std::string> In(const json& report, const std::string& state) {
  std::set<std::string> words;
  for (const json& obligation : report.at("obligations")) {
    if (obligation.at("state") == state) words.insert(obligation.at("word"));
  }
  return words;
}

struct Case {
  const char* folder;
  const char* kind;
  const char* broken;      // exactly these are found,
  const char* may_follow;  // and perhaps these, which cannot hold without the first
  const char* what;        // part of a finding
};

constexpr Case kCases[] = {
    {"odd", "no_entry", "loads", "", "NO_ENTRY"},
    {"odd", "crashes_at_load", "loads imports", "", "crashes"},
    {"odd", "exits_at_load", "loads imports", "", "ended with code 0"},
    {"odd", "bad_id", "loads", "", "BAD_ABOUT"},
    {"cheat", "clock", "imports", "", "imports time (clock)"},
    {"cheat", "randomness", "imports", "", "imports rand (randomness)"},
    {"cheat", "environment", "imports", "", "imports getenv (environment)"},
    {"cheat", "locale", "imports", "", "imports localeconv (locale)"},
    {"cheat", "files", "imports", "", "(files)"},
    {"cheat", "network", "imports", "", "imports socket (network)"},
    {"cheat", "processes", "imports", "", "imports fork (processes)"},
    {"cheat", "output", "imports", "", "imports puts (output)"},
    {"cheat", "exports_more", "exports", "", "exports astragal_ruleset_v1_helper"},
    {"cheat", "globals", "globals", "", "changed its own memory"},
#if defined(__x86_64__)
    {"cheat", "writes", "quiet", "", "writes: x"},
#endif
    {"cheat", "leaves_a_thread", "imports quiet", "", "leaves a thread"},
    {"cheat", "alternates", "repeatable", "", "evaluate answers differently"},
    {"cheat", "addresses", "other_process", "", "other answers in another process"},
    {"cheat", "per_thread", "threads", "", "evaluate answers differently"},
    {"cheat", "start_leaves_a_byte", "start", "", "leaves bytes"},
    {"cheat", "start_refuses_a_preset", "start", "", "preset long"},
    {"cheat", "check_refuses_reached", "check_reached",
     "position_text any_position_text any_bytes mirror", "Three is too many."},
    {"cheat", "check_lets_crashes_in", "any_bytes", "", "crashes"},
    {"cheat", "options_change", "head", "", "options change"},
    {"cheat", "actions_backwards", "actions_listed", "any_bytes", "ascending"},
    {"cheat", "listed_is_refused", "actions_apply", "any_bytes", "Not today."},
    {"cheat", "throw_is_refused", "throws_apply", "any_bytes", "Not today."},
    {"cheat", "takes_others", "others_refused", "", "is not refused"},
    {"cheat", "refuses_dirty", "others_refused", "", "position changes"},
    {"cheat", "refuses_without_words", "refusal_words", "", "without a sentence"},
    {"cheat", "refuses_without_end", "refusal_words", "", "without a sentence"},
    {"cheat", "same_notation", "notation any_notation", "", "is not read as"},
    {"cheat", "reads_nonsense", "any_notation", "", "not written"},
    {"cheat", "parse_crashes", "any_notation", "", "crashes"},
    {"cheat", "text_forgets", "position_text any_position_text", "", "another position"},
    {"cheat", "position_text_crashes", "any_position_text", "", "crashes"},
    {"cheat", "position_text_unchecked", "any_position_text", "", "check refuses"},
    {"cheat", "effects_malformed", "effects_form", "any_bytes", "malformed entry"},
    {"cheat", "effects_forget_captures", "effects_agree", "", "pieces end elsewhere"},
    {"cheat", "effects_pay_double", "effects_agree", "", "coins end elsewhere"},
    {"cheat", "effects_wrong_turn", "effects_agree", "", "after the end"},
    {"cheat", "effects_wrong_finish", "effects_agree", "", "another place"},
    {"cheat", "piece_nowhere", "pieces", "effects_agree any_bytes", "no place 99"},
    {"cheat", "piece_lost", "pieces_conserved", "effects_agree", "number of pieces"},
    {"cheat", "coin_lost", "coins_conserved", "effects_agree", "add up to"},
    {"cheat", "places_move", "places", "", "geometry changes"},
    {"cheat", "places_overlap", "places", "", "covers the centre"},
    {"cheat", "text_without_end", "shown", "", "last line"},
    {"cheat", "text_crashes", "shown", "", "crashes"},
    {"cheat", "text_hangs", "shown", "", "does not return"},
    {"cheat", "result_early", "result", "concession", "while the game goes on"},
    {"cheat", "result_for_losers", "result", "effects_agree", "fewer points"},
    {"cheat", "result_no_ranks", "result", "effects_agree", "share a place"},
    {"cheat", "concedes_after_the_end", "concession", "", "after the end"},
    {"odd", "concession_backwards", "concession", "any_bytes", "3 to 1 points"},
    {"cheat", "leaves_undeclared", "leave", "", "not declared"},
    {"cheat", "leaves_and_stays", "leave", "", "to act"},
    {"cheat", "mirror_forgets", "mirror", "", "mirrored"},
    {"cheat", "mirror_seat", "mirror", "", "mirrored actor"},
    {"cheat", "evaluates_below", "evaluate", "", "estimate for seat"},
    {"odd", "evaluate_huge", "evaluate", "", "5000"},
    {"cheat", "stuck", "liveness", "any_bytes", "no action"},
    {"cheat", "endless", "termination", "", "not over after 6"},
    {"cheat", "ignores_capacity", "writes_inside", "", "beyond a capacity"},
    {"cheat", "counts_what_fits", "writes_inside", "", "counts"},
    {"cheat", "no_struct_size", "writes_inside", "", "struct_size"},
};

class BrokenObligation : public testing::TestWithParam<Case> {};

TEST_P(BrokenObligation, IsFoundAndNamed) {
  const Case& c = GetParam();
  const ChildResult run = Check(
      {Library(c.folder, c.kind), "--json", "--games", "12", "--deep", "12", "--timeout", "2"});
  EXPECT_EQ(run.exit_code, 1);
  const json report = json::parse(run.output, nullptr, false);
  ASSERT_TRUE(report.is_object()) << run.output;
  const std::set<std::string> broken = In(report, "broken");
  std::set<std::string> unexpected = broken;
  for (absl::string_view word : absl::StrSplit(c.broken, ' ')) {
    EXPECT_TRUE(broken.contains(std::string(word))) << word << " is not found";
    unexpected.erase(std::string(word));
  }
  for (absl::string_view word : absl::StrSplit(c.may_follow, ' '))
    unexpected.erase(std::string(word));
  EXPECT_TRUE(unexpected.empty()) << absl::StrJoin(unexpected, " ") << "\n" << run.output;
  EXPECT_THAT(run.output, HasSubstr(c.what));
}

INSTANTIATE_TEST_SUITE_P(All, BrokenObligation, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.kind); });

TEST(Obligations, EachIsBrokenBySomePluginOfTheTable) {
  std::set<std::string> broken;
  for (const Case& c : kCases) {
    const std::vector<std::string> words = absl::StrSplit(c.broken, ' ');
    if (words.size() == 1) broken.insert(words[0]);
  }
  // These two cannot be broken alone: who writes another text cannot read it either.
  broken.insert({"notation", "position_text"});
  for (const Obligation& obligation : Obligations()) {
#if !defined(__x86_64__)
    if (obligation.duty == Duty::kQuiet) continue;
#endif
    EXPECT_TRUE(broken.contains(std::string(obligation.word))) << obligation.word;
  }
}

TEST(Obligations, AreTheTableOfTheAuthorsGuide) {
  std::ifstream file(ASTRAGAL_SOURCE_DIR "/plugins/README.md");
  const std::string guide((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(guide, HasSubstr(ObligationTable())) << "ruleset_check --obligations writes it";
}

TEST(RulesetCheck, AGoodRulesetKeepsEveryObligation) {
  const ChildResult run = Check({Library("odd", "good"), "--json", "--games", "40"});
  const json report = json::parse(run.output, nullptr, false);
  ASSERT_TRUE(report.is_object()) << run.output;
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_TRUE(In(report, "broken").empty()) << run.output;
  EXPECT_TRUE(In(report, "not_checked").empty());
  EXPECT_EQ(report.at("ruleset"), "tiny");
  EXPECT_EQ(report.at("presets"), json({"standard", "long"}));
  EXPECT_TRUE(report.at("ok"));
}

TEST(RulesetCheck, SaysItForPeopleToo) {
  const ChildResult run =
      Check({Library("cheat", "coin_lost"), "--preset", "long", "--games", "12", "--seed", "5"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.output, HasSubstr("tiny rules 1, build "));
  EXPECT_THAT(run.output, HasSubstr("presets long; 12 games of each, seed 5"));
  EXPECT_THAT(run.output, HasSubstr("BROKEN 26 coins_conserved"));
  EXPECT_THAT(run.output, HasSubstr("in preset long, game "));
}

TEST(RulesetCheck, TheSameSeedFindsTheSame) {
  const std::vector<std::string> arguments = {Library("cheat", "coin_lost"), "--json", "--games",
                                              "12"};
  json first = json::parse(Check(arguments).output);
  json second = json::parse(Check(arguments).output);
  first.erase("seconds");
  second.erase("seconds");
  EXPECT_EQ(first, second);
}

TEST(RulesetCheck, RefusesWhatItCannotDo) {
  struct {
    std::vector<std::string> arguments;
    const char* words;
  } const cases[] = {
      {{}, "name a library file"},
      {{"nowhere.so"}, "no such file"},
      {{Library("odd", "good"), "--preset", "nonsense"}, "no preset nonsense"},
      {{Library("odd", "good"), "--games", "many"}, "games"},
      {{Library("odd", "good"), "--timeout", "0"}, "timeout"},
      {{"--unheard-of"}, "unheard-of"},
  };
  for (const auto& c : cases) {
    const ChildResult run = Check(c.arguments);
    EXPECT_EQ(run.exit_code, 2) << c.words;
    EXPECT_THAT(run.output, HasSubstr(c.words));
  }
  EXPECT_EQ(Check({"--help"}).exit_code, 0);
  EXPECT_THAT(Check({"--help"}).output, HasSubstr("Examples:"));
  EXPECT_EQ(Check({"--obligations"}).output, ObligationTable());
}

TEST(Report, SurvivesItsLine) {
  Report report;
  report.Count(Duty::kStart);
  for (int i = 0; i < 9; ++i) report.Fail(Duty::kMirror, {"here", "\xFF", "broken"});
  report.NotApplicable(Duty::kEvaluate);
  Report copy;
  ASSERT_TRUE(copy.MergeLine(report.ToLine()));
  EXPECT_EQ(copy.Of(Duty::kStart).checks, 1u);
  EXPECT_EQ(copy.Of(Duty::kMirror).failures, 9u);
  EXPECT_EQ(copy.Of(Duty::kMirror).findings.size(), kMaxFindings);
  EXPECT_EQ(copy.Of(Duty::kEvaluate).state(), State::kNotApplicable);
  EXPECT_FALSE(copy.AllKept());
  EXPECT_FALSE(copy.MergeLine("[1,2"));
  EXPECT_FALSE(copy.MergeLine("[]"));
}

TEST(ElfSymbols, GarbageHasNone) {
  EXPECT_TRUE(ReadElfSymbols("").imported.empty());
  EXPECT_TRUE(ReadElfSymbols(std::string(4096, '\xFF')).imported.empty());
  EXPECT_EQ(ForbiddenImport("clock_gettime"), "clock");
  EXPECT_EQ(ForbiddenImport("_ZNSt6chrono3_V212system_clock3nowEv"), "clock");
  EXPECT_EQ(ForbiddenImport("memcpy"), "");
}

}  // namespace
}  // namespace astragal::conformance
