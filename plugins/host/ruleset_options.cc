// Ruleset's methods about option values.
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "plugins/host/ruleset.h"

namespace astragal::host {

absl::Status Ruleset::CheckBounds(absl::Span<const int64_t> options) const {
  if (options.size() != about_.options.size()) {
    return ReasonError(
        kBadOption,
        absl::StrCat("this ruleset has ", about_.options.size(), " options, not ", options.size()),
        "options");
  }
  for (size_t i = 0; i < options.size(); ++i) {
    const Option& option = about_.options[i];
    if (options[i] >= option.minimum && options[i] <= option.maximum) continue;
    return ReasonError(kBadOption,
                       absl::StrCat(option.name, " goes from ", option.minimum, " to ",
                                    option.maximum, ", not ", options[i]),
                       option.name);
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Ruleset::OptionValue(const Option& option, absl::string_view text) const {
  if (option.is_choice) {
    for (size_t i = 0; i < option.choices.size(); ++i) {
      if (option.choices[i] == text) return static_cast<int64_t>(i);
    }
    return ReasonError(
        kBadOption, absl::StrCat(option.name, " is one of ", absl::StrJoin(option.choices, ", ")),
        option.name);
  }
  int64_t value = 0;
  // Written in one way only, as OptionText writes it: no "+20", no "020", no spaces.
  if (absl::SimpleAtoi(text, &value) && absl::StrCat(value) == text && value >= option.minimum &&
      value <= option.maximum) {
    return value;
  }
  return ReasonError(
      kBadOption,
      absl::StrCat(option.name, " is a whole number from ", option.minimum, " to ", option.maximum),
      option.name);
}

absl::StatusOr<std::vector<int64_t>> Ruleset::ResolveOptions(absl::string_view preset,
                                                             OptionTexts changes) const {
  const std::optional<size_t> base = about_.FindPreset(preset.empty() ? "standard" : preset);
  if (!base) {
    return ReasonError(kBadOption, absl::StrCat(about_.name, " has no such preset"), "preset");
  }
  std::vector<int64_t> values = about_.presets[*base].values;
  std::vector<bool> changed(values.size());
  for (const auto& [name, text] : changes) {
    if (name.empty()) return ReasonError(kBadOption, "an option without a name", "options");
    const std::optional<size_t> option = about_.FindOption(name);
    if (!option) {
      return ReasonError(kBadOption, absl::StrCat(about_.name, " has no such option"), name);
    }
    if (changed[*option])
      return ReasonError(kBadOption, absl::StrCat(name, " is given twice"), name);
    changed[*option] = true;
    absl::StatusOr<int64_t> value = OptionValue(about_.options[*option], text);
    if (!value.ok()) return value.status();
    values[*option] = *value;
  }
  return values;
}

std::string Ruleset::OptionText(size_t option, int64_t value) const {
  const Option& about = about_.options[option];
  const bool named =
      about.is_choice && value >= 0 && value < static_cast<int64_t>(about.choices.size());
  return named ? about.choices[static_cast<size_t>(value)] : absl::StrCat(value);
}

}  // namespace astragal::host
