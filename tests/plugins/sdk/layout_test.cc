// The layout of every struct of the ABI and the value of every constant as text: a change of this
// golden is a change of the ABI.
#include <astragal/ruleset.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "tests/support/golden.h"

extern "C" uint32_t ruleset_struct_size(void);

namespace {

class Layout {
 public:
  void Struct(const char* name, size_t size) { Line("%-24s size   %4zu\n", name, size); }
  void Field(const char* name, size_t offset) { Line("  %-22s offset %4zu\n", name, offset); }
  const std::string& text() const { return text_; }

 private:
  void Line(const char* format, const char* name, size_t number) {
    char line[96];
    std::snprintf(line, sizeof(line), format, name, number);
    text_ += line;
  }
  std::string text_;
};

#define STRUCT(name) layout.Struct(#name, sizeof(name))
#define FIELD(name, field) layout.Field(#field, offsetof(name, field))

std::string Describe() {
  Layout layout;
  STRUCT(astragal_error);
  FIELD(astragal_error, struct_size);
  FIELD(astragal_error, field);
  FIELD(astragal_error, message);
  STRUCT(astragal_option);
  FIELD(astragal_option, struct_size);
  FIELD(astragal_option, kind);
  FIELD(astragal_option, flags);
  FIELD(astragal_option, choice_count);
  FIELD(astragal_option, name);
  FIELD(astragal_option, description);
  FIELD(astragal_option, choices);
  FIELD(astragal_option, minimum);
  FIELD(astragal_option, maximum);
  FIELD(astragal_option, default_value);
  STRUCT(astragal_setting);
  FIELD(astragal_setting, option);
  FIELD(astragal_setting, reserved);
  FIELD(astragal_setting, value);
  STRUCT(astragal_preset);
  FIELD(astragal_preset, struct_size);
  FIELD(astragal_preset, setting_count);
  FIELD(astragal_preset, name);
  FIELD(astragal_preset, description);
  FIELD(astragal_preset, settings);
  STRUCT(astragal_throw_kind);
  FIELD(astragal_throw_kind, struct_size);
  FIELD(astragal_throw_kind, outcome_count);
  FIELD(astragal_throw_kind, name);
  FIELD(astragal_throw_kind, description);
  FIELD(astragal_throw_kind, weights);
  FIELD(astragal_throw_kind, labels);
  STRUCT(astragal_about);
  FIELD(astragal_about, struct_size);
  FIELD(astragal_about, rules_version);
  FIELD(astragal_about, flags);
  FIELD(astragal_about, position_size);
  FIELD(astragal_about, id);
  FIELD(astragal_about, name);
  FIELD(astragal_about, summary);
  FIELD(astragal_about, notation);
  FIELD(astragal_about, min_seats);
  FIELD(astragal_about, max_seats);
  FIELD(astragal_about, seat_names);
  FIELD(astragal_about, option_count);
  FIELD(astragal_about, preset_count);
  FIELD(astragal_about, throw_kind_count);
  FIELD(astragal_about, piece_kind_count);
  FIELD(astragal_about, options);
  FIELD(astragal_about, presets);
  FIELD(astragal_about, throw_kinds);
  FIELD(astragal_about, piece_kinds);
  FIELD(astragal_about, max_actions);
  FIELD(astragal_about, max_effects);
  FIELD(astragal_about, max_places);
  FIELD(astragal_about, max_pieces);
  FIELD(astragal_about, max_throws);
  FIELD(astragal_about, max_counters);
  FIELD(astragal_about, max_game_actions);
  FIELD(astragal_about, first_player_option);
  FIELD(astragal_about, reserved);
  FIELD(astragal_about, first_player_values);
  STRUCT(astragal_effect);
  FIELD(astragal_effect, struct_size);
  FIELD(astragal_effect, kind);
  FIELD(astragal_effect, seat);
  FIELD(astragal_effect, piece);
  FIELD(astragal_effect, from);
  FIELD(astragal_effect, to);
  FIELD(astragal_effect, amount);
  STRUCT(astragal_seat_result);
  FIELD(astragal_seat_result, struct_size);
  FIELD(astragal_seat_result, place);
  FIELD(astragal_seat_result, points);
  STRUCT(astragal_concession);
  FIELD(astragal_concession, struct_size);
  FIELD(astragal_concession, reserved);
  FIELD(astragal_concession, fewest);
  FIELD(astragal_concession, most);
  STRUCT(astragal_place);
  FIELD(astragal_place, struct_size);
  FIELD(astragal_place, id);
  FIELD(astragal_place, x);
  FIELD(astragal_place, y);
  FIELD(astragal_place, width);
  FIELD(astragal_place, height);
  FIELD(astragal_place, shape);
  FIELD(astragal_place, marks);
  FIELD(astragal_place, seat);
  FIELD(astragal_place, reserved);
  FIELD(astragal_place, label);
  STRUCT(astragal_piece);
  FIELD(astragal_piece, struct_size);
  FIELD(astragal_piece, place);
  FIELD(astragal_piece, seat);
  FIELD(astragal_piece, kind);
  FIELD(astragal_piece, count);
  FIELD(astragal_piece, reserved);
  STRUCT(astragal_throw);
  FIELD(astragal_throw, struct_size);
  FIELD(astragal_throw, seat);
  FIELD(astragal_throw, value);
  FIELD(astragal_throw, used);
  FIELD(astragal_throw, reserved);
  STRUCT(astragal_counter);
  FIELD(astragal_counter, struct_size);
  FIELD(astragal_counter, seat);
  FIELD(astragal_counter, value);
  FIELD(astragal_counter, name);
  STRUCT(astragal_ruleset);
  FIELD(astragal_ruleset, struct_size);
  FIELD(astragal_ruleset, abi_major);
  FIELD(astragal_ruleset, abi_minor);
  FIELD(astragal_ruleset, reserved);
  FIELD(astragal_ruleset, about);
  FIELD(astragal_ruleset, start);
  FIELD(astragal_ruleset, check);
  FIELD(astragal_ruleset, actor);
  FIELD(astragal_ruleset, seats);
  FIELD(astragal_ruleset, options);
  FIELD(astragal_ruleset, actions);
  FIELD(astragal_ruleset, chances);
  FIELD(astragal_ruleset, apply);
  FIELD(astragal_ruleset, leave);
  FIELD(astragal_ruleset, result);
  FIELD(astragal_ruleset, format);
  FIELD(astragal_ruleset, parse);
  FIELD(astragal_ruleset, format_position);
  FIELD(astragal_ruleset, parse_position);
  FIELD(astragal_ruleset, effects);
  FIELD(astragal_ruleset, concession);
  FIELD(astragal_ruleset, places);
  FIELD(astragal_ruleset, pieces);
  FIELD(astragal_ruleset, throws);
  FIELD(astragal_ruleset, counters);
  FIELD(astragal_ruleset, text);
  FIELD(astragal_ruleset, evaluate);
  FIELD(astragal_ruleset, extension);
  STRUCT(astragal_mirror);
  FIELD(astragal_mirror, struct_size);
  FIELD(astragal_mirror, reserved);
  FIELD(astragal_mirror, position);
  FIELD(astragal_mirror, seat);
  FIELD(astragal_mirror, action);
  return layout.text();
}

struct Constant {
  const char* name;
  int64_t value;
};
#define CONSTANT(name) \
  Constant { #name, ASTRAGAL_##name }

// In the order of the header.
constexpr Constant kConstants[] = {
    CONSTANT(ABI_MAJOR),
    CONSTANT(ABI_MINOR),
    CONSTANT(MAX_POSITION_BYTES),
    CONSTANT(MAX_SEATS),
    CONSTANT(MAX_ACTIONS),
    CONSTANT(MAX_EFFECTS),
    CONSTANT(MAX_PLACES),
    CONSTANT(MAX_PIECES),
    CONSTANT(MAX_THROWS),
    CONSTANT(MAX_COUNTERS),
    CONSTANT(MAX_OPTIONS),
    CONSTANT(MAX_CHOICES),
    CONSTANT(MAX_PRESETS),
    CONSTANT(MAX_THROW_KINDS),
    CONSTANT(MAX_OUTCOMES),
    CONSTANT(MAX_TOTAL_WEIGHT),
    CONSTANT(MAX_NAME_BYTES),
    CONSTANT(MAX_SENTENCE_BYTES),
    CONSTANT(MAX_TEXT_BYTES),
    CONSTANT(CHANCE),
    CONSTANT(OVER),
    CONSTANT(OK),
    CONSTANT(REFUSED),
    CONSTANT(UNSUPPORTED),
    CONSTANT(FAULT),
    CONSTANT(OPTION_CHOICE),
    CONSTANT(OPTION_INTEGER),
    CONSTANT(OPTION_KEEPS_BALANCE),
    CONSTANT(OPTION_SEATS),
    CONSTANT(RULESET_HAS_LEAVE),
    CONSTANT(RULESET_HAS_DRAWS),
    CONSTANT(RULESET_WINNER_STARTS),
    CONSTANT(EFFECT_MOVE),
    CONSTANT(EFFECT_ENTER),
    CONSTANT(EFFECT_CAPTURE),
    CONSTANT(EFFECT_BEAR_OFF),
    CONSTANT(EFFECT_THROW),
    CONSTANT(EFFECT_DISCARD),
    CONSTANT(EFFECT_PASS),
    CONSTANT(EFFECT_EXTRA_THROW),
    CONSTANT(EFFECT_PAY),
    CONSTANT(EFFECT_TAKE),
    CONSTANT(EFFECT_FINISH),
    CONSTANT(EFFECT_TURN),
    CONSTANT(EFFECT_STOP),
    CONSTANT(SHAPE_SQUARE),
    CONSTANT(SHAPE_TRIANGLE_UP),
    CONSTANT(SHAPE_TRIANGLE_DOWN),
    CONSTANT(SHAPE_CIRCLE),
    CONSTANT(SHAPE_TRAY),
    CONSTANT(MARK_START),
    CONSTANT(MARK_SAFE),
    CONSTANT(MARK_PENALTY),
    CONSTANT(MARK_EXTRA),
    CONSTANT(MARK_CENTRE),
    CONSTANT(MARK_HOME),
    CONSTANT(MARK_DARK),
};

std::string DescribeConstants() {
  std::string text;
  for (const Constant& constant : kConstants) {
    char line[96];
    std::snprintf(line, sizeof(line), "%-24s value  %4lld\n", constant.name,
                  static_cast<long long>(constant.value));
    text += line;
  }
  return text;
}

TEST(AbiLayout, IsTheGolden) {
  astragal::tests::ExpectGolden(Describe() + DescribeConstants(),
                                "tests/plugins/sdk/data/layout.txt");
}

TEST(AbiLayout, IsTheSameInC) { EXPECT_EQ(ruleset_struct_size(), sizeof(astragal_ruleset)); }

}  // namespace
