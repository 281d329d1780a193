// The main of every test program: it works from the root of the source tree, wherever it is
// started.
//
// ASTRAGAL_SOURCE_DIR and ASTRAGAL_BUILD_DIR are relative to that root. This file alone is compiled
// with the absolute path, so that a compiler cache serves the tests of every checkout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (chdir(ASTRAGAL_ROOT) != 0) {
    std::perror("cannot work in " ASTRAGAL_ROOT);
    return 1;
  }
  return RUN_ALL_TESTS();
}
