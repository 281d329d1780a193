// The log of a game: what each kind of event holds, and the hash that chains them.
//
// An event is stored as (kind, seat, number, detail). Integers in `detail` are little-endian:
//   kCreated   number = seats
//              detail = u8 length and bytes of the ruleset id | u32 rules version | build (32
//              bytes) |
//                       u8 count and i64 values of the options | creator (16) | u32 restore epoch |
//                       commitment (32) | u8 Visibility | u8 rated | u8 ClockKind | i64 reserve,
//                       i64 increment, i64 first turn in ms | u8 count and i64 ms of the seats'
//                       reserves | match id (16) | u16 number in the match
//   kSeated    seat; detail = player id (16)
//   kStarted   -
//   kThrow     number = chance action (throw kind << 16 | outcome)
//   kAction    seat; number = action; detail = empty, or u8 flags (1: its seat keeps the turn open,
//              2: the network's part of the turn is given back) and, with flag 2, that as i64
//              microseconds
//   kResigned  seat; number = points conceded
//   kFinished  number = Ending; detail = for each seat i32 place, i64 points | secret (32)
//   kBuild     detail = build (32)
//   kLeft      seat
//   kOffered   seat; number = OfferKind | points << 8
//   kAnswered  seat; number = 1 or 0
//   kUndone    seat; number = actions taken back
//   kTurnEnded seat
//   kTimedOut  seat; number = points conceded
//   kCredited  seat; number = microseconds
//   kInvited   -
//   kPledged   seat; detail = SHA-256 of its contribution (32)
//   kPledgesClosed  -
//   kContributed    seat; detail = its contribution, 1 to 32 bytes
//
// The chain, version 1: chain hash of event n is SHA-256 over
//   "astragal-event-1" | chain hash of event n-1 (32 zero bytes for n = 1) | game id (16) |
//   sequence (u32) | kind (u8) | seat (i8) | number (i64) | instant in microseconds (i64) |
//   position hash (32) | length of detail (u32) | detail
// and the position hash is SHA-256 of the position's bytes after the event. Players appear by id,
// so that a name can be erased without breaking a chain. These layouts never change; a new one gets
// a new version string.
//
// Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_EVENT_H_
#define ASTRAGAL_SERVICES_CORE_EVENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/base/crypto.h"
#include "storage/records.h"

namespace astragal::core {

using base::Bytes32;
using base::GameId;
using base::Instant;
using base::PlayerId;
using base::RequestId;
using storage::Ending;
using storage::EventKind;
using storage::EventRecord;
using storage::GameStatus;
using storage::SeatRecord;

// Encoders and decoders of `detail`. Decoders answer DATA_LOSS / REPLAY_MISMATCH for bytes that no
// encoder wrote.
std::string EncodeCreated(const storage::GameFacts& facts);
absl::StatusOr<storage::GameFacts> DecodeCreated(const EventRecord& event);

std::string EncodePlayer(PlayerId player);
absl::StatusOr<PlayerId> DecodePlayer(const EventRecord& event);

struct Finish {
  std::vector<SeatRecord> seats;  // place and points; players are not part of it
  Bytes32 secret{};
};
std::string EncodeFinish(const Finish& finish);
absl::StatusOr<Finish> DecodeFinish(const EventRecord& event, size_t seats);

// What an action says beside itself.
struct ActionDetail {
  bool keeps_turn = false;
  int64_t lag_us = 0;  // given back to the running clock

  friend bool operator==(const ActionDetail&, const ActionDetail&) = default;
};
std::string EncodeAction(const ActionDetail& detail);
absl::StatusOr<ActionDetail> DecodeAction(const EventRecord& event);

int64_t OfferNumber(storage::OfferKind kind, int64_t points);
storage::OfferKind OfferKindOf(const EventRecord& event);
int64_t OfferPointsOf(const EventRecord& event);

std::string EncodeBuild(const std::string& build_hex);
absl::StatusOr<std::string> DecodeBuild(const EventRecord& event);

absl::StatusOr<Bytes32> DecodePledge(const EventRecord& event);

// The chain hash of `event`, whose own chain_hash field is ignored.
Bytes32 ChainHash(const Bytes32& previous, const EventRecord& event);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_EVENT_H_
