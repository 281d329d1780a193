#include "services/rpc/terms.h"

#include "services/rpc/call.h"

namespace astragal::rpc {

absl::StatusOr<storage::Visibility> ReadVisibility(v1::GameVisibility visibility,
                                                   const std::string& field) {
  if (visibility == v1::GAME_VISIBILITY_UNSPECIFIED) return storage::Visibility::kPublic;
  if (!v1::GameVisibility_IsValid(visibility)) return BadField(field, "is unknown");
  return static_cast<storage::Visibility>(visibility);
}

absl::StatusOr<storage::ClockPolicy> ReadClock(const v1::ClockPolicy& clock,
                                               const std::string& field) {
  if (!v1::ClockKind_IsValid(clock.kind())) return BadField(field + ".kind", "is unknown");
  return storage::ClockPolicy{static_cast<storage::ClockKind>(clock.kind()), clock.reserve_ms(),
                              clock.increment_ms(), clock.first_turn_ms()};
}

absl::StatusOr<core::MatchTerms> ReadMatch(const v1::MatchTerms& match, const std::string& field) {
  if (match.kind() == v1::MATCH_KIND_UNSPECIFIED) return BadField(field + ".kind", "is required");
  if (!v1::MatchKind_IsValid(match.kind())) return BadField(field + ".kind", "is unknown");
  if (!v1::MatchFirstMover_IsValid(match.first_mover())) {
    return BadField(field + ".first_mover", "is unknown");
  }
  if (match.length() < 1 || match.length() > core::kMaxMatchLength) {
    return BadField(field + ".length", "must be 1 to 999");
  }
  core::MatchTerms terms;
  terms.kind = static_cast<storage::MatchKind>(match.kind());
  terms.length = static_cast<uint16_t>(match.length());
  if (match.first_mover() != v1::MATCH_FIRST_MOVER_UNSPECIFIED) {
    terms.first_mover = static_cast<storage::FirstMover>(match.first_mover());
  }
  terms.match_clock = match.match_clock();
  terms.timeout_loses = match.timeout_loses();
  return terms;
}

v1::ClockPolicy ToProto(const storage::ClockPolicy& policy) {
  v1::ClockPolicy out;
  out.set_kind(static_cast<v1::ClockKind>(policy.kind));
  out.set_reserve_ms(policy.reserve_ms);
  out.set_increment_ms(policy.increment_ms);
  out.set_first_turn_ms(policy.first_turn_ms);
  return out;
}

v1::MatchTerms ToProto(const core::MatchTerms& match) {
  v1::MatchTerms out;
  out.set_kind(static_cast<v1::MatchKind>(match.kind));
  out.set_length(match.length);
  if (match.first_mover) {
    out.set_first_mover(static_cast<v1::MatchFirstMover>(*match.first_mover));
  }
  out.set_match_clock(match.match_clock);
  out.set_timeout_loses(match.timeout_loses);
  return out;
}

}  // namespace astragal::rpc
