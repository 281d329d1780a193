// What Long Narde says about itself: constant data.
#include <astragal/about.hpp>

#include "plugins/long_narde/position.h"

namespace astragal::long_narde {
namespace {

constexpr const char* kHeadFirstTurnNames[] = {"any_roll", "doubles_346", "doubles_46",
                                               "any_double", "none"};
constexpr const char* kPrimeRuleNames[] = {"opponent_ahead", "opponent_home", "never", "none"};
constexpr const char* kPrimeCheckNames[] = {"each_step", "turn_end"};
constexpr const char* kScoringNames[] = {"mars", "mars_koks", "win_only"};
constexpr const char* kLastRollNames[] = {"off", "second_player"};
constexpr const char* kFirstPlayerNames[] = {"roll_off", "white", "black"};

constexpr astragal_setting kFederation[] = {sdk::Setting(kHeadFirstTurn, kDoubles346),
                                            sdk::Setting(kLastRoll, kSecondPlayer)};
constexpr astragal_setting kAzerbaijani[] = {sdk::Setting(kHeadFirstTurn, kDoubles46)};
constexpr astragal_setting kThreePoints[] = {sdk::Setting(kScoring, kMarsKoks)};

constexpr astragal_preset kPresets[] = {
    sdk::Standard("The rules as the game is told: two from the head on any first roll."),
    sdk::Preset("federation",
                "Tournament rules: two from the head on 3-3, 4-4 and 6-6 only, and a last roll for "
                "the second player.",
                kFederation),
    sdk::Preset("azerbaijani", "Two from the head on 4-4 and 6-6 only.", kAzerbaijani),
    sdk::Preset("three_points", "A win can count 1, 2 (mars) or 3 (koks).", kThreePoints),
};

// White's die, then Black's; equal dice are thrown again.
constexpr const char* kOpeningLabels[] = {
    "1-1", "1-2", "1-3", "1-4", "1-5", "1-6", "2-1", "2-2", "2-3", "2-4", "2-5", "2-6",
    "3-1", "3-2", "3-3", "3-4", "3-5", "3-6", "4-1", "4-2", "4-3", "4-4", "4-5", "4-6",
    "5-1", "5-2", "5-3", "5-4", "5-5", "5-6", "6-1", "6-2", "6-3", "6-4", "6-5", "6-6"};
constexpr uint32_t kOpeningWeights[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
constexpr const char* kRollLabels[] = {"1-1", "2-1", "2-2", "3-1", "3-2", "3-3", "4-1",
                                       "4-2", "4-3", "4-4", "5-1", "5-2", "5-3", "5-4",
                                       "5-5", "6-1", "6-2", "6-3", "6-4", "6-5", "6-6"};
constexpr uint32_t kRollWeights[] = {1, 2, 1, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 1};

constexpr astragal_throw_kind kThrowKinds[] = {
    sdk::ThrowKind("opening",
                   "One die a side, White's first: the higher one begins, equal dice are thrown "
                   "again.",
                   kOpeningWeights, kOpeningLabels),
    sdk::ThrowKind("roll", "Two dice, the higher one first.", kRollWeights, kRollLabels),
};

constexpr const char* kPieceKinds[] = {"checker"};
constexpr int64_t kFirstPlayerValues[] = {kWhiteBegins, kBlackBegins};

}  // namespace

const astragal_option kOptions[kOptionCount] = {
    sdk::Choice("head_first_turn",
                "The rolls of a side's first turn on which two checkers may leave the head.",
                kHeadFirstTurnNames),
    sdk::Choice("prime_rule",
                "When six points in a row may be held: with an enemy checker past them, with one "
                "in its home, never, or always.",
                kPrimeRuleNames),
    sdk::Choice("prime_check", "Whether six in a row are judged after each step or after the turn.",
                kPrimeCheckNames),
    sdk::Choice("scoring", "What a win counts: 1 or 2 (mars), up to 3 (koks), or always 1.",
                kScoringNames, 0, ASTRAGAL_OPTION_KEEPS_BALANCE),
    sdk::Choice("last_roll",
                "Whether the second player with one checker left gets a last turn when the first "
                "one finishes; both finishing is a draw.",
                kLastRollNames, 0, ASTRAGAL_OPTION_KEEPS_BALANCE),
    sdk::Choice("first_player", "Who begins: the higher die, White or Black.", kFirstPlayerNames, 0,
                ASTRAGAL_OPTION_KEEPS_BALANCE),
};

bool AllowsTwoFromHead(uint8_t head_first_turn, int high, int low) {
  if (head_first_turn == kAnyRoll) return true;
  // Bit d: the double d-d, by option value.
  constexpr uint8_t kDoubles[] = {0, 1 << 3 | 1 << 4 | 1 << 6, 1 << 4 | 1 << 6, 0x7E, 0};
  return high == low && (kDoubles[head_first_turn] >> high & 1) != 0;
}

astragal_about Position::About() {
  astragal_about about{};
  about.rules_version = 1;
  about.flags = ASTRAGAL_RULESET_HAS_DRAWS | ASTRAGAL_RULESET_WINNER_STARTS;
  about.id = "long_narde";
  about.name = "Long Narde";
  about.summary =
      "Two players run fifteen checkers each around twenty-four points and bear them off. Nothing "
      "is "
      "ever hit: a single checker closes its point.";
  about.notation =
      "One step of one checker: from and to in your own numbers, 24 the head, 6 to 1 the home, for "
      "example '24/18'. Bearing off is '6/off'; if two dice could do it, 'off' means the smaller "
      "one and '4/off:6' names the die.";
  about.min_seats = about.max_seats = 2;
  about.seat_names = kSeatNames;
  sdk::SetList(about.options, about.option_count, kOptions);
  sdk::SetList(about.presets, about.preset_count, kPresets);
  sdk::SetList(about.throw_kinds, about.throw_kind_count, kThrowKinds);
  sdk::SetList(about.piece_kinds, about.piece_kind_count, kPieceKinds);
  about.max_actions = 2 * kCheckers;
  about.max_effects = 8;
  about.max_places = kPoints + 2;
  about.max_pieces = 2 * kCheckers;
  about.max_throws = 4;
  about.max_counters = 4;
  about.max_game_actions = 20000;
  about.first_player_option = kFirstPlayer;
  about.first_player_values = kFirstPlayerValues;
  return about;
}

}  // namespace astragal::long_narde
