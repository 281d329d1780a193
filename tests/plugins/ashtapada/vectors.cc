#include "tests/plugins/ashtapada/vectors.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

#include "plugins/ashtapada/action.h"

namespace astragal::ashtapada_test {
namespace {

using nlohmann::json;

constexpr int kKeep = 60;
constexpr int kOff = 61;
const std::map<std::string, std::string> kSeatNames = {
    {"S", "south"}, {"N", "north"}, {"W", "west"}, {"E", "east"}};

struct Bytes {
  alignas(8) std::array<unsigned char, ASTRAGAL_MAX_POSITION_BYTES> data{};
  void* get() { return data.data(); }
  const void* get() const { return data.data(); }
};

std::vector<int> Numbers(const json& list) {
  std::vector<int> numbers;
  for (const json& number : list) numbers.push_back(number.get<int>());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string Joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : "+") + std::to_string(number);
  return text.empty() ? "-" : text;
}

std::string SeatName(const json& seat) { return kSeatNames.at(seat.get<std::string>()); }

int SeatIndex(const astragal_ruleset& ruleset, const std::string& name) {
  for (uint32_t i = 0; i < ruleset.about->max_seats; ++i) {
    if (name == ruleset.about->seat_names[i]) return static_cast<int>(i);
  }
  throw std::runtime_error("the ruleset has no seat " + name);
}

// "south=5,20*,keep"; `moved` are own indices, each of one piece that has moved.
std::string PiecesText(const std::string& seat, const json& pieces, std::vector<int> moved) {
  std::string text;
  for (const json& piece : pieces) {
    const int index = piece.get<int>();
    if (index < -1 || index > kOff) throw std::runtime_error("no index " + std::to_string(index));
    text += text.empty() ? "=" : ",";
    text += index == -1      ? "hand"
            : index == kKeep ? "keep"
            : index == kOff  ? "off"
                             : std::to_string(index);
    const auto at = std::find(moved.begin(), moved.end(), index);
    if (at == moved.end()) continue;
    moved.erase(at);
    if (index != kOff) text += "*";  // what is off the board needs no mark
  }
  if (!moved.empty()) throw std::runtime_error("a moved piece is not among the pieces");
  return " " + seat + text;
}

std::string BoardText(const json& record, bool with_moved) {
  const std::string mover = record.at("to_move").get<std::string>();
  std::string text = " players=" + std::to_string(record.at("players").get<int>());
  text += " pieces=" + std::to_string(record.at("pieces").at(mover).size());
  for (const auto& [seat, pieces] : record.at("pieces").items()) {
    const bool is_mover = seat == mover && with_moved;
    text += PiecesText(kSeatNames.at(seat), pieces,
                       is_mover ? Numbers(record.at("moved")) : std::vector<int>());
  }
  return text;
}

// Reads a position; false and why when the ruleset refuses it.
bool ReadPosition(const astragal_ruleset& ruleset, const std::string& text, Bytes& position,
                  std::string& why, std::string& field) {
  astragal_error error{};
  error.struct_size = sizeof(error);
  const bool is_read = ruleset.parse_position(text.data(), static_cast<uint32_t>(text.size()),
                                              position.get(), &error) == ASTRAGAL_OK;
  why = error.message;
  field = error.field;
  return is_read;
}

bool IsBare(const json& pieces) {
  return std::all_of(pieces.begin(), pieces.end(), [](const json& piece) {
    return piece.get<int>() == -1 || piece.get<int>() == kOff;
  });
}

// Whether the record shows the start of the actions of its series, so that its throws can be made.
bool IsFresh(const json& record) {
  if (!record.at("moved").empty()) return false;
  const json& own = record.at("pieces").at(record.at("to_move").get<std::string>());
  return IsBare(own) || Numbers(record.at("throws")) == Numbers(record.at("remaining"));
}

void ThrowAll(const astragal_ruleset& ruleset, const json& record, Bytes& position) {
  for (const json& value : record.at("throws")) {
    const std::string text = std::to_string(value.get<int>());
    int64_t action = 0;
    astragal_error error{};
    error.struct_size = sizeof(error);
    const bool is_thrown =
        ruleset.actor(position.get()) == ASTRAGAL_CHANCE &&
        ruleset.parse(position.get(), ASTRAGAL_CHANCE, text.data(),
                      static_cast<uint32_t>(text.size()), &action, &error) == ASTRAGAL_OK &&
        ruleset.apply(position.get(), ASTRAGAL_CHANCE, action, &error) == ASTRAGAL_OK;
    if (!is_thrown) throw std::runtime_error("the throw of " + text + " is refused");
  }
}

std::vector<int> ThrowsLeft(const astragal_ruleset& ruleset, const Bytes& position) {
  std::vector<astragal_throw> throws(ruleset.about->max_throws);
  throws.resize(ruleset.throws(position.get(), throws.data(), ruleset.about->max_throws));
  std::vector<int> left;
  for (const astragal_throw& made : throws) {
    if (made.used == 0) left.push_back(static_cast<int>(made.value));
  }
  std::sort(left.begin(), left.end());
  return left;
}

std::string OptionText(const std::string& forgo) { return " forgo=" + forgo; }

// The position in which the record's actions are legal; false when there are none (the turn has
// passed already), checked as far as that can be.
bool SetUp(const astragal_ruleset& ruleset, const json& record, const std::string& forgo,
           Bytes& position) {
  const std::string mover = SeatName(record.at("to_move"));
  const std::vector<int> remaining = Numbers(record.at("remaining"));
  std::string why;
  std::string field;
  if (IsFresh(record)) {
    const std::string text = "throw=" + mover + BoardText(record, false) + OptionText(forgo);
    if (!ReadPosition(ruleset, text, position, why, field)) {
      throw std::runtime_error("the position is refused: " + why);
    }
    ThrowAll(ruleset, record, position);
    const bool acts = ruleset.actor(position.get()) == SeatIndex(ruleset, mover);
    if (acts && ThrowsLeft(ruleset, position) != remaining) {
      throw std::runtime_error("throws left are " + Joined(ThrowsLeft(ruleset, position)) +
                               ", listed " + Joined(remaining));
    }
    return acts;
  }
  if (remaining.empty()) return false;
  std::vector<int> used;
  const std::vector<int> throws = Numbers(record.at("throws"));
  std::set_difference(throws.begin(), throws.end(), remaining.begin(), remaining.end(),
                      std::back_inserter(used));
  const bool acted = !used.empty() || !record.at("moved").empty();
  const std::string text = "play=" + mover + " left=" + Joined(remaining) +
                           " used=" + Joined(used) + (acted ? " acted" : "") +
                           BoardText(record, true) + OptionText(forgo);
  if (ReadPosition(ruleset, text, position, why, field)) return true;
  if (field == "play") return false;  // nothing can be played
  throw std::runtime_error("the position is refused: " + why);
}

std::vector<int64_t> ActionsOf(const astragal_ruleset& ruleset, const Bytes& position) {
  std::vector<int64_t> actions(ruleset.about->max_actions);
  const uint32_t count =
      ruleset.actions(position.get(), actions.data(), ruleset.about->max_actions);
  if (count > actions.size()) throw std::runtime_error("more actions than declared");
  actions.resize(count);
  return actions;
}

ashtapada::Action Decoded(int64_t code) {
  ashtapada::Action action;
  if (!ashtapada::Decode(code, action)) {
    throw std::runtime_error("action " + std::to_string(code) + " is no code");
  }
  return action;
}

std::string ThrowsText(const ashtapada::ThrowSet& throws) {
  std::vector<int> values;
  for (int i = 0; i < ashtapada::kScores; ++i) {
    values.insert(values.end(), throws[i], ashtapada::kScoreValues[i]);
  }
  return Joined(values);
}

std::string Label(const astragal_ruleset& ruleset, const Bytes& position, int id) {
  std::vector<astragal_place> places(ruleset.about->max_places);
  places.resize(ruleset.places(position.get(), places.data(), ruleset.about->max_places));
  for (const astragal_place& place : places) {
    if (place.id == id) return place.label;
  }
  return "?";
}

std::string CapturesText(const std::map<std::string, int>& captures) {
  std::string text;
  for (const auto& [seat, count] : captures) text += " " + seat + std::to_string(count);
  return text.empty() ? "" : " captures" + text;
}

// One action in words that hold everything a record says of it.
std::string Describe(const astragal_ruleset& ruleset, const Bytes& position, int64_t code) {
  const ashtapada::Action action = Decoded(code);
  if (action.kind == ashtapada::kEnter) return "enter by 1";
  if (action.kind == ashtapada::kBearOff) return "bear_off by 1";
  std::vector<astragal_effect> effects(ruleset.about->max_effects);
  effects.resize(ruleset.effects(position.get(), ruleset.actor(position.get()), code,
                                 effects.data(), ruleset.about->max_effects));
  std::map<std::string, int> captures;
  int64_t steps = 0;
  int moved = 0;
  std::string square;
  for (const astragal_effect& effect : effects) {
    if (effect.kind == ASTRAGAL_EFFECT_MOVE) {
      ++moved;
      steps = effect.amount;
      square = Label(ruleset, position, effect.to);
    } else if (effect.kind == ASTRAGAL_EFFECT_CAPTURE) {
      const char* name = ruleset.about->seat_names[effect.seat];
      ++captures[std::string(1, static_cast<char>(*name - 'a' + 'A'))];
    }
  }
  return "move " + std::to_string(action.from) + " to " + std::to_string(action.from + steps) +
         " " + square + " size " + std::to_string(moved) + " by " + ThrowsText(action.throws) +
         CapturesText(captures);
}

std::string DescribeListed(const json& action) {
  const std::string type = action.at("type").get<std::string>();
  const std::string throws = Joined(Numbers(action.at("throws")));
  if (type != "move") return type + " by " + throws;
  std::map<std::string, int> captures;
  if (action.contains("captures")) {
    for (const auto& [seat, count] : action.at("captures").items()) {
      captures[seat] = count.get<int>();
    }
  }
  return "move " + std::to_string(action.at("from").get<int>()) + " to " +
         std::to_string(action.at("to").get<int>()) + " " + action.at("square").get<std::string>() +
         " size " + std::to_string(action.at("size").get<int>()) + " by " + throws +
         CapturesText(captures);
}

// Plays on under forgo=none until the series is over, and counts the throws used.
int ThrowsUsable(const astragal_ruleset& ruleset, const json& record) {
  Bytes position;
  if (!SetUp(ruleset, record, "none", position)) return 0;
  const int seat = ruleset.actor(position.get());
  size_t left = ThrowsLeft(ruleset, position).size();
  int used = 0;
  while (ruleset.actor(position.get()) == seat && ThrowsLeft(ruleset, position).size() == left) {
    const int64_t code = ActionsOf(ruleset, position).at(0);
    const int size = Decoded(code).throws.Size();
    used += size;
    left -= static_cast<size_t>(size);
    astragal_error error{};
    error.struct_size = sizeof(error);
    if (ruleset.apply(position.get(), seat, code, &error) != ASTRAGAL_OK) {
      throw std::runtime_error(std::string("a listed action is refused: ") + error.message);
    }
  }
  return used;
}

std::vector<std::string> Compare(const astragal_ruleset& ruleset, const json& record) {
  std::vector<std::string> report;
  const auto differ = [&](const std::string& what) { report.push_back(what); };
  std::multiset<std::string> found;
  Bytes position;
  if (SetUp(ruleset, record, "after_first", position)) {
    for (const int64_t code : ActionsOf(ruleset, position)) {
      if (code != 0) found.insert(Describe(ruleset, position, code));
    }
  }
  std::multiset<std::string> listed;
  for (const json& action : record.at("actions")) listed.insert(DescribeListed(action));
  if (static_cast<size_t>(record.at("n_actions").get<int>()) != found.size()) {
    differ("the number of actions is " + std::to_string(found.size()) + ", listed " +
           record.at("n_actions").dump());
  }
  std::vector<std::string> rest;
  std::set_difference(found.begin(), found.end(), listed.begin(), listed.end(),
                      std::back_inserter(rest));
  for (const std::string& text : rest) differ(text + " is legal and not listed");
  rest.clear();
  std::set_difference(listed.begin(), listed.end(), found.begin(), found.end(),
                      std::back_inserter(rest));
  for (const std::string& text : rest) differ(text + " is listed and not legal");
  const int usable = ThrowsUsable(ruleset, record);
  if (usable != record.at("max_throws_usable").get<int>()) {
    differ("throws that can be used are " + std::to_string(usable) + ", listed " +
           record.at("max_throws_usable").dump());
  }
  return report;
}

}  // namespace

std::vector<std::string> CompareRecord(const astragal_ruleset& ruleset, const json& record) {
  try {
    return Compare(ruleset, record);
  } catch (const std::exception& error) {
    return {std::string("cannot be compared: ") + error.what()};
  }
}

}  // namespace astragal::ashtapada_test
