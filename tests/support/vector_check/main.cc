// vector_check SUBCOMMAND FILE [--plugins DIR]: compares reference data with what the project says.
//
// Prints each difference, and as its last line "N of M agree". Exit code 0 when all records agree,
// 1 on any difference or when the file cannot be read or holds no record, 2 on wrong arguments.
#include <unistd.h>

#include <climits>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tests/support/vector_check/subcommands.h"

namespace astragal::vector_check {
namespace {

struct Entry {
  const char* name;
  Subcommand run;
  const char* formats;
};

constexpr Entry kSubcommands[] = {
    {"long_narde", CheckLongNarde, "positions with their end positions, and complete games"},
    {"patolli", CheckPatolli, "positions with a throw and the outcome of every action"},
    {"ashtapada", CheckAshtapada, "positions with throws and all legal actions"},
    {"ratings", CheckRatings, "rating systems: single updates, printed tables, whole histories"},
};

int Usage(std::ostream& out) {
  out << "usage: vector_check SUBCOMMAND FILE [--plugins DIR]\n";
  for (const Entry& entry : kSubcommands) {
    out << "  " << entry.name << ": " << entry.formats << '\n';
  }
  return 2;
}

// build/plugins beside build/bin, where this program lies.
std::string DefaultPluginFolder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0) return "plugins";
  const std::string program(path, static_cast<size_t>(length));
  return program.substr(0, program.rfind('/')) + "/../plugins";
}

int Run(const Entry& entry, const std::string& path, const Context& context) {
  Report report(std::cout);
  bool readable = true;
  std::ifstream file(path);
  try {
    // A folder opens but does not read.
    if (!file || file.peek() == std::ifstream::traits_type::eof()) {
      throw std::runtime_error(path + ": cannot be read, or is empty");
    }
    entry.run(context, file, report);
    if (report.records() == 0) throw std::runtime_error(path + ": holds no record");
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
    readable = false;
  }
  std::cout << report.agreeing() << " of " << report.records() << " agree\n";
  return readable && report.agreeing() == report.records() ? 0 : 1;
}

int Main(const std::vector<std::string>& arguments) {
  Context context;
  std::vector<std::string> words;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != "--plugins") {
      words.push_back(arguments[i]);
    } else if (++i < arguments.size()) {
      context.plugin_folder = arguments[i];
    } else {
      return Usage(std::cerr);
    }
  }
  if (words.size() != 2) return Usage(std::cerr);
  if (context.plugin_folder.empty()) context.plugin_folder = DefaultPluginFolder();
  for (const Entry& entry : kSubcommands) {
    if (words[0] == entry.name) return Run(entry, words[1], context);
  }
  return Usage(std::cerr);
}

}  // namespace
}  // namespace astragal::vector_check

int main(int argc, char** argv) {
  return astragal::vector_check::Main(std::vector<std::string>(argv + 1, argv + argc));
}
