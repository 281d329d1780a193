// What holds in whole games: random ones under every option, a recorded one, and counts.
#include "tests/plugins/long_narde/game.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tests/support/golden.h"

namespace astragal::long_narde {
namespace {

uint64_t Seed() {
  const char* text = std::getenv("ASTRAGAL_SEED");
  return text == nullptr ? std::random_device{}() : std::strtoull(text, nullptr, 10);
}

std::string EffectText(const astragal_effect& effect) {
  constexpr const char* kNames[] = {"?",     "move",    "enter", "capture",     "bear off",
                                    "throw", "discard", "pass",  "extra throw", "pay",
                                    "take",  "finish",  "turn",  "stop"};
  std::string text = kNames[effect.kind];
  if (effect.seat >= 0) text += effect.seat == kWhite ? " white" : " black";
  if (effect.from >= 0) {
    text += ' ';
    text += std::to_string(effect.from);
    text += "->";
    text += std::to_string(effect.to);
  }
  if (effect.amount != 0) {
    text += ' ';
    text += std::to_string(effect.amount);
  }
  return text;
}

std::vector<astragal_effect> EffectsOf(const Position& position, int actor, int64_t action) {
  std::vector<astragal_effect> list(Table().effects(&position, actor, action, nullptr, 0));
  Table().effects(&position, actor, action, list.data(), static_cast<uint32_t>(list.size()));
  return list;
}

// place * 2 + seat to checkers, from pieces().
std::map<int, int> Standing(const Position& position) {
  std::map<int, int> standing;
  for (const astragal_piece& piece : ListOf<astragal_piece>(Table().pieces, position)) {
    standing[piece.place * 2 + piece.seat] = piece.count;
  }
  return standing;
}

// Moves what the effects say on the board before; must give the board after.
void ExpectEffectsExplain(const Position& before, const Position& after,
                          const std::vector<astragal_effect>& effects) {
  std::map<int, int> standing = Standing(before);
  for (const astragal_effect& effect : effects) {
    if (effect.kind != ASTRAGAL_EFFECT_MOVE && effect.kind != ASTRAGAL_EFFECT_BEAR_OFF) continue;
    if (--standing[effect.from * 2 + effect.seat] == 0) {
      standing.erase(effect.from * 2 + effect.seat);
    }
    ++standing[effect.to * 2 + effect.seat];
  }
  EXPECT_EQ(standing, Standing(after));
  const astragal_effect& last = effects.back();
  if (Table().actor(&after) == ASTRAGAL_OVER) {
    EXPECT_EQ(last.kind, static_cast<uint32_t>(ASTRAGAL_EFFECT_FINISH));
  }
}

void ExpectSound(const Position& position) {
  const Answer check = Ask([&](astragal_error* error) { return Table().check(&position, error); });
  EXPECT_TRUE(check) << check.message;
  EXPECT_EQ(Parse(Format(position)), position);
  int checkers[2] = {};
  for (const astragal_piece& piece : ListOf<astragal_piece>(Table().pieces, position)) {
    checkers[piece.seat] += piece.count;
  }
  EXPECT_EQ(checkers[kWhite], kCheckers);
  EXPECT_EQ(checkers[kBlack], kCheckers);
}

void ExpectMirrorCommutes(const Position& before, int actor, int64_t action,
                          const Position& after) {
  const auto* mirror =
      static_cast<const astragal_mirror*>(Table().extension(ASTRAGAL_EXTENSION_MIRROR));
  Position mirrored{};
  mirror->position(&before, &mirrored);
  const int other = actor < 0 ? actor : mirror->seat(&before, actor);
  EXPECT_TRUE(Apply(mirrored, other, mirror->action(&before, actor, action)));
  Position expected{};
  mirror->position(&after, &expected);
  EXPECT_EQ(mirrored, expected);
}

TEST(RandomGames, StaySoundUnderEveryOption) {
  const uint64_t seed = Seed();
  RandomEngine random(seed);
  for (int game = 0; game < 60; ++game) {
    SCOPED_TRACE("ASTRAGAL_SEED=" + std::to_string(seed) + " game " + std::to_string(game));
    Position position = StartWith(RandomOptions(random));
    for (int count = 0; Table().actor(&position) != ASTRAGAL_OVER; ++count) {
      ASSERT_LT(count, 20000);
      const int actor = Table().actor(&position);
      const std::vector<int64_t> actions = Actions(position);
      ASSERT_EQ(actions.empty(), actor < 0);
      const int64_t action =
          actor < 0 ? RandomThrow(position, random) : actions[random() % actions.size()];
      const std::vector<astragal_effect> effects = EffectsOf(position, actor, action);
      ASSERT_FALSE(effects.empty());
      ASSERT_LE(effects.size(), Table().about->max_effects);
      const Position before = position;
      ASSERT_TRUE(Apply(position, actor, action)) << Format(before);
      ExpectSound(position);
      ExpectEffectsExplain(before, position, effects);
      ExpectMirrorCommutes(before, actor, action, position);
      ASSERT_FALSE(HasFailure()) << Format(before) << " " << FormatAction(before, actor, action);
    }
  }
}

TEST(RandomGames, RefuseEveryActionThatIsNotListed) {
  RandomEngine random(Seed());
  Position position = StartWith({});
  while (Table().actor(&position) != ASTRAGAL_OVER) {
    const int actor = Table().actor(&position);
    if (actor == ASTRAGAL_CHANCE) {
      Apply(position, actor, RandomThrow(position, random));
      continue;
    }
    const std::vector<int64_t> actions = Actions(position);
    for (int64_t action = -2; action < 260; ++action) {
      const bool listed = std::binary_search(actions.begin(), actions.end(), action);
      Position draft = position;
      EXPECT_EQ(static_cast<bool>(Apply(draft, actor, action)), listed) << Format(position);
      EXPECT_EQ(draft == position, !listed);
    }
    Apply(position, actor, actions[random() % actions.size()]);
  }
}

TEST(Check, TakesAnyBytes) {
  RandomEngine random(Seed());
  const Position good = Parse(
      "white 24:13 21:2 black 24:15 move white 3-3 left 3-3 head 2 first "
      "both");
  int refused = 0;
  for (int i = 0; i < 200000; ++i) {
    Position bytes = good;
    auto* at = reinterpret_cast<unsigned char*>(&bytes);
    if (i % 2 == 0) {
      at[random() % sizeof(bytes)] = static_cast<unsigned char>(random());
    } else {
      for (size_t k = 0; k < sizeof(bytes); ++k) at[k] = static_cast<unsigned char>(random());
    }
    const bool ok =
        static_cast<bool>(Ask([&](astragal_error* error) { return Table().check(&bytes, error); }));
    refused += ok ? 0 : 1;
    if (ok) {
      EXPECT_EQ(Parse(Format(bytes)), bytes);
    }
  }
  EXPECT_GT(refused, 150000);
}

TEST(Concession, FollowsTheSheet) {
  struct Case {
    const char* name;
    const char* options;
    const char* white;
    int64_t most;
  };
  for (const Case& c :
       {Case{"mars still possible", "", "24:15", 2}, Case{"one off", "", "24:14", 1},
        Case{"koks still possible", "scoring=mars_koks", "24:15", 3},
        Case{"koks, one off", "scoring=mars_koks", "24:14", 1},
        Case{"win only", "scoring=win_only", "24:15", 1}}) {
    const Position position =
        Parse(std::string("white ") + c.white + " black 24:15 roll white " + c.options);
    astragal_concession concession = {sizeof(concession), 0, 0, 0};
    EXPECT_EQ(Table().concession(&position, kWhite, &concession), ASTRAGAL_OK) << c.name;
    EXPECT_EQ(concession.fewest, 1) << c.name;
    EXPECT_EQ(concession.most, c.most) << c.name;
  }
  const Position over = Parse("white black 24:15 over white");
  astragal_concession concession = {sizeof(concession), 0, 0, 0};
  EXPECT_EQ(Table().concession(&over, kBlack, &concession), ASTRAGAL_REFUSED);
}

TEST(Effects, InOrder) {
  struct Case {
    const char* position;
    const char* action;
    std::vector<std::string> effects;
  };
  const Case cases[] = {
      {"white 24:15 black 24:15 opening first both",
       "2-5",
       {"throw white 2", "throw black 5", "turn black"}},
      {"white 24:15 black 24:15 opening first both",
       "4-4",
       {"throw white 4", "throw black 4", "extra throw"}},
      {"white 24:15 black 24:15 roll white first both", "6-3", {"throw white 6", "throw white 3"}},
      {"white 24:1 black 9:1 24:14 roll white",
       "3-3",
       {"throw white 3", "throw white 3", "pass white", "turn black"}},
      {"white 24:15 black 24:15 move white 6-6",
       "24/18",
       {"move white 24->18", "discard white 6", "discard white 6", "discard white 6",
        "turn black"}},
      {"white 1:1 black 24:15 move white 6-1",
       "1/off",
       {"bear off white 1->25", "finish white 1", "finish black 2"}},
  };
  for (const Case& c : cases) {
    const Position position = Parse(c.position);
    const int actor = Table().actor(&position);
    int64_t action = -1;
    const std::string text = c.action;
    ASSERT_TRUE(Ask([&](astragal_error* error) {
      return Table().parse(&position, actor, text.data(), static_cast<uint32_t>(text.size()),
                           &action, error);
    }));
    std::vector<std::string> effects;
    for (const astragal_effect& effect : EffectsOf(position, actor, action)) {
      effects.push_back(EffectText(effect));
    }
    EXPECT_EQ(effects, c.effects) << c.position << ' ' << c.action;
  }
}

TEST(Places, AreDistinctAndHoldEveryPiece) {
  const Position position = StartWith({});
  const auto places = ListOf<astragal_place>(Table().places, position);
  ASSERT_EQ(places.size(), 26u);
  std::map<int, const astragal_place*> by_id;
  std::set<std::pair<int, int>> centres;
  for (const astragal_place& place : places) {
    by_id[place.id] = &place;
    centres.insert({place.x, place.y});
  }
  EXPECT_EQ(by_id.size(), 26u);
  EXPECT_EQ(centres.size(), 26u);
  for (int head : {24, 12}) {
    EXPECT_NE(by_id[head]->marks & ASTRAGAL_MARK_START, 0u);
    EXPECT_EQ(by_id[head]->seat, head == 24 ? kWhite : kBlack);
  }
  for (int home : {1, 6, 13, 18}) EXPECT_NE(by_id[home]->marks & ASTRAGAL_MARK_HOME, 0u);
  EXPECT_EQ(by_id[kWhiteTray]->shape, static_cast<uint32_t>(ASTRAGAL_SHAPE_TRAY));
  EXPECT_STREQ(by_id[7]->label, "7");
}

// Leaves of the tree of all turns: every roll, every distinct end, `depth` turns deep.
uint64_t CountTurns(const Position& position, int depth) {
  if (depth == 0 || Table().actor(&position) == ASTRAGAL_OVER) return 1;
  uint64_t leaves = 0;
  const int kind = Table().chances(&position);
  for (uint32_t outcome = 0; outcome < Table().about->throw_kinds[kind].outcome_count; ++outcome) {
    Position rolled = position;
    Apply(rolled, ASTRAGAL_CHANCE, ASTRAGAL_CHANCE_ACTION(kind, outcome));
    const int seat = Table().actor(&rolled);
    if (seat < 0) {
      leaves += CountTurns(rolled, depth - 1);
      continue;
    }
    std::set<Position> level = {rolled};
    std::set<Position> ends;
    while (!level.empty()) {
      std::set<Position> next;
      for (const Position& from : level) {
        for (const int64_t action : Actions(from)) {
          Position after = from;
          Apply(after, seat, action);
          (Table().actor(&after) == seat ? next : ends).insert(after);
        }
      }
      level = std::move(next);
    }
    for (const Position& end : ends) leaves += CountTurns(end, depth - 1);
  }
  return leaves;
}

TEST(Counts, AreTheGolden) {
  struct Case {
    const char* name;
    const char* position;
    int depth;
  };
  std::string text;
  for (const Case& c :
       {Case{"start", "white 24:15 black 24:15 roll white first both", 3},
        Case{"start, federation",
             "white 24:15 black 24:15 roll white first both head_first_turn=doubles_346", 3},
        Case{"middle",
             "white 24:5 20:2 18:1 15:2 11:1 9:2 6:1 3:1 black 24:4 22:1 20:2 14:1 "
             "10:3 7:2 5:1 2:1 roll black",
             2},
        Case{"blocks",
             "white 24:7 23:1 22:1 21:1 16:1 13:1 10:1 6:1 1:1 black 24:3 17:2 16:5 "
             "15:4 14:1 roll white",
             2},
        Case{"blocks at the end of the turn",
             "white 24:7 23:1 22:1 21:1 16:1 13:1 10:1 6:1 1:1 black 24:3 17:2 16:5 15:4 14:1 "
             "roll white prime_check=turn_end",
             2},
        Case{"bearing off", "white 6:2 5:1 3:3 1:1 black 7:1 4:2 2:2 roll white", 3}}) {
    for (int depth = 1; depth <= c.depth; ++depth) {
      text += c.name;
      text += ", turns ";
      text += std::to_string(depth);
      text += ": ";
      text += std::to_string(CountTurns(Parse(c.position), depth));
      text += '\n';
    }
  }
  tests::ExpectGolden(text, "tests/plugins/long_narde/data/counts.txt");
}

// A fixed generator of its own, so that the playthrough is the same with every standard library.
class Picker {
 public:
  uint32_t Below(uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state_ >> 33) % limit);
  }

 private:
  uint64_t state_ = 7;
};

TEST(Playthrough, IsTheGolden) {
  Picker picker;
  std::string text;
  Position position = StartWith({kAnyRoll, 0, 0, kMarsKoks, kSecondPlayer, kRollOff});
  while (Table().actor(&position) != ASTRAGAL_OVER) {
    const int actor = Table().actor(&position);
    int64_t action = 0;
    if (actor == ASTRAGAL_CHANCE) {
      const int kind = Table().chances(&position);
      const auto& throw_kind = Table().about->throw_kinds[kind];
      uint32_t draw = picker.Below(36);
      uint32_t outcome = 0;
      while (draw >= throw_kind.weights[outcome]) draw -= throw_kind.weights[outcome++];
      action = ASTRAGAL_CHANCE_ACTION(kind, outcome);
      text += '\n';
      text += Format(position);
      text += '\n';
    } else {
      text += "  legal:";
      for (const std::string& step : StepTexts(position)) {
        text += ' ';
        text += step;
      }
      text += '\n';
      const std::vector<int64_t> actions = Actions(position);
      action = actions[picker.Below(static_cast<uint32_t>(actions.size()))];
    }
    text += actor < 0 ? "throw " : actor == kWhite ? "white " : "black ";
    text += FormatAction(position, actor, action);
    text += ":";
    for (const astragal_effect& effect : EffectsOf(position, actor, action)) {
      text += ' ';
      text += EffectText(effect);
      text += ';';
    }
    text += '\n';
    ASSERT_TRUE(Apply(position, actor, action));
  }
  text += '\n';
  text += Board(position);
  tests::ExpectGolden(text, "tests/plugins/long_narde/data/playthrough.txt");
}

// Greedy by evaluate() against random steps, colours and beginnings alternating.
TEST(Evaluate, GreedyBeatsRandom) {
  constexpr int kGames = 2000;
  const uint64_t seed = Seed();
  RandomEngine random(seed);
  int won = 0;
  for (int game = 0; game < kGames; ++game) {
    const int greedy = game % 2;
    Position position = StartWith({0, 0, 0, 0, 0, game / 2 % 2 == 0 ? kWhiteBegins : kBlackBegins});
    while (Table().actor(&position) != ASTRAGAL_OVER) {
      const int actor = Table().actor(&position);
      if (actor == ASTRAGAL_CHANCE) {
        Apply(position, actor, RandomThrow(position, random));
        continue;
      }
      const std::vector<int64_t> actions = Actions(position);
      int64_t choice = actions[random() % actions.size()];
      if (actor == greedy) {
        int best = -1;
        for (const int64_t action : actions) {
          Position after = position;
          Apply(after, actor, action);
          const int value = Table().evaluate(&after, actor);
          ASSERT_GE(value, 0);
          ASSERT_LE(value, 1000);
          if (value > best) {
            best = value;
            choice = action;
          }
        }
      }
      Apply(position, actor, choice);
    }
    won += position.Winner() == greedy;
  }
  std::printf("greedy won %d of %d, ASTRAGAL_SEED=%llu\n", won, kGames,
              static_cast<unsigned long long>(seed));
  EXPECT_GE(won, kGames * 90 / 100) << "ASTRAGAL_SEED=" << seed;
}

}  // namespace
}  // namespace astragal::long_narde
