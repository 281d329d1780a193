// Every record of the reference positions, and proof that the comparison notices differences.
#include "tests/plugins/patolli/vectors.h"

#include <gtest/gtest.h>

#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {
namespace {

// The differences of one line, one per line; "" if there is none.
std::string Differences(const std::string& line) {
  std::string text;
  for (const std::string& difference : CompareRecord(Table(), nlohmann::json::parse(line))) {
    text += difference + "\n";
  }
  return text;
}

std::vector<std::string> Records() {
  std::ifstream file(ASTRAGAL_SOURCE_DIR "/tests/plugins/patolli/data/patolli_positions.jsonl");
  std::vector<std::string> records;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) records.push_back(line);
  }
  return records;
}

TEST(Vectors, AllRecordsAgree) {
  const std::vector<std::string> records = Records();
  ASSERT_EQ(records.size(), 59u);
  for (const std::string& record : records) EXPECT_EQ(Differences(record), "");
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
      {"count", "PT009", "\"n_actions\":2", "\"n_actions\":3", "their number is 2, listed 3"},
      {"action", "PT009", "\"from\":20}", "\"from\":19}", "20/21 is not listed"},
      {"event", "PT013", "[\"attack\"]", "[]", "events is [attack], listed []"},
      {"coins", "PT013", "\"coins\":[0,-1]", "\"coins\":[0,0]", "green's coins is -1, listed 0"},
      {"pot", "PT013", "\"pot\":1", "\"pot\":0", "the pot is 1, listed 0"},
      {"next", "PT013", "\"next\":\"green\"", "\"next\":\"red\"", "next is green, listed red"},
      {"square", "PT013", "\"square\":15", "\"square\":16", "square is 15, listed 16"},
      {"winner", "PT019", "\"winner\":\"red\"", "\"winner\":\"green\"", "winner is red"},
      {"pass", "PT015", "\"blocked_penalty\"", "\"no_score\"", "events is [blocked_penalty]"},
      {"position", "PT015", "\"hand\":5", "\"hand\":6", "the position is refused"},
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

TEST(Vectors, RecordsInAnotherFormatThrow) {
  for (const char* const record : {"[]", "{}", "{\"to_move\":\"blue\"}", "7"}) {
    EXPECT_THROW(CompareRecord(Table(), nlohmann::json::parse(record)), std::exception) << record;
  }
}

}  // namespace
}  // namespace astragal::patolli_test
