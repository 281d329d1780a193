#include "storage/history_store.h"

#include <algorithm>
#include <array>

#include "storage/failures.h"

namespace astragal::storage {
namespace {

// Each walk is led by the index that has its order: $1 after, $2 ended before, then what is asked
// for. Games whose logs are archived are left out: there is nothing to read. The index is a sum of
// kByRuleset and kByPlayer, or kEverything or kForArchive alone.
constexpr size_t kByRuleset = 1;
constexpr size_t kByPlayer = 2;
constexpr size_t kEverything = 4;
constexpr size_t kForArchive = 5;

#define ASTRAGAL_ENDED                                                              \
  " JOIN heads h ON h.game_id = g.id WHERE g.visibility = 1 AND h.status IN (3, 4)" \
  " AND h.log_form < 2 AND h.updated_at < $2::bigint AND g.id > $1::uuid"           \
  " AND h.game_id > $1::uuid"
#define ASTRAGAL_OF_PLAYER(player)                                  \
  "(SELECT DISTINCT game_id FROM game_seats WHERE player = " player \
  "::uuid AND game_id > $1::uuid"                                   \
  " ORDER BY game_id) AS own JOIN games g ON g.id = own.game_id"
#define ASTRAGAL_WALK(condition) \
  " FROM heads h WHERE h.game_id > $1::uuid AND h.updated_at < $2::bigint AND " condition
#define ASTRAGAL_LIST(limit) " ORDER BY g.id LIMIT " limit "::bigint"

constexpr std::array<Statement, 6> kLists = {{
    {"history_ended", "SELECT g.id FROM games g" ASTRAGAL_ENDED ASTRAGAL_LIST("$3")},
    {"history_ended_by_ruleset",
     "SELECT g.id FROM games g" ASTRAGAL_ENDED " AND g.ruleset = $4" ASTRAGAL_LIST("$3")},
    {"history_ended_by_player",
     "SELECT g.id FROM " ASTRAGAL_OF_PLAYER("$4") ASTRAGAL_ENDED ASTRAGAL_LIST("$3")},
    {"history_ended_by_ruleset_and_player",
     "SELECT g.id FROM " ASTRAGAL_OF_PLAYER("$5") ASTRAGAL_ENDED
     " AND g.ruleset = $4" ASTRAGAL_LIST("$3")},
    {"history_all",
     "SELECT h.game_id" ASTRAGAL_WALK("h.log_form < 2") " ORDER BY h.game_id LIMIT $3::bigint"},
    {"history_for_archive",
     "SELECT h.game_id" ASTRAGAL_WALK("h.log_form = 1") " ORDER BY h.game_id LIMIT $3::bigint"},
}};

constexpr std::array<Statement, 6> kCounts = {{
    {"history_count_ended", "SELECT count(*) FROM games g" ASTRAGAL_ENDED},
    {"history_count_ended_by_ruleset",
     "SELECT count(*) FROM games g" ASTRAGAL_ENDED " AND g.ruleset = $3"},
    {"history_count_ended_by_player",
     "SELECT count(*) FROM " ASTRAGAL_OF_PLAYER("$3") ASTRAGAL_ENDED},
    {"history_count_ended_by_ruleset_and_player",
     "SELECT count(*) FROM " ASTRAGAL_OF_PLAYER("$4") ASTRAGAL_ENDED " AND g.ruleset = $3"},
    {"history_count_all", "SELECT count(*)" ASTRAGAL_WALK("h.log_form < 2")},
    {"history_count_for_archive", "SELECT count(*)" ASTRAGAL_WALK("h.log_form = 1")},
}};
#undef ASTRAGAL_ENDED
#undef ASTRAGAL_OF_PLAYER
#undef ASTRAGAL_WALK
#undef ASTRAGAL_LIST

constexpr Statement kKeepExtras = {
    "keep_record_extras",
    "INSERT INTO record_extras (game_id, extras) VALUES ($1::uuid, $2)"
    " ON CONFLICT (game_id) DO UPDATE SET extras = EXCLUDED.extras"};
constexpr Statement kReadExtras = {
    "read_record_extras",
    "SELECT e.game_id, e.extras FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL"
    " (SELECT game_id, extras FROM record_extras WHERE game_id = wanted.id OFFSET 0) AS e"};

size_t WhichOf(const HistoryFilter& filter) {
  if (filter.which == HistoryFilter::kEverything) return kEverything;
  if (filter.which == HistoryFilter::kForArchive) return kForArchive;
  return (filter.ruleset ? kByRuleset : 0) + (filter.player ? kByPlayer : 0);
}

void AddConditions(const HistoryFilter& filter, Params& params) {
  if (filter.which != HistoryFilter::kEnded) return;
  if (filter.ruleset) params.Text(*filter.ruleset);
  if (filter.player) params.Uuid(filter.player->bytes());
}

}  // namespace

std::vector<Statement> HistoryStatements() {
  std::vector<Statement> statements(kLists.begin(), kLists.end());
  statements.push_back(kReadExtras);
  return statements;
}

absl::StatusOr<std::vector<base::GameId>> HistoryStore::GamesAfter(const HistoryFilter& filter,
                                                                   base::GameId after,
                                                                   size_t limit) {
  Params params;
  params.Uuid(after.bytes()).Int(filter.ended_until.micros);
  params.Int(static_cast<int64_t>(std::min(limit, kMaxListed)));
  AddConditions(filter, params);
  const absl::StatusOr<Rows> rows = pool_.Read(kLists[WhichOf(filter)], params);
  if (!rows.ok()) return Public(rows.status());
  std::vector<base::GameId> games;
  for (size_t row = 0; row < rows->size(); ++row) {
    games.push_back(rows->Uuid<base::GameId>(row, 0));
  }
  return games;
}

absl::StatusOr<uint64_t> HistoryStore::CountAfter(const HistoryFilter& filter, base::GameId after) {
  Params params;
  params.Uuid(after.bytes()).Int(filter.ended_until.micros);
  AddConditions(filter, params);
  const absl::StatusOr<Rows> rows = pool_.Read(kCounts[WhichOf(filter)], params);
  if (!rows.ok()) return Public(rows.status());
  return static_cast<uint64_t>(rows->Int(0, 0));
}

absl::Status HistoryStore::KeepExtras(base::GameId game, const std::string& extras) {
  const absl::StatusOr<Rows> rows =
      pool_.Write(kKeepExtras, Params().Uuid(game.bytes()).Text(extras));
  return rows.ok() ? absl::OkStatus() : Public(rows.status());
}

absl::StatusOr<std::map<base::GameId, std::string>> HistoryStore::Extras(
    absl::Span<const base::GameId> games) {
  ArrayText ids;
  for (const base::GameId& game : games) ids.Uuid(game.bytes());
  const absl::StatusOr<Rows> rows = pool_.Read(kReadExtras, Params().Text(std::move(ids).Take()));
  if (!rows.ok()) return Public(rows.status());
  std::map<base::GameId, std::string> extras;
  for (size_t row = 0; row < rows->size(); ++row) {
    extras.emplace(rows->Uuid<base::GameId>(row, 0), std::string(rows->Text(row, 1)));
  }
  return extras;
}

}  // namespace astragal::storage
