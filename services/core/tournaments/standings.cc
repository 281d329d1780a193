// Standings: who is how good by now, in each format.
#include <algorithm>

#include "services/base/bytes.h"
#include "services/core/tournaments/formats.h"

namespace astragal::core {
namespace {

using algorithms::Crosstable;
using algorithms::kNobody;
using algorithms::Outcome;
using algorithms::RoundEntry;

int RoundsPublished(const TournamentState& state) {
  int rounds = 0;
  for (const TournamentRound& round : state.rounds) rounds += round.stage != RoundStage::kDrafted;
  return rounds;
}

bool IsOut(const TournamentPlayer& player) {
  return player.status == EntrantStatus::kWithdrawn || player.status == EntrantStatus::kExpelled;
}

// By `better`, a number that is larger for whoever is better, then as they stand.
template <typename Better>
void Rerank(std::vector<Standing>& standings, Better better) {
  std::ranges::stable_sort(standings, [&](const Standing& a, const Standing& b) {
    return better(a) != better(b) ? better(a) > better(b) : a.rank < b.rank;
  });
  std::vector<int> before;
  for (const Standing& standing : standings) before.push_back(standing.rank);
  for (size_t i = 0; i < standings.size(); ++i) {
    const bool equal =
        i > 0 && before[i] == before[i - 1] && better(standings[i]) == better(standings[i - 1]);
    standings[i].rank = equal ? standings[i - 1].rank : static_cast<int>(i) + 1;
  }
}

// A number for each player, 1 and so on, that nobody knows before the first round is published, and
// everybody can compute afterwards: the order of SHA-256 over "astragal-tournament-lot-1" |
// tournament id (16) | i64 instant of that publication in microseconds | player id (16).
std::vector<uint64_t> LotsOf(const TournamentState& state) {
  const int64_t drawn_at = state.rounds.empty() ? 0 : state.rounds.front().published_at.micros;
  std::vector<std::pair<base::Bytes32, size_t>> drawn;
  for (size_t i = 0; i < state.players.size(); ++i) {
    base::ByteWriter name;
    name.Put(std::string_view("astragal-tournament-lot-1")).Put(state.id.bytes()).Put(drawn_at);
    name.Put(state.players[i].id.bytes());
    drawn.emplace_back(base::Sha256(name.Take()), i);
  }
  std::ranges::sort(drawn);
  std::vector<uint64_t> lots(drawn.size());
  for (size_t i = 0; i < drawn.size(); ++i) lots[drawn[i].second] = i + 1;
  return lots;
}

// The round in which each player lost for the last time; later ones are better.
std::vector<int> LastedUntil(const TournamentState& state, const Crosstable& table) {
  std::vector<int> rounds(table.players.size(), table.rounds_played + 1);
  for (size_t i = 0; i < table.players.size(); ++i) {
    int losses = 0;
    for (int round = 0; round < table.rounds_played; ++round) {
      const Outcome outcome = EntryOf(table.players[i], round).outcome;
      losses += outcome == Outcome::kLoss || outcome == Outcome::kForfeitLoss;
      if (losses < state.terms.losses) continue;
      rounds[i] = round + 1;
      break;
    }
  }
  return rounds;
}

void RankByFormat(const TournamentState& state, const Crosstable& table,
                  std::vector<Standing>& standings) {
  if (state.terms.format == TournamentFormat::kSwissToLosses) {
    const std::vector<int> until = LastedUntil(state, table);
    Rerank(standings, [&](const Standing& row) { return until[static_cast<size_t>(row.player)]; });
  } else if (IsElimination(state.terms.format)) {
    const Bracket bracket = BracketOf(state);
    const std::vector<int> places = algorithms::BracketPlaces(bracket.plan, bracket.state);
    // Who is still in has no place yet, and is ahead of all who have.
    for (Standing& row : standings) row.rank = 1;
    Rerank(standings,
           [&](const Standing& row) { return -places[static_cast<size_t>(row.player)]; });
  }
}

// Who leaves a round robin with less than half of the matches played has never been there; of the
// others the rest is forfeited (DraftRoundRobin).
void LeaveOut(const TournamentState& state, Crosstable& table) {
  const int matches = (static_cast<int>(state.players.size()) - 1) * (state.terms.twice ? 2 : 1);
  for (size_t i = 0; i < state.players.size(); ++i) {
    if (!IsOut(state.players[i])) continue;
    auto& entries = table.players[i].rounds;
    const auto played = std::ranges::count_if(entries, &RoundEntry::Played);
    if (played * 2 >= matches) continue;
    for (size_t round = 0; round < entries.size(); ++round) {
      const int opponent = entries[round].opponent;
      if (opponent != kNobody) table.players[static_cast<size_t>(opponent)].rounds[round] = {};
      entries[round] = {};
    }
  }
}

std::vector<Standing> StandingsOfPairs(const TournamentState& state) {
  Crosstable table = CrosstableOf(state, RoundsPublished(state));
  algorithms::TieBreakRules rules;
  rules.round_robin = state.terms.format == TournamentFormat::kRoundRobin;
  rules.lots = LotsOf(state);
  if (rules.round_robin) LeaveOut(state, table);
  const std::vector<algorithms::TieBreak> order = TieBreaksOf(state.terms);
  std::vector<Standing> standings;
  for (const algorithms::StandingsRow& row : algorithms::ComputeStandings(table, order, rules)) {
    const TournamentPlayer& player = state.players[static_cast<size_t>(row.player)];
    Standing& standing = standings.emplace_back();
    standing.player = row.player;
    standing.rank = row.rank;
    standing.points = ScoreBefore(table, row.player, table.rounds_played) + player.adjustment;
    for (size_t i = 0; i < order.size(); ++i) {
      const bool points = order[i].kind == algorithms::TieBreakKind::kPoints;
      standing.values.push_back(
          points ? TenthsWord(standing.points)
                 : algorithms::FormatTieBreakValue(order[i].kind, row.values[i]));
    }
  }
  const bool adjusted = std::ranges::any_of(
      state.players, [](const TournamentPlayer& player) { return player.adjustment != 0; });
  if (adjusted) Rerank(standings, [](const Standing& row) { return row.points; });
  RankByFormat(state, table, standings);
  return standings;
}

std::vector<Standing> ByFormat(const TournamentState& state) {
  switch (state.terms.format) {
    case TournamentFormat::kTables:
      return TableStandings(state);
    case TournamentFormat::kArena:
      return ArenaStandings(state);
    case TournamentFormat::kLadder:
      return LadderStandings(state);
    default:
      return StandingsOfPairs(state);
  }
}

}  // namespace

std::string TenthsWord(algorithms::Tenths tenths) {
  return algorithms::FormatTieBreakValue(algorithms::TieBreakKind::kPoints, tenths);
}

void RankBy(const std::vector<std::vector<int64_t>>& keys, std::vector<Standing>& standings) {
  const auto key = [&keys](const Standing& row) -> const std::vector<int64_t>& {
    return keys[static_cast<size_t>(row.player)];
  };
  std::ranges::stable_sort(standings,
                           [&](const Standing& a, const Standing& b) { return key(a) > key(b); });
  for (size_t i = 0; i < standings.size(); ++i) {
    const bool equal = i > 0 && key(standings[i]) == key(standings[i - 1]);
    standings[i].rank = equal ? standings[i - 1].rank : static_cast<int>(i) + 1;
  }
}

std::vector<std::string> ColumnsOf(const TournamentTerms& terms) {
  switch (terms.format) {
    case TournamentFormat::kTables:
      return TableColumns();
    case TournamentFormat::kArena:
      return ArenaColumns();
    case TournamentFormat::kLadder:
      return LadderColumns();
    default:
      break;
  }
  std::vector<std::string> words;
  for (const algorithms::TieBreak& each : TieBreaksOf(terms)) {
    words.push_back(algorithms::FormatTieBreak(each));
  }
  return words;
}

std::vector<Standing> StandingsOf(const TournamentState& state) {
  std::vector<Standing> standings = ByFormat(state);
  const auto expelled = [&](const Standing& row) {
    return state.players[static_cast<size_t>(row.player)].status == EntrantStatus::kExpelled;
  };
  Rerank(standings, [&](const Standing& row) { return expelled(row) ? 0 : 1; });
  for (Standing& row : standings) {
    if (expelled(row)) row.rank = 0;
  }
  return standings;
}

}  // namespace astragal::core
