// What all checks share while they play: the ruleset, the report, the seed and where they are.
//
// A Session belongs to one thread. Where it is (duty, preset, game, step) is also kept in static
// memory, so that a signal handler can say what was under way when the plugin crashed.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_SESSION_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_SESSION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "plugins/conformance/report.h"
#include "plugins/host/choices.h"
#include "plugins/host/ruleset.h"

namespace astragal::conformance {

// Written as work goes on, read by the handler of a fatal signal.
struct Whereabouts {
  volatile int duty = 0;
  volatile int preset = 0;
  volatile uint64_t game = 0;
  volatile uint64_t step = 0;
};
Whereabouts& CurrentWhereabouts();

class Session {
 public:
  Session(const host::Ruleset& ruleset, Report& report)
      : ruleset_(ruleset), about_(ruleset.about()), raw_(ruleset.raw_table()), report_(report) {}

  const host::Ruleset& ruleset() const { return ruleset_; }
  const host::About& about() const { return about_; }
  const astragal_ruleset& raw() const { return raw_; }
  // What is played; nothing else may use it, so that another process can play the same.
  host::Choices& choices() { return choices_; }
  // What is tried beside the game.
  host::Choices& noise() { return noise_; }
  Report& report() { return report_; }

  // The next game begins; its choices depend on nothing but these numbers.
  void BeginGame(size_t preset, uint64_t game, uint64_t seed);
  void SetStep(uint64_t step) { CurrentWhereabouts().step = step; }
  // What a crash from now on is held against.
  void Doing(Duty duty) { CurrentWhereabouts().duty = static_cast<int>(duty); }

  // Counts a check of `duty`; a failure is reported with the place in the game and, if given, the
  // position. Returns `good`.
  bool Expect(Duty duty, bool good, absl::string_view what,
              const host::Position* position = nullptr);
  // The same for an answer that has a status: its message is what went wrong.
  bool ExpectOk(Duty duty, const absl::Status& status, absl::string_view what,
                const host::Position* position = nullptr);

  // All outcomes of the throw that is due, or all listed actions; empty after a failure, which is
  // reported.
  std::vector<int64_t> Choosable(const host::Position& position, int actor);

 private:
  std::string Where() const;
  std::string PositionText(const host::Position* position) const;

  const host::Ruleset& ruleset_;
  const host::About& about_;
  const astragal_ruleset& raw_;
  Report& report_;
  host::Choices choices_{0};
  host::Choices noise_{0};
};

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_SESSION_H_
