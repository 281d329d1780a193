// What a ruleset says about itself, as C++ values copied out of the plugin once, at load.
//
// Plain immutable data: any thread may read it. All strings are valid UTF-8 within the ABI's limits
// and all numbers within the ruleset's declared bounds, since a plugin that says otherwise is
// refused at load.
#ifndef ASTRAGAL_PLUGINS_HOST_ABOUT_H_
#define ASTRAGAL_PLUGINS_HOST_ABOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace astragal::host {

struct Option {
  std::string name;
  std::string description;
  bool is_choice = false;            // else an integer
  bool keeps_balance = false;        // games with different values share a rating pool
  bool is_seats = false;             // its value is the number of seats
  std::vector<std::string> choices;  // of a choice, by value
  int64_t minimum = 0;
  int64_t maximum = 0;
  int64_t default_value = 0;
};

struct Preset {
  std::string name;
  std::string description;
  std::vector<int64_t> values;  // of every option, in declared order
};

struct ThrowKind {
  std::string name;
  std::string description;
  std::vector<uint32_t> weights;  // one per outcome, each at least 1
  uint32_t total_weight = 0;      // their sum, at most 65,536
  std::vector<std::string> labels;
};

// The most that any position of the ruleset can need.
struct Limits {
  uint32_t position_bytes = 0;
  uint32_t actions = 0;
  uint32_t effects = 0;
  uint32_t places = 0;
  uint32_t pieces = 0;
  uint32_t throws = 0;
  uint32_t counters = 0;
  uint64_t game_actions = 0;  // actions and throws of one game
};

// The option that says who begins; a match sets it to values[seat of the previous winner].
struct FirstPlayer {
  uint32_t option = 0;
  std::vector<int64_t> values;  // one per seat
};

struct About {
  std::string id;
  std::string name;
  std::string summary;
  std::string notation;
  uint32_t rules_version = 0;
  bool has_leave = false;
  bool has_draws = false;
  bool winner_starts = false;
  int min_seats = 0;
  int max_seats = 0;
  std::vector<std::string> seat_names;  // max_seats of them
  std::vector<Option> options;
  std::vector<Preset> presets;  // the first is "standard"
  std::vector<ThrowKind> throw_kinds;
  std::vector<std::string> piece_kinds;
  Limits limits;
  std::optional<FirstPlayer> first_player;

  // Index of the option or preset of this name.
  std::optional<size_t> FindOption(absl::string_view option_name) const;
  std::optional<size_t> FindPreset(absl::string_view preset_name) const;
};

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_ABOUT_H_
