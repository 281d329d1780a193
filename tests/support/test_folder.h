// A folder for one test, below the system's folder for temporary files: with a short path, passable
// for the user that PostgreSQL runs as, removed at the end with all that is in it.
#ifndef ASTRAGAL_TESTS_SUPPORT_TEST_FOLDER_H_
#define ASTRAGAL_TESTS_SUPPORT_TEST_FOLDER_H_

#include <string>

namespace astragal::tests {

class TestFolder {
 public:
  TestFolder();
  // Ends a server that a test left running in it, then removes it. If this process dies before, a
  // helper process does the same.
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int alive_ = -1;  // write end of the helper's pipe: closed when we are gone
  int helper_ = -1;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SUPPORT_TEST_FOLDER_H_
