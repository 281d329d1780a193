// The parts of `astragal bench` that need no server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "services/cli/bench_options.h"
#include "services/cli/bench_process.h"
#include "services/cli/bench_report.h"
#include "services/cli/bench_wire.h"

namespace astragal::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

absl::StatusOr<BenchOptions> Parse(std::vector<std::string> words) {
  CLI::App app;
  BenchOptions options;
  AddBenchOptions(app, options);
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(error.what());
  }
  if (absl::Status complete = CompleteBenchOptions(options); !complete.ok()) return complete;
  return options;
}

// The end of a call or stream, told to a thread that goes on while the teller lingers.
std::function<void(const absl::Status&)> Lingering(std::promise<absl::Status>& end) {
  return [&end](const absl::Status& status) {
    end.set_value(status);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
}

TEST(BenchWireTest, MayGoAsSoonAsTheLastEndIsKnown) {
  const std::string nobody = "127.0.0.1:1";
  std::promise<absl::Status> call, stream;
  auto wire = std::make_unique<BenchWire>(nobody, 1);
  wire->Empty(Lingering(call));
  EXPECT_EQ(call.get_future().get().code(), absl::StatusCode::kUnavailable);
  wire = std::make_unique<BenchWire>(nobody, 1);
  wire->Watch(
      0, {}, [](const v1::WatchGameResponse&) {}, Lingering(stream));
  EXPECT_EQ(stream.get_future().get().code(), absl::StatusCode::kUnavailable);
  wire.reset();
  // A queue that died under its own thread is missed by that thread, at the latest, after this.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

TEST(BenchOptionsTest, AreCompleteWithoutAWord) {
  const auto options = Parse({});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->games, 64);
  EXPECT_EQ(options->outstanding, 64);
  EXPECT_EQ(options->open_rate, 0);
}

TEST(BenchOptionsTest, AllowFewerCallsThanGames) {
  const auto options = Parse({"--games", "200", "--outstanding", "50"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->games, 200);
  EXPECT_EQ(options->outstanding, 50);
}

TEST(BenchOptionsTest, RefuseWhatMakesNoSense) {
  const std::vector<std::vector<std::string>> lines = {
      {"--games", "0"},     {"--games", "many"},    {"--watchers", "-1"},
      {"--duration", "-2"}, {"--outstanding", "0"}, {"--think-ms", "5", "--open-rate", "100"},
      {"--no-such-option"},
  };
  for (const auto& line : lines) {
    EXPECT_TRUE(absl::IsInvalidArgument(Parse(line).status())) << testing::PrintToString(line);
  }
}

BenchReport SomeReport() {
  BenchReport report;
  report.options.outstanding = 64;
  report.server = "127.0.0.1:7420";
  report.seconds = 10;
  report.actions = {5'000, 4'000, 6'000, 9'000, 12'000, 20'000};
  report.action_count = 50'000;
  report.by_second = {4'900, 5'100};
  report.empty = BenchRate{15'000, 3'000, 4'000, 6'000, 8'000, 9'000};
  report.database = BenchDatabase{64,
                                  7,
                                  {4'000, 250, 0, 500, 0, 0},
                                  {10'000, 6'000, 0, 9'000, 0, 0},
                                  {100'000, 600, 0, 900, 0, 0},
                                  64};
  report.server_pid = 7;
  report.server_cpu_s = 8;
  report.memory_before = 20 << 20;
  report.memory_with_games = (20 << 20) + 64 * 1'500;
  return report;
}

TEST(BenchReportTest, QuotesTheRatios) {
  const json out = json::parse(BenchJson(SomeReport()));
  EXPECT_NEAR(out["ratios"]["actions_to_empty_calls"].get<double>(), 1.0 / 3, 1e-9);
  EXPECT_NEAR(out["ratios"]["actions_to_single_commits"].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(out["ratios"]["actions_to_batched_rows"].get<double>(), 0.05, 1e-9);
  EXPECT_FALSE(out["ratios"].contains("p50_to_commit_and_empty_call"));  // not a lone player
  EXPECT_EQ(out["actions"]["count"], 50'000);
  const std::string text = BenchText(SomeReport());
  EXPECT_THAT(text, HasSubstr("actions to empty calls: 0.33"));
  EXPECT_THAT(text, HasSubstr("160 us an action"));
  EXPECT_THAT(text, HasSubstr("(1500 bytes each)"));
}

TEST(BenchReportTest, ComparesALonePlayerWithItsParts) {
  BenchReport report = SomeReport();
  report.options.outstanding = 1;
  report.actions.p50_us = 700;
  report.empty->p50_us = 150;
  const json out = json::parse(BenchJson(report));
  EXPECT_NEAR(out["ratios"]["p50_to_commit_and_empty_call"].get<double>(), 700.0 / 400, 1e-9);
}

TEST(BenchReportTest, SaysThatTheServerIsElsewhere) {
  BenchReport report = SomeReport();
  report.server_pid = 0;
  EXPECT_THAT(BenchText(report), HasSubstr("not a process of this machine"));
  EXPECT_FALSE(json::parse(BenchJson(report)).contains("service"));
}

TEST(BenchReportTest, DrawsAChart) {
  const std::string svg = BenchSvg(SomeReport());
  EXPECT_THAT(svg, testing::StartsWith("<svg"));
  EXPECT_THAT(svg, HasSubstr("5,000 a second, p99 9.00 ms"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  BenchReport nothing;
  EXPECT_THAT(BenchSvg(nothing), Not(HasSubstr("nan")));
}

TEST(BenchDatabaseTest, ReadsWhatAstragaldPrints) {
  const auto database = ReadBenchDatabase(
      R"({"clients": 8, "server_pid": 12, "lone": {"per_second": 3567.6, "p50_us": 230,
          "p99_us": 444}, "single": {"per_second": 8680.5, "p50_us": 6464, "p99_us": 19712},
          "batched": {"per_second": 20933.9, "p50_us": 3936, "p99_us": 8576, "rows": 64}})");
  ASSERT_TRUE(database.ok()) << database.status();
  EXPECT_EQ(database->clients, 8);
  EXPECT_EQ(database->lone.p50_us, 230);
  EXPECT_EQ(database->rows, 64);
  for (const char* bad : {"", "{}", "[1]", R"({"clients": "x"})"}) {
    EXPECT_FALSE(ReadBenchDatabase(bad).ok()) << bad;
  }
}

TEST(BenchProcessTest, KnowsThisProcess) {
  const auto use = UseOf(getpid());
  ASSERT_TRUE(use.has_value());
  EXPECT_GT(use->memory, 1 << 20);
  EXPECT_GE(use->memory_peak, use->memory);
  EXPECT_GE(FamilyCpuSeconds(getpid()), use->cpu_s);
  EXPECT_THAT(ProgramOf(getpid()), HasSubstr("cli_test"));
  EXPECT_FALSE(UseOf(0).has_value());
}

TEST(BenchProcessTest, ReadsWhatAProgramPrints) {
  EXPECT_EQ(OutputOf({"/bin/echo", "a b"}), "a b\n");
  EXPECT_EQ(OutputOf({"/bin/false"}), std::nullopt);
  EXPECT_EQ(OutputOf({"/no/such/program"}), std::nullopt);
}

TEST(BenchProcessTest, FindsNobodyElsewhere) {
  EXPECT_EQ(FindListener("example.org:7420"), std::nullopt);
  EXPECT_EQ(FindListener("127.0.0.1"), std::nullopt);
  EXPECT_EQ(FindListener("127.0.0.1:1"), std::nullopt);
}

}  // namespace
}  // namespace astragal::cli
