#include "services/base/derived_request.h"

#include <gtest/gtest.h>

#include <string>

namespace astragal::base {
namespace {

// SHA-256 of "" and of "abc" (FIPS 180-4), with the six bits of version and variant set.
TEST(DerivedRequest, IsAHashInTheFormOfAUuid) {
  EXPECT_EQ(DeriveRequestId("").ToText(), "e3b0c442-98fc-8c14-9afb-f4c8996fb924");
  EXPECT_EQ(DeriveRequestId("abc").ToText(), "ba7816bf-8f01-8fea-8141-40de5dae2223");
}

TEST(DerivedRequest, IsKnownByItsVersion) {
  const struct {
    const char* text;
    bool derived;
  } cases[] = {
      {"e3b0c442-98fc-8c14-9afb-f4c8996fb924", true},
      {"00000000-0000-8000-8000-000000000000", true},
      {"ffffffff-ffff-8fff-bfff-ffffffffffff", true},
      {"ffffffff-ffff-8fff-7fff-ffffffffffff", false},  // another variant has no versions
      {"ffffffff-ffff-8fff-cfff-ffffffffffff", false},
      {"ffffffff-ffff-4fff-bfff-ffffffffffff", false},
      {"ffffffff-ffff-7fff-bfff-ffffffffffff", false},
      {"ffffffff-ffff-ffff-bfff-ffffffffffff", false},
      {"00112233-4455-6677-8899-aabbccddeeff", false},
  };
  for (const auto& [text, derived] : cases) {
    EXPECT_EQ(IsDerived(*RequestId::Parse(text)), derived) << text;
  }
  for (int i = 0; i < 1'000; ++i) {
    const std::string text = std::to_string(i);
    EXPECT_TRUE(IsDerived(DeriveRequestId(text))) << text;
  }
}

}  // namespace
}  // namespace astragal::base
