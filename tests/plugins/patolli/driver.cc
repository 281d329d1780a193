#include "tests/plugins/patolli/driver.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "plugins/patolli/position.h"

namespace astragal::patolli_test {
namespace {

constexpr std::array<int, 6> kScores = {0, 1, 2, 3, 4, 10};

astragal_error NewError() {
  astragal_error error{};
  error.struct_size = sizeof(error);
  return error;
}

[[noreturn]] void Fail(const std::string& what, const astragal_error& error) {
  throw std::runtime_error(what + ": " + error.message + " (field '" + error.field + "')");
}

std::string Seat(int seat) { return seat == 0 ? "red" : "green"; }

std::string Place(int place) {
  switch (place) {
    case -1:
      return "none";
    case 60:
    case 61:
      return "hand";
    case 62:
    case 63:
      return "home";
    default:
      return std::to_string(place);
  }
}

std::string InWords(const astragal_effect& effect) {
  const std::string seat = Seat(effect.seat);
  const std::string amount = std::to_string(effect.amount);
  switch (effect.kind) {
    case ASTRAGAL_EFFECT_MOVE:
      return "move " + seat + " " + Place(effect.from) + ">" + Place(effect.to);
    case ASTRAGAL_EFFECT_ENTER:
      return "enter " + seat + " " + Place(effect.from) + ">" + Place(effect.to);
    case ASTRAGAL_EFFECT_CAPTURE:
      return "capture " + seat + " " + Place(effect.from) + ">" + Place(effect.to);
    case ASTRAGAL_EFFECT_BEAR_OFF:
      return "bear_off " + seat + " " + Place(effect.from) + ">" + Place(effect.to);
    case ASTRAGAL_EFFECT_THROW:
      return "throw " + seat + " " + amount;
    case ASTRAGAL_EFFECT_PASS:
      return "pass " + seat;
    case ASTRAGAL_EFFECT_EXTRA_THROW:
      return "extra " + seat;
    case ASTRAGAL_EFFECT_PAY:
      return "pay " + seat + " " + amount + " " + (effect.to < 0 ? "pot" : Seat(effect.to));
    case ASTRAGAL_EFFECT_TAKE:
      return "take " + seat + " " + amount;
    case ASTRAGAL_EFFECT_FINISH:
      return "finish " + seat + " " + amount;
    case ASTRAGAL_EFFECT_TURN:
      return "turn " + seat;
    default:
      return "unknown " + std::to_string(effect.kind);
  }
}

int64_t Parsed(const Bytes& position, const std::string& notation) {
  astragal_error error = NewError();
  int64_t action = -1;
  const int actor = Table().actor(position.get());
  if (Table().parse(position.get(), actor, notation.data(), static_cast<uint32_t>(notation.size()),
                    &action, &error) != ASTRAGAL_OK) {
    Fail("parse " + notation, error);
  }
  return action;
}

template <class Writer>
std::string Written(Writer&& writer) {
  std::string text(ASTRAGAL_MAX_TEXT_BYTES, '\0');
  text.resize(writer(text.data(), static_cast<uint32_t>(text.size())));
  return text;
}

}  // namespace

const astragal_ruleset& Table() { return *sdk::Adapter<patolli::Position>::Table(); }

std::vector<int64_t> OptionValues(const OptionMap& chosen) {
  const astragal_about& about = *Table().about;
  std::vector<int64_t> values;
  size_t used = 0;
  for (uint32_t i = 0; i < about.option_count; ++i) {
    const astragal_option& option = about.options[i];
    values.push_back(option.default_value);
    const auto found = chosen.find(option.name);
    if (found == chosen.end()) continue;
    ++used;
    if (option.kind == ASTRAGAL_OPTION_INTEGER) {
      values.back() = std::stoll(found->second);
      continue;
    }
    values.back() = -1;
    for (uint32_t k = 0; k < option.choice_count; ++k) {
      if (found->second == option.choices[k]) values.back() = k;
    }
  }
  if (used != chosen.size()) throw std::runtime_error("unknown option in a test");
  return values;
}

std::vector<int64_t> PresetValues(const std::string& preset) {
  const astragal_about& about = *Table().about;
  std::vector<int64_t> values = OptionValues({});
  for (uint32_t i = 0; i < about.preset_count; ++i) {
    if (preset != about.presets[i].name) continue;
    for (uint32_t k = 0; k < about.presets[i].setting_count; ++k) {
      values[about.presets[i].settings[k].option] = about.presets[i].settings[k].value;
    }
    return values;
  }
  throw std::runtime_error("unknown preset " + preset);
}

Bytes Start(const std::vector<int64_t>& values) {
  Bytes position;
  astragal_error error = NewError();
  if (Table().start(values.data(), position.get(), &error) != ASTRAGAL_OK) Fail("start", error);
  return position;
}

Bytes FromText(const std::string& text) {
  Bytes position;
  astragal_error error = NewError();
  if (Table().parse_position(text.data(), static_cast<uint32_t>(text.size()), position.get(),
                             &error) != ASTRAGAL_OK) {
    Fail("position '" + text + "'", error);
  }
  return position;
}

std::string Refusal(const std::string& text) {
  Bytes position;
  astragal_error error = NewError();
  const int32_t code = Table().parse_position(text.data(), static_cast<uint32_t>(text.size()),
                                              position.get(), &error);
  return code == ASTRAGAL_OK ? "" : error.message;
}

std::string ToText(const Bytes& position) {
  return Written(
      [&](char* out, uint32_t size) { return Table().format_position(position.get(), out, size); });
}

std::string Board(const Bytes& position) {
  return Written([&](char* out, uint32_t size) { return Table().text(position.get(), out, size); });
}

std::vector<int64_t> Actions(const Bytes& position) {
  std::vector<int64_t> actions(Table().about->max_actions);
  actions.resize(Table().actions(position.get(), actions.data(), Table().about->max_actions));
  return actions;
}

std::string Notation(const Bytes& position, int actor, int64_t action) {
  return Written([&](char* out, uint32_t size) {
    return Table().format(position.get(), actor, action, out, size);
  });
}

std::vector<std::string> Moves(const Bytes& position) {
  std::vector<std::string> moves;
  for (const int64_t action : Actions(position)) {
    moves.push_back(Notation(position, Table().actor(position.get()), action));
  }
  return moves;
}

int64_t ThrowOf(int score) {
  for (size_t k = 0; k < kScores.size(); ++k) {
    if (kScores[k] == score) return ASTRAGAL_CHANCE_ACTION(0, k);
  }
  throw std::runtime_error("no throw scores " + std::to_string(score));
}

Bytes Apply(const Bytes& position, int actor, int64_t action) {
  Bytes next = position;
  astragal_error error = NewError();
  if (Table().apply(next.get(), actor, action, &error) != ASTRAGAL_OK) Fail("apply", error);
  if (Table().check(next.get(), &error) != ASTRAGAL_OK) Fail("check after apply", error);
  return next;
}

Bytes Throw(const Bytes& position, int score) {
  return Apply(position, ASTRAGAL_CHANCE, ThrowOf(score));
}

Bytes Play(const Bytes& position, const std::string& notation) {
  return Apply(position, Table().actor(position.get()), Parsed(position, notation));
}

std::string PlayRefusal(const Bytes& position, const std::string& notation) {
  Bytes next = position;
  astragal_error error = NewError();
  const int actor = Table().actor(position.get());
  int64_t action = -1;
  if (Table().parse(position.get(), actor, notation.data(), static_cast<uint32_t>(notation.size()),
                    &action, &error) != ASTRAGAL_OK) {
    return std::string("parse: ") + error.message;
  }
  if (Table().apply(next.get(), actor, action, &error) == ASTRAGAL_OK) return "";
  EXPECT_EQ(next, position) << "a refused action changed the position";
  return error.message;
}

std::vector<std::string> EffectsOf(const Bytes& position, int actor, int64_t action) {
  std::vector<astragal_effect> effects(Table().about->max_effects);
  const uint32_t count =
      Table().effects(position.get(), actor, action, effects.data(), Table().about->max_effects);
  EXPECT_LE(count, Table().about->max_effects);
  effects.resize(count);
  std::vector<std::string> words;
  for (const astragal_effect& effect : effects) words.push_back(InWords(effect));
  return words;
}

std::vector<std::string> ThrowEffects(const Bytes& position, int score) {
  return EffectsOf(position, ASTRAGAL_CHANCE, ThrowOf(score));
}

std::vector<std::string> PlayEffects(const Bytes& position, const std::string& notation) {
  return EffectsOf(position, Table().actor(position.get()), Parsed(position, notation));
}

int64_t Counter(const Bytes& position, const std::string& name, int seat) {
  std::array<astragal_counter, ASTRAGAL_MAX_COUNTERS> counters;
  const uint32_t count =
      Table().counters(position.get(), counters.data(), static_cast<uint32_t>(counters.size()));
  for (uint32_t i = 0; i < count; ++i) {
    if (counters[i].seat == seat && name == counters[i].name) return counters[i].value;
  }
  throw std::runtime_error("no counter " + name);
}

std::vector<astragal_piece> Pieces(const Bytes& position) {
  std::vector<astragal_piece> pieces(Table().about->max_pieces);
  pieces.resize(Table().pieces(position.get(), pieces.data(), Table().about->max_pieces));
  return pieces;
}

int64_t DrawThrow(const Bytes& position, std::mt19937_64& random) {
  const int kind = Table().chances(position.get());
  const astragal_throw_kind& sticks = Table().about->throw_kinds[kind];
  uint64_t ticket = random() % 32;
  uint32_t outcome = 0;
  while (ticket >= sticks.weights[outcome]) ticket -= sticks.weights[outcome++];
  return ASTRAGAL_CHANCE_ACTION(kind, outcome);
}

std::pair<int, int64_t> RandomStep(Bytes& position, std::mt19937_64& random) {
  const int actor = Table().actor(position.get());
  int64_t action = 0;
  if (actor == ASTRAGAL_CHANCE) {
    action = DrawThrow(position, random);
  } else {
    const std::vector<int64_t> actions = Actions(position);
    if (actions.empty()) throw std::runtime_error("stuck: " + ToText(position));
    action = actions[random() % actions.size()];
  }
  position = Apply(position, actor, action);
  return {actor, action};
}

std::vector<int64_t> RandomOptions(std::mt19937_64& random) {
  const astragal_about& about = *Table().about;
  std::vector<int64_t> values;
  for (uint32_t i = 0; i < about.option_count; ++i) {
    const astragal_option& option = about.options[i];
    const auto span = static_cast<uint64_t>(option.maximum - option.minimum + 1);
    values.push_back(option.minimum + static_cast<int64_t>(random() % span));
    const std::string name = option.name;
    if (name == "stake") values.back() = 1 + static_cast<int64_t>(random() % 40);
    // Purses near the stake run dry often.
    if (name == "purse") {
      values.back() = random() % 2 == 0 ? 0 : values[i - 1] + static_cast<int64_t>(random() % 20);
    }
  }
  return values;
}

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

}  // namespace astragal::patolli_test
