// A seat that is gone for good.
#include "absl/strings/str_cat.h"
#include "plugins/conformance/checks.h"
#include "plugins/conformance/raw_call.h"

namespace astragal::conformance {
namespace {

using host::Position;

RawChange LeaveRaw(Session& session, const Position& position, int seat) {
  return CallRaw(session, position, "leave", [&](void* bytes, astragal_error* error) {
    return session.raw().leave(bytes, seat, error);
  });
}

void ExpectRefused(Session& session, const Position& position, int seat, absl::string_view when) {
  const RawChange change = LeaveRaw(session, position, seat);
  session.Expect(Duty::kLeave,
                 !change.threw && change.code == ASTRAGAL_REFUSED && change.after == position,
                 absl::StrCat("leaving ", when, " is not refused"), &position);
}

// Plays to the end, in which `seat` has no part.
void PlayWithout(Session& session, Position position, int seat) {
  const uint64_t limit = session.about().limits.game_actions;
  for (uint64_t step = 0; step < limit; ++step) {
    if (!session.ExpectOk(Duty::kLeave, session.ruleset().Check(position),
                          "after a seat left, check", &position)) {
      return;
    }
    const int actor = session.ruleset().Actor(position);
    session.Expect(Duty::kLeave, actor != seat, "a seat that left is to act", &position);
    if (actor == host::kOver) return ExpectRefused(session, position, seat, "after the end");
    if (actor == seat || actor == host::kBroken) return;
    const std::vector<int64_t> choosable = session.Choosable(position, actor);
    if (choosable.empty()) return;
    const Position before = position;
    const int64_t action = choosable[session.noise().Below(choosable.size())];
    const absl::Status status = session.ruleset().Apply(position, actor, action);
    if (!session.ExpectOk(Duty::kLeave, status, "after a seat left, apply", &before)) return;
  }
  session.Expect(Duty::kLeave, false, "the game does not end after a seat left", &position);
}

void LeaveOne(Session& session, const Position& position, int seat) {
  Position without = position;
  const absl::Status status = session.ruleset().Leave(without, seat);
  const auto results = session.ruleset().Result(position);
  const bool finished = results.ok() && (*results)[static_cast<size_t>(seat)].place != 0;
  if (!status.ok()) {
    // Only who is out of the game already cannot leave it.
    session.Expect(Duty::kLeave, finished && absl::IsFailedPrecondition(status),
                   absl::StrCat("seat ", seat, " cannot leave: ", status.message()), &position);
    return;
  }
  if (session.ruleset().Actor(without) != host::kOver) {
    ExpectRefused(session, without, seat, "twice");
  }
  PlayWithout(session, without, seat);
}

}  // namespace

void CheckLeave(Session& session, const Position& position) {
  session.Doing(Duty::kLeave);
  const int seats = session.ruleset().Seats(position);
  const bool over = session.ruleset().Actor(position) == host::kOver;
  if (session.about().has_leave && !over) {
    return LeaveOne(session, position,
                    static_cast<int>(session.noise().Below(static_cast<uint64_t>(seats))));
  }
  for (int seat = 0; seat < seats; ++seat) {
    if (session.about().has_leave) {
      ExpectRefused(session, position, seat, "after the end");
      continue;
    }
    const RawChange change = LeaveRaw(session, position, seat);
    session.Expect(Duty::kLeave,
                   !change.threw && change.code == ASTRAGAL_UNSUPPORTED && change.after == position,
                   "leave is not declared and yet does something", &position);
  }
}

}  // namespace astragal::conformance
