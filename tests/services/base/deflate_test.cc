#include "services/base/deflate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace astragal::base {
namespace {

TEST(Deflate, PartsComeBackAsOne) {
  const std::vector<std::vector<std::string>> cases = {
      {""},
      {"a"},
      {"", "b", ""},
      {std::string(100'000, 'x'), std::string("\0\xff", 2), "the end"},
  };
  for (const std::vector<std::string>& parts : cases) {
    std::string whole;
    for (const std::string& part : parts) whole += part;
    const std::string packed = Deflate(parts);
    EXPECT_EQ(Inflate(packed, whole.size()), whole);
    if (!whole.empty()) {
      EXPECT_EQ(Inflate(packed, whole.size() - 1), std::nullopt);
    }
    EXPECT_EQ(Inflate(packed + "x", whole.size()), std::nullopt) << "more follows";
    EXPECT_EQ(Inflate(packed.substr(0, packed.size() - 1), whole.size()), std::nullopt);
  }
  EXPECT_EQ(Inflate("", 10), std::nullopt);
  EXPECT_EQ(Inflate("no work of Deflate", 100), std::nullopt);
}

// Each part gets codes of its own.
TEST(Deflate, PartsOfDifferentKindsAreShorterApart) {
  std::string low, high;
  for (int i = 0; i < 4'000; ++i) {
    low += static_cast<char>('a' + i * i % 7);
    high += static_cast<char>('A' + (i % 11) * (i % 11) * (i % 11) % 11);
  }
  EXPECT_LT(Deflate(std::vector<std::string>{low, high}).size(), low.size() / 2);
}

}  // namespace
}  // namespace astragal::base
