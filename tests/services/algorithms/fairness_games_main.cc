// fairness_games COUNT SEED: proofs of so many games of all rulesets, one a line.
// fairness_games --check: reads proofs from standard input and prints ok or BAD for each.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "tests/services/algorithms/fairness_games.h"
#include "tests/services/algorithms/rulesets.h"

namespace {

using astragal::algorithms::FairnessProof;

int Check() {
  for (std::string line; std::getline(std::cin, line);) {
    const absl::StatusOr<FairnessProof> proof = astragal::algorithms::ReadProof(line);
    const bool holds = proof.ok() && astragal::algorithms::CheckProof(*proof).faults.empty();
    std::puts(holds ? "ok" : "BAD");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--check") return Check();
  if (argc != 3) return 2;
  std::mt19937_64 random(std::strtoull(argv[2], nullptr, 10));
  const char* const ids[] = {"long_narde", "patolli", "ashtapada"};
  std::vector<std::shared_ptr<const astragal::host::Ruleset>> rulesets;
  for (const char* id : ids) rulesets.push_back(astragal::tests::OpenRuleset(id));
  const long count = std::strtol(argv[1], nullptr, 10);
  for (long i = 0; i < count; ++i) {
    const auto& ruleset = *rulesets[static_cast<size_t>(i) % rulesets.size()];
    const FairnessProof proof = astragal::tests::ProofOfGame(ruleset, random);
    std::puts(astragal::algorithms::WriteProof(proof).c_str());
  }
  return 0;
}
