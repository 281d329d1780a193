// Behaviour as text: how many ways there are, and whole games as a watcher sees them.
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {
namespace {

struct Count {
  uint64_t leaves = 0;
  uint64_t captures = 0;
  uint64_t passes = 0;
  uint64_t extra = 0;
  uint64_t homes = 0;
  uint64_t ends = 0;
};

void CountEffects(const Bytes& position, int actor, int64_t action, Count& count) {
  for (const std::string& effect : EffectsOf(position, actor, action)) {
    if (effect.starts_with("capture")) ++count.captures;
    if (effect.starts_with("pass")) ++count.passes;
    if (effect.starts_with("extra")) ++count.extra;
    if (effect.starts_with("bear_off")) ++count.homes;
  }
}

// Every sequence of `throws` throws with every answer to them; the last throw is answered too.
void Walk(const Bytes& position, int throws, Count& count) {
  const int actor = Table().actor(position.get());
  if (actor == ASTRAGAL_OVER) ++count.ends;
  if (actor == ASTRAGAL_OVER || (actor == ASTRAGAL_CHANCE && throws == 0)) {
    ++count.leaves;
    return;
  }
  const bool chance = actor == ASTRAGAL_CHANCE;
  std::vector<int64_t> steps = Actions(position);
  if (chance) {
    for (const int score : {0, 1, 2, 3, 4, 10}) steps.push_back(ThrowOf(score));
  }
  for (const int64_t step : steps) {
    CountEffects(position, actor, step, count);
    Walk(Apply(position, actor, step), throws - (chance ? 1 : 0), count);
  }
}

TEST(Golden, CountsOfWays) {
  const char* const positions[] = {
      "red throws",
      "red opens; middle_attack=off wedge_amount=2 wedge_payee=opponent bonus_from=opponent "
      "first_player=highest_throw",
      "red throws; red anticlockwise on 11 13 42 55; green anticlockwise on 15 44 45 58",
      "green throws; red anticlockwise on 11 13 42 55; green clockwise on 15 44 46 58",
      "green throws; red clockwise on 14 29 44; green anticlockwise on 13 28 43; "
      "start_square=arm_inner entry_when_empty=one_only",
      "red throws; red anticlockwise on 55 58 off 4; green clockwise on 57 56 off 4; purse=21",
  };
  std::string text;
  for (const char* const from : positions) {
    const Bytes position = FromText(from);
    text += ToText(position) + "\n";
    for (int throws = 1; throws <= 4; ++throws) {
      Count count;
      Walk(position, throws, count);
      text += "  " + std::to_string(throws) + " throws: " + std::to_string(count.leaves) +
              " ways, " + std::to_string(count.captures) + " captures, " +
              std::to_string(count.passes) + " passes, " + std::to_string(count.extra) +
              " extra throws, " + std::to_string(count.homes) + " home, " +
              std::to_string(count.ends) + " ends\n";
    }
  }
  tests::ExpectGolden(text, "tests/plugins/patolli/golden/counts.txt");
}

std::string Playthrough(const std::string& preset, uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes position = Start(PresetValues(preset));
  std::string text = "Patolli, preset " + preset + ", seed " + std::to_string(seed) + "\n";
  text += ToText(position) + "\n" + Board(position);
  for (int sequence = 1; Table().actor(position.get()) != ASTRAGAL_OVER; ++sequence) {
    const Bytes before = position;
    const auto [actor, action] = RandomStep(position, random);
    text += std::to_string(sequence);
    text += actor == ASTRAGAL_CHANCE ? " throw " : actor == 0 ? " red " : " green ";
    text += Notation(before, actor, action) + ":";
    const char* gap = " ";
    for (const std::string& effect : EffectsOf(before, actor, action)) {
      text += gap + effect;
      gap = ", ";
    }
    text += "\n";
    if (sequence % 100 == 0) text += ToText(position) + "\n" + Board(position);
  }
  return text + ToText(position) + "\n" + Board(position);
}

TEST(Golden, PlaythroughStandard) {
  tests::ExpectGolden(Playthrough("standard", 1),
                      "tests/plugins/patolli/golden/playthrough_standard.txt");
}

TEST(Golden, PlaythroughBell) {
  tests::ExpectGolden(Playthrough("bell", 2), "tests/plugins/patolli/golden/playthrough_bell.txt");
}

}  // namespace
}  // namespace astragal::patolli_test
