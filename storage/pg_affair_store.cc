#include "storage/pg_affair_store.h"

#include <algorithm>
#include <utility>

#include "services/base/random.h"
#include "storage/failures.h"
#include "storage/game_queries.h"
#include "storage/rating_queries.h"

namespace astragal::storage {

const Statement kGamesOf = {
    "games_of",
    "SELECT w.number, s.game_id, h.sequence"
    " FROM unnest($1::uuid[]) WITH ORDINALITY AS w (player, number)"
    " CROSS JOIN LATERAL ((SELECT game_id FROM game_seats WHERE player = w.player AND active"
    " ORDER BY game_id DESC LIMIT $2::bigint) UNION ALL (SELECT game_id FROM game_seats"
    " WHERE player = w.player AND game_id >= $3::uuid AND NOT active"
    " ORDER BY game_id DESC LIMIT $2::bigint)) AS s"
    " CROSS JOIN LATERAL (SELECT sequence FROM heads WHERE game_id = s.game_id OFFSET 0) AS h"};

#define ASTRAGAL_NOW "(extract(epoch FROM now()) * 1000000)::bigint"

const Statement kProposalsOf = {
    "proposals_of",
    "SELECT w.number, p.id, p.open FROM unnest($1::uuid[]) WITH ORDINALITY AS w (player, number)"
    " CROSS JOIN LATERAL ((SELECT id, true AS open FROM proposals WHERE player = w.player AND "
    "state = 1"
    " AND expires_at > " ASTRAGAL_NOW
    " ORDER BY id DESC LIMIT $2::bigint) UNION ALL (SELECT id, true FROM proposals"
    " WHERE opponent = w.player AND state = 1 AND kind = 2 AND expires_at > " ASTRAGAL_NOW
    " ORDER BY id DESC LIMIT $2::bigint) UNION ALL (SELECT id, false FROM proposals"
    " WHERE player = w.player AND state <> 1 AND id >= $3::uuid"
    " ORDER BY id DESC LIMIT $2::bigint) UNION ALL (SELECT id, false FROM proposals"
    " WHERE opponent = w.player AND state <> 1 AND kind = 2 AND id >= $3::uuid"
    " ORDER BY id DESC LIMIT $2::bigint)) AS p"};

#undef ASTRAGAL_NOW

// Few have any: a look into an index for each player.
const Statement kRatingNewsOf = {
    "rating_news_of",
    "SELECT w.number, n.name, n.seats, n.revision, n.first_order, n.players, n.switched_at,"
    " n.rating_before, n.rating_after"
    " FROM unnest($1::uuid[]) WITH ORDINALITY AS w (player, number)"
    " CROSS JOIN LATERAL (SELECT p.name, p.seats, t.revision, v.first_order, v.players,"
    " v.switched_at, t.rating_before, t.rating_after FROM rating_news t"
    " JOIN rating_revisions v ON v.pool = t.pool AND v.revision = t.revision"
    " JOIN rating_pools p ON p.number = t.pool"
    " WHERE t.player = w.player AND v.switched_at >= $3::bigint"
    " ORDER BY v.switched_at DESC, t.pool LIMIT $2::bigint) AS n"
    " ORDER BY w.number, n.switched_at DESC, n.name"};

namespace {

template <typename Id>
std::string IdsText(absl::Span<const Id> ids) {
  ArrayText text;
  for (const Id& id : ids.first(std::min(ids.size(), AffairStore::kMaxAsked))) {
    text.Uuid(id.bytes());
  }
  return std::move(text).Take();
}

// Ids are in the order of their making.
base::IdBytes LowestIdOf(base::Instant since) {
  struct Zeros : base::Random {
    void Fill(std::span<uint8_t> out) override { std::ranges::fill(out, uint8_t{0}); }
  } zeros;
  return base::GameId::Make(since, zeros).bytes();
}

Params OfPlayers(absl::Span<const base::PlayerId> players, size_t most, base::Instant since) {
  Params params;
  params.Text(IdsText(players)).Int(static_cast<int64_t>(most)).Uuid(LowestIdOf(since));
  return params;
}

// Numbers of the database count from 1.
uint32_t PlayerOf(const Rows& rows, size_t row) {
  return static_cast<uint32_t>(rows.Int(row, 0) - 1);
}

}  // namespace

absl::StatusOr<std::vector<GameMark>> PgAffairStore::GamesOf(
    absl::Span<const base::PlayerId> players, size_t most, base::Instant since) {
  const absl::StatusOr<Rows> rows = pool_.Read(kGamesOf, OfPlayers(players, most, since));
  if (!rows.ok()) return Public(rows.status());
  std::vector<GameMark> marks;
  marks.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) {
    marks.push_back({PlayerOf(*rows, row), rows->Uuid<base::GameId>(row, 1),
                     static_cast<uint32_t>(rows->Int(row, 2))});
  }
  return marks;
}

absl::StatusOr<std::vector<ProposalMark>> PgAffairStore::ProposalsOf(
    absl::Span<const base::PlayerId> players, size_t most, base::Instant since) {
  const absl::StatusOr<Rows> rows = pool_.Read(kProposalsOf, OfPlayers(players, most, since));
  if (!rows.ok()) return Public(rows.status());
  std::vector<ProposalMark> marks;
  marks.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) {
    marks.push_back(
        {PlayerOf(*rows, row), rows->Uuid<base::ProposalId>(row, 1), rows->Bool(row, 2)});
  }
  return marks;
}

absl::StatusOr<std::vector<RatingNews>> PgAffairStore::RatingNewsOf(
    absl::Span<const base::PlayerId> players, size_t most, base::Instant since) {
  Params params;
  params.Text(IdsText(players)).Int(static_cast<int64_t>(most)).Int(since.micros);
  const absl::StatusOr<Rows> rows = pool_.Read(kRatingNewsOf, params);
  if (!rows.ok()) return Public(rows.status());
  std::vector<RatingNews> news;
  news.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) {
    RatingNews one;
    one.player = PlayerOf(*rows, row);
    one.pool = rows->Text(row, 1);
    one.seats = static_cast<uint8_t>(rows->Int(row, 2));
    one.revision = static_cast<int32_t>(rows->Int(row, 3));
    one.first_order = rows->Int(row, 4);
    one.players = rows->Int(row, 5);
    one.at = rows->At(row, 6);
    one.before = NumberFromText(rows->Text(row, 7));
    one.after = NumberFromText(rows->Text(row, 8));
    news.push_back(std::move(one));
  }
  return news;
}

absl::StatusOr<std::vector<StoredGame>> PgAffairStore::LoadGames(
    absl::Span<const base::GameId> games) {
  const absl::StatusOr<Rows> rows = pool_.Read(kLoadGames, Params().Text(IdsText(games)));
  if (!rows.ok()) return Public(rows.status());
  std::vector<StoredGame> loaded;
  loaded.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) loaded.push_back(GameFromRow(*rows, row));
  return loaded;
}

}  // namespace astragal::storage
