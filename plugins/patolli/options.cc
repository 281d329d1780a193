#include "plugins/patolli/options.h"

namespace astragal::patolli {
namespace {

constexpr const char* kStartSquares[] = {"central", "arm_inner"};
constexpr const char* kEntries[] = {"any_score", "one_only"};
constexpr const char* kOnOff[] = {"on", "off"};
constexpr const char* kAttackPayees[] = {"pot", "attacker"};
constexpr const char* kWedgePayees[] = {"pot", "opponent"};
constexpr const char* kRanks[] = {"third", "fourth", "both"};
constexpr const char* kBonusFrom[] = {"pot", "opponent"};
constexpr const char* kFirstPlayers[] = {"red", "green", "highest_throw"};

constexpr astragal_option kOptions[] = {
    sdk::Choice("start_square",
                "Where a circuit begins: on the central square closest to the player, or on the "
                "first square of the arm.",
                kStartSquares),
    sdk::Choice("entry_when_empty",
                "With no piece on the track any score brings one in; or only until the side has "
                "brought in its first, then a 1 is needed.",
                kEntries),
    sdk::Choice("middle_attack", "Pieces on the four middle squares can be attacked.", kOnOff),
    sdk::Choice("attack_payee", "Who receives the penalty of a side whose piece is attacked.",
                kAttackPayees),
    sdk::Integer("wedge_amount", "Coins to pay for landing on a wedge square.", 1, 10, 1),
    sdk::Choice("wedge_payee", "Who receives the coins paid on a wedge square.", kWedgePayees),
    sdk::Choice("wedge_ranks",
                "Where the wedge squares are, as a rank of an arm counted from its tip.", kRanks),
    sdk::Integer("penalty", "Coins to pay when no piece can move, and when attacked.", 1, 10, 1),
    sdk::Choice("bonus_from", "Who pays the coin for a piece that is borne off.", kBonusFrom),
    sdk::Integer("stake", "Coins that each side puts into the pot at the start.", 1, 1000, 20),
    sdk::Integer("purse",
                 "Coins that each side owns, its stake among them; what it cannot pay is forgiven. "
                 "0: it can pay everything. Otherwise at least the stake.",
                 0, 10000, 0),
    sdk::Choice("first_player", "Who has the first turn.", kFirstPlayers, 0,
                ASTRAGAL_OPTION_KEEPS_BALANCE),
};
static_assert(std::size(kOptions) == kOptionCount);

}  // namespace

std::span<const astragal_option> DeclaredOptions() { return kOptions; }

bool RulesFrom(std::span<const int64_t> values, Rules& rules, sdk::Error& error) {
  for (size_t i = 0; i < kOptionCount; ++i) {
    if (values[i] < kOptions[i].minimum || values[i] > kOptions[i].maximum) {
      return error.Refuse(kOptions[i].name, kOptions[i].name, " is from ", kOptions[i].minimum,
                          " to ", kOptions[i].maximum, ", not ", values[i], ".");
    }
  }
  const int64_t stake = values[kStakeOption];
  const int64_t purse = values[kPurseOption];
  if (purse != 0 && purse < stake) {
    return error.Refuse("purse", "A purse of ", purse, " cannot pay a stake of ", stake,
                        "; it is 0 (unlimited) or at least the stake.");
  }
  const auto small = [&values](Option option) { return static_cast<uint8_t>(values[option]); };
  rules = {static_cast<int16_t>(stake),  static_cast<int16_t>(purse), small(kStartSquareOption),
           small(kEntryWhenEmptyOption), small(kMiddleAttackOption),  small(kAttackPayeeOption),
           small(kWedgeAmountOption),    small(kWedgePayeeOption),    small(kWedgeRanksOption),
           small(kPenaltyOption),        small(kBonusFromOption),     small(kFirstPlayerOption)};
  return true;
}

void ValuesOf(const Rules& rules, std::span<int64_t> values) {
  values[kStartSquareOption] = rules.start_square;
  values[kEntryWhenEmptyOption] = rules.one_only;
  values[kMiddleAttackOption] = rules.middle_attack_off;
  values[kAttackPayeeOption] = rules.attack_to_attacker;
  values[kWedgeAmountOption] = rules.wedge_amount;
  values[kWedgePayeeOption] = rules.wedge_to_opponent;
  values[kWedgeRanksOption] = rules.wedge_ranks;
  values[kPenaltyOption] = rules.penalty;
  values[kBonusFromOption] = rules.bonus_from_opponent;
  values[kStakeOption] = rules.stake;
  values[kPurseOption] = rules.purse;
  values[kFirstPlayerOption] = rules.first_player;
}

}  // namespace astragal::patolli
