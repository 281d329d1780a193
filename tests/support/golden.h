// Compares text with a golden file below tests/. Run a test with ASTRAGAL_UPDATE_GOLDENS=1 in the
// environment to write what it made into the source tree; read the difference before you commit it.
#ifndef ASTRAGAL_TESTS_SUPPORT_GOLDEN_H_
#define ASTRAGAL_TESTS_SUPPORT_GOLDEN_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace astragal::tests {

// `path` is relative to the source tree.
inline void ExpectGolden(const std::string& actual, const std::string& path) {
  const std::string full = std::string(ASTRAGAL_SOURCE_DIR "/") + path;
  if (std::getenv("ASTRAGAL_UPDATE_GOLDENS") != nullptr) {
    std::ofstream(full, std::ios::binary) << actual;
  }
  std::ifstream file(full, std::ios::binary);
  const std::string golden((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(actual, golden) << "differs from " << path
                            << "; ASTRAGAL_UPDATE_GOLDENS=1 writes it anew";
}

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SUPPORT_GOLDEN_H_
