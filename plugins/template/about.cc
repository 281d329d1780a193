// What the ruleset says about itself: constant data that lives for ever.
#include "sprint.h"

// Raise this when any rule, action number or byte of the position changes its meaning: games of the
// old version go on with the old library.
#ifndef SPRINT_RULES_VERSION
#define SPRINT_RULES_VERSION 1
#endif

namespace sprint {
namespace {

constexpr astragal_option kOptions[] = {
    sdk::Integer("length", "Squares of the track.", kMinLength, kMaxLength, kUsualLength),
    sdk::Choice("finish", "Whether a runner needs an exact throw to come home.", kFinishNames),
    sdk::Choice("first", "Who begins.", kSeatNames, 0, ASTRAGAL_OPTION_KEEPS_BALANCE),
};
constexpr int64_t kFirstValues[] = {0, 1};
constexpr astragal_setting kLong[] = {sdk::Setting(kLengthOption, kMaxLength),
                                      sdk::Setting(kFinishOption, 1)};
constexpr astragal_preset kPresets[] = {
    sdk::Standard("Twelve squares, any throw that is high enough comes home."),
    sdk::Preset("long", "Twenty squares, home by an exact throw only.", kLong)};
constexpr uint32_t kWeights[] = {1, 1, 1, 1, 1, 1};
constexpr const char* kLabels[] = {"1", "2", "3", "4", "5", "6"};
constexpr astragal_throw_kind kThrows[] = {
    sdk::ThrowKind("die", "One six-sided die.", kWeights, kLabels)};
constexpr const char* kPieceKinds[] = {"runner"};

}  // namespace

astragal_about Sprint::About() {
  astragal_about about{};
  about.rules_version = SPRINT_RULES_VERSION;
  about.flags = ASTRAGAL_RULESET_WINNER_STARTS;
  about.id = "sprint";
  about.name = "Sprint";
  about.summary = "Two runners each, one die, one short track: who lands on you sends you back.";
  about.notation =
      "From and to: 3-7 runs from square 3 to 7, start-4 enters on 4, 12-home comes home.";
  about.min_seats = about.max_seats = kSeats;
  about.seat_names = kSeatNames;
  sdk::SetList(about.options, about.option_count, kOptions);
  sdk::SetList(about.presets, about.preset_count, kPresets);
  sdk::SetList(about.throw_kinds, about.throw_kind_count, kThrows);
  sdk::SetList(about.piece_kinds, about.piece_kind_count, kPieceKinds);
  about.max_actions = kRunners;
  about.max_effects = 4;
  about.max_places = kMaxLength + 2 * kSeats;
  about.max_pieces = kSeats * kRunners;
  about.max_throws = 1;
  about.max_counters = kSeats;
  about.max_game_actions = 20'000;
  about.first_player_option = kFirstOption;
  about.first_player_values = kFirstValues;
  return about;
}

}  // namespace sprint

ASTRAGAL_RULESET(sprint::Sprint);
