#include "services/core/packed_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/deflate.h"
#include "services/base/status.h"
#include "services/core/packed_bits.h"

namespace astragal::core {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kMostInflated = size_t{64} * 1024 * 1024;

// The parts of the layout, by number - 1.
enum Part : size_t {
  kCounts,
  kWhat,
  kThrows,
  kNumbers,
  kGaps,
  kDetails,
  kChecks,
  kRequest,
  kParts
};
using Parts = std::array<std::string, kParts>;

absl::Status Wrong(std::string why, uint32_t sequence) {
  return base::Error(base::Reason::kReplayMismatch, std::move(why)).With("sequence", sequence);
}

uint64_t ThrowKindsIn(const std::vector<EventRecord>& log) {
  int64_t highest = -1;
  for (const EventRecord& event : log) {
    if (event.kind == EventKind::kThrow) {
      highest = std::max<int64_t>(highest, host::ChanceKind(event.number));
    }
  }
  return static_cast<uint64_t>(highest + 1);
}

// Instants that differ from the one before them, the very first aside.
uint64_t MeanGap(const std::vector<EventRecord>& log) {
  uint64_t gaps = 0;
  for (size_t i = 1; i < log.size(); ++i) gaps += log[i].at == log[i - 1].at ? 0 : 1;
  if (gaps == 0) return 0;
  return static_cast<uint64_t>(log.back().at.micros - log.front().at.micros) / gaps;
}

class Packer {
 public:
  Packer(const storage::GameFacts& facts, const std::vector<EventRecord>& log)
      : created_(EncodeCreated(facts)),
        creator_(facts.created_by),
        seats_(uint64_t{facts.seats} + 1),
        throw_kinds_(ThrowKindsIn(log)),
        gap_bits_(RiceBits(MeanGap(log))) {
    PutVarint(log.size(), parts_[kCounts]);
    PutVarint(throw_kinds_, parts_[kCounts]);
    PutVarint(static_cast<uint64_t>(gap_bits_), parts_[kCounts]);
  }

  bool Take(const EventRecord& event) {
    const auto seat = static_cast<uint64_t>(event.seat + 1);
    if (event.at.micros < at_ || seat >= seats_) return false;
    const uint64_t gap = static_cast<uint64_t>(event.at.micros - at_);
    const uint64_t what = 2 * static_cast<uint64_t>(event.kind) + (gap == 0 ? 0 : 1);
    PutVarint(what * seats_ + seat, parts_[kWhat]);
    if (gap != 0) gaps_.PutRice(gap, gap_bits_);
    at_ = event.at.micros;
    if (event.kind == EventKind::kThrow) {
      const auto outcome = static_cast<uint64_t>(host::ChanceOutcome(event.number));
      const auto thrown = static_cast<uint64_t>(host::ChanceKind(event.number));
      PutVarint(outcome * throw_kinds_ + thrown, parts_[kThrows]);
    } else {
      PutVarint(Zigzag(event.number), parts_[kNumbers]);
    }
    if (event.kind == EventKind::kCreated) PutRequest(event.request);
    ++since_detail_;
    const bool follows = event.kind == EventKind::kCreated && event.detail == created_;
    if (!event.detail.empty() && !follows) PutDetail(event.detail);
    if (event.sequence % kCheckEvery == 0) {
      parts_[kChecks] += base::AsView(event.chain_hash).substr(0, kCheckBytes);
    }
    return true;
  }

  std::string Take(const Bytes32& chain_hash) && {
    parts_[kGaps] = gaps_.Take();
    PutVarint(0, parts_[kDetails]);  // no more
    std::string out(1, static_cast<char>(kVersion));
    out += base::AsView(chain_hash);
    return out + base::Deflate(parts_);
  }

 private:
  void PutRequest(const std::optional<storage::RequestStamp>& request) {
    const bool is_known = request && request->player == creator_;
    PutVarint(is_known ? request->event_count : 0, parts_[kRequest]);
    if (!is_known) return;
    parts_[kRequest] += base::AsView(request->request.bytes);
    parts_[kRequest] += base::AsView(request->body_hash);
  }
  void PutDetail(const std::string& detail) {
    PutVarint(since_detail_, parts_[kDetails]);
    PutVarint(detail.size(), parts_[kDetails]);
    parts_[kDetails] += detail;
    since_detail_ = 0;
  }

  const std::string created_;
  const PlayerId creator_;
  const uint64_t seats_;  // and nobody's
  const uint64_t throw_kinds_;
  const int gap_bits_;
  Parts parts_;
  BitWriter gaps_;
  int64_t at_ = 0;
  uint64_t since_detail_ = 0;
};

// The log without its hashes, and the checks of the record; nothing if it cannot be read.
struct Unpacked {
  std::vector<EventRecord> log;
  std::string checks;
};

bool ReadDetails(PackedReader& in, std::vector<EventRecord>& log) {
  size_t next = 0;
  while (const uint64_t since = in.Varint()) {
    if (since > log.size() - next) return false;
    next += since;
    log[next - 1].detail = std::string(in.Bytes(in.Varint()));
  }
  return in.ok();
}

template <size_t N>
std::array<uint8_t, N> ReadArray(PackedReader& in) {
  std::array<uint8_t, N> out{};
  std::ranges::copy(in.Bytes(N), out.begin());
  return out;
}

std::optional<storage::RequestStamp> ReadRequest(PackedReader& in, PlayerId creator) {
  storage::RequestStamp stamp;
  stamp.event_count = static_cast<uint16_t>(in.Varint());
  if (stamp.event_count == 0) return std::nullopt;
  stamp.player = creator;
  stamp.request.bytes = ReadArray<16>(in);
  stamp.body_hash = ReadArray<32>(in);
  return stamp;
}

std::optional<Unpacked> Read(const storage::GameFacts& facts, const std::string& inflated) {
  PackedReader in(inflated);
  const uint64_t count = in.Varint();
  const uint64_t throw_kinds = in.Varint();
  const uint64_t gap_bits = in.Varint();
  if (!in.ok() || count == 0 || count > kMostPackedEvents || gap_bits > 63) return std::nullopt;
  const uint64_t seats = uint64_t{facts.seats} + 1;
  Unpacked out;
  out.log.resize(count);
  std::vector<bool> has_gap(count);
  for (uint64_t i = 0; i < count; ++i) {
    EventRecord& event = out.log[i];
    event.game = facts.id;
    event.sequence = static_cast<uint32_t>(i + 1);
    const uint64_t what = in.Varint();
    event.seat = static_cast<int8_t>(static_cast<int>(what % seats) - 1);
    has_gap[i] = (what / seats & 1) != 0;
    event.kind = static_cast<EventKind>(what / seats / 2);
  }
  for (EventRecord& event : out.log) {
    if (event.kind != EventKind::kThrow) continue;
    if (throw_kinds == 0) return std::nullopt;
    const uint64_t thrown = in.Varint();
    event.number = host::ChanceAction(static_cast<int>(thrown % throw_kinds),
                                      static_cast<int>(thrown / throw_kinds & 0xFFFF));
  }
  for (EventRecord& event : out.log) {
    if (event.kind != EventKind::kThrow) event.number = in.Signed();
  }
  uint64_t at = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (has_gap[i]) at += in.Rice(static_cast<int>(gap_bits));
    out.log[i].at = Instant{static_cast<int64_t>(at)};
  }
  in.EndBits();
  if (!in.ok() || !ReadDetails(in, out.log)) return std::nullopt;
  if (out.log.front().detail.empty()) out.log.front().detail = EncodeCreated(facts);
  out.checks = std::string(in.Bytes(count / kCheckEvery * kCheckBytes));
  out.log.front().request = ReadRequest(in, facts.created_by);
  if (!in.at_end()) return std::nullopt;
  return out;
}

// Makes the hashes again.
absl::Status Replay(GameState state, Unpacked& unpacked, std::string_view chain_hash) {
  uint32_t right = 0;  // up to this event
  for (EventRecord& event : unpacked.log) {
    const uint32_t sequence = event.sequence;
    if (!Append(state, event).ok()) return Wrong("the rules refuse an event", right + 1);
    const bool is_last = sequence == unpacked.log.size();
    if (!is_last && sequence % kCheckEvery != 0) continue;
    const std::string_view made = base::AsView(event.chain_hash);
    const std::string_view kept =
        is_last ? chain_hash
                : std::string_view(unpacked.checks)
                      .substr((sequence / kCheckEvery - 1) * kCheckBytes, kCheckBytes);
    if (made.substr(0, kept.size()) != kept) {
      return Wrong("the hashes of the packed log are others", right + 1);
    }
    right = sequence;
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<std::string> PackLog(const storage::GameFacts& facts,
                                   const std::vector<EventRecord>& log) {
  if (log.empty() || log.size() > kMostPackedEvents) return std::nullopt;
  Packer packer(facts, log);
  for (const EventRecord& event : log) {
    if (!packer.Take(event)) return std::nullopt;
  }
  return std::move(packer).Take(log.back().chain_hash);
}

absl::StatusOr<std::vector<EventRecord>> UnpackLog(
    const storage::GameFacts& facts, const std::shared_ptr<const host::Ruleset>& ruleset,
    std::string_view packed) {
  constexpr size_t kHead = 1 + sizeof(Bytes32);
  if (packed.size() < kHead || packed[0] != kVersion) {
    return Wrong("the packed log cannot be read", 1);
  }
  const std::optional<std::string> inflated = base::Inflate(packed.substr(kHead), kMostInflated);
  std::optional<Unpacked> unpacked = inflated ? Read(facts, *inflated) : std::nullopt;
  if (!unpacked) return Wrong("the packed log cannot be read", 1);
  absl::StatusOr<GameState> state = StartState(facts, ruleset);
  if (!state.ok()) return state.status();
  const absl::Status replayed =
      Replay(*std::move(state), *unpacked, packed.substr(1, sizeof(Bytes32)));
  if (!replayed.ok()) return replayed;
  return std::move(unpacked->log);
}

}  // namespace astragal::core
