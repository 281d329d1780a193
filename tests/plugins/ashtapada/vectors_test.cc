// Every record of the reference positions, and proof that the comparison notices differences.
#include "tests/plugins/ashtapada/vectors.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/plugins/ashtapada/driver.h"

namespace astragal::ashtapada_test {
namespace {

std::vector<std::string> Records() {
  std::ifstream file(ASTRAGAL_SOURCE_DIR "/tests/plugins/ashtapada/data/ashtapada_positions.jsonl");
  std::vector<std::string> records;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) records.push_back(line);
  }
  return records;
}

std::string Differences(const std::string& record) {
  std::string text;
  for (const std::string& difference : CompareRecord(Table(), nlohmann::json::parse(record))) {
    text += difference + "\n";
  }
  return text;
}

TEST(Vectors, AllRecordsAgree) {
  const std::vector<std::string> records = Records();
  ASSERT_EQ(records.size(), 64u);
  for (const std::string& record : records) EXPECT_EQ(Differences(record), "") << record;
}

std::string Changed(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("not in the record: " + from);
  return text.replace(at, from.size(), to);
}

TEST(Vectors, DifferencesAreNoticed) {
  struct Case {
    const char* name;
    const char* id;
    const char* from;
    const char* to;
    const char* report;
  };
  const Case cases[] = {
      {"count", "AS005", "\"n_actions\":16", "\"n_actions\":15", "actions is 16, listed 15"},
      {"to", "AS007", "\"to\":9", "\"to\":10", "move 5 to 10 H7 size 1 by 4 is listed"},
      {"square", "AS007", "\"H7\"", "\"H8\"", "move 5 to 9 H7 size 1 by 4 is legal"},
      {"throws", "AS007", "\"throws\":[4],\"from\"", "\"throws\":[3],\"from\"", "is listed"},
      {"size", "AS013", "\"size\":2", "\"size\":1", "size 2"},
      {"capture", "AS013", "\"captures\":{\"N\":1}", "\"captures\":{\"N\":2}", "captures N2"},
      {"usable", "AS005", "\"max_throws_usable\":4", "\"max_throws_usable\":3", "used are 4"},
      {"discard", "AS003", "\"remaining\":[1,8,2]", "\"remaining\":[4,1,8,2]", "throws left are"},
      {"position", "AS005", "-1,-1,-1,5]", "-1,-1,-1,62]", "no index 62"},
      {"format", "AS005", "\"throws\":[4,1,8,2]", "\"throws\":[4,1,8,\"2\"]", "cannot be compared"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::string record;
    for (const std::string& line : Records()) {
      if (line.find(c.id) != std::string::npos) record = line;
    }
    ASSERT_EQ(Differences(record), "");
    const std::string report = Differences(Changed(record, c.from, c.to));
    EXPECT_NE(report.find(c.report), std::string::npos) << report;
  }
}

}  // namespace
}  // namespace astragal::ashtapada_test
