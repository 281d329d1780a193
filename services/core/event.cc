#include "services/core/event.h"

#include <utility>

#include "services/base/bytes.h"
#include "services/base/status.h"

namespace astragal::core {
namespace {

// Of an action's detail.
constexpr int kKeepsTurn = 1;
constexpr int kGivesLagBack = 2;

using base::ByteReader;
using base::ByteWriter;

absl::Status Unreadable(const EventRecord& event) {
  return base::Error(base::Reason::kReplayMismatch, "an event of the log cannot be read")
      .With("sequence", event.sequence);
}

Bytes32 FromHex(std::string_view hex) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  Bytes32 bytes{};
  for (size_t i = 0; i < bytes.size() && 2 * i + 1 < hex.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(value(hex[2 * i]) << 4 | value(hex[2 * i + 1]));
  }
  return bytes;
}

void PutTerms(const storage::GameTerms& terms, ByteWriter& out) {
  out.Put(static_cast<uint8_t>(terms.visibility)).Put(static_cast<uint8_t>(terms.rated));
  out.Put(static_cast<uint8_t>(terms.clock.kind)).Put(terms.clock.reserve_ms);
  out.Put(terms.clock.increment_ms).Put(terms.clock.first_turn_ms);
  out.Put(static_cast<uint8_t>(terms.reserves_ms.size()));
  for (const int64_t reserve : terms.reserves_ms) out.Put(reserve);
  out.Put(terms.match.bytes()).Put(terms.match_game);
}

storage::GameTerms GetTerms(ByteReader& in) {
  storage::GameTerms terms;
  terms.visibility = static_cast<storage::Visibility>(in.Get<uint8_t>());
  terms.rated = in.Get<uint8_t>() != 0;
  terms.clock.kind = static_cast<storage::ClockKind>(in.Get<uint8_t>());
  terms.clock.reserve_ms = in.Get<int64_t>();
  terms.clock.increment_ms = in.Get<int64_t>();
  terms.clock.first_turn_ms = in.Get<int64_t>();
  terms.reserves_ms.resize(in.Get<uint8_t>());
  for (int64_t& reserve : terms.reserves_ms) reserve = in.Get<int64_t>();
  terms.match = base::MatchId(in.GetArray<16>());
  terms.match_game = in.Get<uint16_t>();
  return terms;
}

}  // namespace

std::string EncodeCreated(const storage::GameFacts& facts) {
  ByteWriter out;
  out.Put(static_cast<uint8_t>(facts.ruleset.size())).Put(std::string_view(facts.ruleset));
  out.Put(facts.rules_version).Put(FromHex(facts.build));
  out.Put(static_cast<uint8_t>(facts.options.size()));
  for (const int64_t value : facts.options) out.Put(value);
  out.Put(facts.created_by.bytes()).Put(facts.restore_epoch).Put(facts.commitment);
  PutTerms(facts.terms, out);
  return out.Take();
}

absl::StatusOr<storage::GameFacts> DecodeCreated(const EventRecord& event) {
  ByteReader in(event.detail);
  storage::GameFacts facts;
  facts.id = event.game;
  facts.ruleset = std::string(in.Take(in.Get<uint8_t>()));
  facts.rules_version = in.Get<uint32_t>();
  facts.build = base::Hex(base::AsView(in.GetArray<32>()));
  const int options = in.Get<uint8_t>();
  for (int i = 0; i < options; ++i) facts.options.push_back(in.Get<int64_t>());
  facts.created_by = PlayerId(in.GetArray<16>());
  facts.restore_epoch = in.Get<uint32_t>();
  facts.commitment = in.GetArray<32>();
  facts.terms = GetTerms(in);
  facts.seats = static_cast<uint8_t>(event.number);
  facts.created_at = event.at;
  if (!in.at_end() || event.kind != EventKind::kCreated) return Unreadable(event);
  return facts;
}

std::string EncodePlayer(PlayerId player) { return std::string(base::AsView(player.bytes())); }

absl::StatusOr<PlayerId> DecodePlayer(const EventRecord& event) {
  ByteReader in(event.detail);
  const PlayerId player(in.GetArray<16>());
  if (!in.at_end()) return Unreadable(event);
  return player;
}

std::string EncodeFinish(const Finish& finish) {
  ByteWriter out;
  for (const SeatRecord& seat : finish.seats) out.Put(seat.place).Put(seat.points);
  out.Put(finish.secret);
  return out.Take();
}

absl::StatusOr<Finish> DecodeFinish(const EventRecord& event, size_t seats) {
  ByteReader in(event.detail);
  Finish finish;
  for (size_t i = 0; i < seats; ++i) {
    SeatRecord seat;
    seat.seat = static_cast<int8_t>(i);
    seat.place = in.Get<int32_t>();
    seat.points = in.Get<int64_t>();
    finish.seats.push_back(seat);
  }
  finish.secret = in.GetArray<32>();
  if (!in.at_end()) return Unreadable(event);
  return finish;
}

std::string EncodeAction(const ActionDetail& detail) {
  const int flags = (detail.keeps_turn ? kKeepsTurn : 0) | (detail.lag_us > 0 ? kGivesLagBack : 0);
  if (flags == 0) return {};
  ByteWriter out;
  out.Put(static_cast<uint8_t>(flags));
  if (detail.lag_us > 0) out.Put(detail.lag_us);
  return out.Take();
}

absl::StatusOr<ActionDetail> DecodeAction(const EventRecord& event) {
  if (event.detail.empty()) return ActionDetail();
  ByteReader in(event.detail);
  const auto flags = in.Get<uint8_t>();
  ActionDetail detail;
  detail.keeps_turn = (flags & kKeepsTurn) != 0;
  if ((flags & kGivesLagBack) != 0) detail.lag_us = in.Get<int64_t>();
  // There is one way to write it.
  if (!in.at_end() || event.detail != EncodeAction(detail)) return Unreadable(event);
  return detail;
}

int64_t OfferNumber(storage::OfferKind kind, int64_t points) {
  return points << 8 | static_cast<int64_t>(kind);
}
storage::OfferKind OfferKindOf(const EventRecord& event) {
  return static_cast<storage::OfferKind>(event.number & 0xFF);
}
int64_t OfferPointsOf(const EventRecord& event) { return event.number >> 8; }

std::string EncodeBuild(const std::string& build_hex) {
  return std::string(base::AsView(FromHex(build_hex)));
}

absl::StatusOr<std::string> DecodeBuild(const EventRecord& event) {
  if (event.detail.size() != 32) return Unreadable(event);
  return base::Hex(event.detail);
}

absl::StatusOr<Bytes32> DecodePledge(const EventRecord& event) {
  ByteReader in(event.detail);
  const Bytes32 pledge = in.GetArray<32>();
  if (!in.at_end()) return Unreadable(event);
  return pledge;
}

Bytes32 ChainHash(const Bytes32& previous, const EventRecord& event) {
  ByteWriter out;
  out.Put(std::string_view("astragal-event-1")).Put(previous).Put(event.game.bytes());
  out.Put(event.sequence).Put(static_cast<uint8_t>(event.kind)).Put(event.seat);
  out.Put(event.number).Put(event.at.micros).Put(event.position_hash);
  out.Put(static_cast<uint32_t>(event.detail.size())).Put(std::string_view(event.detail));
  return base::Sha256(out.bytes());
}

}  // namespace astragal::core
