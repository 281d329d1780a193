#include "services/base/bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "services/base/crypto.h"

namespace astragal::base {
namespace {

TEST(ByteWriter, WritesLittleEndian) {
  ByteWriter out;
  out.Put(uint8_t{0x01}).Put(uint16_t{0x0302}).Put(uint32_t{0x07060504});
  out.Put(uint64_t{0x0F0E0D0C0B0A0908}).Put(int8_t{-1}).Put(int64_t{-2});
  out.Put(std::array<uint8_t, 2>{0xAB, 0xCD}).Put(std::string_view("a\0b", 3));
  EXPECT_EQ(Hex(out.bytes()),
            "01020304050607"
            "08090a0b0c0d0e0f"
            "fffeffffffffffffff"
            "abcd610062");
}

TEST(ByteReader, ReadsBackWhatWasWritten) {
  ByteWriter out;
  out.Put(std::numeric_limits<int64_t>::min()).Put(int32_t{-70'000}).Put(uint16_t{65'535});
  out.Put(int8_t{-128}).Put(std::array<uint8_t, 3>{1, 2, 3}).Put(std::string_view("rest"));
  ByteReader in(out.bytes());
  EXPECT_EQ(in.Get<int64_t>(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(in.Get<int32_t>(), -70'000);
  EXPECT_EQ(in.Get<uint16_t>(), 65'535);
  EXPECT_EQ(in.Get<int8_t>(), -128);
  EXPECT_EQ(in.GetArray<3>(), (std::array<uint8_t, 3>{1, 2, 3}));
  EXPECT_FALSE(in.at_end());
  EXPECT_EQ(in.Take(4), "rest");
  EXPECT_TRUE(in.ok());
  EXPECT_TRUE(in.at_end());
}

TEST(ByteReader, PastTheEndGivesZerosForGood) {
  ByteReader in(std::string_view("abc"));
  EXPECT_EQ(in.Get<uint32_t>(), 0u);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.Get<uint8_t>(), 0u);  // what was left is gone: nothing is read half
  EXPECT_EQ(in.GetArray<2>(), (std::array<uint8_t, 2>{}));
  EXPECT_EQ(in.Take(1), "");
  EXPECT_FALSE(in.ok());
  EXPECT_FALSE(in.at_end());
}

}  // namespace
}  // namespace astragal::base
