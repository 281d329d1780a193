#include "services/core/tournaments/terms.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::ByteReader;
using base::ByteWriter;
using base::Error;
using base::Reason;

constexpr uint8_t kLayout = 1;
constexpr int64_t kMaxPauseMs = int64_t{7} * 24 * 3'600 * 1'000;
enum Flag : uint8_t { kAutomatic = 1, kTwice = 2, kNoReset = 4, kThirdPlace = 8 };

Error Bad(std::string_view field, std::string_view why) {
  const std::string path = "terms." + std::string(field);
  return Error(Reason::kBadField, path + " " + std::string(why)).With("field", path);
}

void PutText(std::string_view text, ByteWriter& out) {
  out.Put(static_cast<uint16_t>(text.size())).Put(text);
}

std::string_view GetText(ByteReader& in) { return in.Take(in.Get<uint16_t>()); }

bool OneOf(auto value, auto first, auto last) { return value >= first && value <= last; }

absl::Status CheckTimes(const TournamentTerms& terms) {
  if (!OneOf(terms.check_in_ms, 0, kMaxPauseMs)) return Bad("check_in_ms", "is out of bounds");
  if (!OneOf(terms.pause_ms, 0, kMaxPauseMs)) return Bad("pause_ms", "is out of bounds");
  if (terms.check_in_ms > 0 && !terms.starts_at) return Bad("check_in_ms", "needs a start time");
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckTerms(const TournamentTerms& terms) {
  if (terms.name.empty()) return Bad("name", "is required");
  if (terms.name.size() > kMaxTournamentName) return Bad("name", "is too long");
  if (!OneOf(terms.format, TournamentFormat::kSwiss, TournamentFormat::kDoubleElimination)) {
    return Bad("format", "is required");
  }
  if (terms.rounds > kMaxTournamentRounds) return Bad("rounds", "must be at most 999");
  if (!OneOf(terms.losses, 1, 9)) return Bad("losses", "must be 1 to 9");
  if (!OneOf(terms.engine, PairingEngine::kAuto, PairingEngine::kFast)) {
    return Bad("engine", "is unknown");
  }
  if (!OneOf(terms.sides, SidePolicy::kDice, SidePolicy::kAlternate)) {
    return Bad("sides", "is unknown");
  }
  if (terms.pairing_bye != 0 && terms.pairing_bye != 5 && terms.pairing_bye != 10) {
    return Bad("pairing_bye", "must be 0, half a point or a point");
  }
  if (terms.most_players == 1 || terms.most_players > kMaxTournamentPlayers) {
    return Bad("most_players", "must be 2 to 20000, or 0");
  }
  if (absl::Status times = CheckTimes(terms); !times.ok()) return times;
  if (terms.tie_breaks.size() > 16) return Bad("tie_breaks", "are too many");
  if (absl::Status play = CheckTerms(terms.play); !play.ok()) return play;
  return CheckMatch(MatchTermsOf(terms), terms.play.clock, "terms.play.match");
}

std::string EncodeTerms(const TournamentTerms& terms) {
  ByteWriter out;
  out.Put(kLayout);
  PutText(terms.name, out);
  out.Put(static_cast<uint8_t>(terms.format)).Put(terms.rounds).Put(terms.losses);
  out.Put(static_cast<uint8_t>(terms.engine)).Put(static_cast<uint8_t>(terms.sides));
  out.Put(static_cast<uint8_t>((terms.automatic ? kAutomatic : 0) | (terms.twice ? kTwice : 0) |
                               (terms.reset ? 0 : kNoReset) |
                               (terms.third_place ? kThirdPlace : 0)));
  out.Put(static_cast<uint8_t>(terms.pairing_bye)).Put(terms.most_players);
  out.Put(terms.starts_at ? terms.starts_at->micros : int64_t{0});
  out.Put(terms.check_in_ms).Put(terms.pause_ms);
  out.Put(static_cast<uint8_t>(terms.tie_breaks.size()));
  for (const algorithms::TieBreak& tie_break : terms.tie_breaks) {
    PutText(algorithms::FormatTieBreak(tie_break), out);
  }
  PutText(EncodeTerms(terms.play), out);
  return out.Take();
}

absl::StatusOr<TournamentTerms> DecodeTournamentTerms(std::string_view bytes) {
  const Error damaged(Reason::kInternal, "the stored terms of a tournament cannot be read");
  ByteReader in(bytes);
  if (in.Get<uint8_t>() != kLayout) return damaged;
  TournamentTerms terms;
  terms.name = GetText(in);
  terms.format = static_cast<TournamentFormat>(in.Get<uint8_t>());
  terms.rounds = in.Get<uint16_t>();
  terms.losses = in.Get<uint8_t>();
  terms.engine = static_cast<PairingEngine>(in.Get<uint8_t>());
  terms.sides = static_cast<SidePolicy>(in.Get<uint8_t>());
  const auto flags = in.Get<uint8_t>();
  terms.automatic = (flags & kAutomatic) != 0;
  terms.twice = (flags & kTwice) != 0;
  terms.reset = (flags & kNoReset) == 0;
  terms.third_place = (flags & kThirdPlace) != 0;
  terms.pairing_bye = in.Get<uint8_t>();
  terms.most_players = in.Get<uint32_t>();
  if (const auto starts_at = in.Get<int64_t>(); starts_at != 0) terms.starts_at = {starts_at};
  terms.check_in_ms = in.Get<int64_t>();
  terms.pause_ms = in.Get<int64_t>();
  for (int left = in.Get<uint8_t>(); left > 0; --left) {
    const std::optional<algorithms::TieBreak> tie_break = algorithms::ParseTieBreak(GetText(in));
    if (!tie_break) return damaged;
    terms.tie_breaks.push_back(*tie_break);
  }
  absl::StatusOr<ProposalTerms> play = DecodeTerms(GetText(in));
  if (!play.ok()) return play.status();
  terms.play = *std::move(play);
  if (!in.at_end()) return damaged;
  return terms;
}

int UsualRounds(int players) {
  if (players < 2) return 0;
  const int wanted = static_cast<int>(std::bit_width(static_cast<unsigned>(players - 1))) + 2;
  return std::max(1, std::min(wanted, (players - 1) * 6 / 10));
}

std::vector<algorithms::TieBreak> TieBreaksOf(const TournamentTerms& terms) {
  if (!terms.tie_breaks.empty()) return terms.tie_breaks;
  return algorithms::DefaultTieBreaks(terms.format == TournamentFormat::kRoundRobin);
}

MatchTerms MatchTermsOf(const TournamentTerms& terms) {
  if (terms.play.match) return *terms.play.match;
  MatchTerms one;
  one.kind = storage::MatchKind::kGames;
  one.first_mover = storage::FirstMover::kRules;
  return one;
}

}  // namespace astragal::core
