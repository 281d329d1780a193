#include <exception>
#include <string>

#include "tests/support/vector_check/subcommands.h"

namespace astragal::vector_check {

void ForEachLine(std::istream& file, Report& report,
                 const std::function<void(const nlohmann::json& record)>& check) {
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::string name = "line " + std::to_string(number);
    nlohmann::json record;
    try {
      record = nlohmann::json::parse(line);
      if (record.contains("id") && record["id"].is_string()) name = record["id"];
      report.Begin(name);
    } catch (const std::exception& error) {
      report.Begin(name);
      report.Differ(error.what());
      continue;
    }
    try {
      check(record);
    } catch (const std::exception& error) {
      report.Differ(error.what());
    }
  }
}

}  // namespace astragal::vector_check
