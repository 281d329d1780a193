// The plugin against the slow and obvious rules: random reachable positions, all throws, random
// options. ASTRAGAL_RANDOM_POSITIONS sets how many positions.
#include "tests/plugins/patolli/slow_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace astragal::patolli_test {
namespace {

std::map<std::string, SlowGame> ByNotation(const std::vector<SlowOutcome>& outcomes) {
  std::map<std::string, SlowGame> map;
  for (const SlowOutcome& outcome : outcomes) map[outcome.notation] = outcome.after;
  return map;
}

// What the plugin makes of a throw, in the same terms.
std::map<std::string, SlowGame> PluginOutcomes(const Bytes& before, int score) {
  const Bytes thrown = Throw(before, score);
  if (Table().actor(thrown.get()) < 0) return {{"", Observe(thrown)}};
  std::map<std::string, SlowGame> map;
  const int seat = Table().actor(thrown.get());
  for (const int64_t action : Actions(thrown)) {
    map[Notation(thrown, seat, action)] = Observe(Apply(thrown, seat, action));
  }
  return map;
}

struct Seen {
  int moves = 0;
  int attacks = 0;
  int entries = 0;
  int passes = 0;
  int homes = 0;
  int ends = 0;
};

void Note(const std::map<std::string, SlowGame>& outcomes, Seen& seen) {
  for (const auto& [notation, after] : outcomes) {
    ++seen.moves;
    if (notation.empty()) ++seen.passes;
    if (notation.ends_with("*")) ++seen.attacks;
    if (notation.starts_with("in")) ++seen.entries;
    if (notation.ends_with("home")) ++seen.homes;
    if (after.to_throw < 0) ++seen.ends;
  }
}

// Compares all six scores in a position in which somebody throws for a turn.
void CompareAllScores(const Bytes& position, Seen& seen) {
  const SlowGame game = Observe(position);
  for (const int score : {0, 1, 2, 3, 4, 10}) {
    const auto expected = ByNotation(Outcomes(game, score));
    ASSERT_EQ(PluginOutcomes(position, score), expected)
        << "score " << score << ", " << ToText(position);
    Note(expected, seen);
  }
}

void Print(uint64_t seed, uint64_t positions, const Seen& seen) {
  std::printf(
      "seed %llu: %llu positions, %d outcomes: %d attacks, %d entries, %d passes, %d home, "
      "%d ends\n",
      static_cast<unsigned long long>(seed), static_cast<unsigned long long>(positions), seen.moves,
      seen.attacks, seen.entries, seen.passes, seen.homes, seen.ends);
}

TEST(SlowRules, AgreeOnRandomPositions) {
  const uint64_t wanted = FromEnvironment("ASTRAGAL_RANDOM_POSITIONS", 20000);
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 20240501);
  std::mt19937_64 random(seed);
  Seen seen;
  uint64_t compared = 0;
  while (compared < wanted) {
    Bytes position = Start(RandomOptions(random));
    while (Table().actor(position.get()) != ASTRAGAL_OVER && compared < wanted) {
      const bool opening = ToText(position).find(" opens") != std::string::npos;
      // One in eight, so that one game does not fill the list with neighbours.
      if (Table().chances(position.get()) >= 0 && !opening && random() % 8 == 0) {
        ++compared;
        ASSERT_NO_FATAL_FAILURE(CompareAllScores(position, seen)) << "seed " << seed;
      }
      RandomStep(position, random);
    }
  }
  Print(seed, compared, seen);
  EXPECT_GT(seen.attacks, 20);
  EXPECT_GT(seen.homes, 500);
  EXPECT_GT(seen.ends, 10);
}

// A side set up at random, with a liking for the squares where something can happen.
std::string RandomSide(const char* name, std::mt19937_64& random) {
  const int interesting[] = {1, 12, 13, 14, 15, 29, 30, 42, 43, 44, 45, 49, 56, 57, 58};
  std::set<int> track;
  const int off = static_cast<int>(random() % 6);
  const int pieces = std::max(6 - off - static_cast<int>(random() % 4), 0);
  while (static_cast<int>(track.size()) < pieces) {
    track.insert(random() % 3 == 0 ? 1 + static_cast<int>(random() % 58)
                                   : interesting[random() % std::size(interesting)]);
  }
  std::string text = std::string("; ") + name + (random() % 2 == 0 ? " +" : " -") + " off " +
                     std::to_string(off) + " on";
  for (const int own : track) {
    text += ' ';
    text += std::to_string(own);
  }
  return text + " coins " + std::to_string(-static_cast<int>(random() % 25));
}

std::string RandomSetup(std::mt19937_64& random) {
  std::string text = random() % 2 == 0 ? "red throws" : "green throws";
  text += RandomSide("red", random) + RandomSide("green", random) + ";";
  const std::vector<int64_t> options = RandomOptions(random);
  for (uint32_t i = 0; i < Table().about->option_count; ++i) {
    const astragal_option& option = Table().about->options[i];
    text += std::string(" ") + option.name + "=";
    text += option.kind == ASTRAGAL_OPTION_CHOICE ? option.choices[options[i]]
                                                  : std::to_string(options[i]);
  }
  return text;
}

TEST(SlowRules, AgreeOnRandomSetups) {
  const uint64_t wanted = FromEnvironment("ASTRAGAL_RANDOM_POSITIONS", 20000);
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 20240502);
  std::mt19937_64 random(seed);
  Seen seen;
  for (uint64_t compared = 0; compared < wanted;) {
    const std::string setup = RandomSetup(random);
    if (!Refusal(setup).empty()) continue;  // two pieces on a square, or more coins than there are
    ++compared;
    ASSERT_NO_FATAL_FAILURE(CompareAllScores(FromText(setup), seen)) << "seed " << seed;
  }
  Print(seed, wanted, seen);
  EXPECT_GT(seen.attacks, 300);
  EXPECT_GT(seen.homes, 2000);
  EXPECT_GT(seen.ends, 100);
}

}  // namespace
}  // namespace astragal::patolli_test
