// Whole games of random players on the dice of the service, as proofs.
#ifndef ASTRAGAL_TESTS_SERVICES_ALGORITHMS_FAIRNESS_GAMES_H_
#define ASTRAGAL_TESTS_SERVICES_ALGORITHMS_FAIRNESS_GAMES_H_

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "plugins/host/ruleset.h"
#include "services/algorithms/dice.h"
#include "services/algorithms/fairness_proof.h"

namespace astragal::tests {

inline std::string RandomBytes(std::mt19937_64& random, size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

inline algorithms::FairnessProof ProofOfGame(const host::Ruleset& ruleset,
                                             std::mt19937_64& random) {
  algorithms::FairnessProof proof;
  base::IdBytes id{};
  for (uint8_t& byte : id) byte = static_cast<uint8_t>(random());
  for (uint8_t& byte : proof.secret) byte = static_cast<uint8_t>(random());
  proof.game = base::GameId(id);
  proof.ruleset = ruleset.about().id;
  proof.rules_version = ruleset.about().rules_version;
  proof.restore_epoch = random() % 4 == 0 ? static_cast<uint32_t>(random() % 3) : 0;
  proof.commitment = algorithms::DiceCommitment(proof.game, proof.secret);
  for (const host::ThrowKind& kind : ruleset.about().throw_kinds) {
    proof.kinds.push_back({kind.name, kind.weights, kind.labels});
  }
  host::Position position = *ruleset.Start(ruleset.about().presets.front().values);
  algorithms::DiceSource source{proof.secret, proof.game, proof.restore_epoch, {}};
  for (int seat = 0; seat < ruleset.Seats(position); ++seat) {
    algorithms::FairnessProof::Seat entry;
    entry.player_id = "player " + std::to_string(seat);
    constexpr size_t kLengths[] = {0, 1, 16, 32};
    entry.contribution = RandomBytes(random, kLengths[random() % 4]);
    const bool pledged = !entry.contribution.empty() || random() % 2 == 0;
    if (pledged) entry.pledge = base::AsView(base::Sha256(entry.contribution));
    source.contributions.push_back(entry.contribution);
    proof.seats.push_back(std::move(entry));
  }
  uint32_t sequence = 3;
  while (ruleset.Actor(position) != host::kOver && sequence < 20'000) {
    ++sequence;
    const int actor = ruleset.Actor(position);
    if (actor != host::kChance) {
      const std::vector<int64_t> actions = *ruleset.Actions(position);
      (void)ruleset.Apply(position, actor, actions[random() % actions.size()]);
      continue;
    }
    const int kind = *ruleset.ThrowKind(position);
    const int outcome =
        algorithms::DrawOutcome(source, proof.throws.size(),
                                ruleset.about().throw_kinds[static_cast<size_t>(kind)].weights);
    proof.throws.push_back({sequence, static_cast<uint32_t>(kind), static_cast<uint32_t>(outcome)});
    (void)ruleset.Apply(position, host::kChance, host::ChanceAction(kind, outcome));
  }
  return proof;
}

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_ALGORITHMS_FAIRNESS_GAMES_H_
