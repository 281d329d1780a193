// A folder of a test's own, below the build folder (programs may run there), gone afterwards.
#ifndef ASTRAGAL_TESTS_PLUGINS_HOST_FOLDER_H_
#define ASTRAGAL_TESTS_PLUGINS_HOST_FOLDER_H_

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "plugins/host/catalog.h"
#include "plugins/host/library.h"

namespace astragal::host {

class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::absolute(ASTRAGAL_BUILD_DIR "/tests/host-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp " + name);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

  // An existing or new folder inside.
  std::string Sub(const std::string& name) const {
    std::filesystem::create_directories(path_ / name);
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

inline std::string OddPath(const std::string& kind) {
  return std::filesystem::absolute(ASTRAGAL_BUILD_DIR "/tests/odd/lib" + kind + ".so").string();
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline std::string ProbePath() {
  return std::filesystem::absolute(ASTRAGAL_BUILD_DIR "/bin/ruleset_probe").string();
}

// Opens an odd plugin in this process at once, without the checks that would refuse it.
inline std::shared_ptr<const Ruleset> OpenOdd(const std::string& kind) {
  auto ruleset = OpenLibrary({"", OddPath(kind)});
  if (!ruleset.ok()) throw std::runtime_error(kind + ": " + ruleset.status().ToString());
  return *std::move(ruleset);
}

}  // namespace astragal::host

#endif  // ASTRAGAL_TESTS_PLUGINS_HOST_FOLDER_H_
