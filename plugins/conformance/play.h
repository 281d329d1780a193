// Plays random games of a loaded ruleset and runs the checks over them.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_PLAY_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_PLAY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "plugins/conformance/report.h"
#include "plugins/host/ruleset.h"

namespace astragal::conformance {

struct PlayOptions {
  uint64_t games = 100;       // of each preset
  uint64_t deep = 10;         // of them get every check, the others those of every position
  bool deep_variants = true;  // and every check for the games from other option values
  uint64_t seed = 1;
  std::vector<size_t> presets;        // indices
  std::optional<uint64_t> only_game;  // this one of each preset alone
};

// Runs every check that needs no look at the file or at another process. `after_game` is called now
// and then, so that what is known so far survives a crash. Report gets kStart .. kWritesInside,
// kRepeatable, kThreads and kGlobals.
void PlayAndCheck(const host::Ruleset& ruleset, const PlayOptions& options, Report& report,
                  const std::function<void()>& after_game);

// A number that depends on all answers in the deep games of those options. Two processes must get
// the same.
uint64_t DigestOfAnswers(const host::Ruleset& ruleset, const PlayOptions& options);

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_PLAY_H_
