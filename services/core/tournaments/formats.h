// What formats with rounds of their own make of a state: tables, arenas, ladders. Internal to this
// folder. Pure.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_FORMATS_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_FORMATS_H_

#include <string>
#include <vector>

#include "services/algorithms/pairing/ladder.h"
#include "services/core/tournaments/rounds.h"

namespace astragal::core {

// ---- Tables: each board is a table of three or four (or two, where the rules allow it).

void DraftTables(const TournamentState& state, TournamentRound& round);
std::vector<Standing> TableStandings(const TournamentState& state);
std::vector<std::string> TableColumns();
int UsualTableRounds(int players);

// ---- Arenas: each wave is a round, and several are played at a time.

// How long the next wave waits after the last one.
inline constexpr int64_t kWaveMs = 3'000;
// Those who wait, paired; may be none.
void DraftWave(const TournamentState& state, TournamentRound& round);
std::vector<Standing> ArenaStandings(const TournamentState& state);
std::vector<std::string> ArenaColumns();
// How long matches may go on after the end: as long as one took on average, at least a minute.
int64_t GraceMs(const TournamentState& state);

// ---- Ladders: each challenge is a round of one board.

// Indices of the players from the top, those who are out left out.
algorithms::Ladder LadderOf(const TournamentState& state);
std::vector<Standing> LadderStandings(const TournamentState& state);
std::vector<std::string> LadderColumns();

// Whether somebody sits at a board that is open, of a round that is published.
std::vector<bool> Playing(const TournamentState& state);
// "7.5" from tenths.
std::string TenthsWord(algorithms::Tenths tenths);
// Ranks by these keys, the first that differs decides, larger is better; equals share a rank.
void RankBy(const std::vector<std::vector<int64_t>>& keys, std::vector<Standing>& standings);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_FORMATS_H_
