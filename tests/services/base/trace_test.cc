// The trace of a request: headers of W3C Trace Context, and log lines that name it.
#include "services/base/trace.h"

#include <gtest/gtest.h>

#include <set>

#include "services/base/log.h"

namespace astragal::base {
namespace {

TEST(Trace, ReadsTheHeaderOfTheStandard) {
  const struct {
    const char* name;
    std::string header;
    std::string trace;  // empty: refused
  } cases[] = {
      {"the standard's example", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
       "4bf92f3577b34da6a3ce929d0e0e4736"},
      {"a later version with more", "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
       "4bf92f3577b34da6a3ce929d0e0e4736"},
      {"small numbers", "00-00000000000000000000000000000001-0000000000000001-00",
       "00000000000000000000000000000001"},
      {"nothing", "", ""},
      {"version ff", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", ""},
      {"more behind version 00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
       ""},
      {"more without a dash", "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more", ""},
      {"capitals", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", ""},
      {"no trace", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", ""},
      {"no parent", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", ""},
      {"too short", "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", ""},
      {"other dashes", "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", ""},
      {"a line break", "00-4bf92f3577b34da6a3ce929d0e0e47\n6-00f067aa0ba902b7-01", ""},
  };
  for (const auto& c : cases) {
    const auto trace = TraceId::FromTraceparent(c.header);
    EXPECT_EQ(trace ? trace->ToText() : "", c.trace) << c.name;
  }
}

TEST(Trace, NewOnesDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 10'000; ++i) {
    const std::string text = TraceId::Make().ToText();
    EXPECT_EQ(text.size(), 32U);
    seen.insert(text);
  }
  EXPECT_EQ(seen.size(), 10'000U);
}

TEST(Trace, LinesNameTheRequestOfTheirThread) {
  const auto line = [](const char* message) {
    testing::internal::CaptureStderr();
    Log(Severity::kInfo, message, {{"game", "x"}});
    return testing::internal::GetCapturedStderr();
  };
  const TraceId outer{{1, 2}};
  const TraceId inner{{3, 4}};
  {
    const TraceScope scope(outer);
    EXPECT_NE(line("one").find("one game=x trace=00000000000000010000000000000002"),
              std::string::npos);
    {
      const TraceScope nested(inner);
      EXPECT_NE(line("two").find("trace=00000000000000030000000000000004"), std::string::npos);
    }
    EXPECT_NE(line("three").find("trace=00000000000000010000000000000002"), std::string::npos);
  }
  EXPECT_EQ(line("four").find("trace="), std::string::npos);
}

}  // namespace
}  // namespace astragal::base
