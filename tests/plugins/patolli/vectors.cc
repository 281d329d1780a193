#include "tests/plugins/patolli/vectors.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

namespace astragal::patolli_test {
namespace {

using nlohmann::json;

constexpr const char* kSeats[] = {"red", "green"};

struct Bytes {
  alignas(8) std::array<unsigned char, ASTRAGAL_MAX_POSITION_BYTES> data{};
  void* get() { return data.data(); }
  const void* get() const { return data.data(); }
};

// What a throw or an action leads to, in the terms of the records.
struct Outcome {
  std::multiset<std::string> events;
  std::optional<int> next;  // nobody: the game is over
  int64_t coins[2] = {};    // changes
  int64_t pot = 0;
  std::optional<int> winner;
};

int SeatNamed(const std::string& name) {
  if (name == kSeats[0]) return 0;
  if (name == kSeats[1]) return 1;
  throw std::runtime_error("no side is called '" + name + "'");
}

std::string DirectionWord(int direction) {
  if (direction == 0) return "undecided";
  return direction > 0 ? "anticlockwise" : "clockwise";
}

std::string SideText(const json& side, const std::string& name, const json& coins) {
  std::string text = name + " " + DirectionWord(side.at("dir").get<int>()) + " hand " +
                     std::to_string(side.at("hand").get<int>()) + " on";
  for (const json& own : side.at("track")) {
    text += ' ';
    text += std::to_string(own.get<int>());
  }
  return text + " off " + std::to_string(side.at("off").get<int>()) + " coins " +
         std::to_string(coins.get<int64_t>());
}

// The record's position before its throw, as position text.
std::string PositionText(const json& record) {
  const std::string mover = kSeats[SeatNamed(record.at("to_move").get<std::string>())];
  return mover + " throws; " + SideText(record.at("red"), "red", record.at("coins").at(0)) + "; " +
         SideText(record.at("green"), "green", record.at("coins").at(1)) + "; pot " +
         std::to_string(record.at("pot").get<int64_t>());
}

class Checker {
 public:
  Checker(const astragal_ruleset& ruleset, const json& record)
      : ruleset_(ruleset), record_(record), mover_(SeatNamed(record.at("to_move"))) {
    error_.struct_size = sizeof(error_);
  }

  std::vector<std::string> Run() {
    const std::string text = PositionText(record_);
    if (ruleset_.parse_position(text.data(), static_cast<uint32_t>(text.size()), start_.get(),
                                &error_) != ASTRAGAL_OK) {
      Differ("the position is refused: " + std::string(error_.message));
      return differences_;
    }
    const int64_t thrown = ThrowAction(record_.at("score").get<int>());
    Bytes after = start_;
    if (ruleset_.apply(after.get(), ASTRAGAL_CHANCE, thrown, &error_) != ASTRAGAL_OK) {
      Differ("the throw is refused: " + std::string(error_.message));
      return differences_;
    }
    if (ruleset_.actor(after.get()) == mover_) {
      CompareActions(after);
    } else {
      ComparePass(after, thrown);
    }
    return differences_;
  }

 private:
  void Differ(const std::string& what) { differences_.push_back(what); }

  int64_t ThrowAction(int score) const {
    const int kind = ruleset_.chances(start_.get());
    if (kind < 0) throw std::runtime_error("nothing is thrown in the position");
    const astragal_throw_kind& sticks = ruleset_.about->throw_kinds[kind];
    for (uint32_t outcome = 0; outcome < sticks.outcome_count; ++outcome) {
      if (sticks.labels[outcome] == std::to_string(score)) {
        return ASTRAGAL_CHANCE_ACTION(kind, outcome);
      }
    }
    throw std::runtime_error("no throw scores " + std::to_string(score));
  }

  int64_t Counter(const Bytes& position, const std::string& name, int seat) const {
    std::array<astragal_counter, ASTRAGAL_MAX_COUNTERS> counters{};
    const uint32_t count = ruleset_.counters(position.get(), counters.data(), counters.size());
    for (uint32_t i = 0; i < count && i < counters.size(); ++i) {
      if (counters[i].seat == seat && name == counters[i].name) return counters[i].value;
    }
    throw std::runtime_error("the ruleset has no counter " + name);
  }

  std::vector<astragal_effect> Effects(const Bytes& position, int actor, int64_t action) const {
    std::vector<astragal_effect> effects(ASTRAGAL_MAX_EFFECTS);
    const uint32_t count = ruleset_.effects(position.get(), actor, action, effects.data(),
                                            static_cast<uint32_t>(effects.size()));
    effects.resize(std::min<size_t>(count, effects.size()));
    return effects;
  }

  // Squares on which penalties for landing are paid, by the ruleset's own geometry.
  bool IsPenaltySquare(const Bytes& position, int place) const {
    std::vector<astragal_place> places(ASTRAGAL_MAX_PLACES);
    const uint32_t count =
        ruleset_.places(position.get(), places.data(), static_cast<uint32_t>(places.size()));
    for (uint32_t i = 0; i < count && i < places.size(); ++i) {
      if (places[i].id == place) return (places[i].marks & ASTRAGAL_MARK_PENALTY) != 0;
    }
    return false;
  }

  Outcome OutcomeOf(const Bytes& before, int actor, int64_t action, const Bytes& after) const {
    Outcome outcome;
    outcome.next = mover_;
    bool passed = false;
    bool paid = false;
    int64_t thrown = 0;
    for (const astragal_effect& effect : Effects(before, actor, action)) {
      switch (effect.kind) {
        case ASTRAGAL_EFFECT_THROW:
          thrown = effect.amount;
          break;
        case ASTRAGAL_EFFECT_CAPTURE:
          outcome.events.insert("attack");
          break;
        case ASTRAGAL_EFFECT_BEAR_OFF:
          outcome.events.insert("bear_off");
          break;
        case ASTRAGAL_EFFECT_PAY:
          paid = paid || effect.seat == mover_;
          break;
        case ASTRAGAL_EFFECT_MOVE:
        case ASTRAGAL_EFFECT_ENTER:
          if (IsPenaltySquare(before, effect.to)) outcome.events.insert("wedge");
          break;
        case ASTRAGAL_EFFECT_EXTRA_THROW:
          outcome.events.insert("again");
          break;
        case ASTRAGAL_EFFECT_PASS:
          passed = true;
          break;
        case ASTRAGAL_EFFECT_TURN:
          outcome.next = effect.seat;
          break;
        default:
          break;
      }
    }
    if (passed) outcome.events.insert(thrown == 0 ? "no_score" : "blocked_penalty");
    if (passed && thrown != 0 && !paid) outcome.events.insert("(nothing was paid)");
    for (int seat = 0; seat < 2; ++seat) {
      outcome.coins[seat] = Counter(after, "coins", seat) - Counter(before, "coins", seat);
    }
    outcome.pot = Counter(after, "pot", -1) - Counter(before, "pot", -1);
    if (ruleset_.actor(after.get()) == ASTRAGAL_OVER) NoteEnd(after, outcome);
    return outcome;
  }

  void NoteEnd(const Bytes& after, Outcome& outcome) const {
    outcome.events.insert("win");
    outcome.next.reset();
    std::array<astragal_seat_result, ASTRAGAL_MAX_SEATS> results{};
    ruleset_.result(after.get(), results.data());
    for (int seat = 0; seat < 2; ++seat) {
      if (results[static_cast<size_t>(seat)].place == 1) outcome.winner = seat;
    }
  }

  static Outcome Listed(const json& entry) {
    Outcome outcome;
    for (const json& event : entry.at("events")) outcome.events.insert(event.get<std::string>());
    if (!entry.at("next").is_null()) outcome.next = SeatNamed(entry.at("next"));
    outcome.coins[0] = entry.at("coins").at(0).get<int64_t>();
    outcome.coins[1] = entry.at("coins").at(1).get<int64_t>();
    outcome.pot = entry.at("pot").get<int64_t>();
    if (entry.contains("winner") && !entry["winner"].is_null()) {
      outcome.winner = SeatNamed(entry["winner"]);
    }
    return outcome;
  }

  static std::string Words(const std::multiset<std::string>& events) {
    std::string words;
    for (const std::string& event : events) words += (words.empty() ? "" : " ") + event;
    return "[" + words + "]";
  }
  static std::string Words(std::optional<int> seat) { return seat ? kSeats[*seat] : "nobody"; }
  static std::string Words(int64_t number) { return std::to_string(number); }

  template <class T>
  void Expect(const std::string& where, const char* what, const T& ours, const T& listed) {
    if (ours == listed) return;
    Differ(where + ": " + what + " is " + Words(ours) + ", listed " + Words(listed));
  }

  void Compare(const std::string& where, const Outcome& ours, const Outcome& listed) {
    Expect(where, "events", ours.events, listed.events);
    Expect(where, "next", ours.next, listed.next);
    Expect(where, "change of red's coins", ours.coins[0], listed.coins[0]);
    Expect(where, "change of green's coins", ours.coins[1], listed.coins[1]);
    Expect(where, "change of the pot", ours.pot, listed.pot);
    Expect(where, "winner", ours.winner, listed.winner);
  }

  void ComparePass(const Bytes& after, int64_t thrown) {
    if (record_.at("n_actions").get<int64_t>() != 0) {
      return Differ("no action is legal, listed " + record_.at("n_actions").dump());
    }
    const json& outcomes = record_.at("outcomes");
    if (outcomes.size() != 1 || !outcomes.at(0).at("action").is_null()) {
      return Differ("no action is legal, but the record lists one");
    }
    Compare("pass", OutcomeOf(start_, ASTRAGAL_CHANCE, thrown, after), Listed(outcomes.at(0)));
  }

  // The notation of a listed action.
  static std::string NotationOf(const json& entry) {
    const json& action = entry.at("action");
    const int to = entry.at("to").get<int>();
    if (action.at("type").get<std::string>() == "enter") {
      return (action.at("dir").get<int>() > 0 ? "in/+" : "in/-") + std::to_string(to);
    }
    return std::to_string(action.at("from").get<int>()) + "/" +
           (to == 59 ? "home" : std::to_string(to));
  }

  std::string FormatOf(const Bytes& position, int64_t action) const {
    std::array<char, ASTRAGAL_MAX_NAME_BYTES> text{};
    const uint32_t size = ruleset_.format(position.get(), mover_, action, text.data(), text.size());
    return std::string(text.data(), std::min<size_t>(size, text.size()));
  }

  void CompareActions(const Bytes& position) {
    std::vector<int64_t> actions(ASTRAGAL_MAX_ACTIONS);
    actions.resize(std::min<size_t>(
        ruleset_.actions(position.get(), actions.data(), ASTRAGAL_MAX_ACTIONS), actions.size()));
    std::set<int64_t> unlisted(actions.begin(), actions.end());
    Expect("actions", "their number", static_cast<int64_t>(actions.size()),
           record_.at("n_actions").get<int64_t>());
    for (const json& entry : record_.at("outcomes")) {
      if (entry.at("action").is_null()) {
        Differ("a pass is listed, but there are legal actions");
        continue;
      }
      CompareAction(position, entry, unlisted);
    }
    for (const int64_t action : unlisted) Differ(FormatOf(position, action) + " is not listed");
  }

  void CompareAction(const Bytes& position, const json& entry, std::set<int64_t>& unlisted) {
    const std::string notation = NotationOf(entry);
    int64_t action = -1;
    if (ruleset_.parse(position.get(), mover_, notation.data(),
                       static_cast<uint32_t>(notation.size()), &action, &error_) != ASTRAGAL_OK) {
      return Differ(notation + " is listed but cannot be read: " + error_.message);
    }
    if (unlisted.erase(action) == 0) {
      return Differ(notation + " is listed (once more) but not legal");
    }
    Bytes after = position;
    if (ruleset_.apply(after.get(), mover_, action, &error_) != ASTRAGAL_OK) {
      return Differ(notation + " is legal but refused: " + error_.message);
    }
    Compare(notation, OutcomeOf(position, mover_, action, after), Listed(entry));
    CompareSquare(notation, position, action, entry);
  }

  void CompareSquare(const std::string& notation, const Bytes& position, int64_t action,
                     const json& entry) {
    for (const astragal_effect& effect : Effects(position, mover_, action)) {
      const bool lands =
          effect.kind == ASTRAGAL_EFFECT_MOVE || effect.kind == ASTRAGAL_EFFECT_ENTER;
      if (!lands) continue;
      Expect(notation, "square", int64_t{effect.to}, entry.at("square").get<int64_t>());
    }
  }

  const astragal_ruleset& ruleset_;
  const json& record_;
  const int mover_;
  Bytes start_;
  astragal_error error_{};
  std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> CompareRecord(const astragal_ruleset& ruleset, const json& record) {
  return Checker(ruleset, record).Run();
}

}  // namespace astragal::patolli_test
