// What the ruleset says about itself, and the first position.
#include "plugins/patolli/action.h"
#include "plugins/patolli/options.h"
#include "plugins/patolli/position.h"

namespace astragal::patolli {
namespace {

constexpr astragal_setting kBellSettings[] = {
    sdk::Setting(kMiddleAttackOption, 1),
    sdk::Setting(kWedgeAmountOption, 2),
    sdk::Setting(kWedgePayeeOption, 1),
    sdk::Setting(kBonusFromOption, 1),
    sdk::Setting(kFirstPlayerOption, kFirstHighestThrow),
};
constexpr astragal_preset kPresets[] = {
    sdk::Standard("Everything through the pot, attacks in the middle, Red begins."),
    sdk::Preset("bell",
                "As R. C. Bell has it: no attacks, wedges and bonus between the players, the "
                "higher throw begins.",
                kBellSettings),
};

constexpr const char* kScoreLabels[] = {"0", "1", "2", "3", "4", "10"};
constexpr astragal_throw_kind kThrowKinds[] = {
    sdk::ThrowKind("sticks",
                   "Five two-sided sticks: the marked sides that show, all five count 10.",
                   kScoreWeights, kScoreLabels),
};

constexpr const char* kSeatNames[] = {"red", "green"};
constexpr const char* kPieceKinds[] = {"bean"};
constexpr int64_t kFirstPlayerValues[] = {kFirstRed, kFirstGreen};

}  // namespace

astragal_about Position::About() {
  astragal_about about{};
  about.rules_version = 1;
  about.id = "patolli";
  about.name = "Patolli";
  about.summary =
      "A race around a cross of sixty squares with five sticks and a pot of coins. Who bears off "
      "six pieces first wins the pot.";
  about.notation =
      "Squares are counted from the player's own entry: 1 is the first square, 59 the last. in/+3 "
      "enters a piece on 3 and runs anticlockwise, in/-3 clockwise; 12/15 moves the piece on 12 to "
      "15; 55/home bears off; a capture ends with *, as in 12/15*. Short forms: 12 moves the piece "
      "on 12 by the throw, in enters once the direction is chosen.";
  about.min_seats = 2;
  about.max_seats = 2;
  about.seat_names = kSeatNames;
  about.options = DeclaredOptions().data();
  about.option_count = kOptionCount;
  sdk::SetList(about.presets, about.preset_count, kPresets);
  sdk::SetList(about.throw_kinds, about.throw_kind_count, kThrowKinds);
  sdk::SetList(about.piece_kinds, about.piece_kind_count, kPieceKinds);
  about.max_actions = kPieces + 1;
  about.max_effects = 8;
  about.max_places = kPlaces;
  about.max_pieces = 2 * kPieces + 4;
  about.max_throws = 1;
  about.max_counters = 11;
  // Games of random players take about 280 throws. A piece that can leave the square on which it
  // blocks the other side's last square only with a 10 can hold a game up for hundreds of throws.
  about.max_game_actions = 1000000;
  about.first_player_option = kFirstPlayerOption;
  about.first_player_values = kFirstPlayerValues;
  return about;
}

bool Position::Start(std::span<const int64_t> options, sdk::Error& error) {
  *this = Position{};
  if (!RulesFrom(options, rules, error)) return false;
  for (Side& side : sides) {
    side.hand = kPieces;
    side.coins = -rules.stake;
  }
  pot = 2 * rules.stake;
  phase = rules.first_player == kFirstHighestThrow ? kOpening : kThrowing;
  mover = rules.first_player == kFirstGreen ? kGreen : kRed;
  return true;
}

void Position::Options(std::span<int64_t> out) const { ValuesOf(rules, out); }

Position Position::Mirrored() const {
  // Half a turn of the board: own indices and directions stay, the seats change their names.
  Position other = *this;
  other.sides = {sides[kGreen], sides[kRed]};
  other.mover = static_cast<uint8_t>(1 - mover);
  if (rules.first_player != kFirstHighestThrow) {
    other.rules.first_player = static_cast<uint8_t>(1 - rules.first_player);
  }
  return other;
}

}  // namespace astragal::patolli
