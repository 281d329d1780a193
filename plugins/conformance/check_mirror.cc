// The other side of the table: mirroring twice is nothing and commutes with play.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "plugins/conformance/checks.h"

namespace astragal::conformance {
namespace {

using host::Mirror;
using host::Position;

constexpr size_t kMaxTried = 16;  // actions of one position

std::vector<int64_t> MirroredActions(const Mirror& mirror, const Look& look) {
  std::vector<int64_t> actions;
  for (const int64_t action : look.choosable) {
    actions.push_back(mirror.ActionOf(look.position, look.actor, action));
  }
  std::sort(actions.begin(), actions.end());
  return actions;
}

void CompareResults(Session& session, const Mirror& mirror, const Position& position,
                    const Position& mirrored) {
  const auto results = session.ruleset().Result(position);
  const auto other = session.ruleset().Result(mirrored);
  if (!results.ok() || !other.ok()) return;
  for (size_t seat = 0; seat < results->size(); ++seat) {
    const int there = mirror.SeatOf(position, static_cast<int>(seat));
    const bool seated = there >= 0 && there < static_cast<int>(other->size());
    session.Expect(Duty::kMirror,
                   seated && (*other)[static_cast<size_t>(there)] == (*results)[seat],
                   "the mirrored result is another", &position);
    if (!seated || session.raw().evaluate == nullptr) continue;
    session.Expect(Duty::kMirror,
                   session.ruleset().Evaluate(mirrored, there) ==
                       session.ruleset().Evaluate(position, static_cast<int>(seat)),
                   "the mirrored estimate is another", &position);
  }
}

bool SameWeight(Session& session, int64_t a, int64_t b) {
  const auto weight = [&](int64_t action) -> int64_t {
    const auto kind = static_cast<size_t>(action >> 16);
    const auto outcome = static_cast<size_t>(action & 0xFFFF);
    if (action < 0 || kind >= session.about().throw_kinds.size()) return -1;
    const auto& weights = session.about().throw_kinds[kind].weights;
    return outcome < weights.size() ? weights[outcome] : -1;
  };
  return weight(a) == weight(b);
}

void CompareActions(Session& session, const Mirror& mirror, const Look& look,
                    const Position& mirrored) {
  const int actor = session.ruleset().Actor(mirrored);
  const int wanted = look.actor < 0 ? look.actor : mirror.SeatOf(look.position, look.actor);
  if (!session.Expect(Duty::kMirror, actor == wanted, "the mirrored actor is another",
                      &look.position) ||
      actor == host::kOver) {
    return;
  }
  session.Expect(Duty::kMirror, MirroredActions(mirror, look) == session.Choosable(mirrored, actor),
                 "the mirrored actions are others", &look.position);
  const size_t stride = look.choosable.size() / kMaxTried + 1;
  for (size_t i = 0; i < look.choosable.size(); i += stride) {
    const int64_t action = look.choosable[i];
    const int64_t other = mirror.ActionOf(look.position, look.actor, action);
    Position here = look.position;
    Position there = mirrored;
    if (!session.ruleset().Apply(here, look.actor, action).ok()) continue;
    const bool applied = session.ruleset().Apply(there, actor, other).ok();
    session.Expect(Duty::kMirror, applied && mirror.Of(here) == there,
                   absl::StrCat("action ", action, " and its mirror image lead apart"),
                   &look.position);
    if (actor == host::kChance) {
      session.Expect(Duty::kMirror, SameWeight(session, action, other),
                     "a throw and its mirror image have different weights", &look.position);
    }
  }
}

}  // namespace

void CheckMirror(Session& session, const Look& look) {
  const Mirror* mirror = session.ruleset().Mirror();
  if (mirror == nullptr) return session.report().NotApplicable(Duty::kMirror);
  session.Doing(Duty::kMirror);
  const Position mirrored = mirror->Of(look.position);
  if (!session.ExpectOk(Duty::kMirror, session.ruleset().Check(mirrored), "the mirrored position",
                        &look.position)) {
    return;
  }
  session.Expect(Duty::kMirror, mirror->Of(mirrored) == look.position,
                 "mirroring twice gives another position", &look.position);
  CompareResults(session, *mirror, look.position, mirrored);
  CompareActions(session, *mirror, look, mirrored);
}

}  // namespace astragal::conformance
