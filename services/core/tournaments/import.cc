#include "services/core/tournaments/import.h"

#include <algorithm>
#include <string>
#include <utility>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using algorithms::Crosstable;
using algorithms::kNobody;
using algorithms::Outcome;
using algorithms::RoundEntry;
using Kind = TournamentEntryKind;

// The boards of a round, in the order of the better player's number.
std::vector<TournamentBoard> BoardsOf(const Crosstable& table, int round) {
  std::vector<TournamentBoard> boards, rests;
  for (size_t i = 0; i < table.players.size(); ++i) {
    const RoundEntry entry = EntryOf(table.players[i], round);
    const auto player = static_cast<int>(i);
    if (entry.opponent == kNobody && entry.outcome == Outcome::kNothing) continue;
    if (entry.opponent != kNobody && entry.opponent < player) continue;  // is there already
    TournamentBoard board;
    board.first = player;
    board.second = entry.opponent;
    board.first_outcome = entry.outcome;
    board.manual = true;
    if (entry.opponent == kNobody) {
      rests.push_back(board);
      continue;
    }
    board.second_outcome =
        EntryOf(table.players[static_cast<size_t>(entry.opponent)], round).outcome;
    if (entry.side == algorithms::Side::kSecond) {
      std::swap(board.first, board.second);
      std::swap(board.first_outcome, board.second_outcome);
    }
    boards.push_back(board);
  }
  boards.insert(boards.end(), rests.begin(), rests.end());
  return boards;
}

}  // namespace

absl::StatusOr<std::vector<TournamentEntry>> ImportedEntries(
    const Crosstable& table, const std::vector<base::PlayerId>& players, base::PlayerId by,
    base::Instant at) {
  const auto bad = [](std::string_view why) {
    return base::Error(base::Reason::kBadField, "file " + std::string(why)).With("field", "file");
  };
  if (absl::Status right = CheckCrosstable(table); !right.ok()) {
    return bad("contradicts itself: " + std::string(right.message()));
  }
  if (players.size() != table.players.size() || players.size() < 2) return bad("has no players");
  if (table.rounds_played > kMaxImportedRounds) return bad("has too many rounds");
  std::vector<TournamentEntry> entries;
  const auto add = [&](Kind kind) -> TournamentEntry& {
    TournamentEntry& entry = entries.emplace_back();
    entry.version = static_cast<uint32_t>(entries.size()) + 1;
    entry.kind = kind;
    entry.by = by;
    entry.at = at;
    return entry;
  };
  add(Kind::kRegistrationOpened);
  for (size_t i = 0; i < players.size(); ++i) {
    TournamentEntry& entry = add(Kind::kRegistered);
    entry.player = players[i];
    entry.number = table.players[i].rating;
  }
  TournamentEntry& started = add(Kind::kStarted);
  started.number = std::max(table.rounds_planned, table.rounds_played);
  started.detail = EncodePlayers(players);
  for (int round = 0; round < table.rounds_played; ++round) {
    for (const Kind kind : {Kind::kRoundDrafted, Kind::kRoundPublished, Kind::kRoundClosed}) {
      TournamentEntry& entry = add(kind);
      entry.round = static_cast<uint16_t>(round + 1);
      if (kind == Kind::kRoundDrafted) entry.detail = EncodeBoards(BoardsOf(table, round));
    }
  }
  return entries;
}

}  // namespace astragal::core
