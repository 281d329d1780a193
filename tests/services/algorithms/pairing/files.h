// Reference files of the pairing tests: tests/services/algorithms/data.
#ifndef ASTRAGAL_TESTS_SERVICES_ALGORITHMS_PAIRING_FILES_H_
#define ASTRAGAL_TESTS_SERVICES_ALGORITHMS_PAIRING_FILES_H_

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace astragal::tests {

inline std::string DataPath(const std::string& name) {
  return std::string(ASTRAGAL_SOURCE_DIR) + "/tests/services/algorithms/data/" + name;
}

inline bool HasData(const std::string& name) { return std::filesystem::exists(DataPath(name)); }

inline std::string ReadData(const std::string& name) {
  std::ifstream file(DataPath(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Names without the ending of all files below `folder` that have it, sorted.
inline std::vector<std::string> DataNames(const std::string& folder, const std::string& ending) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(DataPath(folder))) {
    if (entry.path().extension() == ending) names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_ALGORITHMS_PAIRING_FILES_H_
