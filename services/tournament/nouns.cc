#include "services/tournament/nouns.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "services/base/status.h"
#include "services/core/tournaments/pairing_match.h"
#include "services/rpc/call.h"
#include "services/rpc/keys.h"
#include "services/rpc/proposals.h"

namespace astragal::tournament {
namespace {

using algorithms::Outcome;
using core::TournamentBoard;
using core::TournamentEntryKind;
using core::TournamentState;

constexpr int64_t kMostSeconds = int64_t{7} * 24 * 3'600;
constexpr int64_t kYearSeconds = int64_t{366} * 24 * 3'600;
constexpr size_t kMaxInviteCode = 100;

// By number.
constexpr std::array kKindNames = {
    "",
    "CREATED",
    "REGISTRATION_OPENED",
    "REGISTERED",
    "CHECK_IN_OPENED",
    "CHECKED_IN",
    "STARTED",
    "ROUND_DRAFTED",
    "ROUND_PUBLISHED",
    "ROUND_UNPUBLISHED",
    "RESULTS",
    "RESULT_OVERRIDDEN",
    "ROUND_CLOSED",
    "FINISHED",
    "REOPENED",
    "CANCELLED",
    "PAUSED",
    "RESUMED",
    "WITHDRAWN",
    "PLAYER_PAUSED",
    "PLAYER_RETURNED",
    "EXPELLED",
    "BYE_REQUESTED",
    "ROUNDS_CHANGED",
    "PAIR_FORBIDDEN",
    "ADJUSTED",
    "ROLE_GIVEN",
    "REPLAYED",
    "CHALLENGED",
    "TIE_BREAKS_CHANGED",
    "RATING_CORRECTED",
    "NEXT_STAGE_CREATED",
};

void SetName(base::PlayerId player, const rpc::Names& names, std::string& id, std::string& name) {
  id = player.ToText();
  if (const auto found = names.find(player); found != names.end()) name = found->second;
}

v1::PairingSide& AddSide(const TournamentState& state, int player, Outcome outcome,
                         const rpc::Names& names, v1::Pairing& out) {
  v1::PairingSide& side = *out.add_sides();
  side.set_number(player + 1);
  SetName(state.players[static_cast<size_t>(player)].id, names, *side.mutable_player_id(),
          *side.mutable_player_name());
  side.set_result(static_cast<v1::PairingResult>(outcome));
  return side;
}

// At a table nobody has a result but a place.
void AddTable(const TournamentState& state, const TournamentBoard& board, const rpc::Names& names,
              v1::Pairing& out) {
  const std::vector<int> players = board.Players();
  for (size_t seat = 0; seat < players.size(); ++seat) {
    v1::PairingSide& side = AddSide(state, players[seat], Outcome::kNothing, names, out);
    if (seat < board.places.size()) side.set_place(board.places[seat]);
  }
}

template <typename Value>
bool Fits(Value value, int most) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) <= most;
}

absl::Status ReadNumbers(const v1::TournamentTerms& terms, core::TournamentTerms& out) {
  if (!Fits(terms.rounds(), core::kMaxTournamentRounds)) {
    return rpc::BadField("terms.rounds", "must be 0 to 999");
  }
  out.rounds = static_cast<uint16_t>(terms.rounds());
  if (!Fits(terms.losses(), 9)) return rpc::BadField("terms.losses", "must be 1 to 9");
  if (terms.losses() != 0) out.losses = static_cast<uint8_t>(terms.losses());
  if (!Fits(terms.max_players(), core::kMaxTournamentPlayers)) {
    return rpc::BadField("terms.max_players", "must be 2 to 20000, or 0");
  }
  out.most_players = static_cast<uint32_t>(terms.max_players());
  if (terms.has_pairing_bye_tenths()) out.pairing_bye = terms.pairing_bye_tenths();
  if (terms.check_in_seconds() < 0 || terms.check_in_seconds() > kMostSeconds) {
    return rpc::BadField("terms.check_in_seconds", "is out of bounds");
  }
  out.check_in_ms = terms.check_in_seconds() * 1'000;
  if (terms.pause_seconds() < 0 || terms.pause_seconds() > kMostSeconds) {
    return rpc::BadField("terms.pause_seconds", "is out of bounds");
  }
  out.pause_ms = terms.pause_seconds() * 1'000;
  if (terms.duration_seconds() < 0 || terms.duration_seconds() > kYearSeconds) {
    return rpc::BadField("terms.duration_seconds", "is out of bounds");
  }
  out.duration_ms = terms.duration_seconds() * 1'000;
  if (!Fits(terms.scoring(), 2)) return rpc::BadField("terms.scoring", "is unknown");
  out.scoring = static_cast<core::Scoring>(terms.scoring());
  return absl::OkStatus();
}

absl::Status ReadConditions(const v1::TournamentConditions& conditions,
                            core::TournamentConditions& out) {
  out.least_rating = conditions.min_rating();
  out.most_rating = conditions.max_rating();
  out.least_matches = conditions.min_matches();
  out.settled = conditions.no_provisional();
  out.least_completion = conditions.min_completion_percent();
  const int64_t age = conditions.min_account_age_seconds();
  if (age < 0 || age > kYearSeconds) {
    return rpc::BadField("terms.conditions.min_account_age_seconds", "is out of bounds");
  }
  out.least_age_ms = age * 1'000;
  if (conditions.invite_code().size() > kMaxInviteCode) {
    return rpc::BadField("terms.conditions.invite_code", "is too long");
  }
  out.invite = InviteHash(conditions.invite_code());
  return absl::OkStatus();
}

// What is out of bounds is too much; CheckTerms says so.
core::NextStage ReadNextStage(const v1::NextStage& next) {
  core::NextStage out;
  out.format =
      static_cast<core::TournamentFormat>(std::clamp(static_cast<int>(next.format()), 0, 255));
  out.qualify = static_cast<uint16_t>(std::clamp(next.qualify(), 0, 65'535));
  out.rounds = static_cast<uint16_t>(std::clamp(next.rounds(), 0, 65'535));
  if (next.losses() != 0) out.losses = static_cast<uint8_t>(std::clamp(next.losses(), 0, 255));
  out.reset = !next.no_reset();
  out.third_place = next.third_place();
  out.break_ms = std::clamp<int64_t>(next.break_seconds(), -1, kYearSeconds) * 1'000;
  return out;
}

void SetNextStage(const core::NextStage& next, v1::NextStage& out) {
  out.set_format(static_cast<v1::TournamentFormat>(next.format));
  out.set_qualify(next.qualify);
  out.set_rounds(next.rounds);
  out.set_losses(next.losses);
  out.set_no_reset(!next.reset);
  out.set_third_place(next.third_place);
  out.set_break_seconds(next.break_ms / 1'000);
}

void SetConditions(const core::TournamentConditions& conditions, v1::TournamentConditions& out) {
  out.set_min_rating(conditions.least_rating);
  out.set_max_rating(conditions.most_rating);
  out.set_min_matches(conditions.least_matches);
  out.set_no_provisional(conditions.settled);
  out.set_min_completion_percent(conditions.least_completion);
  out.set_min_account_age_seconds(conditions.least_age_ms / 1'000);
  out.set_invited_only(conditions.invite != base::Bytes32{});
}

}  // namespace

absl::Status ReadTieBreaks(const google::protobuf::RepeatedPtrField<std::string>& words,
                           const std::string& field, std::vector<algorithms::TieBreak>& to) {
  for (const std::string& word : words) {
    const std::optional<algorithms::TieBreak> tie_break = algorithms::ParseTieBreak(word);
    if (!tie_break) return rpc::BadField(field, "names an unknown one: " + word);
    to.push_back(*tie_break);
  }
  return absl::OkStatus();
}

base::Bytes32 InviteHash(const std::string& code) {
  return code.empty() ? base::Bytes32{} : base::Sha256("astragal-invitation-1" + code);
}

absl::StatusOr<core::TournamentTerms> Read(const v1::TournamentTerms& terms) {
  core::TournamentTerms out;
  out.name = terms.name();
  if (!Fits(terms.format(), 8)) return rpc::BadField("terms.format", "is unknown");
  out.format = static_cast<core::TournamentFormat>(terms.format());
  if (!Fits(terms.engine(), 2)) return rpc::BadField("terms.engine", "is unknown");
  out.engine = static_cast<core::PairingEngine>(terms.engine());
  if (!Fits(terms.sides(), 2)) return rpc::BadField("terms.sides", "is unknown");
  out.sides = static_cast<core::SidePolicy>(terms.sides());
  if (absl::Status numbers = ReadNumbers(terms, out); !numbers.ok()) return numbers;
  out.automatic = !terms.manual();
  out.twice = terms.twice();
  out.reset = !terms.no_reset();
  out.third_place = terms.third_place();
  // What is out of bounds is too much; CheckTerms says so.
  out.consolation_rounds = static_cast<uint8_t>(std::clamp(terms.consolation_rounds(), 0, 255));
  out.last_chance_rounds = static_cast<uint8_t>(std::clamp(terms.last_chance_rounds(), 0, 255));
  if (terms.has_start_time()) {
    const auto start = rpc::ReadTime(terms.start_time(), "terms.start_time");
    if (!start.ok()) return start.status();
    out.starts_at = *start;
  }
  if (absl::Status read = ReadTieBreaks(terms.tie_breaks(), "terms.tie_breaks", out.tie_breaks);
      !read.ok()) {
    return read;
  }
  if (absl::Status right = ReadConditions(terms.conditions(), out.conditions); !right.ok()) {
    return right;
  }
  if (terms.has_next_stage()) out.next_stage = ReadNextStage(terms.next_stage());
  absl::StatusOr<core::ProposalTerms> play = rpc::Read(terms.play());
  if (!play.ok()) return play.status();
  out.play = *std::move(play);
  return out;
}

v1::TournamentTerms ToProto(const core::TournamentTerms& terms) {
  v1::TournamentTerms out;
  out.set_name(terms.name);
  out.set_format(static_cast<v1::TournamentFormat>(terms.format));
  out.set_rounds(terms.rounds);
  out.set_losses(terms.losses);
  out.set_engine(static_cast<v1::PairingEngine>(terms.engine));
  out.set_sides(static_cast<v1::TournamentSides>(terms.sides));
  out.set_manual(!terms.automatic);
  out.set_twice(terms.twice);
  out.set_no_reset(!terms.reset);
  out.set_third_place(terms.third_place);
  out.set_consolation_rounds(terms.consolation_rounds);
  out.set_last_chance_rounds(terms.last_chance_rounds);
  out.set_pairing_bye_tenths(terms.pairing_bye);
  out.set_max_players(static_cast<int32_t>(terms.most_players));
  if (terms.starts_at) *out.mutable_start_time() = rpc::ToProto(*terms.starts_at);
  out.set_check_in_seconds(terms.check_in_ms / 1'000);
  out.set_pause_seconds(terms.pause_ms / 1'000);
  for (const std::string& column : core::ColumnsOf(terms)) out.add_tie_breaks(column);
  out.set_duration_seconds(terms.duration_ms / 1'000);
  out.set_scoring(static_cast<v1::ArenaScoring>(terms.scoring));
  if (terms.conditions != core::TournamentConditions{}) {
    SetConditions(terms.conditions, *out.mutable_conditions());
  }
  *out.mutable_play() = rpc::ToProto(terms.play);
  if (terms.next_stage) SetNextStage(*terms.next_stage, *out.mutable_next_stage());
  return out;
}

v1::Tournament ToProto(const TournamentState& state, const rpc::Names& names) {
  v1::Tournament out;
  out.set_tournament_id(state.id.ToText());
  out.set_version(state.version);
  out.set_status(static_cast<v1::TournamentStatus>(state.status));
  *out.mutable_terms() = ToProto(state.terms);
  SetName(state.owner, names, *out.mutable_owner_player_id(), *out.mutable_owner_player_name());
  out.set_players(static_cast<int32_t>(state.players.size()));
  const core::TournamentRound* const current = state.Current();
  const bool draft = current != nullptr && current->stage == core::RoundStage::kDrafted;
  out.set_rounds_published(static_cast<int32_t>(state.rounds.size()) - (draft ? 1 : 0));
  out.set_rounds_closed(state.RoundsClosed());
  out.set_rounds_planned(state.rounds_planned);
  *out.mutable_create_time() = rpc::ToProto(state.created_at);
  if (!state.next_stage.is_nil()) out.set_next_tournament_id(state.next_stage.ToText());
  return out;
}

v1::TournamentSummary ToProto(const storage::TournamentHead& head) {
  v1::TournamentSummary out;
  out.set_tournament_id(head.id.ToText());
  out.set_name(head.name);
  out.set_status(static_cast<v1::TournamentStatus>(head.status));
  out.set_version(head.version);
  *out.mutable_create_time() = rpc::ToProto(head.created_at);
  return out;
}

v1::Entrant EntrantToProto(const TournamentState& state, size_t index, const rpc::Names& names) {
  const core::TournamentPlayer& player = state.players[index];
  v1::Entrant out;
  out.set_number(static_cast<int32_t>(index) + 1);
  SetName(player.id, names, *out.mutable_player_id(), *out.mutable_player_name());
  out.set_rating(player.rating);
  out.set_status(static_cast<v1::EntrantStatus>(player.status));
  out.set_checked_in(player.checked_in);
  out.set_first_round(player.first_round);
  out.set_adjustment_tenths(player.adjustment);
  return out;
}

v1::Round RoundToProto(const TournamentState& state, size_t round) {
  const core::TournamentRound& found = state.rounds[round];
  v1::Round out;
  out.set_number(static_cast<int32_t>(round) + 1);
  out.set_stage(static_cast<v1::RoundStage>(found.stage));
  out.set_engine(static_cast<v1::PairingEngine>(found.engine));
  out.set_engine_version(found.engine_version);
  out.set_pairings(static_cast<int32_t>(found.boards.size()));
  out.set_open(static_cast<int32_t>(found.Open()));
  if (found.stage != core::RoundStage::kDrafted) {
    *out.mutable_publish_time() = rpc::ToProto(found.published_at);
  }
  return out;
}

v1::Pairing BoardToProto(const TournamentState& state, size_t board, const TournamentBoard& found,
                         const rpc::Names& names) {
  v1::Pairing out;
  out.set_board(static_cast<uint32_t>(board) + 1);
  if (found.IsTable()) {
    AddTable(state, found, names, out);
  } else {
    AddSide(state, found.first, found.first_outcome, names, out);
    if (!found.IsBye()) AddSide(state, found.second, found.second_outcome, names, out);
  }
  return out;
}

v1::Pairing PairingToProto(const TournamentState& state, size_t round, size_t board,
                           const rpc::Names& names) {
  const core::TournamentRound& in = state.rounds[round];
  const TournamentBoard& found = in.boards[board];
  v1::Pairing out = BoardToProto(state, board, found, names);
  const bool forfeited =
      found.first_outcome == Outcome::kForfeitWin || found.first_outcome == Outcome::kForfeitLoss;
  if (!found.IsBye() && !forfeited && in.stage != core::RoundStage::kDrafted) {
    out.set_match_id(core::MatchIdOf(state, {round, board}).ToText());
  }
  out.set_locked(found.locked);
  out.set_manual(found.manual);
  out.set_overridden(found.overridden);
  out.set_replays(found.attempt);
  return out;
}

v1::StandingsRow ToProto(const TournamentState& state, const core::Standing& standing,
                         const rpc::Names& names) {
  v1::StandingsRow out;
  out.set_rank(standing.rank);
  out.set_number(standing.player + 1);
  SetName(state.players[static_cast<size_t>(standing.player)].id, names, *out.mutable_player_id(),
          *out.mutable_player_name());
  out.set_points_tenths(standing.points);
  for (const std::string& value : standing.values) out.add_values(value);
  return out;
}

v1::TournamentWarning ToProto(const core::TournamentWarning& warning) {
  v1::TournamentWarning out;
  out.set_level(warning.level);
  out.set_code(warning.code);
  out.set_text(warning.text);
  return out;
}

v1::TournamentEvent ToProto(const core::TournamentEntry& entry) {
  v1::TournamentEvent out;
  out.set_version(entry.version);
  const auto kind = static_cast<size_t>(entry.kind);
  out.set_kind(kind < kKindNames.size() ? kKindNames[kind] : "");
  if (!entry.player.is_nil()) out.set_player_id(entry.player.ToText());
  out.set_round(entry.round);
  out.set_board(entry.board);
  out.set_number(entry.number);
  if (!entry.by.is_nil()) out.set_by_player_id(entry.by.ToText());
  out.set_reason(entry.reason);
  *out.mutable_time() = rpc::ToProto(entry.at);
  if (entry.kind == storage::TournamentEntryKind::kStarted) {
    out.set_seed_snapshot_day(core::SeedDayOf(entry));
  }
  return out;
}

absl::StatusOr<size_t> FindRound(const TournamentState& state, int32_t number, bool drafts) {
  size_t seen = state.rounds.size();
  if (!drafts && seen > 0 && state.rounds.back().stage == core::RoundStage::kDrafted) --seen;
  const int64_t wanted = number == 0 ? static_cast<int64_t>(seen) : number;
  if (wanted < 1 || wanted > static_cast<int64_t>(seen)) {
    return base::Error(base::Reason::kNotFound,
                       seen == 0 ? "no round has been published yet" : "no such round");
  }
  return static_cast<size_t>(wanted) - 1;
}

bool SeesDrafts(const TournamentState& state, base::PlayerId viewer) {
  return state.RoleOf(viewer) != core::TournamentRole::kPlayer;
}

bool IsPublic(const core::TournamentEntry& entry) {
  return entry.kind != TournamentEntryKind::kRoundDrafted &&
         entry.kind != TournamentEntryKind::kPairForbidden;
}

core::TournamentCommand NewCommand(TournamentEntryKind kind, base::PlayerId by,
                                   const base::RequestId& request, const base::Bytes32& body_hash) {
  core::TournamentCommand command;
  command.kind = kind;
  command.by = by;
  command.request = request;
  command.body_hash = body_hash;
  return command;
}

}  // namespace astragal::tournament
