#include "storage/pg_match_store.h"

#include <algorithm>
#include <string_view>

#include "services/base/status.h"
#include "storage/failures.h"
#include "storage/game_queries.h"
#include "storage/match_queries.h"

namespace astragal::storage {
namespace {

std::vector<base::PlayerId> PlayersFrom(std::string_view text) {
  std::vector<base::PlayerId> players;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    players.emplace_back(UuidFromText(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return players;
}

StoredMatch MatchFromRow(const Rows& rows, size_t row) {
  StoredMatch match;
  MatchRecord& record = match.record;
  int column = 0;
  record.id = rows.Uuid<base::MatchId>(row, column++);
  record.kind = static_cast<MatchKind>(rows.Int(row, column++));
  record.length = static_cast<uint16_t>(rows.Int(row, column++));
  record.first_mover = static_cast<FirstMover>(rows.Int(row, column++));
  record.match_clock = rows.Bool(row, column++);
  record.timeout_loses = rows.Bool(row, column++);
  record.created_by = rows.Uuid<base::PlayerId>(row, column++);
  record.created_at = rows.At(row, column++);
  record.players = PlayersFrom(rows.Text(row, column++));
  match.ruleset = rows.Text(row, column++);
  match.rules_version = static_cast<uint32_t>(rows.Int(row, column++));
  match.visibility = static_cast<Visibility>(rows.Int(row, column++));
  return match;
}

}  // namespace

absl::StatusOr<StoredMatch> PgMatchStore::GetMatch(base::MatchId id) {
  absl::StatusOr<Rows> rows = pool_.Read(kGetMatch, Params().Uuid(id.bytes()));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return base::Error(base::Reason::kNotFound, "there is no such match");
  return MatchFromRow(*rows, 0);
}

absl::StatusOr<std::vector<MatchGame>> PgMatchStore::GamesOf(
    absl::Span<const base::MatchId> matches) {
  std::vector<MatchGame> games;
  if (matches.empty()) return games;
  ArrayText ids;
  for (const base::MatchId& id : matches.first(std::min(matches.size(), kMaxListed))) {
    ids.Uuid(id.bytes());
  }
  absl::StatusOr<Rows> rows =
      pool_.Read(kGamesOfMatches, Params().Text(std::move(ids).Take()).Int(int64_t{kMaxGames}));
  if (!rows.ok()) return Public(rows.status());
  games.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) games.push_back(MatchGameFromRow(*rows, row));
  return games;
}

absl::StatusOr<std::vector<StoredMatch>> PgMatchStore::ListMatches(base::PlayerId player,
                                                                   bool with_hidden,
                                                                   base::MatchId before,
                                                                   size_t limit) {
  base::IdBytes highest;
  highest.fill(0xFF);
  Params params;
  params.Uuid(before.is_nil() ? highest : before.bytes());
  params.Int(static_cast<int64_t>(std::min(limit, kMaxListed)));
  params.Uuid(player.bytes()).Bool(with_hidden);
  absl::StatusOr<Rows> rows = pool_.Read(kListMatches, params);
  if (!rows.ok()) return Public(rows.status());
  std::vector<StoredMatch> matches;
  matches.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) matches.push_back(MatchFromRow(*rows, row));
  return matches;
}

}  // namespace astragal::storage
