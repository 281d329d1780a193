// ruleset_check PLUGIN.so: does a ruleset keep every obligation of plugins/README.md?
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "plugins/conformance/check.h"

namespace {

using astragal::conformance::CheckLibrary;
using astragal::conformance::CheckOptions;
using astragal::conformance::ObligationTable;

constexpr const char* kFooter =
    "Exit code: 0 when every obligation is kept, 1 when one is broken or could not be checked "
    "(with\n"
    "--deep 0: when one is broken), 2 when the check itself is impossible (no such file or "
    "preset).\n"
    "\n"
    "Examples:\n"
    "  ruleset_check build/plugins/libpatolli.so\n"
    "  ruleset_check libmine.so --preset standard --games 1000\n"
    "  ruleset_check libmine.so --seed 7 --game 42      see game 42 of seed 7 again\n"
    "  ruleset_check libmine.so --json > report.json\n"
    "  ruleset_check libmine.so --games 100000 --deep 0  many games, only the quick checks\n"
    "  ruleset_check --obligations                       the list with numbers";

}  // namespace

int main(int argc, char** argv) {
  if (const std::optional<int> code = astragal::conformance::ChildMain(argc, argv)) return *code;
  CLI::App app("Checks every obligation of a ruleset plugin over random games.");
  app.footer(kFooter);
  std::string plugin;
  CheckOptions options;
  bool json = false;
  bool list = false;
  app.add_option("plugin", plugin, "The library file");
  constexpr uint64_t kMostGames = 1'000'000'000;
  app.add_option("--games", options.games, "Random games of each preset")
      ->check(CLI::Range(uint64_t{0}, kMostGames))
      ->capture_default_str();
  app.add_option("--deep", options.deep,
                 "How many of them get every check; the others get those of every position")
      ->check(CLI::Range(uint64_t{0}, kMostGames))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Where the randomness comes from")->capture_default_str();
  app.add_option("--preset", options.presets, "Only this preset; may be repeated");
  app.add_option("--game", options.only_game, "Only the game of this number of each preset");
  int64_t seconds = 30;
  app.add_option("--timeout", seconds,
                 "Seconds of processor time that one game may take; ten times as long by the wall")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  app.add_flag("--json", json, "A report for machines");
  app.add_flag("--obligations", list, "Write the table of obligations and end");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (list) {
    std::cout << ObligationTable();
    return 0;
  }
  if (plugin.empty()) {
    std::cerr << "ruleset_check: name a library file; --help says more\n";
    return 2;
  }
  options.game_timeout = absl::Seconds(seconds);
  const auto result = CheckLibrary(plugin, options);
  if (!result.ok()) {
    std::cerr << "ruleset_check: " << std::string(result.status().message()) << "\n";
    return 2;
  }
  std::cout << (json ? result->report.ToJson(result->title) : result->report.ToText(result->title));
  // Without deep games some obligations cannot be checked, and that was asked for.
  const bool good = options.deep == 0 ? result->report.NoneBroken() : result->report.AllKept();
  return good ? 0 : 1;
}
