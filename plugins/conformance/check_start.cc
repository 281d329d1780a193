// First positions: every preset, and every option at other values.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "plugins/conformance/checks.h"
#include "plugins/conformance/raw_call.h"

namespace astragal::conformance {
namespace {

using host::Position;

std::set<int64_t> ValuesToTry(const host::Option& option) {
  std::set<int64_t> values = {option.minimum, option.maximum, option.default_value};
  if (option.is_choice) {
    for (int64_t value = option.minimum; value <= option.maximum; ++value) values.insert(value);
  } else {
    values.insert(option.minimum + (option.maximum - option.minimum) / 2);
  }
  return values;
}

// Starts into memory with other bytes before: all that the ruleset writes must come out the same.
void CheckNoByteIsLeft(Session& session, const std::vector<int64_t>& options,
                       const Position& start) {
  for (const int fill : {0x00, 0xA5, 0xFF}) {
    Position memory(start.size());
    std::memset(memory.data(), fill, memory.size());
    const RawChange change =
        CallRaw(session, memory, "start", [&](void* bytes, astragal_error* error) {
          return session.raw().start(options.data(), bytes, error);
        });
    session.Expect(Duty::kStart, change.code == ASTRAGAL_OK && change.after == start,
                   "start leaves bytes as they were in memory", &start);
  }
}

}  // namespace

std::vector<Position> CheckStarts(Session& session, const host::Preset& preset) {
  session.Doing(Duty::kStart);
  std::vector<Position> started;
  const auto start = session.ruleset().Start(preset.values);
  if (!session.ExpectOk(Duty::kStart, start.status(), absl::StrCat("preset ", preset.name))) {
    return started;
  }
  CheckNoByteIsLeft(session, preset.values, *start);
  for (size_t i = 0; i < preset.values.size(); ++i) {
    for (const int64_t value : ValuesToTry(session.about().options[i])) {
      if (value == preset.values[i]) continue;
      std::vector<int64_t> values = preset.values;
      values[i] = value;
      const auto other = session.ruleset().Start(values);
      if (other.ok()) {
        started.push_back(*other);
        session.report().Count(Duty::kStart);
        continue;
      }
      session.Expect(
          Duty::kStart,
          host::ReasonOf(other.status()) == host::kBadOption &&
              session.about().FindOption(host::FieldOf(other.status())).has_value(),
          absl::StrCat(session.about().options[i].name, " = ", value,
                       " is refused without naming an option: ", other.status().message()));
    }
  }
  return started;
}

}  // namespace astragal::conformance
