#include "plugins/conformance/session.h"

#include <unistd.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace astragal::conformance {

using host::Position;

Whereabouts& CurrentWhereabouts() {
  static Whereabouts whereabouts;
  return whereabouts;
}

void Session::BeginGame(size_t preset, uint64_t game, uint64_t seed) {
  Whereabouts& now = CurrentWhereabouts();
  now.preset = static_cast<int>(preset);
  now.game = game;
  now.step = 0;
  // Three rounds of the generator mix the three numbers.
  choices_ = host::Choices(seed);
  choices_ = host::Choices(choices_.Next() ^ preset);
  choices_ = host::Choices(choices_.Next() ^ game);
  noise_ = host::Choices(choices_.Next());
}

std::string Session::Where() const {
  const Whereabouts& now = CurrentWhereabouts();
  const auto preset = static_cast<size_t>(now.preset);
  if (preset >= about_.presets.size()) return "";
  return absl::StrCat("preset ", about_.presets[preset].name, ", game ", uint64_t{now.game},
                      ", step ", uint64_t{now.step});
}

std::string Session::PositionText(const Position* position) const {
  if (position == nullptr) return "";
  const absl::StatusOr<std::string> text = ruleset_.FormatPosition(*position);
  if (text.ok() && text->size() <= 400) return *text;
  return absl::StrCat("bytes ", absl::BytesToHexString(position->bytes().substr(0, 200)));
}

bool Session::Expect(Duty duty, bool good, absl::string_view what, const Position* position) {
  report_.Count(duty);
  if (!good) report_.Fail(duty, {Where(), PositionText(position), std::string(what)});
  return good;
}

bool Session::ExpectOk(Duty duty, const absl::Status& status, absl::string_view what,
                       const Position* position) {
  if (status.ok()) {
    report_.Count(duty);
    return true;
  }
  return Expect(duty, false, absl::StrCat(what, ": ", status.message()), position);
}

std::vector<int64_t> Session::Choosable(const Position& position, int actor) {
  if (actor != host::kChance) {
    absl::StatusOr<std::vector<int64_t>> actions = ruleset_.Actions(position);
    ExpectOk(Duty::kActionsListed, actions.status(), "actions", &position);
    return actions.ok() ? *std::move(actions) : std::vector<int64_t>();
  }
  std::vector<int64_t> outcomes;
  const std::optional<int> kind = ruleset_.ThrowKind(position);
  if (!Expect(Duty::kHead, kind.has_value(), "chance is to act and no throw kind is named",
              &position)) {
    return outcomes;
  }
  const size_t count = about_.throw_kinds[static_cast<size_t>(*kind)].weights.size();
  for (size_t i = 0; i < count; ++i) {
    outcomes.push_back(host::ChanceAction(*kind, static_cast<int>(i)));
  }
  return outcomes;
}

}  // namespace astragal::conformance
