// Ids of the things Astragal names: 128 bits, time-ordered, URL-safe as text.
//
// The first 48 bits are the millisecond of creation, the rest is random, so ids sort by age and
// cannot be guessed from one another. As text an id is 26 characters of Crockford's base 32 in
// lower case; clients treat it as opaque. A distinct C++ type for each kind of id keeps a player
// from being passed for a game. All functions are pure and may be called from any thread.
#ifndef ASTRAGAL_SERVICES_BASE_IDS_H_
#define ASTRAGAL_SERVICES_BASE_IDS_H_

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "services/base/clock.h"
#include "services/base/random.h"

namespace astragal::base {

using IdBytes = std::array<uint8_t, 16>;

// Text form of an id, always 26 characters.
std::string IdToText(const IdBytes& bytes);
// Exactly 26 characters of the alphabet (either case); nullopt for anything else.
std::optional<IdBytes> IdFromText(std::string_view text);
// A fresh id: `now` in milliseconds, then 80 random bits.
IdBytes MakeIdBytes(Instant now, Random& random);

template <typename Tag>
class Id {
 public:
  Id() = default;  // the nil id: all zero, names nothing
  explicit Id(const IdBytes& bytes) : bytes_(bytes) {}

  static Id Make(Instant now, Random& random) { return Id(MakeIdBytes(now, random)); }
  static std::optional<Id> Parse(std::string_view text) {
    std::optional<IdBytes> bytes = IdFromText(text);
    if (!bytes) return std::nullopt;
    return Id(*bytes);
  }

  std::string ToText() const { return IdToText(bytes_); }
  const IdBytes& bytes() const { return bytes_; }
  bool is_nil() const { return bytes_ == IdBytes{}; }

  friend bool operator==(const Id&, const Id&) = default;
  friend auto operator<=>(const Id&, const Id&) = default;
  template <typename H>
  friend H AbslHashValue(H state, const Id& id) {
    return H::combine(std::move(state), id.bytes_);
  }

 private:
  IdBytes bytes_{};
};

using GameId = Id<struct GameTag>;
using PlayerId = Id<struct PlayerTag>;
using KeyId = Id<struct KeyTag>;
using MatchId = Id<struct MatchTag>;
using ProposalId = Id<struct ProposalTag>;

// A request id is chosen by the caller: a UUID in its usual text form (see derived_request.h).
struct RequestId {
  IdBytes bytes{};
  // 8-4-4-4-12 hexadecimal digits, either case; nullopt for anything else and for the nil UUID.
  static std::optional<RequestId> Parse(std::string_view text);
  std::string ToText() const;
  friend bool operator==(const RequestId&, const RequestId&) = default;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_IDS_H_
