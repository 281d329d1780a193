// Ruleset's methods that show what is in a position and what an action does.
#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "plugins/host/guard.h"
#include "plugins/host/ruleset.h"
#include "plugins/host/text_check.h"

namespace astragal::host {
namespace {

bool InRange(int64_t value, int64_t least, int64_t end) { return value >= least && value < end; }

// A NUL-terminated text in a fixed field; false when it is not terminated or not clean.
template <size_t kSize>
bool FieldText(const char (&field)[kSize], std::string& out) {
  const size_t length = strnlen(field, kSize);
  if (length == kSize) return false;
  out.assign(field, length);
  return IsCleanText(out, Lines::kOne);
}

bool PlacesAreGood(const std::vector<SeatResult>& results, bool over) {
  const int seats = static_cast<int>(results.size());
  int best = seats;
  for (const SeatResult& result : results) {
    if (!InRange(result.place, over ? 1 : 0, seats + 1)) return false;
    best = std::min(best, result.place);
  }
  return !over || best == 1;
}

}  // namespace

template <typename Raw, typename Entry, typename Fill, typename Convert>
absl::StatusOr<std::vector<Entry>> Ruleset::List(const Position& position,
                                                 absl::string_view function, uint32_t limit,
                                                 Fill fill, Convert convert) const {
  if (!Fits(position)) return Fault(function, "was asked about a position of another size");
  Raw empty{};
  empty.struct_size = sizeof empty;
  std::vector<Raw> raw(limit, empty);
  uint32_t count = 0;
  if (!Returns([&] { count = fill(raw.data(), limit); })) {
    return Fault(function, "throws an exception");
  }
  if (count > limit) {
    return Fault(function, absl::StrCat("returns ", count, ", declared are at most ", limit));
  }
  std::vector<Entry> list(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (!convert(raw[i], list[i])) {
      return Fault(function, absl::StrCat("gives a malformed entry, number ", i));
    }
  }
  return list;
}

absl::StatusOr<std::vector<SeatResult>> Ruleset::Result(const Position& position) const {
  const auto seats = static_cast<uint32_t>(Seats(position));
  auto results = List<astragal_seat_result, SeatResult>(
      position, "result", seats,
      [&](astragal_seat_result* out, uint32_t) {
        table_.result(position.data(), out);
        return seats;
      },
      [](const astragal_seat_result& raw, SeatResult& result) {
        result = {raw.place, raw.points};
        return true;
      });
  if (!results.ok()) return results;
  if (seats == 0 || !PlacesAreGood(*results, Actor(position) == kOver)) {
    return Fault("result", "gives places that cannot be");
  }
  return results;
}

absl::StatusOr<std::vector<Effect>> Ruleset::Effects(const Position& position, int actor,
                                                     int64_t action) const {
  // The plugin may rely on the action being legal, callers may not know whether it is.
  Position after = position;
  if (absl::Status status = Apply(after, actor, action); !status.ok()) return status;
  const int seats = Seats(position);
  return List<astragal_effect, Effect>(
      position, "effects", about_.limits.effects,
      [&](astragal_effect* out, uint32_t capacity) {
        return table_.effects(position.data(), actor, action, out, capacity);
      },
      [&](const astragal_effect& raw, Effect& effect) {
        effect = {
            static_cast<EffectKind>(raw.kind), raw.seat, raw.piece, raw.from, raw.to, raw.amount};
        return InRange(raw.kind, ASTRAGAL_EFFECT_MOVE, ASTRAGAL_EFFECT_STOP + 1) &&
               InRange(raw.seat, -1, seats) && raw.from >= -1 && raw.to >= -1 && raw.piece >= -1 &&
               (raw.kind == ASTRAGAL_EFFECT_THROW ||
                InRange(raw.piece, -1, static_cast<int64_t>(about_.piece_kinds.size())));
      });
}

absl::StatusOr<ConcessionRange> Ruleset::Concession(const Position& position, int seat) const {
  if (seat == kChance) return ReasonError(kIllegalAction, "chance cannot concede");
  if (absl::Status status = CheckSeat(position, seat, "concession"); !status.ok()) return status;
  astragal_concession raw{};
  raw.struct_size = sizeof raw;
  int32_t code = ASTRAGAL_FAULT;
  if (!Returns([&] { code = table_.concession(position.data(), seat, &raw); })) {
    return Fault("concession", "throws an exception");
  }
  if (code == ASTRAGAL_REFUSED) {
    return Actor(position) == kOver ? ReasonError(kGameOver, "the game is over")
                                    : ReasonError(kIllegalAction, "this seat is out of the game");
  }
  if (code != ASTRAGAL_OK) return Fault("concession", absl::StrCat("returns ", code));
  if (raw.fewest < 0 || raw.fewest > raw.most) {
    return Fault("concession", absl::StrCat("gives ", raw.fewest, " to ", raw.most, " points"));
  }
  return ConcessionRange{raw.fewest, raw.most};
}

absl::StatusOr<std::vector<Place>> Ruleset::Places(const Position& position) const {
  std::set<int> ids;
  const int seats = Seats(position);
  return List<astragal_place, Place>(
      position, "places", about_.limits.places,
      [&](astragal_place* out, uint32_t capacity) {
        return table_.places(position.data(), out, capacity);
      },
      [&](const astragal_place& raw, Place& place) {
        place = {raw.id,    raw.x,    raw.y, raw.width, raw.height, static_cast<Shape>(raw.shape),
                 raw.marks, raw.seat, ""};
        return raw.id >= 0 && ids.insert(raw.id).second && raw.width > 0 && raw.height > 0 &&
               raw.shape <= ASTRAGAL_SHAPE_TRAY && InRange(raw.seat, -1, seats) &&
               FieldText(raw.label, place.label);
      });
}

absl::StatusOr<std::vector<Piece>> Ruleset::Pieces(const Position& position) const {
  const int seats = Seats(position);
  std::tuple<int, int, int> last(-1, 0, 0);
  return List<astragal_piece, Piece>(
      position, "pieces", about_.limits.pieces,
      [&](astragal_piece* out, uint32_t capacity) {
        return table_.pieces(position.data(), out, capacity);
      },
      [&](const astragal_piece& raw, Piece& piece) {
        piece = {raw.place, raw.seat, raw.kind, raw.count};
        const std::tuple<int, int, int> key(raw.place, raw.seat, raw.kind);
        const bool ordered = key > last;
        last = key;
        return ordered && raw.place >= 0 && InRange(raw.seat, 0, seats) && raw.count > 0 &&
               InRange(raw.kind, 0, static_cast<int64_t>(about_.piece_kinds.size()));
      });
}

absl::StatusOr<std::vector<Throw>> Ruleset::Throws(const Position& position) const {
  const int seats = Seats(position);
  return List<astragal_throw, Throw>(
      position, "throws", about_.limits.throws,
      [&](astragal_throw* out, uint32_t capacity) {
        return table_.throws(position.data(), out, capacity);
      },
      [&](const astragal_throw& raw, Throw& entry) {
        entry = {raw.seat, raw.value, raw.used != 0};
        return InRange(raw.seat, 0, seats) && InRange(raw.used, 0, 2);
      });
}

absl::StatusOr<std::vector<Counter>> Ruleset::Counters(const Position& position) const {
  const int seats = Seats(position);
  return List<astragal_counter, Counter>(
      position, "counters", about_.limits.counters,
      [&](astragal_counter* out, uint32_t capacity) {
        return table_.counters(position.data(), out, capacity);
      },
      [&](const astragal_counter& raw, Counter& counter) {
        counter = {raw.seat, raw.value, ""};
        return InRange(raw.seat, -1, seats) && FieldText(raw.name, counter.name) &&
               IsName(counter.name);
      });
}

std::optional<int> Ruleset::Evaluate(const Position& position, int seat) const {
  if (table_.evaluate == nullptr || seat == kChance) return std::nullopt;
  if (!CheckSeat(position, seat, "evaluate").ok()) return std::nullopt;
  int32_t estimate = 0;
  if (!Returns([&] { estimate = table_.evaluate(position.data(), seat); })) return std::nullopt;
  return std::clamp(estimate, 0, 1000);
}

}  // namespace astragal::host
