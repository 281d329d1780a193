// Throws that can be checked: which outcome the secret of a game gives to its i-th throw.
//
// The scheme, version 1. When a game is created the server draws a 256-bit secret and publishes
//     commitment = SHA-256("astragal-commit-1" || game id (16 bytes) || secret (32 bytes)).
// Throw i (from 0) of a kind whose weights sum to W is drawn from
//     message = "astragal-dice-1" || game id (16) || restore epoch (u32) ||
//               for each seat: length (u8) and bytes of its contribution || i (u64) || counter
//               (u32)
// with integers little-endian. v is the first 8 bytes of HMAC-SHA256(secret, message) as a
// little-endian u64. Values v >= 2^64 - (2^64 mod W) would favour some outcomes: then the counter,
// from 0, goes up by one and v is drawn again. The outcome is the one in whose share of the
// cumulative weights v mod W lies. The secret is published when the game ends.
//
// Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_DICE_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_DICE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "services/base/crypto.h"
#include "services/base/ids.h"

namespace astragal::algorithms {

// What fixes every throw of a game. Contributions are at most 32 bytes, one per seat, in order;
// empty where a seat gave none.
struct DiceSource {
  base::Bytes32 secret{};
  base::GameId game;
  uint32_t restore_epoch = 0;
  std::vector<std::string> contributions;
};

base::Bytes32 DiceCommitment(base::GameId game, const base::Bytes32& secret);

// Draws words until one is below the largest multiple of `total`, and returns it modulo `total`.
// `Word` is the unsigned type that `next_word` returns; total is 1 .. its maximum. A template over
// the word so that a test can walk through all values of a small one.
template <typename Word, typename NextWord>
Word DrawBelow(Word total, NextWord next_word) {
  // 2^bits mod total, without a type wider than Word.
  const Word excess = static_cast<Word>(static_cast<Word>(static_cast<Word>(0) - total) % total);
  const Word last_fair = static_cast<Word>(static_cast<Word>(~Word{0}) - excess);
  Word word = next_word();
  while (word > last_fair) word = next_word();
  return static_cast<Word>(word % total);
}

// The outcome (index into `weights`) of throw number `index` of the game. Weights are at least 1
// each and sum to at most 65,536.
int DrawOutcome(const DiceSource& source, uint64_t index, std::span<const uint32_t> weights);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_DICE_H_
