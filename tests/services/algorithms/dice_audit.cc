// dice_audit THROWS SEED: so many throws of each kind of each ruleset, made as the service makes
// them, in games of 100 throws with secrets and contributions from SEED; every p-value must lie in
// [0.001, 0.999].
// dice_audit --mutant: the same with a die that is drawn as the remainder of a byte; it must fail.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

#include "services/algorithms/dice.h"
#include "services/algorithms/throw_statistics.h"
#include "tests/services/algorithms/fairness_games.h"
#include "tests/services/algorithms/rulesets.h"

namespace {

using astragal::algorithms::DiceSource;
using astragal::algorithms::DrawOutcome;
using astragal::algorithms::ThrowStatistics;

constexpr uint64_t kThrowsOfGame = 100;
constexpr double kLowest = 0.001;
constexpr double kHighest = 0.999;

int passed = 0;
int failed = 0;

void Judge(const char* what, const ThrowStatistics& statistics) {
  for (const auto& test : statistics.Tests()) {
    const bool good = test.p >= kLowest && test.p <= kHighest;
    good ? ++passed : ++failed;
    std::printf("%-5s %-28s %-7s %10.4f  p = %.4f  (%llu throws)\n", good ? "ok" : "ODD", what,
                test.name.c_str(), test.statistic, test.p,
                static_cast<unsigned long long>(statistics.count()));
  }
}

DiceSource NextGame(std::mt19937_64& random) {
  DiceSource source;
  astragal::base::IdBytes id{};
  for (uint8_t& byte : id) byte = static_cast<uint8_t>(random());
  for (uint8_t& byte : source.secret) byte = static_cast<uint8_t>(random());
  source.game = astragal::base::GameId(id);
  source.contributions = {astragal::tests::RandomBytes(random, 32), ""};
  return source;
}

// What DrawBelow is there to prevent.
int AsRemainder(const DiceSource& source, uint64_t index, const std::vector<uint32_t>& weights) {
  const std::vector<uint32_t> bytes(256, 1);
  return DrawOutcome(source, index, bytes) % static_cast<int>(weights.size());
}

void Audit(const char* what, const std::vector<uint32_t>& weights, uint64_t throws,
           std::mt19937_64& random, bool mutant) {
  ThrowStatistics statistics(weights);
  while (statistics.count() < throws) {
    const DiceSource source = NextGame(random);
    statistics.Cut();
    for (uint64_t index = 0; index < kThrowsOfGame; ++index) {
      const int outcome =
          mutant ? AsRemainder(source, index, weights) : DrawOutcome(source, index, weights);
      statistics.Add(static_cast<uint32_t>(outcome));
    }
  }
  Judge(what, statistics);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--mutant") {
    std::mt19937_64 random(1);
    Audit("die, remainder of a byte", {1, 1, 1, 1, 1, 1}, 200'000, random, true);
    std::printf("the mutant was %s\n1 passed, 0 failed\n", failed > 0 ? "caught" : "NOT caught");
    return failed > 0 ? 0 : 1;
  }
  if (argc != 3) return 2;
  const uint64_t throws = std::strtoull(argv[1], nullptr, 10);
  std::mt19937_64 random(std::strtoull(argv[2], nullptr, 10));
  std::printf("seed %s\n", argv[2]);
  for (const char* id : {"long_narde", "patolli", "ashtapada"}) {
    const auto ruleset = astragal::tests::OpenRuleset(id);
    for (const auto& kind : ruleset->about().throw_kinds) {
      Audit((std::string(id) + " " + kind.name).c_str(), kind.weights, throws, random, false);
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
