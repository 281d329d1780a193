#include "services/algorithms/dice.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace astragal::algorithms {
namespace {

using base::Bytes32;
using base::GameId;

// ---- The sampler, over every value of a small word.

using Sampler = std::function<uint8_t(uint8_t total, const std::function<uint8_t()>& next)>;

// Whether every outcome comes from equally many of the 256 words, those drawn again aside, and as
// few words as possible are drawn again.
bool IsFair(const Sampler& sampler, int total) {
  std::vector<int> seen(static_cast<size_t>(total), 0);
  int accepted = 0;
  for (int word = 0; word < 256; ++word) {
    int drawn = 0;
    // A word that is not accepted is followed by 0, which always is.
    const uint8_t outcome = sampler(static_cast<uint8_t>(total), [&]() -> uint8_t {
      return ++drawn == 1 ? static_cast<uint8_t>(word) : uint8_t{0};
    });
    if (outcome >= total) return false;
    if (drawn > 1) continue;
    ++accepted;
    ++seen[outcome];
  }
  for (const int count : seen) {
    if (count != seen.front()) return false;
  }
  return accepted == 256 - 256 % total;
}

uint8_t Ours(uint8_t total, const std::function<uint8_t()>& next) {
  return DrawBelow<uint8_t>(total, next);
}

TEST(DrawBelow, EveryOutcomeEquallyOftenForEveryTotal) {
  for (int total = 1; total <= 255; ++total) EXPECT_TRUE(IsFair(Ours, total)) << "total " << total;
}

TEST(DrawBelow, TheSameCheckFindsUnfairSamplers) {
  const struct {
    const char* name;
    Sampler sampler;
  } mutants[] = {
      {"remainder alone",
       [](uint8_t total, const auto& next) { return static_cast<uint8_t>(next() % total); }},
      {"one word too many",
       [](uint8_t total, const auto& next) {
         uint8_t word = next();
         while (word > 256 - 256 % total) word = next();
         return static_cast<uint8_t>(word % total);
       }},
      {"one word too few",
       [](uint8_t total, const auto& next) {
         uint8_t word = next();
         while (word >= 255 - 256 % total) word = next();
         return static_cast<uint8_t>(word % total);
       }},
      {"scaled without drawing again",
       [](uint8_t total, const auto& next) { return static_cast<uint8_t>(next() * total / 256); }},
  };
  for (const auto& [name, sampler] : mutants) {
    EXPECT_FALSE(IsFair(sampler, 6)) << name;
    EXPECT_FALSE(IsFair(sampler, 100)) << name;
  }
}

TEST(DrawBelow, DrawsAgainAsOftenAsItMust) {
  const std::array<uint8_t, 4> words = {255, 254, 252, 251};  // 252 and more are unfair to a die
  size_t drawn = 0;
  EXPECT_EQ(DrawBelow<uint8_t>(6, [&] { return words[drawn++]; }), 251 % 6);
  EXPECT_EQ(drawn, words.size());
}

TEST(DrawBelow, WideWords) {
  const auto from = [](uint64_t word) {
    int drawn = 0;
    return DrawBelow<uint64_t>(6, [&, drawn]() mutable { return drawn++ == 0 ? word : 3; });
  };
  const uint64_t last_fair = UINT64_MAX - 4;  // 2^64 mod 6 is 4
  EXPECT_EQ(from(last_fair), last_fair % 6);
  EXPECT_EQ(from(last_fair), 5u);
  EXPECT_EQ(from(last_fair + 1), 3u) << "drawn again";
  EXPECT_EQ(from(UINT64_MAX), 3u) << "drawn again";
  EXPECT_EQ(DrawBelow<uint64_t>(65'536, [] { return UINT64_MAX; }), 65'535u);
}

// ---- Vectors of an independent program, see dice_vectors.py.

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

std::vector<uint32_t> Weights(const std::string& text) {
  if (const size_t times = text.find('x'); times != std::string::npos) {
    return std::vector<uint32_t>(std::stoul(text),
                                 static_cast<uint32_t>(std::stoul(text.substr(times + 1))));
  }
  std::vector<uint32_t> weights;
  for (const std::string& part : Split(text)) {
    weights.push_back(static_cast<uint32_t>(std::stoul(part)));
  }
  return weights;
}

DiceSource Source(const std::string& game_hex, const std::string& secret_hex) {
  base::IdBytes game{};
  DiceSource source;
  const std::string id = FromHex(game_hex);
  const std::string secret = FromHex(secret_hex);
  std::copy(id.begin(), id.end(), game.begin());
  std::copy(secret.begin(), secret.end(), source.secret.begin());
  source.game = GameId(game);
  return source;
}

TEST(DrawOutcome, AgreesWithTheIndependentProgram) {
  std::ifstream file(ASTRAGAL_SOURCE_DIR "/tests/services/algorithms/data/dice_vectors.txt");
  std::string game, secret, contributions, weights, commitment;
  uint64_t index = 0;
  uint32_t epoch = 0;
  int outcome = 0;
  int vectors = 0;
  while (file >> game >> secret >> epoch >> contributions >> index >> weights >> commitment >>
         outcome) {
    DiceSource source = Source(game, secret);
    source.restore_epoch = epoch;
    for (const std::string& part : Split(contributions)) {
      source.contributions.push_back(part == "-" ? "" : FromHex(part));
    }
    EXPECT_EQ(DrawOutcome(source, index, Weights(weights)), outcome) << "line " << vectors + 1;
    EXPECT_EQ(base::Hex(base::AsView(DiceCommitment(source.game, source.secret))), commitment);
    ++vectors;
  }
  EXPECT_EQ(vectors, 200);
}

TEST(DrawOutcome, EverythingInTheSourceMatters) {
  const std::vector<uint32_t> weights(65'536, 1);
  DiceSource source = Source(std::string(32, '1'), std::string(64, '2'));
  source.contributions = {"ab", "c"};
  const int base = DrawOutcome(source, 7, weights);
  EXPECT_EQ(DrawOutcome(source, 7, weights), base);
  EXPECT_NE(DrawOutcome(source, 8, weights), base);
  const auto changed = [&](const std::function<void(DiceSource&)>& change) {
    DiceSource other = source;
    change(other);
    return DrawOutcome(other, 7, weights);
  };
  EXPECT_NE(changed([](DiceSource& s) { s.secret[31] ^= 1; }), base);
  EXPECT_NE(changed([](DiceSource& s) { s.game = GameId(); }), base);
  EXPECT_NE(changed([](DiceSource& s) { s.restore_epoch = 1; }), base);
  // The same bytes shared out in another way.
  EXPECT_NE(changed([](DiceSource& s) { s.contributions = {"a", "bc"}; }), base);
  EXPECT_NE(changed([](DiceSource& s) { s.contributions = {"c", "ab"}; }), base);
}

// ---- Statistics over a fixed secret: they cannot fail by chance, only by a change.

// Bounds of chi-square at 0.1 % on either side (Wilson and Hilferty).
double ChiSquareAt(int degrees, double deviate) {
  const double k = degrees;
  const double root = 1 - 2 / (9 * k) + deviate * std::sqrt(2 / (9 * k));
  return k * root * root * root;
}

void ExpectFits(const std::map<int, int>& counts, const std::vector<uint32_t>& weights) {
  double total_weight = 0;
  double total = 0;
  for (const uint32_t weight : weights) total_weight += weight;
  for (const auto& [cell, count] : counts) total += count;
  double chi_square = 0;
  for (size_t cell = 0; cell < weights.size(); ++cell) {
    const double expected = total * weights[cell] / total_weight;
    const auto found = counts.find(static_cast<int>(cell));
    const double seen = found == counts.end() ? 0 : found->second;
    chi_square += (seen - expected) * (seen - expected) / expected;
  }
  const int degrees = static_cast<int>(weights.size()) - 1;
  EXPECT_LT(chi_square, ChiSquareAt(degrees, 3.09)) << "too uneven";
  EXPECT_GT(chi_square, ChiSquareAt(degrees, -3.09)) << "too even to be chance";
}

TEST(DrawOutcome, FacesPairsAndWeightsFit) {
  const DiceSource source = Source("0123456789abcdef0123456789abcdef", std::string(64, '5'));
  constexpr int kThrows = 60'000;
  const struct {
    const char* name;
    std::vector<uint32_t> weights;
  } kinds[] = {
      {"die", {1, 1, 1, 1, 1, 1}},
      {"five sticks", {1, 5, 10, 10, 5, 1}},
      {"lopsided", {1, 999}},
  };
  for (const auto& [name, weights] : kinds) {
    SCOPED_TRACE(name);
    const int faces = static_cast<int>(weights.size());
    std::map<int, int> singles;
    std::map<int, int> pairs;  // of a throw and the next, without overlap
    int last = 0;
    for (int i = 0; i < kThrows; ++i) {
      const int face = DrawOutcome(source, static_cast<uint64_t>(i), weights);
      ASSERT_LT(face, faces);
      ++singles[face];
      if (i % 2 == 1) ++pairs[last * faces + face];
      last = face;
    }
    ExpectFits(singles, weights);
    std::vector<uint32_t> of_pairs;
    for (const uint32_t first : weights) {
      for (const uint32_t second : weights) of_pairs.push_back(first * second);
    }
    ExpectFits(pairs, of_pairs);
  }
}

}  // namespace
}  // namespace astragal::algorithms
