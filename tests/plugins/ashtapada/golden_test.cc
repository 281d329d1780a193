// Counts and whole games as text. A difference is a change of the rules or of what is shown.
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/plugins/ashtapada/driver.h"

namespace astragal::ashtapada_test {
namespace {

// A generator that gives the same numbers with every library.
class Sequence {
 public:
  explicit Sequence(uint64_t seed) : state_(seed) {}
  uint64_t Below(uint64_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % bound;
  }

 private:
  uint64_t state_;
};

int64_t DrawFrom(const Position& position, Sequence& sequence) {
  const int kind = Table().chances(&position);
  const astragal_throw_kind& throws = Table().about->throw_kinds[kind];
  uint64_t total = 0;
  for (uint32_t i = 0; i < throws.outcome_count; ++i) total += throws.weights[i];
  uint64_t drawn = sequence.Below(total);
  uint32_t outcome = 0;
  while (drawn >= throws.weights[outcome]) drawn -= throws.weights[outcome++];
  return ASTRAGAL_CHANCE_ACTION(kind, outcome);
}

std::string Playthrough(const OptionMap& options, uint64_t seed) {
  Sequence sequence(seed);
  Position position = Start(OptionValues(options));
  std::string text = OptionsText(OptionValues(options)) + "\n";
  int number = 0;
  for (; Table().actor(&position) != ASTRAGAL_OVER; ++number) {
    const int actor = Table().actor(&position);
    const std::vector<int64_t> actions = Actions(position);
    const int64_t action = actor == ASTRAGAL_CHANCE ? DrawFrom(position, sequence)
                                                    : actions[sequence.Below(actions.size())];
    text += std::to_string(number) + " " +
            (actor == ASTRAGAL_CHANCE ? "throw" : Table().about->seat_names[actor]) + " " +
            Notation(position, actor, action);
    if (actor != ASTRAGAL_CHANCE) text += " of " + std::to_string(actions.size());
    const char* before = ": ";
    for (const std::string& effect : EffectsOf(position, actor, action)) {
      text += before + effect;
      before = ", ";
    }
    text += "\n";
    position = Apply(position, actor, action);
    if (number % 50 == 0) text += "  " + ToText(position) + "\n" + Board(position);
  }
  text += ToText(position) + "\n" + Board(position);
  for (const astragal_seat_result& result : Results(position)) {
    text +=
        "place " + std::to_string(result.place) + " points " + std::to_string(result.points) + "\n";
  }
  return text;
}

TEST(Playthrough, TwoSeats) {
  tests::ExpectGolden(Playthrough({}, 1), "tests/plugins/ashtapada/golden/two_seats.txt");
}
TEST(Playthrough, ThreeSeats) {
  tests::ExpectGolden(
      Playthrough({{"players", "3"}, {"forgo", "none"}, {"pieces", "2"}, {"triplets", "as_twins"}},
                  2),
      "tests/plugins/ashtapada/golden/three_seats.txt");
}
TEST(Playthrough, FourSeats) {
  tests::ExpectGolden(Playthrough({{"players", "4"},
                                   {"pieces", "2"},
                                   {"play_for_places", "on"},
                                   {"entry_box", "left"},
                                   {"marked_box", "block"}},
                                  3),
                      "tests/plugins/ashtapada/golden/four_seats.txt");
}

// Distinct positions after n throws and actions.
std::string Counts(const std::string& name, const Position& start, int depth) {
  std::string text = name + ":";
  std::set<std::string> level = {ToText(start)};
  for (int n = 0; n <= depth; ++n) {
    text += " " + std::to_string(level.size());
    std::set<std::string> next;
    for (const std::string& known : level) {
      const Position position = FromText(known);
      const int actor = Table().actor(&position);
      if (actor == ASTRAGAL_CHANCE) {
        for (const int value : {1, 2, 3, 4, 8}) next.insert(ToText(Throw(position, {value})));
      }
      for (const int64_t action : Actions(position)) {
        next.insert(ToText(Apply(position, actor, action)));
      }
    }
    level = next;
  }
  return text + "\n";
}

TEST(Counts, DistinctPositions) {
  std::string text;
  for (const char* options : {"", " forgo=none", " twin_move=half triplets=as_twins forgo=any",
                              " players=4 marked_box=block"}) {
    text +=
        Counts(std::string("start") + options, FromText("throw=south" + std::string(options)), 6);
    text +=
        Counts(std::string("middle") + options,
               FromText("throw=south south=8,8,15,40 north=23,23,30,45" + std::string(options)), 4);
    text += Counts(
        std::string("end") + options,
        FromText("throw=south south=57,58,keep,off north=59,keep,keep,off" + std::string(options)),
        6);
  }
  tests::ExpectGolden(text, "tests/plugins/ashtapada/golden/counts.txt");
}

}  // namespace
}  // namespace astragal::ashtapada_test
