#include "services/algorithms/dice.h"

#include <cstdlib>

#include "services/base/bytes.h"

namespace astragal::algorithms {

base::Bytes32 DiceCommitment(base::GameId game, const base::Bytes32& secret) {
  base::ByteWriter message;
  message.Put(std::string_view("astragal-commit-1")).Put(game.bytes()).Put(secret);
  return base::Sha256(message.bytes());
}

int DrawOutcome(const DiceSource& source, uint64_t index, std::span<const uint32_t> weights) {
  base::ByteWriter prefix;
  prefix.Put(std::string_view("astragal-dice-1")).Put(source.game.bytes());
  prefix.Put(source.restore_epoch);
  for (const std::string& contribution : source.contributions) {
    prefix.Put(static_cast<uint8_t>(contribution.size())).Put(std::string_view(contribution));
  }
  prefix.Put(index);

  uint64_t total = 0;
  for (const uint32_t weight : weights) total += weight;
  if (total == 0) std::abort();

  uint32_t counter = 0;
  uint64_t share = DrawBelow<uint64_t>(total, [&] {
    base::ByteWriter message = prefix;
    message.Put(counter++);
    const base::Bytes32 mac = base::HmacSha256(source.secret, message.bytes());
    return base::ByteReader(base::AsView(mac)).Get<uint64_t>();
  });
  size_t outcome = 0;
  while (share >= weights[outcome]) share -= weights[outcome++];
  return static_cast<int>(outcome);
}

}  // namespace astragal::algorithms
