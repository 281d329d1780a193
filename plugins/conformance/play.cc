#include "plugins/conformance/play.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "plugins/conformance/answers.h"
#include "plugins/conformance/checks.h"
#include "plugins/conformance/memory.h"
#include "plugins/conformance/session.h"
#include "plugins/host/guard.h"

namespace astragal::conformance {
namespace {

using host::Position;
using host::Ruleset;

// Of the positions of a deep game, one in so many is looked at.
constexpr uint64_t kOneInQuick = 4;
constexpr uint64_t kOneInSlow = 24;
constexpr size_t kMaxSeenBefore = 256;  // actions of earlier positions that are tried again
constexpr uint64_t kVariantGames = uint64_t{1} << 32;  // numbers of games from other option values

class Player {
 public:
  Player(const Ruleset& ruleset, const PlayOptions& options, Report& report,
         const std::function<void()>& after_game)
      : session_(ruleset, report), options_(options), after_game_(after_game) {}

  void PlayPreset(size_t index) {
    const host::Preset& preset = session_.about().presets[index];
    session_.BeginGame(index, 0, options_.seed);
    const std::vector<Position> variants = CheckStarts(session_, preset);
    after_game_();
    for (uint64_t game = 0; game < options_.games; ++game) {
      if (options_.only_game && *options_.only_game != game) continue;
      session_.BeginGame(index, game, options_.seed);
      const auto start = session_.ruleset().Start(preset.values);
      if (start.ok()) Play(*start, game < options_.deep);
    }
    for (size_t i = 0; i < variants.size() && !options_.only_game; ++i) {
      session_.BeginGame(index, kVariantGames + i, options_.seed);
      Play(variants[i], options_.deep_variants);
    }
  }

 private:
  void Play(Position position, bool deep) {
    const GameFacts facts = FactsOf(session_, position);
    seen_before_.clear();
    const uint64_t limit = session_.about().limits.game_actions;
    for (uint64_t step = 0; step <= limit; ++step) {
      session_.SetStep(step);
      CheckEveryPosition(session_, position, facts);
      const int actor = session_.ruleset().Actor(position);
      const std::vector<int64_t> choosable = Choosable(position, actor);
      const bool known = !choosable.empty() || actor == host::kOver;
      if (deep && known) LookAt({position, actor, choosable}, facts, step == 0);
      if (actor == host::kOver) {
        session_.report().Count(Duty::kTermination);
        return after_game_();
      }
      if (choosable.empty() || !Step(position, actor, choosable)) return after_game_();
    }
    session_.Expect(Duty::kTermination, false,
                    absl::StrCat("the game is not over after ", limit, " actions and throws"),
                    &position);
    after_game_();
  }

  std::vector<int64_t> Choosable(const Position& position, int actor) {
    if (actor == host::kOver || actor == host::kBroken) return {};
    if (actor >= 0) {
      session_.Doing(Duty::kActionsListed);
      std::vector<int64_t> buffer(session_.about().limits.actions);
      uint32_t count = 1;
      host::Returns([&] {
        count = session_.raw().actions(position.data(), buffer.data(),
                                       static_cast<uint32_t>(buffer.size()));
      });
      if (!session_.Expect(Duty::kLiveness, count > 0, "a seat is to act and has no action",
                           &position)) {
        return {};
      }
    }
    return session_.Choosable(position, actor);
  }

  bool Step(Position& position, int actor, const std::vector<int64_t>& choosable) {
    const int64_t action = choosable[session_.choices().Below(choosable.size())];
    const Duty duty = actor == host::kChance ? Duty::kThrowsApply : Duty::kActionsApply;
    session_.Doing(duty);
    const Position before = position;
    return session_.ExpectOk(duty, session_.ruleset().Apply(position, actor, action),
                             absl::StrCat("apply of ", action), &before);
  }

  void LookAt(const Look& look, const GameFacts& facts, bool first) {
    const bool always = first || look.actor == host::kOver;
    if (always || session_.noise().OneIn(kOneInQuick)) {
      CheckChoices(session_, look, seen_before_);
      CheckNotation(session_, look);
      CheckPositionText(session_, look.position);
      CheckEffects(session_, look);
      CheckBoard(session_, look.position, facts);
      CheckConcession(session_, look.position);
      CheckEvaluate(session_, look.position);
      CheckMirror(session_, look);
    }
    if (always || session_.noise().OneIn(kOneInSlow)) {
      CheckWrites(session_, look);
      CheckLeave(session_, look.position);
      CheckRepeatable(session_, look.position);
      CheckThreads(session_, look.position);
      CheckAnyBytes(session_, look.position);
    }
    Remember(look);
  }

  void Remember(const Look& look) {
    if (look.actor < 0) return;
    for (const int64_t action : look.choosable) {
      if (seen_before_.size() < kMaxSeenBefore) {
        seen_before_.push_back(action);
      } else {
        seen_before_[session_.noise().Below(kMaxSeenBefore)] = action;
      }
    }
  }

  Session session_;
  const PlayOptions& options_;
  const std::function<void()> after_game_;
  std::vector<int64_t> seen_before_;
};

// Tables that a ruleset fills when they are first needed are filled now.
void WarmUp(const Ruleset& ruleset, const PlayOptions& options,
            const std::function<void()>& after_game) {
  Report unused;
  PlayOptions once = options;
  once.games = 1;
  once.deep = 1;
  once.deep_variants = false;
  once.only_game.reset();
  Player player(ruleset, once, unused, after_game);
  for (const size_t preset : options.presets) player.PlayPreset(preset);
}

uint64_t Mix(uint64_t digest, const std::string& text) {
  for (const char c : text) {
    digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  return (digest ^ text.size()) * 0x100000001B3u;
}

uint64_t DigestOfGame(Session& session, Position position, uint64_t digest) {
  for (uint64_t step = 0; step <= session.about().limits.game_actions; ++step) {
    session.SetStep(step);
    for (const Answer& answer : AskEverything(session.ruleset(), position)) {
      digest = Mix(digest, answer.text);
    }
    const int actor = session.ruleset().Actor(position);
    if (actor == host::kOver || actor == host::kBroken) break;
    const std::vector<int64_t> choosable = session.Choosable(position, actor);
    if (choosable.empty()) break;
    const int64_t action = choosable[session.choices().Below(choosable.size())];
    if (!session.ruleset().Apply(position, actor, action).ok()) break;
  }
  return digest;
}

}  // namespace

void PlayAndCheck(const Ruleset& ruleset, const PlayOptions& options, Report& report,
                  const std::function<void()>& after_game) {
  WarmUp(ruleset, options, after_game);
  const LibraryMemory before = LibraryMemory::Of(ruleset.build().path);
  Player player(ruleset, options, report, after_game);
  for (const size_t preset : options.presets) player.PlayPreset(preset);
  const LibraryMemory after = LibraryMemory::Of(ruleset.build().path);
  const long at = before.FirstDifference(after);
  report.Count(Duty::kGlobals);
  if (at >= 0) {
    report.Fail(Duty::kGlobals, {"", "",
                                 absl::StrCat("the library changed its own memory, first at 0x",
                                              absl::Hex(at), " of its image")});
  }
}

uint64_t DigestOfAnswers(const Ruleset& ruleset, const PlayOptions& options) {
  Report unused;
  Session session(ruleset, unused);
  session.Doing(Duty::kOtherProcess);
  uint64_t digest = 0xCBF29CE484222325u;
  for (const size_t preset : options.presets) {
    for (uint64_t game = 0; game < std::min(options.games, options.deep); ++game) {
      session.BeginGame(preset, game, options.seed);
      const auto start = ruleset.Start(ruleset.about().presets[preset].values);
      if (start.ok()) digest = DigestOfGame(session, *start, digest);
    }
  }
  return digest;
}

}  // namespace astragal::conformance
