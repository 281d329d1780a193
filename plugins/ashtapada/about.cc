// What the ruleset says about itself.
#include <astragal/about.hpp>

#include "plugins/ashtapada/moves.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

constexpr const char* kEntryBoxes[] = {"right", "left"};
constexpr const char* kTwinFormations[] = {"same_square", "off"};
constexpr const char* kTwinMoves[] = {"full", "half"};
constexpr const char* kTripletChoices[] = {"plain", "as_twins"};
constexpr const char* kMarkedBoxes[] = {"share", "block"};
constexpr const char* kForgoChoices[] = {"after_first", "any", "none"};
constexpr const char* kWeightChoices[] = {"fair", "even"};
constexpr const char* kFirstPlayers[] = {"highest_throw", "south", "west", "north", "east"};
constexpr const char* kOffOn[] = {"off", "on"};

constexpr astragal_setting kStrict[] = {sdk::Setting(kForgo, kNone)};
constexpr astragal_preset kPresets[] = {
    sdk::Standard("Ashtapada as the sheet has it; a player may keep throws unused."),
    sdk::Preset("strict", "As many throws of a series as possible must be used.", kStrict)};

constexpr const char* kLabels[kScores] = {"1", "2", "3", "4", "8"};
constexpr uint32_t kFairWeights[kScores] = {4, 6, 4, 1, 1};
constexpr uint32_t kEvenWeights[kScores] = {1, 1, 1, 1, 1};
// In the order of the values of throw_weights.
constexpr astragal_throw_kind kThrowKinds[] = {
    sdk::ThrowKind("sticks", "Four fair sticks: light sides up count, none counts 8.", kFairWeights,
                   kLabels),
    sdk::ThrowKind("even_sticks", "Sticks with which every score is equally likely.", kEvenWeights,
                   kLabels)};

constexpr const char* kPieceKinds[] = {"piece"};

// Value of first_player for seats south, north, west, east.
constexpr int64_t kFirstPlayerValues[kSeats] = {1, 3, 2, 4};

constexpr char kNotation[] =
    "A move names the square (or the own index) and the throws it uses: \"G4 1+2\" or \"41 1+2\"; "
    "\"G4 twins 4\" moves both twins; a throw used n times may be written 1*n. \"enter\" and "
    "\"off\" (bear off) use a 1; \"stop\" ends the series. In a very long series a move is put "
    "together: \"pick G4\" or \"pick G4 twins\", \"add 4\", \"go\".";

}  // namespace

constexpr astragal_option kOptions[kOptionCount] = {
    sdk::Integer("players", "Seats: south and north; with west; with east.", kMinPlayers,
                 kMaxPlayers, 2, ASTRAGAL_OPTION_KEEPS_BALANCE | ASTRAGAL_OPTION_SEATS),
    sdk::Integer("pieces", "Pieces per player.", kMinPieces, kMaxPieces, 4),
    sdk::Choice("entry_box", "The middle box pieces enter on; left mirrors the whole route.",
                kEntryBoxes),
    sdk::Choice("twin_formation", "Whether two pieces on an unmarked square are twins.",
                kTwinFormations),
    sdk::Choice("twin_move", "Twins move by the throws used, or by half, rounded down.",
                kTwinMoves),
    sdk::Choice("triplets", "Three or four together are unprotected, or are as twins.",
                kTripletChoices),
    sdk::Choice("marked_box", "Whether an enemy on a marked box keeps others from it.",
                kMarkedBoxes),
    sdk::Choice("forgo", "Stop after the first action, at any time, or use all you can.",
                kForgoChoices),
    sdk::Choice("throw_weights", "Fair sticks, or every score equally likely.", kWeightChoices),
    sdk::Choice("first_player", "Who begins.", kFirstPlayers, 0, ASTRAGAL_OPTION_KEEPS_BALANCE),
    sdk::Choice("play_for_places", "Go on after the first has finished, for the other places.",
                kOffOn, 0, ASTRAGAL_OPTION_KEEPS_BALANCE)};

astragal_about Position::About() {
  astragal_about about{};
  about.rules_version = 1;
  // Whoever has not finished when one has shares what is left.
  about.flags = ASTRAGAL_RULESET_HAS_LEAVE | ASTRAGAL_RULESET_HAS_DRAWS;
  about.id = "ashtapada";
  about.name = "Ashtapada";
  about.summary =
      "A race for two to four over the 8x8 board, with four throwing sticks: enter with a 1, move "
      "by combined throws, capture off the marked boxes, and bear off from your keep in the "
      "centre.";
  about.notation = kNotation;
  about.min_seats = kMinPlayers;
  about.max_seats = kMaxPlayers;
  about.seat_names = kSeatNames;
  about.option_count = kOptionCount;
  about.options = kOptions;
  sdk::SetList(about.presets, about.preset_count, kPresets);
  sdk::SetList(about.throw_kinds, about.throw_kind_count, kThrowKinds);
  sdk::SetList(about.piece_kinds, about.piece_kind_count, kPieceKinds);
  about.max_actions = kMaxActions;
  about.max_effects = 128;  // a move of twins, 24 captures, 63 throws lost, and what follows
  about.max_places = kPlaces;
  about.max_pieces = kSeats * kMaxPieces;
  about.max_throws = kSeriesCap;
  about.max_counters = 1 + 4 * kSeats;
  about.max_game_actions = 1000000;
  about.first_player_option = kFirstPlayer;
  about.first_player_values = kFirstPlayerValues;
  return about;
}

}  // namespace astragal::ashtapada
