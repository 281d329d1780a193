// What the adapter promises on top of the author's members, through the C table of a real library.
#include <astragal/ruleset.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

struct alignas(8) Bytes {
  unsigned char at[8] = {};
  bool operator==(const Bytes&) const = default;
};

class AdapterTest : public testing::Test {
 protected:
  static const astragal_ruleset& table() {
    static const astragal_ruleset* const table = [] {
      void* library = dlopen(TEACHING_PLUGIN, RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) ADD_FAILURE() << dlerror();
      return reinterpret_cast<astragal_entry>(dlsym(library, ASTRAGAL_ENTRY_NAME))();
    }();
    return *table;
  }

  Bytes StartWith(int64_t trouble) {
    const int64_t options[] = {trouble, 0};
    Bytes position;
    EXPECT_EQ(table().start(options, &position, &error_), ASTRAGAL_OK);
    return position;
  }
  Bytes Thrown(int64_t trouble) {
    Bytes position = StartWith(trouble);
    EXPECT_EQ(table().apply(&position, ASTRAGAL_CHANCE, ASTRAGAL_CHANCE_ACTION(0, 1), &error_),
              ASTRAGAL_OK);
    return position;
  }

  astragal_error error_ = {sizeof(astragal_error), {}, {}};
};

TEST_F(AdapterTest, DescribesItself) {
  EXPECT_EQ(table().struct_size, sizeof(astragal_ruleset));
  EXPECT_EQ(table().abi_major, ASTRAGAL_ABI_MAJOR);
  EXPECT_EQ(table().about->struct_size, sizeof(astragal_about));
  EXPECT_EQ(table().about->position_size, 6u);
  EXPECT_EQ(table().about->flags & ASTRAGAL_RULESET_HAS_LEAVE, 0u);
  EXPECT_EQ(table().evaluate, nullptr);
  EXPECT_EQ(table().extension(ASTRAGAL_EXTENSION_MIRROR), nullptr);
}

TEST_F(AdapterTest, RefusesOptionsOutOfBounds) {
  Bytes position;
  const int64_t options[] = {0, 6};
  EXPECT_EQ(table().start(options, &position, &error_), ASTRAGAL_REFUSED);
  EXPECT_STREQ(error_.field, "lead");
  EXPECT_EQ(position, Bytes());
}

TEST_F(AdapterTest, PlaysAWholeGame) {
  Bytes position = StartWith(0);
  int count = 0;
  for (; table().actor(&position) != ASTRAGAL_OVER && count < 1000; ++count) {
    const int32_t actor = table().actor(&position);
    const int64_t action = actor == ASTRAGAL_CHANCE ? ASTRAGAL_CHANCE_ACTION(0, count % 2) : 1;
    ASSERT_EQ(table().apply(&position, actor, action, &error_), ASTRAGAL_OK) << error_.message;
  }
  astragal_seat_result result[2] = {};
  table().result(&position, result);
  EXPECT_EQ(result[0].place + result[1].place, 3);
  EXPECT_EQ(result[0].struct_size, sizeof(astragal_seat_result));
  EXPECT_EQ(table().actions(&position, nullptr, 0), 0u);
}

TEST_F(AdapterTest, ReturnsTheFullCountWithoutRoom) {
  const Bytes position = Thrown(0);
  int64_t actions[2] = {-7, -7};
  EXPECT_EQ(table().actions(&position, actions, 1), 2u);
  EXPECT_EQ(actions[0], 0);
  EXPECT_EQ(actions[1], -7);
}

TEST_F(AdapterTest, KeepsThePositionWhenApplySaysNo) {
  struct Case {
    const char* name;
    int64_t trouble;
    int64_t action;
    int32_t code;
  };
  for (const Case& c :
       {Case{"exception", 1, 1, ASTRAGAL_FAULT}, Case{"fault", 2, 1, ASTRAGAL_FAULT},
        Case{"refused after the change", 0, 9, ASTRAGAL_REFUSED}}) {
    const Bytes before = Thrown(c.trouble);
    Bytes position = before;
    error_ = {sizeof(astragal_error), {}, {}};
    EXPECT_EQ(table().apply(&position, 0, c.action, &error_), c.code) << c.name;
    EXPECT_EQ(position, before) << c.name;
    EXPECT_NE(std::string(error_.message), "") << c.name;
  }
}

TEST_F(AdapterTest, ChecksWhoActsAndWhatIsThrown) {
  struct Case {
    const char* name;
    int32_t actor;
    int64_t action;
  };
  Bytes position = StartWith(0);
  for (const Case& c :
       {Case{"a seat before the throw", 0, 1}, Case{"outcome out of range", ASTRAGAL_CHANCE, 2},
        Case{"other kind", ASTRAGAL_CHANCE, ASTRAGAL_CHANCE_ACTION(1, 0)},
        Case{"negative", ASTRAGAL_CHANCE, -1}}) {
    EXPECT_EQ(table().apply(&position, c.actor, c.action, &error_), ASTRAGAL_REFUSED) << c.name;
    EXPECT_EQ(table().effects(&position, c.actor, c.action, nullptr, 0), 0u) << c.name;
  }
  position = Thrown(0);
  EXPECT_EQ(table().apply(&position, 1, 1, &error_), ASTRAGAL_REFUSED);
}

TEST_F(AdapterTest, TurnsAnExceptionIntoAValueOutOfRange) {
  const Bytes position = Thrown(1);
  EXPECT_EQ(table().actions(&position, nullptr, 0), UINT32_MAX);
}

TEST_F(AdapterTest, WritesAndReadsThrowsByTheirLabels) {
  const Bytes position = StartWith(0);
  char text[ASTRAGAL_MAX_NAME_BYTES];
  const uint32_t length =
      table().format(&position, ASTRAGAL_CHANCE, ASTRAGAL_CHANCE_ACTION(0, 1), text, sizeof(text));
  EXPECT_EQ(std::string(text, length), "two");
  int64_t action = -1;
  EXPECT_EQ(table().parse(&position, ASTRAGAL_CHANCE, " Two ", 5, &action, &error_), ASTRAGAL_OK);
  EXPECT_EQ(action, ASTRAGAL_CHANCE_ACTION(0, 1));
  EXPECT_EQ(table().parse(&position, ASTRAGAL_CHANCE, "six", 3, &action, &error_),
            ASTRAGAL_REFUSED);
  EXPECT_EQ(table().format(&position, 0, 77, text, sizeof(text)), 0u);
  EXPECT_EQ(table().format(&position, 5, 1, text, sizeof(text)), 0u);
}

TEST_F(AdapterTest, ChecksWhatParsePositionRead) {
  Bytes position;
  const std::string good = "3 4 blue 1 0 0";
  EXPECT_EQ(
      table().parse_position(good.data(), static_cast<uint32_t>(good.size()), &position, &error_),
      ASTRAGAL_OK);
  char text[64];
  EXPECT_EQ(std::string(text, table().format_position(&position, text, sizeof(text))), good);
  const Bytes before = position;
  const std::string bad = "3 11 blue 1 0 0";
  EXPECT_EQ(
      table().parse_position(bad.data(), static_cast<uint32_t>(bad.size()), &position, &error_),
      ASTRAGAL_REFUSED);
  EXPECT_EQ(position, before);
}

TEST_F(AdapterTest, SaysWhatItDoesNotKnow) {
  Bytes position = StartWith(0);
  EXPECT_EQ(table().leave(&position, 0, &error_), ASTRAGAL_UNSUPPORTED);
  EXPECT_EQ(table().throws(&position, nullptr, 0), 0u);
  EXPECT_EQ(table().counters(&position, nullptr, 0), 0u);
  astragal_concession concession = {sizeof(concession), 0, 0, 0};
  EXPECT_EQ(table().concession(&position, 2, &concession), ASTRAGAL_REFUSED);
  EXPECT_EQ(table().concession(&position, 0, &concession), ASTRAGAL_OK);
  EXPECT_EQ(concession.most, 1);
}

}  // namespace
