#include "services/rpc/nouns.h"

#include <array>
#include <utility>

#include "services/base/crypto.h"
#include "services/rpc/terms.h"

namespace astragal::rpc {
namespace {

using storage::EventKind;

constexpr std::array<std::pair<uint32_t, const char*>, 7> kMarks = {{
    {host::kMarkStart, "start"},
    {host::kMarkSafe, "safe"},
    {host::kMarkPenalty, "penalty"},
    {host::kMarkExtra, "extra"},
    {host::kMarkCentre, "centre"},
    {host::kMarkHome, "home"},
    {host::kMarkDark, "dark"},
}};

std::string Bytes(const base::Bytes32& bytes) { return std::string(base::AsView(bytes)); }

std::string NameOf(const Names& names, base::PlayerId player) {
  const auto found = names.find(player);
  return found == names.end() ? std::string() : found->second;
}

v1::Seat SeatToProto(const storage::SeatRecord& seat, const Names& names) {
  v1::Seat out;
  out.set_seat(seat.seat);
  out.set_place(seat.place);
  out.set_points(seat.points);
  if (!seat.player.is_nil()) {
    out.set_player_id(seat.player.ToText());
    out.set_player_name(NameOf(names, seat.player));
  }
  return out;
}

// The numbers in the store and in the protos are the same on purpose; new ones are added to both.
v1::GameStatus ToProto(storage::GameStatus status) { return static_cast<v1::GameStatus>(status); }
v1::GameEnding ToProto(storage::Ending ending) { return static_cast<v1::GameEnding>(ending); }

v1::Clocks ClocksToProto(const core::ClockFace& face) {
  v1::Clocks out;
  for (const core::ClockReading& reading : face.seats) {
    v1::SeatClock& seat = *out.add_seats();
    seat.set_reserve_ms(reading.reserve_us / 1'000);
    seat.set_turn_ms(reading.turn_us / 1'000);
  }
  if (face.running >= 0) out.set_running_seat(face.running);
  if (face.deadline) *out.mutable_deadline() = rpc::ToProto(*face.deadline);
  return out;
}

void FillContributions(const core::GameState& state, v1::Game& out) {
  const core::Contributions& contributions = state.proceedings.contributions;
  for (const auto& [seat, of_seat] : contributions.seats) {
    v1::DiceContribution& entry = *out.add_contributions();
    entry.set_seat(seat);
    entry.set_contribution_sha256(Bytes(of_seat.pledge));
    entry.set_contribution(of_seat.given);
  }
  out.set_pledges_closed(contributions.closed);
  if (state.status != storage::GameStatus::kContributing) return;
  if (const std::optional<base::Instant> deadline = core::DeadlineOf(state)) {
    *out.mutable_contributions_deadline() = rpc::ToProto(*deadline);
  }
}

v1::Offer OfferToProto(const core::Offer& offer) {
  v1::Offer out;
  out.set_seat(offer.seat);
  out.set_kind(static_cast<v1::OfferKind>(offer.kind));
  out.set_points(offer.points);
  for (int seat = 0; seat < 8; ++seat) {
    if ((offer.accepted >> seat & 1) != 0) out.add_accepted_seats(seat);
  }
  return out;
}

template <typename Effects>
void AddEffects(const std::vector<host::Effect>& effects, Effects* out) {
  for (const host::Effect& effect : effects) *out->Add() = rpc::ToProto(effect);
}

void FillThrow(const core::EventView& event, v1::ThrowMade& out) {
  const int kind = host::ChanceKind(event.record.number);
  const auto& kinds = event.ruleset->about().throw_kinds;
  if (kind >= 0 && static_cast<size_t>(kind) < kinds.size()) {
    out.set_throw_kind(kinds[static_cast<size_t>(kind)].name);
  }
  out.set_outcome(static_cast<uint32_t>(host::ChanceOutcome(event.record.number)));
  out.set_notation(event.notation);
  AddEffects(event.effects, out.mutable_effects());
}

void FillDetail(const storage::EventRecord& record, v1::ActionTaken& out) {
  const core::ActionDetail detail = core::DecodeAction(record).value_or(core::ActionDetail());
  out.set_keeps_turn(detail.keeps_turn);
  out.set_lag_credit_us(detail.lag_us);
}

void FillFinished(const core::EventView& event, v1::GameFinished& out) {
  out.set_ending(ToProto(static_cast<storage::Ending>(event.record.number)));
  // One place and points for each seat stand before the secret.
  const size_t seats = (event.record.detail.size() - 32) / (4 + 8);
  const absl::StatusOr<core::Finish> finish = core::DecodeFinish(event.record, seats);
  if (!finish.ok()) return;
  for (const storage::SeatRecord& seat : finish->seats) *out.add_seats() = SeatToProto(seat, {});
  out.set_fairness_secret(Bytes(finish->secret));
}

void FillOption(const host::Ruleset& ruleset, size_t index, v1::RulesetOption& out) {
  const host::Option& option = ruleset.about().options[index];
  out.set_name(option.name);
  out.set_description(option.description);
  for (const std::string& choice : option.choices) out.add_choices(choice);
  if (!option.is_choice) {
    out.set_minimum(option.minimum);
    out.set_maximum(option.maximum);
  }
  out.set_default_value(ruleset.OptionText(index, option.default_value));
  out.set_keeps_balance(option.keeps_balance);
  out.set_is_seats(option.is_seats);
}

void FillPreset(const host::Ruleset& ruleset, const host::Preset& preset, v1::RulesetPreset& out) {
  out.set_name(preset.name);
  out.set_description(preset.description);
  const auto& options = ruleset.about().options;
  for (size_t i = 0; i < options.size(); ++i) {
    if (preset.values[i] == options[i].default_value) continue;
    (*out.mutable_options())[options[i].name] = ruleset.OptionText(i, preset.values[i]);
  }
}

void FillThrowKind(const host::ThrowKind& kind, v1::ThrowKind& out) {
  out.set_name(kind.name);
  out.set_description(kind.description);
  for (size_t i = 0; i < kind.weights.size(); ++i) {
    v1::ThrowOutcome& outcome = *out.add_outcomes();
    outcome.set_label(kind.labels[i]);
    outcome.set_weight(kind.weights[i]);
  }
}

absl::Status FillLists(const host::Ruleset& ruleset, const host::Position& position,
                       v1::Position& out) {
  const auto pieces = ruleset.Pieces(position);
  if (!pieces.ok()) return pieces.status();
  for (const host::Piece& piece : *pieces) {
    v1::PieceGroup& group = *out.add_pieces();
    group.set_place(piece.place);
    group.set_seat(piece.seat);
    group.set_kind(piece.kind);
    group.set_count(piece.count);
  }
  const auto throws = ruleset.Throws(position);
  if (!throws.ok()) return throws.status();
  for (const host::Throw& thrown : *throws) {
    v1::Throw& entry = *out.add_throws();
    entry.set_seat(thrown.seat);
    entry.set_value(thrown.value);
    entry.set_used(thrown.used);
  }
  const auto counters = ruleset.Counters(position);
  if (!counters.ok()) return counters.status();
  for (const host::Counter& counter : *counters) {
    v1::Counter& entry = *out.add_counters();
    entry.set_name(counter.name);
    entry.set_seat(counter.seat);
    entry.set_value(counter.value);
  }
  return absl::OkStatus();
}

}  // namespace

google::protobuf::Timestamp ToProto(base::Instant instant) {
  google::protobuf::Timestamp out;
  out.set_seconds(instant.micros / 1'000'000);
  out.set_nanos(static_cast<int32_t>(instant.micros % 1'000'000 * 1000));
  return out;
}

v1::Effect ToProto(const host::Effect& effect) {
  v1::Effect out;
  out.set_kind(static_cast<v1::Effect::Kind>(effect.kind));
  out.set_seat(effect.seat);
  out.set_piece(effect.piece);
  out.set_from(effect.from);
  out.set_to(effect.to);
  out.set_amount(effect.amount);
  return out;
}

v1::Player ToProto(const storage::PlayerRecord& player) {
  v1::Player out;
  out.set_player_id(player.id.ToText());
  out.set_name(player.name);
  out.set_bot(player.bot);
  *out.mutable_create_time() = ToProto(player.created_at);
  out.set_etag(std::to_string(player.version));
  return out;
}

v1::ApiKey ToProto(const storage::KeyRecord& key) {
  v1::ApiKey out;
  out.set_key_id(key.id.ToText());
  out.set_label(key.label);
  *out.mutable_create_time() = ToProto(key.created_at);
  if (key.expires_at) *out.mutable_expire_time() = ToProto(*key.expires_at);
  if (key.revoked_at) *out.mutable_revoke_time() = ToProto(*key.revoked_at);
  for (const core::ScopeName& name : core::kScopeNames) {
    if (!core::Scopes(key.scopes).Has(name.scope)) continue;
    out.add_scopes(static_cast<v1::KeyScope>(static_cast<int>(name.scope) + 1));
  }
  return out;
}

v1::Place ToProto(const host::Place& place) {
  v1::Place out;
  out.set_id(place.id);
  out.set_x(place.x);
  out.set_y(place.y);
  out.set_width(place.width);
  out.set_height(place.height);
  out.set_shape(static_cast<v1::Place::Shape>(place.shape));
  for (const auto& [bit, name] : kMarks) {
    if ((place.marks & bit) != 0) out.add_marks(name);
  }
  out.set_seat(place.seat);
  out.set_label(place.label);
  return out;
}

v1::Event ToProto(const core::EventView& event) {
  const storage::EventRecord& record = event.record;
  v1::Event out;
  out.set_sequence(record.sequence);
  *out.mutable_event_time() = ToProto(record.at);
  out.set_position_hash(Bytes(record.position_hash));
  out.set_log_hash(Bytes(record.chain_hash));
  if (!event.clocks.seats.empty()) *out.mutable_clocks() = ClocksToProto(event.clocks);
  switch (record.kind) {
    case EventKind::kCreated: {
      const absl::StatusOr<storage::GameFacts> facts = core::DecodeCreated(record);
      if (facts.ok()) out.mutable_created()->set_player_id(facts->created_by.ToText());
      out.mutable_created()->set_position(event.position_text);
      break;
    }
    case EventKind::kSeated: {
      const absl::StatusOr<base::PlayerId> player = core::DecodePlayer(record);
      if (player.ok()) out.mutable_seated()->set_player_id(player->ToText());
      out.mutable_seated()->set_seat(record.seat);
      break;
    }
    case EventKind::kStarted:
      out.mutable_started();
      break;
    case EventKind::kThrow:
      FillThrow(event, *out.mutable_throw_());
      break;
    case EventKind::kAction:
      out.mutable_action()->set_seat(record.seat);
      out.mutable_action()->mutable_action()->set_action(record.number);
      out.mutable_action()->mutable_action()->set_notation(event.notation);
      AddEffects(event.effects, out.mutable_action()->mutable_action()->mutable_effects());
      FillDetail(record, *out.mutable_action());
      break;
    case EventKind::kResigned:
      out.mutable_resigned()->set_seat(record.seat);
      out.mutable_resigned()->set_points(record.number);
      break;
    case EventKind::kFinished:
      FillFinished(event, *out.mutable_finished());
      break;
    case EventKind::kBuild:
      out.mutable_build_changed()->set_build_sha256(base::Hex(record.detail));
      break;
    case EventKind::kLeft:
      out.mutable_left()->set_seat(record.seat);
      break;
    case EventKind::kOffered:
      *out.mutable_offered()->mutable_offer() =
          OfferToProto({record.seat, core::OfferKindOf(record), core::OfferPointsOf(record), 0});
      break;
    case EventKind::kAnswered:
      out.mutable_answered()->set_seat(record.seat);
      out.mutable_answered()->set_accepted(record.number == 1);
      break;
    case EventKind::kUndone:
      out.mutable_undone()->set_seat(record.seat);
      out.mutable_undone()->set_count(static_cast<int32_t>(record.number));
      break;
    case EventKind::kTurnEnded:
      out.mutable_turn_ended()->set_seat(record.seat);
      break;
    case EventKind::kTimedOut:
      out.mutable_timed_out()->set_seat(record.seat);
      out.mutable_timed_out()->set_points(record.number);
      break;
    case EventKind::kCredited:
      out.mutable_time_credited()->set_seat(record.seat);
      out.mutable_time_credited()->set_credit_us(record.number);
      break;
    case EventKind::kInvited:
      out.mutable_contributions_invited();
      break;
    case EventKind::kPledged:
      out.mutable_contribution_pledged()->set_seat(record.seat);
      out.mutable_contribution_pledged()->set_contribution_sha256(record.detail);
      break;
    case EventKind::kPledgesClosed:
      out.mutable_pledges_closed();
      break;
    case EventKind::kContributed:
      out.mutable_contribution_given()->set_seat(record.seat);
      out.mutable_contribution_given()->set_contribution(record.detail);
      break;
  }
  return out;
}

v1::Ruleset ToProto(const std::vector<std::shared_ptr<const host::Ruleset>>& builds) {
  const host::Ruleset& ruleset = *builds.front();
  const host::About& about = ruleset.about();
  v1::Ruleset out;
  out.set_ruleset_id(about.id);
  out.set_name(about.name);
  out.set_summary(about.summary);
  out.set_notation(about.notation);
  out.set_rules_version(about.rules_version);
  for (const auto& build : builds) out.add_builds()->set_sha256(build->build().sha256);
  out.set_min_seats(static_cast<uint32_t>(about.min_seats));
  out.set_max_seats(static_cast<uint32_t>(about.max_seats));
  for (const std::string& name : about.seat_names) out.add_seat_names(name);
  for (size_t i = 0; i < about.options.size(); ++i) FillOption(ruleset, i, *out.add_options());
  for (const host::Preset& preset : about.presets) FillPreset(ruleset, preset, *out.add_presets());
  for (const host::ThrowKind& kind : about.throw_kinds) FillThrowKind(kind, *out.add_throw_kinds());
  for (const std::string& name : about.piece_kinds) out.add_piece_kinds(name);
  out.set_has_draws(about.has_draws);
  out.set_winner_starts(about.winner_starts);
  out.set_has_leave(about.has_leave);
  return out;
}

v1::Game ToProto(const core::GameState& state, const Names& names) {
  const storage::GameFacts& facts = *state.facts;
  const host::About& about = state.ruleset->about();
  v1::Game out;
  out.set_game_id(facts.id.ToText());
  out.set_ruleset_id(facts.ruleset);
  out.set_rules_version(facts.rules_version);
  out.set_build_sha256(facts.build);
  for (size_t i = 0; i < facts.options.size() && i < about.options.size(); ++i) {
    (*out.mutable_options())[about.options[i].name] =
        state.ruleset->OptionText(i, facts.options[i]);
  }
  for (const storage::SeatRecord& seat : state.seats) {
    v1::Seat& entry = *out.add_seats();
    entry = SeatToProto(seat, names);
    entry.set_name(about.seat_names[static_cast<size_t>(seat.seat)]);
    entry.set_gone(!state.IsIn(seat.seat));
  }
  out.set_status(ToProto(state.status));
  out.set_ending(ToProto(state.ending));
  out.set_sequence(state.sequence);
  if (state.Actor() >= 0) out.add_seats_to_act(state.Actor());
  *out.mutable_create_time() = ToProto(facts.created_at);
  *out.mutable_update_time() = ToProto(state.updated_at);
  out.set_creator_player_id(facts.created_by.ToText());
  out.set_fairness_commitment(Bytes(facts.commitment));
  out.set_log_hash(Bytes(state.chain_hash));
  out.set_visibility(static_cast<v1::GameVisibility>(facts.terms.visibility));
  out.set_rated(facts.terms.rated);
  const core::Proceedings& proceedings = state.proceedings;
  if (facts.terms.clock.kind != storage::ClockKind::kNone) {
    *out.mutable_clock_policy() = ToProto(facts.terms.clock);
    *out.mutable_clocks() =
        ClocksToProto(core::FaceOf(facts.terms.clock, proceedings.clock, state.updated_at));
  }
  FillContributions(state, out);
  if (proceedings.offer) *out.mutable_offer() = OfferToProto(*proceedings.offer);
  out.set_undoable_actions(static_cast<int32_t>(proceedings.turn.actions.size()));
  out.set_turn_kept_open(proceedings.turn.kept_by >= 0);
  if (!facts.terms.match.is_nil()) out.set_match_id(facts.terms.match.ToText());
  out.set_match_game(facts.terms.match_game);
  for (const int64_t reserve : facts.terms.reserves_ms) out.add_starting_reserves_ms(reserve);
  return out;
}

v1::Game ToProto(const storage::GameSummary& summary, const Names& names) {
  v1::Game out;
  out.set_game_id(summary.id.ToText());
  out.set_ruleset_id(summary.ruleset);
  out.set_rules_version(summary.rules_version);
  out.set_status(ToProto(summary.status));
  out.set_ending(ToProto(summary.ending));
  out.set_sequence(summary.sequence);
  *out.mutable_create_time() = ToProto(summary.created_at);
  *out.mutable_update_time() = ToProto(summary.updated_at);
  if (summary.status == storage::GameStatus::kRunning && summary.actor >= 0) {
    out.add_seats_to_act(summary.actor);
  }
  for (const storage::SeatRecord& seat : summary.seats) {
    *out.add_seats() = SeatToProto(seat, names);
  }
  return out;
}

v1::Game ToProto(const core::GameAffair& affair, const Names& names) {
  v1::Game out = ToProto(affair.game, names);
  out.set_visibility(static_cast<v1::GameVisibility>(affair.terms.visibility));
  out.set_rated(affair.terms.rated);
  if (!affair.terms.match.is_nil()) out.set_match_id(affair.terms.match.ToText());
  out.set_match_game(affair.terms.match_game);
  if (affair.terms.clock.kind != storage::ClockKind::kNone) {
    *out.mutable_clock_policy() = ToProto(affair.terms.clock);
  }
  if (affair.IsOver()) return out;
  if (affair.offer) *out.mutable_offer() = OfferToProto(*affair.offer);
  if (affair.turn_ends) {
    out.mutable_clocks()->set_running_seat(affair.game.actor);
    *out.mutable_clocks()->mutable_deadline() = ToProto(*affair.turn_ends);
  }
  return out;
}

void FillBasic(const host::Ruleset& ruleset, const host::Position& position, v1::Position& out) {
  out.set_data(std::string(position.bytes()));
  out.set_actor(ruleset.Actor(position));
}

absl::Status Fill(const host::Ruleset& ruleset, const host::Position& position, v1::Position& out) {
  FillBasic(ruleset, position, out);
  absl::StatusOr<std::string> text = ruleset.FormatPosition(position);
  if (!text.ok()) return text.status();
  out.set_text(*std::move(text));
  absl::StatusOr<std::string> board = ruleset.Text(position);
  if (!board.ok()) return board.status();
  out.set_board(*std::move(board));
  return FillLists(ruleset, position, out);
}

absl::Status Fill(const host::Ruleset& ruleset, const host::Position& position, int actor,
                  int64_t action, bool legal, v1::Action& out) {
  out.set_action(action);
  absl::StatusOr<std::string> notation = ruleset.Format(position, actor, action);
  if (!notation.ok()) return notation.status();
  out.set_notation(*std::move(notation));
  if (!legal) return absl::OkStatus();
  const absl::StatusOr<std::vector<host::Effect>> effects =
      ruleset.Effects(position, actor, action);
  if (!effects.ok()) return effects.status();
  AddEffects(*effects, out.mutable_effects());
  return absl::OkStatus();
}

}  // namespace astragal::rpc
