#include "services/core/tournaments/terms.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::ByteReader;
using base::ByteWriter;
using base::Error;
using base::Reason;

constexpr uint8_t kFirstLayout = 1;
constexpr uint8_t kSecondLayout = 2;
constexpr uint8_t kLayout = 3;
constexpr uint8_t kNextStageFirst = 200;  // before terms of any layout
constexpr int64_t kMaxDurationMs = int64_t{366} * 24 * 3'600 * 1'000;
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
  const bool arena = terms.format == TournamentFormat::kArena;
  if (!OneOf(terms.duration_ms, arena ? 1 : 0, kMaxDurationMs)) {
    return Bad("duration_ms", "is out of bounds");
  }
  return absl::OkStatus();
}

absl::Status CheckConsolation(const TournamentTerms& terms) {
  if (terms.consolation_rounds > kMaxConsolationRounds) {
    return Bad("consolation_rounds", "must be at most 15");
  }
  if (terms.consolation_rounds > 0 && terms.format != TournamentFormat::kSingleElimination) {
    return Bad("consolation_rounds", "are for single eliminations");
  }
  const int most = terms.consolation_rounds == 0 ? 0 : kMaxConsolationRounds;
  if (terms.last_chance_rounds > most) {
    return Bad("last_chance_rounds", "need a consolation, and must be at most 15");
  }
  return absl::OkStatus();
}

absl::Status CheckConditions(const TournamentConditions& conditions) {
  if (!OneOf(conditions.least_rating, 0, 9'999)) return Bad("conditions.least_rating", "is bad");
  if (!OneOf(conditions.most_rating, 0, 9'999)) return Bad("conditions.most_rating", "is bad");
  if (!OneOf(conditions.least_matches, 0, 100'000))
    return Bad("conditions.least_matches", "is bad");
  if (!OneOf(conditions.least_completion, 0, 100)) {
    return Bad("conditions.least_completion", "must be 0 to 100");
  }
  if (!OneOf(conditions.least_age_ms, 0, kMaxDurationMs)) {
    return Bad("conditions.least_age_ms", "is out of bounds");
  }
  return absl::OkStatus();
}

absl::Status CheckNextStage(const TournamentTerms& terms) {
  if (!terms.next_stage) return absl::OkStatus();
  const NextStage& next = *terms.next_stage;
  const auto bad = [](std::string_view field, std::string_view why) {
    return Bad("next_stage." + std::string(field), why);
  };
  if (terms.format == TournamentFormat::kTables) {
    return Bad("next_stage", "is for two players at a board, and tables have more");
  }
  if (!OneOf(next.format, TournamentFormat::kSwiss, TournamentFormat::kDoubleElimination)) {
    return bad("format", "must be Swiss, a round robin or an elimination");
  }
  if (!OneOf(next.qualify, 2, kMaxQualifiers)) return bad("qualify", "must be 2 to 512");
  if (next.rounds > kMaxTournamentRounds) return bad("rounds", "must be at most 999");
  if (!OneOf(next.losses, 1, 9)) return bad("losses", "must be 1 to 9");
  if (!OneOf(next.break_ms, 0, kMaxPauseMs)) return bad("break_seconds", "is out of bounds");
  if (terms.name.size() + kNextStageSuffix.size() > kMaxTournamentName) {
    return Bad("name", "leaves no room for the next stage's, which is 4 bytes longer");
  }
  return absl::OkStatus();
}

void PutNextStage(const NextStage& next, ByteWriter& out) {
  out.Put(kNextStageFirst).Put(static_cast<uint8_t>(next.format)).Put(next.qualify);
  out.Put(next.rounds).Put(next.losses);
  out.Put(static_cast<uint8_t>((next.reset ? 0 : kNoReset) | (next.third_place ? kThirdPlace : 0)));
  out.Put(next.break_ms);
}

NextStage GetNextStage(ByteReader& in) {
  NextStage next;
  next.format = static_cast<TournamentFormat>(in.Get<uint8_t>());
  next.qualify = in.Get<uint16_t>();
  next.rounds = in.Get<uint16_t>();
  next.losses = in.Get<uint8_t>();
  const auto flags = in.Get<uint8_t>();
  next.reset = (flags & kNoReset) == 0;
  next.third_place = (flags & kThirdPlace) != 0;
  next.break_ms = in.Get<int64_t>();
  return next;
}

void PutConditions(const TournamentConditions& conditions, ByteWriter& out) {
  out.Put(conditions.least_rating).Put(conditions.most_rating).Put(conditions.least_matches);
  out.Put(static_cast<uint8_t>(conditions.settled)).Put(conditions.least_age_ms);
  out.Put(std::span<const uint8_t>(conditions.invite));
}

TournamentConditions GetConditions(ByteReader& in) {
  TournamentConditions conditions;
  conditions.least_rating = in.Get<int32_t>();
  conditions.most_rating = in.Get<int32_t>();
  conditions.least_matches = in.Get<int32_t>();
  conditions.settled = in.Get<uint8_t>() != 0;
  conditions.least_age_ms = in.Get<int64_t>();
  conditions.invite = in.GetArray<32>();
  return conditions;
}

}  // namespace

bool IsElimination(TournamentFormat format) {
  return format == TournamentFormat::kSingleElimination ||
         format == TournamentFormat::kDoubleElimination;
}

bool IsOpenEnded(TournamentFormat format) {
  return format == TournamentFormat::kArena || format == TournamentFormat::kLadder;
}

absl::Status CheckTerms(const TournamentTerms& terms) {
  if (terms.name.empty()) return Bad("name", "is required");
  if (terms.name.size() > kMaxTournamentName) return Bad("name", "is too long");
  if (!OneOf(terms.format, TournamentFormat::kSwiss, TournamentFormat::kLadder)) {
    return Bad("format", "is required");
  }
  if (terms.rounds > kMaxTournamentRounds) return Bad("rounds", "must be at most 999");
  if (!OneOf(terms.losses, 1, 9)) return Bad("losses", "must be 1 to 9");
  if (!OneOf(terms.engine, PairingEngine::kAuto, PairingEngine::kFast)) {
    return Bad("engine", "is unknown");
  }
  if (!OneOf(terms.sides, SidePolicy::kDice, SidePolicy::kChoice)) {
    return Bad("sides", "is unknown");
  }
  if (terms.pairing_bye != 0 && terms.pairing_bye != 5 && terms.pairing_bye != 10) {
    return Bad("pairing_bye", "must be 0, half a point or a point");
  }
  if (terms.most_players == 1 || terms.most_players > kMaxTournamentPlayers) {
    return Bad("most_players", "must be 2 to 20000, or 0");
  }
  if (absl::Status times = CheckTimes(terms); !times.ok()) return times;
  if (!OneOf(terms.scoring, Scoring::kPlain, Scoring::kStreaks))
    return Bad("scoring", "is unknown");
  if (absl::Status right = CheckConsolation(terms); !right.ok()) return right;
  if (absl::Status right = CheckConditions(terms.conditions); !right.ok()) return right;
  if (terms.tie_breaks.size() > kMaxTieBreaks) return Bad("tie_breaks", "are too many");
  if (absl::Status right = CheckNextStage(terms); !right.ok()) return right;
  if (terms.play.least_completion != 0) {
    return Bad("play.min_completion_percent", "is asked of those who accept a proposal");
  }
  if (absl::Status play = CheckTerms(terms.play); !play.ok()) return play;
  return CheckMatch(MatchTermsOf(terms), terms.play.clock, "terms.play.match");
}

std::string EncodeTerms(const TournamentTerms& terms) {
  ByteWriter out;
  if (terms.next_stage) PutNextStage(*terms.next_stage, out);
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
  out.Put(terms.duration_ms).Put(static_cast<uint8_t>(terms.scoring));
  PutConditions(terms.conditions, out);
  out.Put(terms.consolation_rounds).Put(terms.last_chance_rounds);
  out.Put(static_cast<uint8_t>(terms.conditions.least_completion));
  return out.Take();
}

absl::StatusOr<TournamentTerms> DecodeTournamentTerms(std::string_view bytes) {
  const Error damaged(Reason::kInternal, "the stored terms of a tournament cannot be read");
  ByteReader in(bytes);
  TournamentTerms terms;
  auto layout = in.Get<uint8_t>();
  if (layout == kNextStageFirst) {
    terms.next_stage = GetNextStage(in);
    layout = in.Get<uint8_t>();
  }
  if (layout < kFirstLayout || layout > kLayout) return damaged;
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
  if (layout >= kSecondLayout) {
    terms.duration_ms = in.Get<int64_t>();
    terms.scoring = static_cast<Scoring>(in.Get<uint8_t>());
    terms.conditions = GetConditions(in);
    terms.consolation_rounds = in.Get<uint8_t>();
    terms.last_chance_rounds = in.Get<uint8_t>();
  }
  if (layout == kLayout) terms.conditions.least_completion = in.Get<uint8_t>();
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
