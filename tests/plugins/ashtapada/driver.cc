#include "tests/plugins/ashtapada/driver.h"

#include <astragal/ruleset.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace astragal::ashtapada_test {
namespace {

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "ashtapada driver: %s\n", what.c_str());
  std::abort();
}

std::string Why(const astragal_error& error) {
  return std::string(error.field) + ": " + error.message;
}

astragal_error NoError() {
  astragal_error error{};
  error.struct_size = sizeof(error);
  return error;
}

template <class Fill>
std::string Text(Fill&& fill) {
  std::string text(fill(nullptr, 0), '\0');
  fill(text.data(), static_cast<uint32_t>(text.size()));
  return text;
}

std::string SeatName(int seat) { return Table().about->seat_names[seat]; }

const char* EffectWord(uint32_t kind) {
  constexpr const char* kWords[] = {"",      "move",    "enter", "capture", "off",
                                    "throw", "discard", "pass",  "extra",   "pay",
                                    "take",  "finish",  "turn",  "stop"};
  return kind < std::size(kWords) ? kWords[kind] : "unknown";
}

std::string EffectText(const Position& position, const astragal_effect& effect) {
  std::string text = std::string(EffectWord(effect.kind)) + " " + SeatName(effect.seat);
  const bool has_amount = effect.kind == ASTRAGAL_EFFECT_THROW ||
                          effect.kind == ASTRAGAL_EFFECT_DISCARD ||
                          effect.kind == ASTRAGAL_EFFECT_FINISH;
  if (has_amount) text += " " + std::to_string(effect.amount);
  if (effect.kind == ASTRAGAL_EFFECT_ENTER) return text + " " + PlaceName(position, effect.to);
  if (effect.from >= 0) text += " " + PlaceName(position, effect.from);
  if (effect.kind == ASTRAGAL_EFFECT_MOVE) text += ">" + PlaceName(position, effect.to);
  return text;
}

}  // namespace

const astragal_ruleset& Table() { return *sdk::Adapter<Position>::Table(); }

std::vector<int64_t> OptionValues(const OptionMap& chosen) {
  std::vector<int64_t> values;
  size_t found = 0;
  for (uint32_t i = 0; i < Table().about->option_count; ++i) {
    const astragal_option& option = Table().about->options[i];
    values.push_back(option.default_value);
    const auto entry = chosen.find(option.name);
    if (entry == chosen.end()) continue;
    ++found;
    if (option.kind == ASTRAGAL_OPTION_INTEGER) {
      values.back() = std::atoll(entry->second.c_str());
      continue;
    }
    uint32_t choice = 0;
    while (choice < option.choice_count && entry->second != option.choices[choice]) ++choice;
    if (choice == option.choice_count) Fail("no choice " + entry->second);
    values.back() = choice;
  }
  if (found != chosen.size()) Fail("an option is unknown");
  return values;
}

std::vector<int64_t> PresetValues(const std::string& preset) {
  std::vector<int64_t> values = OptionValues({});
  for (uint32_t i = 0; i < Table().about->preset_count; ++i) {
    const astragal_preset& known = Table().about->presets[i];
    if (preset != known.name) continue;
    for (uint32_t j = 0; j < known.setting_count; ++j) {
      values[known.settings[j].option] = known.settings[j].value;
    }
    return values;
  }
  Fail("no preset " + preset);
}

std::string OptionsText(const std::vector<int64_t>& values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    const astragal_option& option = Table().about->options[i];
    text += std::string(i == 0 ? "" : " ") + option.name + "=";
    text += option.kind == ASTRAGAL_OPTION_INTEGER ? std::to_string(values[i])
                                                   : std::string(option.choices[values[i]]);
  }
  return text;
}

std::vector<int64_t> RandomOptions(Random& random) {
  std::vector<int64_t> values;
  for (uint32_t i = 0; i < Table().about->option_count; ++i) {
    const astragal_option& option = Table().about->options[i];
    values.push_back(
        std::uniform_int_distribution<int64_t>(option.minimum, option.maximum)(random));
  }
  Aligned start;
  const bool fits = Table().start(values.data(), &start.position, nullptr) == ASTRAGAL_OK;
  if (!fits) values[ashtapada::kFirstPlayer] = ashtapada::kHighestThrow;
  return values;
}

Position Start(const std::vector<int64_t>& values) {
  Aligned start;
  astragal_error error = NoError();
  if (Table().start(values.data(), &start.position, &error) != ASTRAGAL_OK) Fail(Why(error));
  return start.position;
}

std::string StartRefusal(const OptionMap& chosen) {
  Aligned start;
  astragal_error error = NoError();
  const std::vector<int64_t> values = OptionValues(chosen);
  if (Table().start(values.data(), &start.position, &error) == ASTRAGAL_OK) return "";
  return Why(error);
}

Position FromText(const std::string& text) {
  Aligned read;
  astragal_error error = NoError();
  if (Table().parse_position(text.data(), static_cast<uint32_t>(text.size()), &read.position,
                             &error) != ASTRAGAL_OK) {
    Fail(text + ": " + Why(error));
  }
  return read.position;
}

std::string TextRefusal(const std::string& text) {
  Aligned read;
  astragal_error error = NoError();
  if (Table().parse_position(text.data(), static_cast<uint32_t>(text.size()), &read.position,
                             &error) == ASTRAGAL_OK) {
    return "";
  }
  return Why(error);
}

std::string ToText(const Position& position) {
  return Text([&](char* out, uint32_t capacity) {
    return Table().format_position(&position, out, capacity);
  });
}

std::string Board(const Position& position) {
  return Text([&](char* out, uint32_t capacity) { return Table().text(&position, out, capacity); });
}

bool IsPosition(const Position& position) {
  astragal_error error = NoError();
  return Table().check(&position, &error) == ASTRAGAL_OK;
}

std::vector<int64_t> Actions(const Position& position) {
  std::vector<int64_t> actions(Table().about->max_actions);
  const uint32_t count = Table().actions(&position, actions.data(), Table().about->max_actions);
  if (count > actions.size()) Fail("more actions than declared in " + ToText(position));
  actions.resize(count);
  return actions;
}

std::string Notation(const Position& position, int actor, int64_t action) {
  return Text([&](char* out, uint32_t capacity) {
    return Table().format(&position, actor, action, out, capacity);
  });
}

std::vector<std::string> Moves(const Position& position) {
  std::vector<std::string> moves;
  for (const int64_t action : Actions(position)) {
    moves.push_back(Notation(position, Table().actor(&position), action));
  }
  return moves;
}

std::string TryApply(Position& position, int actor, int64_t action) {
  astragal_error error = NoError();
  if (Table().apply(&position, actor, action, &error) == ASTRAGAL_OK) return "";
  return *error.message != '\0' ? error.message : "no reason";
}

Position Apply(const Position& position, int actor, int64_t action) {
  Position after = position;
  const std::string why = TryApply(after, actor, action);
  if (!why.empty()) Fail(ToText(position) + ": " + why);
  return after;
}

int64_t Parse(const Position& position, int actor, const std::string& text) {
  int64_t action = -1;
  astragal_error error = NoError();
  if (Table().parse(&position, actor, text.data(), static_cast<uint32_t>(text.size()), &action,
                    &error) != ASTRAGAL_OK) {
    Fail(text + ": " + Why(error));
  }
  return action;
}

std::string ParseRefusal(const Position& position, int actor, const std::string& text) {
  int64_t action = -1;
  astragal_error error = NoError();
  if (Table().parse(&position, actor, text.data(), static_cast<uint32_t>(text.size()), &action,
                    &error) == ASTRAGAL_OK) {
    return "";
  }
  return error.message;
}

Position Play(const Position& position, const std::string& notation) {
  const int actor = Table().actor(&position);
  return Apply(position, actor, Parse(position, actor, notation));
}

std::string PlayRefusal(const Position& position, const std::string& notation) {
  const int actor = Table().actor(&position);
  Position after = position;
  const std::string why = TryApply(after, actor, Parse(position, actor, notation));
  if (!why.empty() && std::memcmp(&after, &position, sizeof(Position)) != 0) {
    Fail("a refused action changed the position");
  }
  return why;
}

int64_t ThrowOf(const Position& position, int value) {
  return Parse(position, ASTRAGAL_CHANCE, std::to_string(value));
}

Position Throw(const Position& position, const std::vector<int>& values) {
  Position after = position;
  for (const int value : values) after = Apply(after, ASTRAGAL_CHANCE, ThrowOf(after, value));
  return after;
}

Position Leave(const Position& position, int seat) {
  Position after = position;
  astragal_error error = NoError();
  if (Table().leave(&after, seat, &error) != ASTRAGAL_OK) Fail(Why(error));
  return after;
}

std::vector<std::string> EffectsOf(const Position& position, int actor, int64_t action) {
  std::vector<astragal_effect> effects(Table().about->max_effects);
  const uint32_t count =
      Table().effects(&position, actor, action, effects.data(), Table().about->max_effects);
  if (count > effects.size()) Fail("more effects than declared");
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < count; ++i) texts.push_back(EffectText(position, effects[i]));
  return texts;
}

std::vector<std::string> PlayEffects(const Position& position, const std::string& notation) {
  const int actor = Table().actor(&position);
  return EffectsOf(position, actor, Parse(position, actor, notation));
}

std::vector<std::string> ThrowEffects(const Position& position, int value) {
  return EffectsOf(position, ASTRAGAL_CHANCE, ThrowOf(position, value));
}

std::string PlaceName(const Position& position, int id) {
  std::vector<astragal_place> places(Table().about->max_places);
  const uint32_t count =
      Table().places(&position, places.data(), static_cast<uint32_t>(places.size()));
  for (uint32_t i = 0; i < count; ++i) {
    if (places[i].id != id) continue;
    const bool is_tray = places[i].shape == ASTRAGAL_SHAPE_TRAY;
    return (is_tray ? SeatName(places[i].seat) + " " : "") + places[i].label;
  }
  return "nowhere";
}

std::vector<astragal_seat_result> Results(const Position& position) {
  std::vector<astragal_seat_result> results(Table().seats(&position));
  Table().result(&position, results.data());
  return results;
}

std::vector<int> Places(const Position& position) {
  std::vector<int> places;
  for (const astragal_seat_result& result : Results(position)) places.push_back(result.place);
  return places;
}

int64_t DrawThrow(const Position& position, Random& random) {
  const int kind = Table().chances(&position);
  const astragal_throw_kind& throws = Table().about->throw_kinds[kind];
  std::discrete_distribution<int> draw(throws.weights, throws.weights + throws.outcome_count);
  return ASTRAGAL_CHANCE_ACTION(kind, draw(random));
}

std::pair<int, int64_t> RandomStep(Position& position, Random& random) {
  const int actor = Table().actor(&position);
  int64_t action = 0;
  if (actor == ASTRAGAL_CHANCE) {
    action = DrawThrow(position, random);
  } else {
    const std::vector<int64_t> actions = Actions(position);
    if (actions.empty()) Fail("nobody can act: " + ToText(position));
    action = actions[std::uniform_int_distribution<size_t>(0, actions.size() - 1)(random)];
  }
  position = Apply(position, actor, action);
  return {actor, action};
}

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

}  // namespace astragal::ashtapada_test
