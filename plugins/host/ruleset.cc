#include "plugins/host/ruleset.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "plugins/host/about_reader.h"
#include "plugins/host/guard.h"
#include "plugins/host/refusal.h"
#include "plugins/host/text_check.h"

namespace astragal::host {
namespace {

struct Required {
  const char* name;
  bool present;
};

absl::Status CheckFunctions(const astragal_ruleset& t) {
  const Required required[] = {
      {"start", t.start != nullptr},
      {"check", t.check != nullptr},
      {"actor", t.actor != nullptr},
      {"seats", t.seats != nullptr},
      {"options", t.options != nullptr},
      {"actions", t.actions != nullptr},
      {"chances", t.chances != nullptr},
      {"apply", t.apply != nullptr},
      {"leave", t.leave != nullptr},
      {"result", t.result != nullptr},
      {"format", t.format != nullptr},
      {"parse", t.parse != nullptr},
      {"format_position", t.format_position != nullptr},
      {"parse_position", t.parse_position != nullptr},
      {"effects", t.effects != nullptr},
      {"concession", t.concession != nullptr},
      {"places", t.places != nullptr},
      {"pieces", t.pieces != nullptr},
      {"throws", t.throws != nullptr},
      {"counters", t.counters != nullptr},
      {"text", t.text != nullptr},
  };
  for (const Required& function : required) {
    if (function.present) continue;
    return RefusalError(Refusal::kNullFunction, absl::StrCat(function.name, " is null"));
  }
  return absl::OkStatus();
}

absl::Status CheckTable(const astragal_ruleset* table) {
  if (table == nullptr) return RefusalError(Refusal::kNullTable, "the entry returns null");
  // Size and major version come first in every major version; nothing else may be read before them.
  if (table->struct_size >= 2 * sizeof(uint32_t) && table->abi_major != ASTRAGAL_ABI_MAJOR) {
    return RefusalError(
        Refusal::kWrongAbiMajor,
        absl::StrCat("made for ABI ", table->abi_major, ", this is ABI ", ASTRAGAL_ABI_MAJOR));
  }
  if (table->struct_size < sizeof(astragal_ruleset)) {
    return RefusalError(Refusal::kShortStruct,
                        absl::StrCat("astragal_ruleset has struct_size ", table->struct_size,
                                     ", at least ", sizeof(astragal_ruleset), " is needed"));
  }
  if (table->about == nullptr) return RefusalError(Refusal::kNullTable, "about is null");
  return CheckFunctions(*table);
}

absl::StatusOr<std::optional<Mirror>> FindMirror(const astragal_ruleset& table) {
  if (table.extension == nullptr) return std::nullopt;
  const void* found = nullptr;
  if (!Returns([&] { found = table.extension(ASTRAGAL_EXTENSION_MIRROR); })) {
    return RefusalError(Refusal::kBrokeContract, "extension throws an exception");
  }
  if (found == nullptr) return std::nullopt;
  const auto* mirror = static_cast<const astragal_mirror*>(found);
  if (mirror->struct_size < sizeof(astragal_mirror)) {
    return RefusalError(Refusal::kShortStruct, "astragal_mirror is too short");
  }
  if (mirror->position == nullptr || mirror->seat == nullptr || mirror->action == nullptr) {
    return RefusalError(Refusal::kNullFunction, "a function of astragal_mirror is null");
  }
  return Mirror(*mirror);
}

// A plugin's words, if they are fit to be shown.
std::string Words(const char* text, size_t capacity) {
  const absl::string_view view(text, strnlen(text, capacity));
  return IsCleanText(view, Lines::kOne) ? std::string(view) : std::string();
}

astragal_error NoError() {
  astragal_error error{};
  error.struct_size = sizeof error;
  return error;
}

}  // namespace

Position Mirror::Of(const Position& position) const {
  Position mirrored(position.size());
  const bool ok = Returns([&] { table_.position(position.data(), mirrored.data()); });
  return ok ? mirrored : Position();
}

int Mirror::SeatOf(const Position& position, int seat) const {
  int32_t answer = kBroken;
  Returns([&] { answer = table_.seat(position.data(), seat); });
  return answer;
}

int64_t Mirror::ActionOf(const Position& position, int actor, int64_t action) const {
  int64_t answer = -1;
  Returns([&] { answer = table_.action(position.data(), actor, action); });
  return answer;
}

Ruleset::Ruleset(const astragal_ruleset& table, About about, Build build,
                 std::optional<class Mirror> mirror)
    : table_(table), about_(std::move(about)), build_(std::move(build)), mirror_(mirror) {}

absl::StatusOr<std::shared_ptr<const Ruleset>> Ruleset::Create(const astragal_ruleset* table,
                                                               Build build) {
  if (absl::Status status = CheckTable(table); !status.ok()) return status;
  absl::StatusOr<About> about = ReadAbout(*table->about);
  if (!about.ok()) return about.status();
  absl::StatusOr<std::optional<class Mirror>> mirror = FindMirror(*table);
  if (!mirror.ok()) return mirror.status();
  return std::shared_ptr<const Ruleset>(
      new Ruleset(*table, *std::move(about), std::move(build), *mirror));
}

absl::Status Ruleset::Fault(absl::string_view function, absl::string_view what) const {
  faults_.fetch_add(1, std::memory_order_relaxed);
  return ReasonError(kRulesetFault, absl::StrCat(about_.id, " rules ", about_.rules_version, ": ",
                                                 function, " ", what));
}

absl::Status Ruleset::Refused(int32_t code, const astragal_error& error, absl::string_view function,
                              absl::string_view reason) const {
  if (code != ASTRAGAL_REFUSED) {
    const std::string why = Words(error.message, sizeof error.message);
    return Fault(function, absl::StrCat("returns ", code, why.empty() ? "" : ": ", why));
  }
  std::string why = Words(error.message, sizeof error.message);
  if (why.empty()) why = "the ruleset refuses this without saying why";
  return ReasonError(reason, why, Words(error.field, sizeof error.field));
}

absl::Status Ruleset::CheckSeat(const Position& position, int seat,
                                absl::string_view function) const {
  if (!Fits(position)) return Fault(function, "was asked about a position of another size");
  if (seat == kChance || (seat >= 0 && seat < Seats(position))) return absl::OkStatus();
  return ReasonError(kIllegalAction, absl::StrCat("there is no seat ", seat));
}

absl::Status Ruleset::CheckHead(const Position& position) const {
  int32_t actor = kBroken;
  int32_t kind = -1;
  uint32_t seats = 0;
  const bool returned = Returns([&] {
    actor = table_.actor(position.data());
    seats = table_.seats(position.data());
    kind = table_.chances(position.data());
  });
  if (!returned) return Fault("actor, seats or chances", "throws an exception");
  if (seats < static_cast<uint32_t>(about_.min_seats) ||
      seats > static_cast<uint32_t>(about_.max_seats)) {
    return Fault("seats", absl::StrCat("returns ", seats));
  }
  if (actor < kOver || actor >= static_cast<int32_t>(seats)) {
    return Fault("actor", absl::StrCat("returns ", actor, " of ", seats, " seats"));
  }
  const auto kinds = static_cast<int32_t>(about_.throw_kinds.size());
  const bool agrees = actor == kChance ? kind >= 0 && kind < kinds : kind == -1;
  if (!agrees) return Fault("chances", absl::StrCat("returns ", kind, " while actor is ", actor));
  return absl::OkStatus();
}

absl::Status Ruleset::CheckNew(const Position& position, absl::string_view function) const {
  if (absl::Status status = CheckHead(position); !status.ok()) return status;
  const std::vector<int64_t> options = Options(position);
  if (!CheckBounds(options).ok()) return Fault(function, "gives options out of their bounds");
  for (size_t i = 0; i < options.size(); ++i) {
    if (about_.options[i].is_seats && options[i] != Seats(position)) {
      return Fault(function, "gives another number of seats than its option says");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Position> Ruleset::Start(absl::Span<const int64_t> options) const {
  if (absl::Status status = CheckBounds(options); !status.ok()) return status;
  Position position(about_.limits.position_bytes);
  astragal_error error = NoError();
  int32_t code = ASTRAGAL_FAULT;
  if (!Returns([&] { code = table_.start(options.data(), position.data(), &error); })) {
    return Fault("start", "throws an exception");
  }
  if (code != ASTRAGAL_OK) return Refused(code, error, "start", kBadOption);
  if (absl::Status status = CheckNew(position, "start"); !status.ok()) return status;
  const std::vector<int64_t> kept = Options(position);
  if (!std::equal(kept.begin(), kept.end(), options.begin(), options.end())) {
    return Fault("start", "does not keep the options it was given");
  }
  return position;
}

absl::Status Ruleset::Check(const Position& position) const {
  if (!Fits(position)) {
    return ReasonError(kBadNotation,
                       absl::StrCat("a position has ", about_.limits.position_bytes, " bytes, not ",
                                    position.size()),
                       "position");
  }
  astragal_error error = NoError();
  int32_t code = ASTRAGAL_FAULT;
  if (!Returns([&] { code = table_.check(position.data(), &error); })) {
    return Fault("check", "throws an exception");
  }
  if (code != ASTRAGAL_OK) return Refused(code, error, "check", kBadNotation);
  return CheckNew(position, "check");
}

absl::StatusOr<Position> Ruleset::FromBytes(absl::string_view bytes) const {
  Position position(bytes.substr(0, ASTRAGAL_MAX_POSITION_BYTES + 1));
  if (absl::Status status = Check(position); !status.ok()) return status;
  return position;
}

int Ruleset::Actor(const Position& position) const {
  int32_t actor = kBroken;
  if (!Fits(position) || !Returns([&] { actor = table_.actor(position.data()); })) return kBroken;
  return actor >= kOver && actor < about_.max_seats ? actor : kBroken;
}

int Ruleset::Seats(const Position& position) const {
  uint32_t seats = 0;
  if (!Fits(position) || !Returns([&] { seats = table_.seats(position.data()); })) return 0;
  const bool good = seats >= static_cast<uint32_t>(about_.min_seats) &&
                    seats <= static_cast<uint32_t>(about_.max_seats);
  return good ? static_cast<int>(seats) : 0;
}

std::vector<int64_t> Ruleset::Options(const Position& position) const {
  std::vector<int64_t> values(about_.options.size());
  if (!Fits(position)) return {};
  if (!Returns([&] { table_.options(position.data(), values.data()); })) return {};
  return values;
}

absl::StatusOr<size_t> Ruleset::Actions(const Position& position, absl::Span<int64_t> out) const {
  if (!Fits(position)) return Fault("actions", "was asked about a position of another size");
  const uint32_t limit = about_.limits.actions;
  if (out.size() < limit) {
    return absl::InvalidArgumentError("the buffer is smaller than the ruleset's limit of actions");
  }
  const TimedCall timed(usage_);
  uint32_t count = 0;
  int32_t actor = kBroken;
  const bool returned = Returns([&] {
    count = table_.actions(position.data(), out.data(), limit);
    actor = table_.actor(position.data());
  });
  if (!returned) return Fault("actions", "throws an exception");
  if (count > limit) {
    return Fault("actions", absl::StrCat("returns ", count, ", declared are at most ", limit));
  }
  if ((count > 0) != (actor >= 0)) {
    return Fault("actions", absl::StrCat("lists ", count, " while actor is ", actor));
  }
  int64_t last = -1;
  for (uint32_t i = 0; i < count; ++i) {
    if (out[i] <= last) return Fault("actions", "are negative or not ascending and distinct");
    last = out[i];
  }
  return count;
}

absl::StatusOr<std::vector<int64_t>> Ruleset::Actions(const Position& position) const {
  std::vector<int64_t> list(about_.limits.actions);
  absl::StatusOr<size_t> count = Actions(position, absl::MakeSpan(list));
  if (!count.ok()) return count.status();
  list.resize(*count);
  return list;
}

std::optional<int> Ruleset::ThrowKind(const Position& position) const {
  int32_t kind = -1;
  if (!Fits(position) || !Returns([&] { kind = table_.chances(position.data()); })) {
    return std::nullopt;
  }
  if (kind < 0 || kind >= static_cast<int32_t>(about_.throw_kinds.size())) return std::nullopt;
  return kind;
}

template <typename Change>
absl::Status Ruleset::ChangeOrRestore(Position& position, absl::string_view function,
                                      Change change) const {
  const TimedCall timed(usage_);
  // The plugin promises to leave a position alone when it refuses; the copy makes sure.
  alignas(8) unsigned char before[ASTRAGAL_MAX_POSITION_BYTES];
  std::memcpy(before, position.data(), position.size());
  astragal_error error = NoError();
  int32_t code = ASTRAGAL_FAULT;
  absl::Status status;
  if (!Returns([&] { code = change(position.data(), &error); })) {
    status = Fault(function, "throws an exception");
  } else if (code != ASTRAGAL_OK) {
    status = Refused(code, error, function, kIllegalAction);
  } else {
    status = CheckHead(position);
  }
  if (!status.ok()) std::memcpy(position.data(), before, position.size());
  return status;
}

absl::Status Ruleset::Apply(Position& position, int actor, int64_t action) const {
  if (!Fits(position)) return Fault("apply", "was asked about a position of another size");
  if (actor < kChance || actor >= about_.max_seats || action < 0) {
    return ReasonError(kIllegalAction,
                       absl::StrCat("there is no action ", action, " of seat ", actor));
  }
  if (actor == kChance &&
      ((action >> 16) >= static_cast<int64_t>(about_.throw_kinds.size()) ||
       ChanceOutcome(action) >=
           static_cast<int>(about_.throw_kinds[ChanceKind(action)].weights.size()))) {
    return ReasonError(kIllegalAction, "there is no such throw");
  }
  return ChangeOrRestore(position, "apply", [&](void* bytes, astragal_error* error) {
    return table_.apply(bytes, actor, action, error);
  });
}

absl::Status Ruleset::Leave(Position& position, int seat) const {
  if (seat == kChance) return ReasonError(kIllegalAction, "chance cannot leave");
  if (absl::Status status = CheckSeat(position, seat, "leave"); !status.ok()) return status;
  if (!about_.has_leave) {
    return ReasonError(kIllegalAction, "this game ends when a seat leaves it");
  }
  return ChangeOrRestore(position, "leave", [&](void* bytes, astragal_error* error) {
    return table_.leave(bytes, seat, error);
  });
}

}  // namespace astragal::host
