// Every way to be wrong at load, with the refusal that plugins/README.md promises for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/plugins/host/folder.h"

namespace astragal::host {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

struct Case {
  const char* kind;
  Refusal refusal;
  const char* detail;  // part of it
};

constexpr Case kCases[] = {
    {"no_entry", Refusal::kNoEntry, "exports no astragal_ruleset_v1"},
    {"other_major_entry", Refusal::kWrongAbiMajor, "made for ABI 2"},
    {"wrong_major", Refusal::kWrongAbiMajor, "made for ABI 2"},
    {"null_table", Refusal::kNullTable, "returns null"},
    {"null_about", Refusal::kNullTable, "about is null"},
    {"short_table", Refusal::kShortStruct, "astragal_ruleset"},
    {"short_about", Refusal::kShortStruct, "astragal_about"},
    {"short_option", Refusal::kShortStruct, "options"},
    {"short_mirror", Refusal::kShortStruct, "astragal_mirror"},
    {"null_function", Refusal::kNullFunction, "effects is null"},
    {"null_mirror", Refusal::kNullFunction, "astragal_mirror"},
    {"null_name", Refusal::kBadAbout, "name is null"},
    {"bad_id", Refusal::kBadAbout, "id has characters"},
    {"name_not_utf8", Refusal::kBadAbout, "name has characters"},
    {"long_name", Refusal::kBadAbout, "more than 64 bytes"},
    {"no_version", Refusal::kBadAbout, "rules_version is 0"},
    {"huge_position", Refusal::kBadAbout, "position_size is 1048576"},
    {"huge_limit", Refusal::kBadAbout, "max_actions is 1073741824"},
    {"five_seats", Refusal::kBadAbout, "max_seats is 5"},
    {"null_options", Refusal::kBadAbout, "options are null"},
    {"many_options", Refusal::kBadAbout, "number of options"},
    {"bad_default", Refusal::kBadAbout, "default outside"},
    {"same_option_twice", Refusal::kBadAbout, "there twice"},
    {"no_standard", Refusal::kBadAbout, "first preset"},
    {"bad_preset", Refusal::kBadAbout, "bad setting"},
    {"zero_weight", Refusal::kBadAbout, "weight is 0"},
    {"heavy_weights", Refusal::kBadAbout, "total weight is 65538"},
    {"undefined_symbol", Refusal::kUndefinedSymbol, "a_function_that_nobody_wrote"},
    {"missing_dependency", Refusal::kMissingDependency, "odd_gone"},
    {"crashes_at_load", Refusal::kCrashed, "at stage load"},
    {"throws_at_load", Refusal::kCrashed, "at stage load"},
    {"entry_crashes", Refusal::kCrashed, "at stage load"},
    {"entry_throws", Refusal::kBrokeContract, "throws an exception"},
    {"exits_at_load", Refusal::kExited, "at stage load"},
    {"hangs_at_load", Refusal::kTimedOut, "at stage load"},
    {"sleeps_at_load", Refusal::kTimedOut, "at stage load"},
    {"writes_at_load", Refusal::kWritesOutput, "hello"},
    {"forks_at_load", Refusal::kLeavesProcesses, "processes"},
    {"starts_a_thread", Refusal::kStartsThreads, "threads"},
    {"eats_memory_at_load", Refusal::kCrashed, "at stage load"},
    {"crashes_in_start", Refusal::kCrashed, "at stage trial"},
    {"hangs_in_actions", Refusal::kTimedOut, "at stage trial"},
    {"writes_in_apply", Refusal::kWritesOutput, "moving"},
    {"start_throws", Refusal::kBrokeContract, "start throws"},
    {"actions_endless", Refusal::kBrokeContract, "declared are at most"},
    {"text_not_utf8", Refusal::kBrokeContract, "UTF-8"},
};

// A sanitizer starts a second program to name the lines of a crash. Nobody reads them here, and on
// a busy machine that alone outlasts the probe's patience. For the children: ours were read
// already.
void NameNoLinesOfCrashes() {
  for (const char* name : {"ASAN_OPTIONS", "TSAN_OPTIONS"}) {
    const char* others = std::getenv(name);
    const std::string options = std::string(others == nullptr ? "" : others) + ":symbolize=0";
    ::setenv(name, options.c_str(), 1);
  }
}

class OddLoad : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() {
    if (kSanitized) NameNoLinesOfCrashes();
  }
};

TEST_P(OddLoad, IsRefusedForItsOwnReasonAndTheOthersServe) {
  const Case& c = GetParam();
  if (kSanitized && std::string(c.kind) == "eats_memory_at_load") {
    GTEST_SKIP() << "sanitizers reserve more memory than the limit that ends this one";
  }
  const Folder folder;
  const std::string plugins = folder.Sub("plugins");
  std::filesystem::copy(OddPath(c.kind), plugins + "/libodd.so");
  std::filesystem::copy(OddPath("good"), plugins + "/libgood.so");
  Catalog catalog({folder / "store", ProbePath(), absl::Seconds(kSanitized ? 10 : 2)});

  const absl::StatusOr<LoadReport> report = catalog.Load(plugins);

  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->refused.size(), 1u) << report->ToString();
  EXPECT_EQ(RefusalName(report->refused[0].refusal), RefusalName(c.refusal)) << report->ToString();
  EXPECT_THAT(report->refused[0].detail, testing::HasSubstr(c.detail));
  ASSERT_EQ(report->loaded.size(), 1u);
  const std::shared_ptr<const Ruleset> tiny = catalog.Find("tiny");
  ASSERT_NE(tiny, nullptr);
  EXPECT_TRUE(tiny->Start(tiny->about().presets[0].values).ok());
}

INSTANTIATE_TEST_SUITE_P(All, OddLoad, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.kind); });

}  // namespace
}  // namespace astragal::host
