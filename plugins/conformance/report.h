// What the checks found: per obligation how often it was looked at and the first failures.
//
// A Report is a plain value for one thread. It can be written as a line of JSON and read back,
// which is how the child process that plays hands its findings to the one that tells.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_REPORT_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_REPORT_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plugins/conformance/obligations.h"

namespace astragal::conformance {

inline constexpr size_t kMaxFindings = 5;  // of one obligation; later ones are counted only

struct Finding {
  std::string where;  // preset, game and step; empty when it is about the file
  std::string position;
  std::string what;
};

enum class State { kNotChecked, kNotApplicable, kKept, kBroken };

struct Outcome {
  uint64_t checks = 0;
  uint64_t failures = 0;
  bool not_applicable = false;  // the ruleset does not claim it
  std::vector<Finding> findings;

  State state() const {
    if (failures > 0) return State::kBroken;
    if (not_applicable) return State::kNotApplicable;
    return checks > 0 ? State::kKept : State::kNotChecked;
  }
};

class Report {
 public:
  void Count(Duty duty) { ++At(duty).checks; }
  void Fail(Duty duty, Finding finding);
  void NotApplicable(Duty duty) { At(duty).not_applicable = true; }

  const Outcome& Of(Duty duty) const { return outcomes_[Index(duty)]; }
  bool Broken(Duty duty) const { return Of(duty).failures > 0; }
  bool NoneBroken() const;
  // Nothing broken and nothing left out.
  bool AllKept() const;

  // Adds what another process found.
  void Merge(const Report& other);

  std::string ToLine() const;
  // False when the line is none of ToLine; the report is then as it was.
  bool MergeLine(const std::string& line);

  // Two games' worth of facts that the caller adds to the texts below.
  struct Title {
    std::string plugin;
    std::string ruleset;  // id
    uint32_t rules_version = 0;
    std::string sha256;
    std::vector<std::string> presets;
    uint64_t games = 0;  // of each preset
    uint64_t seed = 0;
    double seconds = 0;
  };
  std::string ToText(const Title& title) const;
  std::string ToJson(const Title& title) const;

 private:
  static size_t Index(Duty duty) { return static_cast<size_t>(duty) - 1; }
  Outcome& At(Duty duty) { return outcomes_[Index(duty)]; }

  std::array<Outcome, kDutyCount> outcomes_;
};

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_REPORT_H_
