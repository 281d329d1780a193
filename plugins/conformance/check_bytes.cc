// Positions as text, and anything at all where a position should be.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "plugins/conformance/answers.h"
#include "plugins/conformance/checks.h"
#include "plugins/conformance/raw_call.h"

namespace astragal::conformance {
namespace {

using host::Position;

constexpr int kMistypedTexts = 8;      // for one position
constexpr int kDamagedPositions = 24;  // of one position
constexpr int kStepsPlayedOn = 3;      // in each that check accepts

void ParseAnyText(Session& session, const Position& unchanged, const std::string& text) {
  const RawChange change =
      CallRaw(session, unchanged, "parse_position", [&](void* position, astragal_error* error) {
        return session.raw().parse_position(text.data(), static_cast<uint32_t>(text.size()),
                                            position, error);
      });
  const std::string what = absl::StrCat("parse_position of '", text, "'");
  if (change.threw || (change.code != ASTRAGAL_OK && change.code != ASTRAGAL_REFUSED)) {
    session.Expect(Duty::kAnyPositionText, false, absl::StrCat(what, " gives code ", change.code));
    return;
  }
  if (change.code == ASTRAGAL_REFUSED) {
    session.Expect(Duty::kAnyPositionText, change.after == unchanged,
                   absl::StrCat(what, " is refused, but writes a position"));
    return;
  }
  if (!session.ExpectOk(Duty::kAnyPositionText, session.ruleset().Check(change.after),
                        absl::StrCat(what, " gives what check refuses"))) {
    return;
  }
  const auto written = session.ruleset().FormatPosition(change.after);
  const auto again = written.ok() ? session.ruleset().ParsePosition(*written)
                                  : absl::StatusOr<Position>(written.status());
  session.Expect(Duty::kAnyPositionText, again.ok() && *again == change.after,
                 absl::StrCat(what, " gives a position whose text gives another"));
}

// Bytes as chance would have them, or a position with a few of them changed.
Position Damaged(host::Choices& noise, const Position& position) {
  Position wrong = position;
  auto* bytes = static_cast<unsigned char*>(wrong.data());
  const uint64_t way = noise.Below(16);
  if (way < 2) std::memset(bytes, way == 0 ? 0x00 : 0xFF, wrong.size());
  if (way == 2) {
    for (size_t i = 0; i < wrong.size(); ++i) bytes[i] = static_cast<unsigned char>(noise.Next());
  }
  if (way < 3) return wrong;
  const uint64_t changes = 1 + noise.Below(4);
  for (uint64_t i = 0; i < changes; ++i) {
    unsigned char& byte = bytes[noise.Below(wrong.size())];
    const unsigned char swapped = bytes[noise.Below(wrong.size())];
    const unsigned char values[] = {static_cast<unsigned char>(noise.Next()),
                                    static_cast<unsigned char>(byte + 1),
                                    static_cast<unsigned char>(byte - 1),
                                    static_cast<unsigned char>(byte ^ (1u << noise.Below(8))),
                                    0,
                                    swapped};
    byte = values[noise.Below(std::size(values))];
  }
  return wrong;
}

bool AllAnswered(Session& session, const Position& position) {
  for (const Answer& answer : AskEverything(session.ruleset(), position)) {
    if (!session.ExpectOk(Duty::kAnyBytes, answer.status,
                          absl::StrCat("in a position that check accepts, ", answer.function),
                          &position)) {
      return false;
    }
  }
  return true;
}

void PlayOn(Session& session, Position position) {
  for (int step = 0; step < kStepsPlayedOn; ++step) {
    if (!AllAnswered(session, position)) return;
    const int actor = session.ruleset().Actor(position);
    if (actor == host::kOver || actor == host::kBroken) return;
    const std::vector<int64_t> choosable = session.Choosable(position, actor);
    if (choosable.empty()) return;
    const int64_t action = choosable[session.noise().Below(choosable.size())];
    const Position before = position;
    if (!session.ExpectOk(Duty::kAnyBytes, session.ruleset().Apply(position, actor, action),
                          "in a position that check accepts, apply", &before)) {
      return;
    }
  }
}

}  // namespace

void CheckPositionText(Session& session, const Position& position) {
  session.Doing(Duty::kPositionText);
  const auto text = session.ruleset().FormatPosition(position);
  if (!session.ExpectOk(Duty::kPositionText, text.status(), "format_position", &position)) return;
  const auto read = session.ruleset().ParsePosition(*text);
  if (session.ExpectOk(Duty::kPositionText, read.status(), "parse_position", &position)) {
    session.Expect(Duty::kPositionText, *read == position, "the text gives another position",
                   &position);
  }
  session.Doing(Duty::kAnyPositionText);
  for (int i = 0; i < kMistypedTexts; ++i) {
    ParseAnyText(session, position, Mistyped(session.noise(), *text, ASTRAGAL_MAX_TEXT_BYTES));
  }
}

void CheckAnyBytes(Session& session, const Position& position) {
  for (int i = 0; i < kDamagedPositions; ++i) {
    session.Doing(Duty::kAnyBytes);
    const Position damaged = Damaged(session.noise(), position);
    const RawChange change = CallRaw(
        session, damaged, "check",
        [&](void* bytes, astragal_error* error) { return session.raw().check(bytes, error); });
    const bool known = change.code == ASTRAGAL_OK || change.code == ASTRAGAL_REFUSED;
    session.Expect(Duty::kAnyBytes, !change.threw && known,
                   absl::StrCat("check gives code ", change.code), &position);
    if (!change.threw && change.code == ASTRAGAL_OK) PlayOn(session, damaged);
  }
}

}  // namespace astragal::conformance
