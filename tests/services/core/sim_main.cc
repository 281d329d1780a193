// core_sim [SEED] [--from SEED --count N] [--seconds S] [--bug NAME] [--trace]
//
// Runs simulations of two nodes and prints one line for each that fails, with the command that
// repeats it, then a closing line. One SEED prints its report; --trace prints all that was seen,
// the same bytes for the same seed. --bug makes the store wrong on purpose: no-head-guard,
// forgets-requests or false-commit. --seconds starts no further seed after that time. Exit 1 if a
// seed failed, 2 for wrong use.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "services/base/crypto.h"
#include "tests/services/core/sim/simulation.h"

namespace {

using astragal::tests::Simulation;
using astragal::tests::StoreBug;

struct Arguments {
  uint64_t from = 1;
  uint64_t count = 1;
  int64_t seconds = 0;
  bool trace = false;
  std::string bug;
};

// What came up in all simulations together.
struct Drawn {
  std::array<int, 16> kinds{};
  std::array<int, 10> endings{};
  int lag_credits = 0;

  void Add(const Simulation::Report& report) {
    for (size_t i = 0; i < kinds.size(); ++i) kinds[i] += report.kinds[i];
    for (size_t i = 0; i < endings.size(); ++i) endings[i] += report.endings[i];
    lag_credits += report.lag_credits;
  }
  void Print() const {
    std::printf("event kinds:");
    for (size_t i = 1; i < kinds.size(); ++i) std::printf(" %zu=%d", i, kinds[i]);
    std::printf("\nendings:");
    for (size_t i = 1; i < endings.size(); ++i) std::printf(" %zu=%d", i, endings[i]);
    std::printf("\nactions with lag given back: %d\n", lag_credits);
  }
};

std::optional<StoreBug> BugOf(std::string_view name) {
  if (name.empty()) return StoreBug::kNone;
  if (name == "no-head-guard") return StoreBug::kNoHeadGuard;
  if (name == "forgets-requests") return StoreBug::kForgetsRequests;
  if (name == "false-commit") return StoreBug::kFalseCommit;
  return std::nullopt;
}

std::optional<Arguments> Read(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--trace") {
      arguments.trace = true;
    } else if (!word.starts_with("--")) {
      arguments.from = std::strtoull(argv[i], nullptr, 10);
    } else if (i + 1 == argc) {
      return std::nullopt;
    } else if (word == "--bug") {
      arguments.bug = argv[++i];
    } else if (word == "--from") {
      arguments.from = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--count") {
      arguments.count = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--seconds") {
      arguments.seconds = std::strtoll(argv[++i], nullptr, 10);
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

Simulation::Report RunSeed(const Arguments& arguments, StoreBug bug, uint64_t seed) {
  Simulation::Options options;
  options.seed = seed;
  options.bug = bug;
  Simulation::Report report = Simulation(options).Run();
  if (arguments.trace) std::fputs(report.trace.c_str(), stdout);
  if (arguments.count == 1) {
    const std::string digest =
        astragal::base::Hex(astragal::base::AsView(astragal::base::Sha256(report.trace)));
    std::printf(
        "seed %llu: %d acknowledged, %d refused, %d events, %d crashes, %d watches, trace %s\n",
        static_cast<unsigned long long>(seed), report.acknowledged, report.refused, report.events,
        report.crashes, report.watch_starts, digest.substr(0, 16).c_str());
  }
  if (!report.failure.empty()) {
    std::printf("seed %llu: %s; repeat it with: core_sim %llu --trace%s%s\n",
                static_cast<unsigned long long>(seed), report.failure.c_str(),
                static_cast<unsigned long long>(seed), bug == StoreBug::kNone ? "" : " --bug ",
                arguments.bug.c_str());
  }
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Arguments> arguments = Read(argc, argv);
  const std::optional<StoreBug> bug = arguments ? BugOf(arguments->bug) : std::nullopt;
  if (!bug) {
    std::fputs(
        "usage: core_sim [SEED] [--from SEED --count N] [--seconds S] [--bug NAME] [--trace]\n",
        stderr);
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  uint64_t passed = 0;
  uint64_t failed = 0;
  Drawn drawn;
  for (uint64_t i = 0; i < arguments->count; ++i) {
    const auto spent = std::chrono::steady_clock::now() - start;
    if (arguments->seconds > 0 && spent > std::chrono::seconds(arguments->seconds)) break;
    const Simulation::Report report = RunSeed(*arguments, *bug, arguments->from + i);
    drawn.Add(report);
    ++(report.failure.empty() ? passed : failed);
  }
  drawn.Print();
  std::printf("core_sim: %llu passed, %llu failed\n", static_cast<unsigned long long>(passed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}
