// Every value of every option, by name; the presets; what the two first throws decide.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/plugins/patolli/example.h"

namespace astragal::patolli_test {
namespace {

const Example kExamples[] = {
    // start_square
    {"start_square_central",
     "red throws",
     1,
     {"in/+1", "in/-1"},
     "in/+1",
     {"enter red hand>1", "turn green"},
     {0, 0, 0}},
    {"start_square_central_green",
     "green throws",
     1,
     {"in/+1", "in/-1"},
     "in/-1",
     {"enter green hand>29", "turn red"},
     {0, 0, 0}},
    {"start_square_arm_inner",
     "red throws; start_square=arm_inner",
     1,
     {"in/+1", "in/-1"},
     "in/+1",
     {"enter red hand>2", "turn green"},
     {0, 0, 0}},
    {"start_square_arm_inner_clockwise",
     "red throws; start_square=arm_inner",
     1,
     {"in/+1", "in/-1"},
     "in/-1",
     {"enter red hand>0", "turn green"},
     {0, 0, 0}},
    {"start_square_arm_inner_green",
     "green throws; start_square=arm_inner",
     2,
     {"in/+2", "in/-2"},
     "in/-2",
     {"enter green hand>29", "turn red"},
     {0, 0, 0}},
    {"start_square_arm_inner_last_is_blocked_in_the_middle",
     "red throws; red anticlockwise on 57 off 5; green anticlockwise on 29; "
     "start_square=arm_inner",
     2,
     {},
     "",
     {"throw red 2", "pay red 1 pot", "pass red", "turn green"},
     {-1, 0, 1}},
    {"start_square_arm_inner_entry_attacks",
     "red throws; red clockwise on -; green anticlockwise on 29; start_square=arm_inner",
     1,
     {"in/-1*"},
     "in",
     {"enter red hand>0", "capture green 0>hand", "pay green 1 pot", "turn green"},
     {0, -1, 1}},
    // entry_when_empty
    {"entry_when_empty_any_score",
     "red throws; red clockwise on -",
     3,
     {"in/-3"},
     "in",
     {"enter red hand>57", "turn green"},
     {0, 0, 0}},
    {"entry_when_empty_one_only_first",
     "red throws; entry_when_empty=one_only",
     3,
     {"in/+3", "in/-3"},
     "in/+3",
     {"enter red hand>3", "turn green"},
     {0, 0, 0}},
    {"entry_when_empty_one_only_later",
     "red throws; red clockwise on -; entry_when_empty=one_only",
     3,
     {},
     "",
     {"throw red 3", "pay red 1 pot", "pass red", "turn green"},
     {-1, 0, 1}},
    {"entry_when_empty_one_only_with_one",
     "red throws; red clockwise on -; entry_when_empty=one_only",
     1,
     {"in/-1"},
     "in",
     {"enter red hand>59", "turn green"},
     {0, 0, 0}},
    // middle_attack
    {"middle_attack_on",
     "red throws; red anticlockwise on 12; green anticlockwise on 45",
     3,
     {"12/15*"},
     "12",
     {"move red 12>15", "capture green 15>hand", "pay green 1 pot", "turn green"},
     {0, -1, 1}},
    {"middle_attack_off",
     "red throws; red anticlockwise on 12; green anticlockwise on 45; middle_attack=off",
     3,
     {},
     "",
     {"throw red 3", "pay red 1 pot", "pass red", "turn green"},
     {-1, 0, 1}},
    // attack_payee
    {"attack_payee_pot",
     "green throws; red anticlockwise on 45; green anticlockwise on 13",
     2,
     {"13/15*"},
     "13",
     {"move green 43>45", "capture red 45>hand", "pay red 1 pot", "turn red"},
     {-1, 0, 1}},
    {"attack_payee_attacker",
     "green throws; red anticlockwise on 45; green anticlockwise on 13; attack_payee=attacker",
     2,
     {"13/15*"},
     "13",
     {"move green 43>45", "capture red 45>hand", "pay red 1 green", "turn red"},
     {-1, 1, 0}},
    // wedge_amount
    {"wedge_amount_1",
     "red throws; red anticlockwise on 8",
     2,
     {"8/10"},
     "8",
     {"move red 8>10", "pay red 1 pot", "turn green"},
     {-1, 0, 1}},
    {"wedge_amount_2",
     "red throws; red anticlockwise on 8; wedge_amount=2",
     2,
     {"8/10"},
     "8",
     {"move red 8>10", "pay red 2 pot", "turn green"},
     {-2, 0, 2}},
    {"wedge_amount_10_on_entry",
     "red throws; wedge_amount=10",
     10,
     {"in/+10", "in/-10"},
     "in/+10",
     {"enter red hand>10", "pay red 10 pot", "turn green"},
     {-10, 0, 10}},
    // wedge_payee
    {"wedge_payee_pot",
     "green throws; green clockwise on 3",
     2,
     {"3/5"},
     "3",
     {"move green 27>25", "pay green 1 pot", "turn red"},
     {0, -1, 1}},
    {"wedge_payee_opponent",
     "green throws; green clockwise on 3; wedge_payee=opponent",
     2,
     {"3/5"},
     "3",
     {"move green 27>25", "pay green 1 red", "turn red"},
     {1, -1, 0}},
    // wedge_ranks
    {"wedge_ranks_third",
     "red throws; red anticlockwise on 1 2",
     3,
     {"1/4", "2/5"},
     "2/5",
     {"move red 2>5", "pay red 1 pot", "turn green"},
     {-1, 0, 1}},
    {"wedge_ranks_third_not_fourth",
     "red throws; red anticlockwise on 1 2",
     3,
     {"1/4", "2/5"},
     "1/4",
     {"move red 1>4", "turn green"},
     {0, 0, 0}},
    {"wedge_ranks_fourth",
     "red throws; red anticlockwise on 1 2; wedge_ranks=fourth",
     3,
     {"1/4", "2/5"},
     "1/4",
     {"move red 1>4", "pay red 1 pot", "turn green"},
     {-1, 0, 1}},
    {"wedge_ranks_fourth_not_third",
     "red throws; red anticlockwise on 1 2; wedge_ranks=fourth",
     3,
     {"1/4", "2/5"},
     "2/5",
     {"move red 2>5", "turn green"},
     {0, 0, 0}},
    {"wedge_ranks_both_fourth",
     "red throws; red anticlockwise on 1 2; wedge_ranks=both",
     3,
     {"1/4", "2/5"},
     "1/4",
     {"move red 1>4", "pay red 1 pot", "turn green"},
     {-1, 0, 1}},
    {"wedge_ranks_both_third",
     "red throws; red anticlockwise on 1 2; wedge_ranks=both",
     3,
     {"1/4", "2/5"},
     "2/5",
     {"move red 2>5", "pay red 1 pot", "turn green"},
     {-1, 0, 1}},
    // penalty
    {"penalty_1",
     "red throws; red anticlockwise on 57",
     4,
     {},
     "",
     {"throw red 4", "pay red 1 pot", "pass red", "turn green"},
     {-1, 0, 1}},
    {"penalty_3",
     "red throws; red anticlockwise on 57; penalty=3",
     4,
     {},
     "",
     {"throw red 4", "pay red 3 pot", "pass red", "turn green"},
     {-3, 0, 3}},
    {"penalty_10_when_attacked",
     "red throws; red anticlockwise on 12; green anticlockwise on 45; penalty=10",
     3,
     {"12/15*"},
     "12",
     {"move red 12>15", "capture green 15>hand", "pay green 10 pot", "turn green"},
     {0, -10, 10}},
    {"penalty_is_not_for_wedges",
     "red throws; red anticlockwise on 8; penalty=10",
     2,
     {"8/10"},
     "8",
     {"move red 8>10", "pay red 1 pot", "turn green"},
     {-1, 0, 1}},
    // bonus_from
    {"bonus_from_pot",
     "red throws; red anticlockwise on 57",
     2,
     {"57/home"},
     "57",
     {"bear_off red 57>home", "take red 1", "turn green"},
     {1, 0, -1}},
    {"bonus_from_empty_pot",
     "red throws; red anticlockwise on 57 coins 3; green undecided coins -3",
     2,
     {"57/home"},
     "57",
     {"bear_off red 57>home", "turn green"},
     {0, 0, 0}},
    {"bonus_from_opponent",
     "red throws; red anticlockwise on 57; bonus_from=opponent",
     2,
     {"57/home"},
     "57",
     {"bear_off red 57>home", "pay green 1 red", "turn green"},
     {1, -1, 0}},
    {"bonus_from_opponent_at_the_end",
     "green throws; green clockwise on 58 off 5; bonus_from=opponent",
     1,
     {"58/home"},
     "58",
     {"bear_off green 32>home", "pay red 1 green", "take green 40", "finish green 1",
      "finish red 2"},
     {-1, 41, -40}},
    // purse
    {"purse_0",
     "red throws; red anticlockwise on 8 coins -5000; wedge_amount=10",
     2,
     {"8/10"},
     "8",
     {"move red 8>10", "pay red 10 pot", "turn green"},
     {-10, 0, 10}},
    {"purse_of_the_stake",
     "red throws; red anticlockwise on 57; purse=20",
     3,
     {},
     "",
     {"throw red 3", "pass red", "turn green"},
     {0, 0, 0}},
    {"purse_short",
     "red throws; red anticlockwise on 8; wedge_amount=10 purse=23",
     2,
     {"8/10"},
     "8",
     {"move red 8>10", "pay red 3 pot", "turn green"},
     {-3, 0, 3}},
    {"purse_enough",
     "red throws; red anticlockwise on 8; wedge_amount=10 purse=10000",
     2,
     {"8/10"},
     "8",
     {"move red 8>10", "pay red 10 pot", "turn green"},
     {-10, 0, 10}},
    {"purse_grows_with_winnings",
     "red throws; red anticlockwise on 8 coins -15; wedge_amount=10 purse=20",
     2,
     {"8/10"},
     "8",
     {"move red 8>10", "pay red 5 pot", "turn green"},
     {-5, 0, 5}},
    {"purse_of_an_attacked_side",
     "red throws; red anticlockwise on 12; green anticlockwise on 45; "
     "penalty=5 attack_payee=attacker purse=22",
     3,
     {"12/15*"},
     "12",
     {"move red 12>15", "capture green 15>hand", "pay green 2 red", "turn green"},
     {2, -2, 0}},
    {"purse_empty_when_the_bonus_is_due",
     "red throws; red anticlockwise on 57; bonus_from=opponent purse=20",
     2,
     {"57/home"},
     "57",
     {"bear_off red 57>home", "turn green"},
     {0, 0, 0}},
    // What an option does not touch.
    {"zero_after_another_turn_costs_nothing",
     "red throws; red anticlockwise on 22; penalty=10",
     0,
     {},
     "",
     {"throw red 0", "pass red", "turn green"},
     {0, 0, 0}},
};

class Options : public ::testing::TestWithParam<Example> {};

TEST_P(Options, IsAsTheSheetSays) { ExpectExample(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Value, Options, ::testing::ValuesIn(kExamples),
                         [](const auto& param) { return std::string(param.param.name); });

struct StartCase {
  const char* name;
  OptionMap options;
  const char* text;
};

const StartCase kStarts[] = {
    {"defaults",
     {},
     "red throws; red undecided hand 6 on - off 0 coins -20; green undecided hand 6 on - off 0 "
     "coins -20; pot 40"},
    {"stake_1",
     {{"stake", "1"}},
     "red throws; red undecided hand 6 on - off 0 coins -1; green undecided hand 6 on - off 0 "
     "coins -1; pot 2; stake=1"},
    {"stake_1000_purse_1000",
     {{"stake", "1000"}, {"purse", "1000"}},
     "red throws; red undecided hand 6 on - off 0 coins -1000; green undecided hand 6 on - off 0 "
     "coins -1000; pot 2000; stake=1000 purse=1000"},
    {"purse_10000",
     {{"purse", "10000"}},
     "red throws; red undecided hand 6 on - off 0 coins -20; green undecided hand 6 on - off 0 "
     "coins -20; pot 40; purse=10000"},
    {"first_player_red",
     {{"first_player", "red"}},
     "red throws; red undecided hand 6 on - off 0 coins -20; green undecided hand 6 on - off 0 "
     "coins -20; pot 40"},
    {"first_player_green",
     {{"first_player", "green"}},
     "green throws; red undecided hand 6 on - off 0 coins -20; green undecided hand 6 on - off 0 "
     "coins -20; pot 40; first_player=green"},
    {"first_player_highest_throw",
     {{"first_player", "highest_throw"}},
     "red opens; red undecided hand 6 on - off 0 coins -20; green undecided hand 6 on - off 0 "
     "coins -20; pot 40; first_player=highest_throw"},
};

class StartPosition : public ::testing::TestWithParam<StartCase> {};

TEST_P(StartPosition, IsAsTheSheetSays) {
  EXPECT_EQ(ToText(Start(OptionValues(GetParam().options))), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Value, StartPosition, ::testing::ValuesIn(kStarts),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(FirstPlayer, HigherThrowBegins) {
  const Bytes start = Start(OptionValues({{"first_player", "highest_throw"}}));
  EXPECT_EQ(ThrowEffects(start, 4), (Words{"throw red 4", "turn green"}));
  const Bytes second = Throw(start, 4);
  EXPECT_TRUE(ToText(second).starts_with("green opens against 4;"));
  EXPECT_EQ(ThrowEffects(second, 10), (Words{"throw green 10", "turn green"}));
  EXPECT_EQ(ThrowEffects(second, 0), (Words{"throw green 0", "turn red"}));
  EXPECT_TRUE(ToText(Throw(second, 10)).starts_with("green throws;"));
  EXPECT_TRUE(ToText(Throw(second, 3)).starts_with("red throws;"));
}

TEST(FirstPlayer, TiesAreThrownAgain) {
  const Bytes start = Start(OptionValues({{"first_player", "highest_throw"}}));
  for (const int score : {0, 1, 2, 3, 4, 10}) {
    EXPECT_EQ(Throw(Throw(start, score), score), start) << score;
  }
}

TEST(FirstPlayer, OptionNamesTheSeats) {
  const astragal_about& about = *Table().about;
  ASSERT_GE(about.first_player_option, 0);
  const astragal_option& option = about.options[about.first_player_option];
  EXPECT_STREQ(option.name, "first_player");
  for (uint32_t seat = 0; seat < 2; ++seat) {
    EXPECT_STREQ(option.choices[about.first_player_values[seat]], about.seat_names[seat]);
  }
}

TEST(Presets, AreThoseOfTheSheet) {
  EXPECT_EQ(PresetValues("standard"), OptionValues({}));
  EXPECT_EQ(PresetValues("bell"), OptionValues({{"middle_attack", "off"},
                                                {"wedge_amount", "2"},
                                                {"wedge_payee", "opponent"},
                                                {"bonus_from", "opponent"},
                                                {"first_player", "highest_throw"}}));
}

TEST(Declaration, OnlyTheFirstPlayerKeepsTheBalance) {
  const astragal_about& about = *Table().about;
  for (uint32_t i = 0; i < about.option_count; ++i) {
    const bool keeps = (about.options[i].flags & ASTRAGAL_OPTION_KEEPS_BALANCE) != 0;
    EXPECT_EQ(keeps, std::string(about.options[i].name) == "first_player") << i;
  }
}

TEST(Declaration, BoundsAreThoseOfTheSheet) {
  const std::map<std::string, std::string> expected = {{"start_square", "central arm_inner"},
                                                       {"entry_when_empty", "any_score one_only"},
                                                       {"middle_attack", "on off"},
                                                       {"attack_payee", "pot attacker"},
                                                       {"wedge_amount", "1 in 1..10"},
                                                       {"wedge_payee", "pot opponent"},
                                                       {"wedge_ranks", "third fourth both"},
                                                       {"penalty", "1 in 1..10"},
                                                       {"bonus_from", "pot opponent"},
                                                       {"stake", "20 in 1..1000"},
                                                       {"purse", "0 in 0..10000"},
                                                       {"first_player", "red green highest_throw"}};
  std::map<std::string, std::string> declared;
  for (uint32_t i = 0; i < Table().about->option_count; ++i) {
    const astragal_option& option = Table().about->options[i];
    std::string& text = declared[option.name];
    if (option.kind == ASTRAGAL_OPTION_INTEGER) {
      text = std::to_string(option.default_value) + " in " + std::to_string(option.minimum) + ".." +
             std::to_string(option.maximum);
      continue;
    }
    EXPECT_EQ(option.default_value, 0) << option.name;
    for (uint32_t k = 0; k < option.choice_count; ++k) {
      if (k > 0) text += ' ';
      text += option.choices[k];
    }
  }
  EXPECT_EQ(declared, expected);
}

TEST(Declaration, SticksHaveTheirChances) {
  const astragal_throw_kind& sticks = Table().about->throw_kinds[0];
  std::map<std::string, uint32_t> chances;
  for (uint32_t k = 0; k < sticks.outcome_count; ++k) chances[sticks.labels[k]] = sticks.weights[k];
  EXPECT_EQ(chances, (std::map<std::string, uint32_t>{
                         {"0", 1}, {"1", 5}, {"2", 10}, {"3", 10}, {"4", 5}, {"10", 1}}));
}

TEST(Purse, MustPayTheStake) {
  std::vector<int64_t> values = OptionValues({{"stake", "30"}, {"purse", "29"}});
  Bytes position;
  astragal_error error{};
  error.struct_size = sizeof(error);
  EXPECT_EQ(Table().start(values.data(), position.get(), &error), ASTRAGAL_REFUSED);
  EXPECT_STREQ(error.field, "purse");
  EXPECT_STREQ(error.message,
               "A purse of 29 cannot pay a stake of 30; it is 0 (unlimited) or at least the "
               "stake.");
  EXPECT_EQ(position, Bytes{});
}

}  // namespace
}  // namespace astragal::patolli_test
