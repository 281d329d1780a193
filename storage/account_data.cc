#include "storage/account_data.h"

#include "services/base/status.h"
#include "storage/failures.h"

namespace astragal::storage {
namespace {

const Statement kExport = {
    "export_account",
    "SELECT json_build_object("
    "'player', json_build_object('id', id_text(p.id), 'name', p.name, 'bot', p.bot,"
    " 'created_at', instant(p.created_at)),"
    "'keys', coalesce((SELECT json_agg(json_build_object('id', id_text(k.id), 'label', k.label,"
    " 'scopes', k.scopes, 'created_at', instant(k.created_at),"
    " 'expires_at', instant(k.expires_at), 'revoked_at', instant(k.revoked_at)) ORDER BY k.id)"
    " FROM api_keys k WHERE k.player = p.id), '[]'),"
    "'sign_ins', coalesce((SELECT json_agg(json_build_object('issuer', s.issuer,"
    " 'subject', s.subject, 'created_at', instant(s.created_at)) ORDER BY s.issuer, s.subject)"
    " FROM sign_ins s WHERE s.player = p.id), '[]'),"
    "'restriction', (SELECT json_build_object('kind', r.kind, 'until', instant(r.until))"
    " FROM restrictions r WHERE r.player = p.id),"
    "'ratings', coalesce((SELECT json_agg(json_build_object('pool', pools.name,"
    " 'rating', r.rating, 'deviation', r.deviation, 'matches', r.matches) ORDER BY pools.name)"
    " FROM ratings r JOIN rating_pools pools ON pools.number = r.pool WHERE r.player = p.id),"
    " '[]'),"
    "'estimates', coalesce((SELECT json_agg(json_build_object('pool', pools.name,"
    " 'level', e.level, 'made_at', instant(e.made_at)) ORDER BY pools.name)"
    " FROM rating_estimates e JOIN rating_pools pools ON pools.number = e.pool"
    " WHERE e.player = p.id), '[]'),"
    "'no_shows', coalesce((SELECT json_agg(json_build_object('game', id_text(n.game),"
    " 'ended_at', instant(n.ended_at)) ORDER BY n.ended_at DESC, n.game)"
    " FROM no_shows n WHERE n.player = p.id), '[]'),"
    "'household', (SELECT id_text(h.household) FROM households h WHERE h.player = p.id),"
    "'games', coalesce((SELECT json_agg(id_text(g.game_id) ORDER BY g.game_id DESC) FROM"
    " (SELECT game_id FROM game_seats WHERE player = p.id ORDER BY game_id DESC"
    " LIMIT $2::bigint) g), '[]'),"
    "'game_count', (SELECT count(*) FROM game_seats WHERE player = p.id))"
    " FROM players p WHERE p.id = $1::uuid"};

const Statement kErase = {
    "erase_account",
    "WITH erased AS (UPDATE players SET name = 'erased-' || replace(id::text, '-', ''),"
    " version = version + 1 WHERE id = $1::uuid RETURNING id),"
    " keys AS (UPDATE api_keys SET label = '', revoked_at = coalesce(revoked_at, $2::bigint)"
    " WHERE player IN (SELECT id FROM erased)),"
    " missed AS (DELETE FROM no_shows WHERE player IN (SELECT id FROM erased)),"
    " home AS (DELETE FROM households WHERE player IN (SELECT id FROM erased)),"
    " estimated AS (DELETE FROM rating_estimates WHERE player IN (SELECT id FROM erased)),"
    " told AS (DELETE FROM rating_news WHERE player IN (SELECT id FROM erased)),"
    " people AS (DELETE FROM sign_ins WHERE player IN (SELECT id FROM erased)),"
    " kept AS (DELETE FROM answers WHERE account IN (SELECT id FROM erased))"
    " SELECT EXISTS (SELECT FROM erased)"};

absl::Status Missing() { return base::Error(base::Reason::kNotFound, "there is no such player"); }

}  // namespace

absl::StatusOr<std::string> AccountData::Export(base::PlayerId player) {
  const absl::StatusOr<Rows> rows =
      pool_.Read(kExport, Params().Uuid(player.bytes()).Int(kMaxGames));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return Missing();
  return std::string(rows->Text(0, 0));
}

absl::Status AccountData::Erase(base::PlayerId player, base::Instant now) {
  const absl::StatusOr<Rows> rows =
      pool_.Write(kErase, Params().Uuid(player.bytes()).Int(now.micros));
  if (!rows.ok()) return Public(rows.status());
  return rows->Bool(0, 0) ? absl::OkStatus() : Missing();
}

}  // namespace astragal::storage
