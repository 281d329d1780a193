// Everything listed can be applied, everything else is refused; actions and throws as text.
#include <algorithm>
#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "plugins/conformance/checks.h"
#include "plugins/conformance/raw_call.h"
#include "plugins/host/text_check.h"

namespace astragal::conformance {
namespace {

using host::Position;

constexpr size_t kMaxTried = 64;    // of the listed actions of one position
constexpr int kMistypedTexts = 12;  // for one position

void ApplyAll(Session& session, const Look& look) {
  const Duty duty = look.actor == host::kChance ? Duty::kThrowsApply : Duty::kActionsApply;
  session.Doing(duty);
  const size_t stride = look.choosable.size() / kMaxTried + 1;
  for (size_t i = 0; i < look.choosable.size(); i += stride) {
    Position after = look.position;
    const absl::Status status = session.ruleset().Apply(after, look.actor, look.choosable[i]);
    if (!session.ExpectOk(duty, status, absl::StrCat("apply of ", look.choosable[i]),
                          &look.position)) {
      continue;
    }
    session.Doing(Duty::kCheckReached);
    session.ExpectOk(Duty::kCheckReached, session.ruleset().Check(after), "check", &after);
    session.Doing(duty);
  }
}

void ExpectRefused(Session& session, const Look& look, int actor, int64_t action) {
  const RawChange change =
      CallRaw(session, look.position, "apply", [&](void* position, astragal_error* error) {
        return session.raw().apply(position, actor, action, error);
      });
  const std::string what = absl::StrCat("apply of ", action, " by ", actor);
  session.Expect(Duty::kOthersRefused, !change.threw && change.code == ASTRAGAL_REFUSED,
                 absl::StrCat(what, " is not refused, code ", change.code), &look.position);
  session.Expect(Duty::kOthersRefused,
                 change.threw || change.code == ASTRAGAL_OK || change.after == look.position,
                 absl::StrCat(what, " is refused, but the position changes"), &look.position);
}

std::set<int64_t> Neighbours(Session& session, const Look& look,
                             const std::vector<int64_t>& seen_before) {
  host::Choices& noise = session.noise();
  std::set<int64_t> others = {-1, INT64_MAX, INT64_MIN, static_cast<int64_t>(noise.Next() >> 1),
                              static_cast<int64_t>(noise.Below(1u << 20))};
  for (int i = 0; i < 4 && !look.choosable.empty(); ++i) {
    const int64_t listed = look.choosable[noise.Below(look.choosable.size())];
    others.insert({listed - 1, listed + 1, listed ^ (int64_t{1} << noise.Below(20))});
  }
  for (int i = 0; i < 4 && !seen_before.empty(); ++i) {
    others.insert(seen_before[noise.Below(seen_before.size())]);
  }
  return others;
}

void RefuseOthers(Session& session, const Look& look, const std::vector<int64_t>& seen_before) {
  session.Doing(Duty::kOthersRefused);
  const int actor = look.actor == host::kOver ? 0 : look.actor;
  for (const int64_t other : Neighbours(session, look, seen_before)) {
    const bool listed =
        std::find(look.choosable.begin(), look.choosable.end(), other) != look.choosable.end();
    if (!listed) ExpectRefused(session, look, actor, other);
  }
  const int64_t some = look.choosable.empty() ? 0 : look.choosable[0];
  for (int other = host::kChance; other < session.ruleset().Seats(look.position); ++other) {
    if (other != look.actor) ExpectRefused(session, look, other, some);
  }
}

// Whatever parse accepts it must also write, and read again as the same.
void ParseAnything(Session& session, const Look& look, const std::string& text) {
  int64_t action = -1;
  const RawChange change =
      CallRaw(session, look.position, "parse", [&](void* position, astragal_error* error) {
        return session.raw().parse(position, look.actor, text.data(),
                                   static_cast<uint32_t>(text.size()), &action, error);
      });
  const std::string what = absl::StrCat("parse of '", text, "'");
  if (change.threw || (change.code != ASTRAGAL_OK && change.code != ASTRAGAL_REFUSED)) {
    session.Expect(Duty::kAnyNotation, false, absl::StrCat(what, " gives code ", change.code),
                   &look.position);
    return;
  }
  if (change.code == ASTRAGAL_REFUSED) return session.report().Count(Duty::kAnyNotation);
  const auto written = session.ruleset().Format(look.position, look.actor, action);
  if (!session.ExpectOk(Duty::kAnyNotation, written.status(),
                        absl::StrCat(what, " gives ", action, ", which is not written"),
                        &look.position)) {
    return;
  }
  const auto again = session.ruleset().Parse(look.position, look.actor, *written);
  session.Expect(Duty::kAnyNotation, again.ok() && *again == action,
                 absl::StrCat(what, " is written '", *written, "', which is read as another"),
                 &look.position);
}

}  // namespace

void CheckChoices(Session& session, const Look& look, const std::vector<int64_t>& seen_before) {
  ApplyAll(session, look);
  RefuseOthers(session, look, seen_before);
}

std::string Mistyped(host::Choices& noise, const std::string& text, size_t limit) {
  constexpr absl::string_view kTyped = " 0123456789-/*:,.;()[]{}xabcdefghijklmnopqrstuvwyzABZ+#~|";
  std::string wrong = text;
  const uint64_t changes = 1 + noise.Below(3);
  for (uint64_t i = 0; i < changes; ++i) {
    const size_t at = noise.Below(wrong.size() + 1);
    const char typed = kTyped[noise.Below(kTyped.size())];
    switch (noise.Below(6)) {
      case 0:
        wrong.insert(at, 1, typed);
        break;
      case 1:
        if (at < wrong.size()) wrong[at] = typed;
        break;
      case 2:
        if (at < wrong.size()) wrong.erase(at, 1);
        break;
      case 3:
        wrong.resize(at);
        break;
      case 4:
        wrong.insert(at, "99999999999999999999");
        break;
      default:
        wrong += wrong.substr(at);
        break;
    }
  }
  if (noise.OneIn(16)) wrong += "\xC3\xA4";
  if (wrong.size() > limit) wrong.resize(limit);
  // Cutting may have split a character; the host hands on whole ones only.
  while (!wrong.empty() && !host::IsCleanText(wrong, host::Lines::kOne)) wrong.pop_back();
  return wrong.empty() ? "?" : wrong;
}

void CheckNotation(Session& session, const Look& look) {
  if (look.actor == host::kOver) return;
  std::set<std::string> written;
  std::string last = "?";
  const size_t stride = look.choosable.size() / kMaxTried + 1;
  for (size_t i = 0; i < look.choosable.size(); i += stride) {
    session.Doing(Duty::kNotation);
    const int64_t action = look.choosable[i];
    const auto text = session.ruleset().Format(look.position, look.actor, action);
    if (!session.ExpectOk(Duty::kNotation, text.status(), "format", &look.position)) continue;
    session.Expect(Duty::kNotation, written.insert(*text).second,
                   absl::StrCat("two actions are written '", *text, "'"), &look.position);
    const auto read = session.ruleset().Parse(look.position, look.actor, *text);
    session.Expect(Duty::kNotation, read.ok() && *read == action,
                   absl::StrCat("'", *text, "' is not read as the ", action, " that it is"),
                   &look.position);
    last = *text;
  }
  session.Doing(Duty::kAnyNotation);
  for (int i = 0; i < kMistypedTexts; ++i) {
    ParseAnything(session, look, Mistyped(session.noise(), last, ASTRAGAL_MAX_NAME_BYTES));
  }
}

}  // namespace astragal::conformance
