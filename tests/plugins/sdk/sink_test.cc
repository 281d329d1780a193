// The writers and readers that authors get.
#include <gtest/gtest.h>

#include <astragal/reader.hpp>
#include <astragal/sink.hpp>
#include <climits>
#include <string>

namespace astragal::sdk {
namespace {

TEST(TextSink, CountsWhatDoesNotFit) {
  char out[4] = {'x', 'x', 'x', 'x'};
  TextSink sink(out, 3);
  sink.Put("ab").Put(-12).Repeat('z', 2);
  EXPECT_EQ(sink.count(), 7u);
  EXPECT_EQ(std::string(out, 4), "ab-x");
}

TEST(TextSink, WritesEveryInteger) {
  struct Case {
    int64_t value;
    const char* text;
  };
  for (const Case& c : {Case{0, "0"}, Case{-1, "-1"}, Case{INT64_MIN, "-9223372036854775808"},
                        Case{INT64_MAX, "9223372036854775807"}}) {
    char out[24];
    TextSink sink(out, sizeof(out));
    sink.Put(c.value);
    EXPECT_EQ(std::string(out, sink.count()), c.text);
  }
  char out[24];
  TextSink sink(out, sizeof(out));
  sink.Put(UINT64_MAX);
  EXPECT_EQ(std::string(out, sink.count()), "18446744073709551615");
}

TEST(Sink, FillsStructSizeAndCounts) {
  astragal_piece out[2] = {};
  Sink<astragal_piece> sink(out, 1);
  sink.Add({0, 1, 0, 0, 1, 0});
  sink.Add({0, 2, 0, 0, 1, 0});
  EXPECT_EQ(sink.count(), 2u);
  EXPECT_EQ(out[0].struct_size, sizeof(astragal_piece));
  EXPECT_EQ(out[1].struct_size, 0u);
}

TEST(Error, JoinsPartsAndCutsAtACharacter) {
  astragal_error raw{};
  raw.struct_size = sizeof(raw);
  Error error(&raw);
  EXPECT_FALSE(error.Refuse("die", "no ", 7, '!'));
  EXPECT_EQ(error.code(), ASTRAGAL_REFUSED);
  EXPECT_STREQ(raw.field, "die");
  EXPECT_STREQ(raw.message, "no 7!");

  std::string longer(250, 'a');
  longer += "\xE2\x82\xAC";  // a character of three bytes, of which one would fit
  EXPECT_FALSE(error.Refuse("", longer));
  EXPECT_EQ(std::string(raw.message), std::string(250, 'a'));

  // What a player typed, quoted by bytes: a character cut off at the end is left out.
  EXPECT_FALSE(error.Refuse("", "'", std::string_view("ab\xE2\x82\xAC").substr(0, 4), "'"));
  EXPECT_STREQ(raw.message, "'ab'");
  EXPECT_FALSE(error.Refuse("", "'", std::string_view("ab\xE2\x82\xAC"), "'"));
  EXPECT_STREQ(raw.message, "'ab\xE2\x82\xAC'");
}

TEST(Error, NeedsNoPlaceToWrite) {
  Error error(nullptr);
  EXPECT_FALSE(error.Fault("x"));
  EXPECT_EQ(error.code(), ASTRAGAL_FAULT);
}

TEST(Reader, TakesIntegersWithinBounds) {
  struct Case {
    const char* text;
    bool taken;
    int64_t value;
    const char* rest;
  };
  for (const Case& c :
       {Case{"12/3", true, 12, "/3"}, Case{"-5", true, -5, ""}, Case{"101", false, 0, "101"},
        Case{"x", false, 0, "x"}, Case{"", false, 0, ""}, Case{"-", false, 0, "-"},
        Case{"99999999999999999999", false, 0, "99999999999999999999"}}) {
    Reader reader(c.text);
    int64_t value = 0;
    EXPECT_EQ(reader.TakeInteger(-10, 100, value), c.taken) << c.text;
    EXPECT_EQ(value, c.value) << c.text;
    EXPECT_EQ(reader.rest(), c.rest) << c.text;
  }
}

TEST(Reader, TakesWordsWithoutCase) {
  Reader reader("  Off rest");
  reader.SkipSpaces();
  EXPECT_TRUE(reader.Take("off"));
  EXPECT_FALSE(reader.Take("rest"));
  EXPECT_EQ(reader.TakeWord(), "rest");
  EXPECT_TRUE(reader.AtEnd());
}

}  // namespace
}  // namespace astragal::sdk
