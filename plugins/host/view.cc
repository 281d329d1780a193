#include "plugins/host/view.h"

#include <iterator>

namespace astragal::host {
namespace {

// By number, from 1.
constexpr absl::string_view kEffectNames[] = {
    "move",        "enter", "capture", "bear_off", "throw", "discard", "pass",
    "extra_throw", "pay",   "take",    "finish",   "turn",  "stop",    "leave",
};
static_assert(std::size(kEffectNames) == static_cast<size_t>(EffectKind::kLeave));

}  // namespace

absl::string_view EffectKindName(EffectKind kind) {
  return kEffectNames[static_cast<size_t>(kind) - 1];
}

}  // namespace astragal::host
