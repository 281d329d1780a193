#include "plugins/host/about.h"

#include <algorithm>

namespace astragal::host {
namespace {

template <typename Named>
std::optional<size_t> FindByName(const std::vector<Named>& list, absl::string_view name) {
  const auto it = std::find_if(list.begin(), list.end(),
                               [&](const Named& entry) { return entry.name == name; });
  if (it == list.end()) return std::nullopt;
  return static_cast<size_t>(it - list.begin());
}

}  // namespace

std::optional<size_t> About::FindOption(absl::string_view option_name) const {
  return FindByName(options, option_name);
}

std::optional<size_t> About::FindPreset(absl::string_view preset_name) const {
  return FindByName(presets, preset_name);
}

}  // namespace astragal::host
