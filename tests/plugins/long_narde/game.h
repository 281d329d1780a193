// Long Narde as its tests use it: the C table of the adapter, with strings and values.
#ifndef ASTRAGAL_TESTS_PLUGINS_LONG_NARDE_GAME_H_
#define ASTRAGAL_TESTS_PLUGINS_LONG_NARDE_GAME_H_

#include <astragal/ruleset.h>
#include <gtest/gtest.h>

#include <array>
#include <astragal/adapter.hpp>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "plugins/long_narde/position.h"

namespace astragal::long_narde {

inline const astragal_ruleset& Table() { return *sdk::Adapter<Position>::Table(); }

inline bool operator==(const Position& a, const Position& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}
inline bool operator<(const Position& a, const Position& b) {
  return std::memcmp(&a, &b, sizeof(a)) < 0;
}

// What a function of the table answered.
struct Answer {
  int32_t code = ASTRAGAL_OK;
  std::string field;
  std::string message;
  explicit operator bool() const { return code == ASTRAGAL_OK; }
};

template <class Call>
Answer Ask(const Call& call) {
  astragal_error error = {sizeof(error), {}, {}};
  const int32_t code = call(&error);
  return {code, error.field, error.message};
}

template <class Call>
std::string TextOf(const Call& call) {
  std::string text(call(nullptr, 0), ' ');
  call(text.data(), static_cast<uint32_t>(text.size()));
  return text;
}

template <class T, class Function>
std::vector<T> ListOf(Function function, const Position& position) {
  std::vector<T> list(function(&position, nullptr, 0));
  function(&position, list.data(), static_cast<uint32_t>(list.size()));
  return list;
}

inline Answer TryParse(const std::string& text, Position& position) {
  return Ask([&](astragal_error* error) {
    return Table().parse_position(text.data(), static_cast<uint32_t>(text.size()), &position,
                                  error);
  });
}

inline Position Parse(const std::string& text) {
  Position position{};
  const Answer answer = TryParse(text, position);
  EXPECT_TRUE(answer) << text << ": " << answer.field << ": " << answer.message;
  return position;
}

inline std::string Format(const Position& position) {
  return TextOf([&](char* out, uint32_t capacity) {
    return Table().format_position(&position, out, capacity);
  });
}

inline std::string FormatAction(const Position& position, int actor, int64_t action) {
  return TextOf([&](char* out, uint32_t capacity) {
    return Table().format(&position, actor, action, out, capacity);
  });
}

inline std::string Board(const Position& position) {
  return TextOf(
      [&](char* out, uint32_t capacity) { return Table().text(&position, out, capacity); });
}

inline std::vector<int64_t> Actions(const Position& position) {
  return ListOf<int64_t>(Table().actions, position);
}

inline Answer Apply(Position& position, int actor, int64_t action) {
  return Ask([&](astragal_error* error) { return Table().apply(&position, actor, action, error); });
}

// Carries out an action of whoever is to act, by its notation ("24/18", "6-3").
inline void Play(Position& position, const std::string& text) {
  const int actor = Table().actor(&position);
  int64_t action = -1;
  Answer answer = Ask([&](astragal_error* error) {
    return Table().parse(&position, actor, text.data(), static_cast<uint32_t>(text.size()), &action,
                         error);
  });
  if (answer) answer = Apply(position, actor, action);
  EXPECT_TRUE(answer) << text << " in " << Format(position) << ": " << answer.message;
}

// The listed actions in notation.
inline std::vector<std::string> StepTexts(const Position& position) {
  std::vector<std::string> steps;
  for (const int64_t action : Actions(position)) {
    steps.push_back(FormatAction(position, Table().actor(&position), action));
  }
  return steps;
}

// "white 18:2 24:13" of one side, own points from 24 down.
inline std::string SideText(const Position& position, int seat) {
  std::string text;
  for (int i = 0; i < kPoints; ++i) {
    if (position.count[seat][i] == 0) continue;
    if (!text.empty()) text += ' ';
    text += std::to_string(OwnPoint(i));
    text += ':';
    text += std::to_string(position.count[seat][i]);
  }
  return text;
}

// Every end of the mover's turn (its side), and the most dice that a turn used. The position is
// one in which the mover is to roll.
struct TurnEnds {
  std::set<std::string> ends;
  int dice_used = 0;
};

inline TurnEnds EndsOf(Position position, const std::string& roll) {
  const int seat = position.mover;
  Play(position, roll);
  TurnEnds result;
  std::set<Position> level;
  if (Table().actor(&position) == seat) level.insert(position);
  while (!level.empty()) {
    std::set<Position> next;
    ++result.dice_used;
    for (const Position& from : level) {
      for (const int64_t action : Actions(from)) {
        Position after = from;
        EXPECT_TRUE(Apply(after, seat, action));
        if (Table().actor(&after) == seat) {
          next.insert(after);
        } else {
          result.ends.insert(SideText(after, seat));
        }
      }
    }
    level = std::move(next);
  }
  return result;
}

using RandomEngine = std::mt19937_64;

inline int64_t RandomThrow(const Position& position, RandomEngine& random) {
  const int kind = Table().chances(&position);
  const astragal_throw_kind& throw_kind = Table().about->throw_kinds[kind];
  std::discrete_distribution<uint32_t> outcome(throw_kind.weights,
                                               throw_kind.weights + throw_kind.outcome_count);
  return ASTRAGAL_CHANCE_ACTION(kind, outcome(random));
}

inline Position StartWith(const std::array<int64_t, kOptionCount>& options) {
  Position position{};
  EXPECT_TRUE(
      Ask([&](astragal_error* error) { return Table().start(options.data(), &position, error); }));
  return position;
}

// Options from a seed: every combination turns up.
inline std::array<int64_t, kOptionCount> RandomOptions(RandomEngine& random) {
  std::array<int64_t, kOptionCount> options{};
  for (uint32_t i = 0; i < kOptionCount; ++i) {
    options[i] = static_cast<int64_t>(random() % kOptions[i].choice_count);
  }
  return options;
}

}  // namespace astragal::long_narde

#endif  // ASTRAGAL_TESTS_PLUGINS_LONG_NARDE_GAME_H_
