// A named example: a position, a throw, what is legal then, and what one of the moves does.
#ifndef ASTRAGAL_TESTS_PLUGINS_PATOLLI_EXAMPLE_H_
#define ASTRAGAL_TESTS_PLUGINS_PATOLLI_EXAMPLE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {

using Words = std::vector<std::string>;

// The coins of both sides and the pot, as changes.
struct Coins {
  int64_t red;
  int64_t green;
  int64_t pot;
  bool operator==(const Coins&) const = default;
};
inline void PrintTo(const Coins& coins, std::ostream* out) {
  *out << "red " << coins.red << ", green " << coins.green << ", pot " << coins.pot;
}

inline Coins CoinsOf(const Bytes& position) {
  return {Counter(position, "coins", 0), Counter(position, "coins", 1),
          Counter(position, "pot", -1)};
}

struct Example {
  const char* name;
  const char* position;
  int score;
  Words moves;         // legal moves; none: the throw has the effects below
  const char* played;  // the move whose effects stand below; "" if none
  Words effects;       // of the throw if no move is legal, otherwise of the move
  Coins change;
};

// Checks everything the example says.
inline void ExpectExample(const Example& example) {
  using ::testing::ElementsAreArray;
  const Bytes before = FromText(example.position);
  const Bytes thrown = Throw(before, example.score);
  EXPECT_THAT(Moves(thrown), ElementsAreArray(example.moves));
  Bytes after = thrown;
  if (example.moves.empty()) {
    EXPECT_THAT(ThrowEffects(before, example.score), ElementsAreArray(example.effects));
  } else {
    EXPECT_THAT(PlayEffects(thrown, example.played), ElementsAreArray(example.effects));
    after = Play(thrown, example.played);
  }
  const Coins was = CoinsOf(before);
  const Coins is = CoinsOf(after);
  EXPECT_EQ((Coins{is.red - was.red, is.green - was.green, is.pot - was.pot}), example.change);
}

}  // namespace astragal::patolli_test

#endif  // ASTRAGAL_TESTS_PLUGINS_PATOLLI_EXAMPLE_H_
