// The checks, one function per subject. Each looks at one position (or one start) of a game that
// the session is in and reports to the session; none changes the game.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_CHECKS_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_CHECKS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugins/conformance/session.h"
#include "plugins/host/ruleset.h"

namespace astragal::conformance {

// What must stay the same from the first position of a game on.
struct GameFacts {
  int seats = 0;
  std::vector<int64_t> options;
  std::set<int> place_ids;
  std::string places;                             // all of them, as comparable text
  std::map<std::pair<int, int>, int64_t> pieces;  // how many of (seat, kind)
  std::optional<int64_t> coins;                   // counters `coins` and `pot` together
};

// A position to look at with everything that may be chosen in it.
struct Look {
  const host::Position& position;
  int actor;
  const std::vector<int64_t>& choosable;  // listed actions, or all outcomes of the throw
};

GameFacts FactsOf(Session& session, const host::Position& start);

// Cheap enough for every position of every game: check, head, pieces, coins, result.
void CheckEveryPosition(Session& session, const host::Position& position, const GameFacts& facts);

// For sampled positions.
void CheckChoices(Session& session, const Look& look, const std::vector<int64_t>& seen_before);
void CheckNotation(Session& session, const Look& look);
void CheckPositionText(Session& session, const host::Position& position);
void CheckEffects(Session& session, const Look& look);
void CheckBoard(Session& session, const host::Position& position, const GameFacts& facts);
void CheckConcession(Session& session, const host::Position& position);
void CheckEvaluate(Session& session, const host::Position& position);
void CheckMirror(Session& session, const Look& look);
void CheckLeave(Session& session, const host::Position& position);
void CheckAnyBytes(Session& session, const host::Position& position);
void CheckRepeatable(Session& session, const host::Position& position);
void CheckThreads(Session& session, const host::Position& position);
void CheckWrites(Session& session, const Look& look);

// Once for each preset: it starts, and so do other values of each option. Gives the positions that
// started from other values.
std::vector<host::Position> CheckStarts(Session& session, const host::Preset& preset);

// A text like `text` that somebody mistyped; valid UTF-8 without control characters.
std::string Mistyped(host::Choices& noise, const std::string& text, size_t limit);

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_CHECKS_H_
