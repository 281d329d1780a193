#include "services/core/proceedings.h"

#include <utility>

#include "services/base/bytes.h"
#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::ByteReader;
using base::ByteWriter;

constexpr uint8_t kVersion = 1;
constexpr uint8_t kVersionWithLag = 2;
constexpr uint8_t kVersionWithContributions = 3;

void Put(const std::vector<int64_t>& values, ByteWriter& out) {
  out.Put(static_cast<uint8_t>(values.size()));
  for (const int64_t value : values) out.Put(value);
}

std::vector<int64_t> GetValues(ByteReader& in) {
  std::vector<int64_t> values(in.Get<uint8_t>());
  for (int64_t& value : values) value = in.Get<int64_t>();
  return values;
}

GameClock GetClock(ByteReader& in) {
  GameClock clock;
  clock.reserve_us = GetValues(in);
  clock.turns_taken = in.Get<uint8_t>();
  clock.running = in.Get<int8_t>();
  clock.since.micros = in.Get<int64_t>();
  clock.credit_us = in.Get<int64_t>();
  return clock;
}

std::optional<Offer> GetOffer(ByteReader& in) {
  Offer offer;
  offer.seat = in.Get<int8_t>();
  if (offer.seat < 0) return std::nullopt;
  offer.kind = static_cast<storage::OfferKind>(in.Get<uint8_t>());
  offer.points = in.Get<int64_t>();
  offer.accepted = in.Get<uint8_t>();
  return offer;
}

absl::Status Unreadable() {
  return base::Error(base::Reason::kReplayMismatch, "the stored proceedings cannot be read");
}

}  // namespace

std::string EncodeProceedings(const Proceedings& proceedings) {
  ByteWriter out;
  const GameClock& clock = proceedings.clock;
  const bool contributes = IsAwaited(proceedings.contributions);
  const bool has_lag = contributes || !clock.lag_us.empty();
  out.Put(contributes ? kVersionWithContributions
          : has_lag   ? kVersionWithLag
                      : kVersion)
      .Put(static_cast<uint8_t>(proceedings.acted))
      .Put(proceedings.gone);
  const OpenTurn& turn = proceedings.turn;
  out.Put(proceedings.offers).Put(turn.kept_by).Put(turn.undone);
  Put(turn.actions, out);
  if (!turn.actions.empty()) out.Put(std::string_view(turn.start));
  if (const std::optional<Offer>& offer = proceedings.offer) {
    out.Put(offer->seat).Put(static_cast<uint8_t>(offer->kind));
    out.Put(offer->points).Put(offer->accepted);
  } else {
    out.Put(int8_t{-1});
  }
  Put(clock.reserve_us, out);
  out.Put(clock.turns_taken).Put(clock.running).Put(clock.since.micros).Put(clock.credit_us);
  if (!has_lag) return out.Take();
  out.Put(clock.turn_lag_us);
  Put(clock.lag_us, out);
  if (contributes) Put(proceedings.contributions, out);
  return out.Take();
}

absl::StatusOr<Proceedings> DecodeProceedings(const host::Ruleset& ruleset,
                                              std::string_view bytes) {
  ByteReader in(bytes);
  const auto version = in.Get<uint8_t>();
  if (version < kVersion || version > kVersionWithContributions) return Unreadable();
  Proceedings proceedings;
  proceedings.acted = in.Get<uint8_t>() != 0;
  proceedings.gone = in.Get<uint8_t>();
  proceedings.offers = in.Get<uint8_t>();
  OpenTurn& turn = proceedings.turn;
  turn.kept_by = in.Get<int8_t>();
  turn.undone = in.Get<uint8_t>();
  turn.actions = GetValues(in);
  if (!turn.actions.empty()) {
    const std::string_view start = in.Take(ruleset.about().limits.position_bytes);
    if (!ruleset.FromBytes({start.data(), start.size()}).ok()) return Unreadable();
    turn.start = start;
  }
  proceedings.offer = GetOffer(in);
  proceedings.clock = GetClock(in);
  if (version >= kVersionWithLag) {
    proceedings.clock.turn_lag_us = in.Get<int64_t>();
    proceedings.clock.lag_us = GetValues(in);
  }
  if (version == kVersionWithContributions) proceedings.contributions = GetContributions(in);
  if (!in.at_end()) return Unreadable();
  return proceedings;
}

}  // namespace astragal::core
