// Ruleset's methods that read and write text.
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "plugins/host/guard.h"
#include "plugins/host/ruleset.h"
#include "plugins/host/text_check.h"

namespace astragal::host {
namespace {

// Refuses texts from outside that no ruleset needs to see.
absl::Status CheckInput(absl::string_view text, uint32_t limit, absl::string_view field) {
  if (text.empty()) return ReasonError(kBadNotation, "there is nothing to read", field);
  if (text.size() > limit) {
    return ReasonError(kBadNotation, absl::StrCat("a text of more than ", limit, " bytes"), field);
  }
  if (IsCleanText(text, Lines::kOne)) return absl::OkStatus();
  return ReasonError(kBadNotation, "the text is not UTF-8 or has control characters", field);
}

}  // namespace

template <typename Fill>
absl::StatusOr<std::string> Ruleset::TextOf(absl::string_view function, uint32_t limit, bool lines,
                                            Fill fill) const {
  std::string text(limit, '\0');
  uint32_t length = 0;
  if (!Returns([&] { length = fill(text.data(), limit); })) {
    return Fault(function, "throws an exception");
  }
  if (length > limit) {
    return Fault(function, absl::StrCat("returns ", length, " bytes, allowed are ", limit));
  }
  const absl::string_view written(text.data(), length);
  if (!IsCleanText(written, lines ? Lines::kMany : Lines::kOne)) {
    return Fault(function, "writes text that is not UTF-8 or has control characters");
  }
  return std::string(written);
}

absl::StatusOr<std::string> Ruleset::Format(const Position& position, int actor,
                                            int64_t action) const {
  if (absl::Status status = CheckSeat(position, actor, "format"); !status.ok()) return status;
  absl::StatusOr<std::string> text =
      TextOf("format", ASTRAGAL_MAX_NAME_BYTES, false, [&](char* out, uint32_t capacity) {
        return table_.format(position.data(), actor, action, out, capacity);
      });
  if (text.ok() && text->empty()) {
    return ReasonError(kBadNotation, absl::StrCat("the number ", action, " is no action"),
                       "action");
  }
  return text;
}

absl::StatusOr<int64_t> Ruleset::Parse(const Position& position, int actor,
                                       absl::string_view text) const {
  if (absl::Status status = CheckSeat(position, actor, "parse"); !status.ok()) return status;
  absl::Status input = CheckInput(text, ASTRAGAL_MAX_NAME_BYTES, "notation");
  if (!input.ok()) return input;
  astragal_error error{};
  error.struct_size = sizeof error;
  int64_t action = -1;
  int32_t code = ASTRAGAL_FAULT;
  const bool returned = Returns([&] {
    code = table_.parse(position.data(), actor, text.data(), static_cast<uint32_t>(text.size()),
                        &action, &error);
  });
  if (!returned) return Fault("parse", "throws an exception");
  if (code != ASTRAGAL_OK) return Refused(code, error, "parse", kBadNotation);
  if (action < 0) return Fault("parse", absl::StrCat("gives the action ", action));
  return action;
}

absl::StatusOr<std::string> Ruleset::FormatPosition(const Position& position) const {
  if (!Fits(position))
    return Fault("format_position", "was asked about a position of another size");
  absl::StatusOr<std::string> text =
      TextOf("format_position", ASTRAGAL_MAX_TEXT_BYTES, false, [&](char* out, uint32_t capacity) {
        return table_.format_position(position.data(), out, capacity);
      });
  if (text.ok() && text->empty()) return Fault("format_position", "writes nothing");
  return text;
}

absl::StatusOr<Position> Ruleset::ParsePosition(absl::string_view text) const {
  absl::Status input = CheckInput(text, ASTRAGAL_MAX_TEXT_BYTES, "position");
  if (!input.ok()) return input;
  Position position(about_.limits.position_bytes);
  astragal_error error{};
  error.struct_size = sizeof error;
  int32_t code = ASTRAGAL_FAULT;
  const bool returned = Returns([&] {
    code = table_.parse_position(text.data(), static_cast<uint32_t>(text.size()), position.data(),
                                 &error);
  });
  if (!returned) return Fault("parse_position", "throws an exception");
  if (code != ASTRAGAL_OK) return Refused(code, error, "parse_position", kBadNotation);
  if (!Check(position).ok()) return Fault("parse_position", "gives bytes that check refuses");
  return position;
}

absl::StatusOr<std::string> Ruleset::Text(const Position& position) const {
  if (!Fits(position)) return Fault("text", "was asked about a position of another size");
  return TextOf("text", ASTRAGAL_MAX_TEXT_BYTES, true, [&](char* out, uint32_t capacity) {
    return table_.text(position.data(), out, capacity);
  });
}

}  // namespace astragal::host
