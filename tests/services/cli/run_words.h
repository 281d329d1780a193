// The program as a function: words in, exit code and both outputs out.
#ifndef ASTRAGAL_TESTS_SERVICES_CLI_RUN_WORDS_H_
#define ASTRAGAL_TESTS_SERVICES_CLI_RUN_WORDS_H_

#include <sstream>
#include <string>
#include <vector>

#include "services/cli/app.h"

namespace astragal::tests {

struct RanWords {
  int code = 0;
  std::string out;
  std::string err;
};

inline RanWords RunWords(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"astragal"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out;
  std::ostringstream err;
  RanWords ran;
  ran.code = cli::Run(static_cast<int>(argv.size()), argv.data(), cli::Terminal{out, err});
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CLI_RUN_WORDS_H_
