#include "services/base/ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"

namespace astragal::base {
namespace {

// Counts up, so that ids of one millisecond differ.
class CountingRandom : public Random {
 public:
  void Fill(std::span<uint8_t> out) override {
    for (uint8_t& byte : out) byte = next_++;
  }

 private:
  uint8_t next_ = 0;
};

IdBytes Filled(uint8_t value) {
  IdBytes bytes{};
  bytes.fill(value);
  return bytes;
}

TEST(Id, KnownTexts) {
  IdBytes counting{};
  for (size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<uint8_t>(i * 17);
  const struct {
    IdBytes bytes;
    const char* text;
  } cases[] = {
      {Filled(0), "00000000000000000000000000"},
      {Filled(0xFF), "7zzzzzzzzzzzzzzzzzzzzzzzzz"},
      {counting, "0024h36h2ncsvrh6daqf6dvvqz"},
  };
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(IdToText(bytes), text);
    EXPECT_EQ(IdFromText(text), bytes);
  }
}

TEST(Id, EveryBitSurvivesTheRoundTrip) {
  for (size_t bit = 0; bit < 128; ++bit) {
    IdBytes bytes{};
    bytes[bit / 8] = static_cast<uint8_t>(0x80u >> (bit % 8));
    const std::string text = IdToText(bytes);
    EXPECT_EQ(text.size(), 26u);
    EXPECT_EQ(IdFromText(text), bytes) << "bit " << bit;
  }
}

TEST(Id, TextSortsAsBytesDo) {
  std::vector<IdBytes> ids;
  for (int i = 0; i < 128; ++i) {
    IdBytes bytes = Filled(static_cast<uint8_t>(i * 37));
    bytes[i % 16] = static_cast<uint8_t>(i);
    ids.push_back(bytes);
  }
  std::ranges::sort(ids);
  for (size_t i = 1; i < ids.size(); ++i) EXPECT_LT(IdToText(ids[i - 1]), IdToText(ids[i]));
}

TEST(Id, UpperCaseIsReadAndLowerCaseIsWritten) {
  const std::optional<IdBytes> id = IdFromText("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
  ASSERT_TRUE(id);
  EXPECT_EQ(IdToText(*id), "7zzzzzzzzzzzzzzzzzzzzzzzzz");
}

TEST(Id, BadTextIsNoId) {
  const std::string good = "0024h36h2ncsvrh6daqf6dvvqz";
  ASSERT_TRUE(IdFromText(good));
  const auto starting = [&](char c) {
    std::string text = good;
    text.front() = c;
    return text;
  };
  const struct {
    const char* name;
    std::string text;
  } cases[] = {
      {"empty", ""},
      {"too short", good.substr(1)},
      {"too long", good + "0"},
      {"more than 128 bits", starting('8')},
      {"letter i", starting('i')},
      {"letter l", starting('l')},
      {"letter o", starting('o')},
      {"letter u", starting('u')},
      {"dash", starting('-')},
      {"space at the end", good.substr(1) + " "},
      {"zero byte", good.substr(1) + std::string(1, '\0')},
      {"not ASCII", good.substr(2) + "\xC3\xA9"},
  };
  for (const auto& [name, text] : cases) EXPECT_EQ(IdFromText(text), std::nullopt) << name;
}

TEST(Id, SortsByItsMillisecond) {
  CountingRandom random;
  GameId last;
  for (const int64_t millis : {1, 2, 255, 256, 65'536, 1'700'000'000}) {
    const GameId id = GameId::Make({millis * 1'000}, random);
    EXPECT_LT(last, id) << millis;
    last = id;
  }
  // Microseconds of one millisecond share their first six bytes.
  const GameId a = GameId::Make({5'000}, random);
  const GameId b = GameId::Make({5'999}, random);
  EXPECT_TRUE(std::equal(a.bytes().begin(), a.bytes().begin() + 6, b.bytes().begin()));
  EXPECT_NE(a, b);
}

TEST(Id, SystemRandomIdsDiffer) {
  SystemRandom random;
  absl::flat_hash_set<GameId> seen;
  for (int i = 0; i < 1'000; ++i) seen.insert(GameId::Make({0}, random));
  EXPECT_EQ(seen.size(), 1'000u);
}

TEST(Id, NilNamesNothing) {
  EXPECT_TRUE(PlayerId().is_nil());
  EXPECT_FALSE(PlayerId(Filled(1)).is_nil());
  EXPECT_EQ(PlayerId::Parse(PlayerId(Filled(9)).ToText()), PlayerId(Filled(9)));
  EXPECT_EQ(PlayerId::Parse("?"), std::nullopt);
}

TEST(RequestId, RoundTrip) {
  const std::string text = "00112233-4455-6677-8899-aabbccddeeff";
  const std::optional<RequestId> id = RequestId::Parse(text);
  ASSERT_TRUE(id);
  EXPECT_EQ(id->bytes[0], 0x00);
  EXPECT_EQ(id->bytes[15], 0xFF);
  EXPECT_EQ(id->ToText(), text);
  EXPECT_EQ(RequestId::Parse("00112233-4455-6677-8899-AABBCCDDEEFF"), id);
}

TEST(RequestId, BadTextIsNone) {
  const struct {
    const char* name;
    const char* text;
  } cases[] = {
      {"empty", ""},
      {"nil", "00000000-0000-0000-0000-000000000000"},
      {"no dashes", "00112233445566778899aabbccddeeff"},
      {"braces", "{0112233-4455-6677-8899-aabbccddeef}"},
      {"dash elsewhere", "001122334-455-6677-8899-aabbccddeeff"},
      {"not hexadecimal", "00112233-4455-6677-8899-aabbccddeefg"},
      {"one too few", "00112233-4455-6677-8899-aabbccddeef"},
      {"one too many", "00112233-4455-6677-8899-aabbccddeeff0"},
      {"trailing line", "00112233-4455-6677-8899-aabbccddeef\n"},
  };
  for (const auto& [name, text] : cases) EXPECT_EQ(RequestId::Parse(text), std::nullopt) << name;
}

}  // namespace
}  // namespace astragal::base
