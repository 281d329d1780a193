#include "storage/commit_batch.h"

#include <algorithm>
#include <array>
#include <utility>

namespace astragal::storage {

// Why its parts are as they are:
// - Every look into a table is LATERAL or a scalar subquery, so it is an index seek by
// construction.
// - Nothing joins one list of the batch with another: rows carry the number of their commit, and
//   whether that commit goes on is an element of one array.
// - All parts see the snapshot of the statement's start, and a lock gives the newest version of its
//   row. A head at `expected` was seen by whoever made the events, so it is in the snapshot, and so
//   is every event up to it: a repeated request cannot hide between snapshot and lock.
// - Two creations under one request on two nodes: the second waits at the unique constraint, writes
//   nothing, and is a repeat.
const Statement kCommitBatch = {"commit_batch", R"sql(
WITH asked AS MATERIALIZED (
  SELECT c.ordinal, c.game_id, c.fresh,
    CASE
      WHEN c.fresh AND (SELECT 1 FROM games WHERE created_by = c.player
                                              AND create_request = c.request) = 1 THEN 3
      WHEN NOT c.fresh AND (SELECT 1 FROM events e WHERE e.game_id = c.game_id
                              AND e.player = c.player AND e.request = c.request) = 1 THEN 3
      WHEN c.takes IS NOT NULL AND cardinality(c.takes::uuid[]) >
        (SELECT count(*) FROM (SELECT FROM proposals p WHERE p.id = ANY (c.takes::uuid[])
           AND p.state = 1 AND p.expires_at > (extract(epoch FROM now()) * 1000000)::bigint
           FOR UPDATE SKIP LOCKED) AS held) THEN 5
      WHEN h.sequence = c.expected THEN 0
      WHEN h.sequence IS NOT NULL THEN 1
      WHEN (SELECT 1 FROM heads WHERE heads.game_id = c.game_id) IS NULL
        THEN CASE WHEN c.fresh THEN 0 ELSE 1 END
      WHEN c.fresh THEN 1
      ELSE 2
    END AS outcome
  FROM unnest($1::uuid[], $2::int[], $3::bool[], $4::uuid[], $5::uuid[], $20::text[])
    WITH ORDINALITY AS c (game_id, expected, fresh, player, request, takes, ordinal)
  LEFT JOIN LATERAL (
    SELECT sequence FROM heads WHERE heads.game_id = c.game_id AND NOT c.fresh
    FOR NO KEY UPDATE SKIP LOCKED) AS h ON true
), born AS (
  INSERT INTO games (id, ruleset, rules_version, build, options, seats, created_by, create_request,
                     created_at, restore_epoch, commitment, sealed_secret, visibility, rated,
                     clock_kind, reserve_ms, increment_ms, first_turn_ms, reserves_ms, match,
                     match_game)
  SELECT ($1::uuid[])[g.commit], ($16::text[])[g.commit], g.rules_version, g.build,
         g.options::bigint[], g.seats, g.created_by, ($5::uuid[])[g.commit], g.created_at,
         g.restore_epoch, g.commitment, g.sealed_secret, g.visibility, g.rated, g.clock_kind,
         g.reserve_ms, g.increment_ms, g.first_turn_ms, g.reserves_ms::bigint[], g.match,
         g.match_game
  FROM unnest($21::int[], $22::int[], $23::text[], $24::text[], $25::smallint[], $26::uuid[],
              $27::bigint[], $28::int[], $29::bytea[], $30::bytea[],
              $31::smallint[], $32::bool[], $33::smallint[], $34::bigint[], $35::bigint[],
              $36::bigint[], $37::text[], $38::uuid[], $39::smallint[])
    AS g (commit, rules_version, build, options, seats, created_by, created_at, restore_epoch,
          commitment, sealed_secret, visibility, rated, clock_kind, reserve_ms, increment_ms,
          first_turn_ms, reserves_ms, match, match_game)
  WHERE (SELECT array_agg(outcome = 0 ORDER BY ordinal) FROM asked)[g.commit]
  ON CONFLICT DO NOTHING
  RETURNING id
), verdict AS MATERIALIZED (
  SELECT ordinal, CASE WHEN outcome = 0 AND fresh AND game_id NOT IN (SELECT id FROM born)
                       THEN 3 ELSE outcome END AS outcome
  FROM asked
), accepted AS MATERIALIZED (
  SELECT array_agg(outcome = 0 ORDER BY ordinal) AS flags, bool_or(outcome = 0) AS any_at_all,
         string_agg(outcome::text, '' ORDER BY ordinal) AS digits
  FROM verdict
), new_heads AS MATERIALIZED (
  SELECT n.*
  FROM unnest($1::uuid[], $16::text[], $3::bool[], $6::int[], $7::bytea[], $8::smallint[],
              $9::smallint[], $10::smallint[], $11::int[], $12::bytea[], $13::bigint[], $14::int[], $15::text[],
              $17::bytea[], $18::bigint[], $19::bool[])
    WITH ORDINALITY AS n (game_id, ruleset, fresh, sequence, chain_hash, status, ending, actor,
                          throws_drawn, position, updated_at, changed_sequence, build, proceedings,
                          deadline, listed, ordinal)
  WHERE (SELECT flags FROM accepted)[n.ordinal]
), moved AS (
  UPDATE heads SET sequence = n.sequence, chain_hash = n.chain_hash, status = n.status,
    ending = n.ending, actor = n.actor, throws_drawn = n.throws_drawn, position = n.position,
    updated_at = n.updated_at, changed_sequence = n.changed_sequence, build = n.build,
    proceedings = n.proceedings, deadline = n.deadline
  FROM new_heads n WHERE heads.game_id = n.game_id AND NOT n.fresh
), placed AS (
  INSERT INTO heads (game_id, ruleset, sequence, chain_hash, status, ending, actor, throws_drawn,
                     position, updated_at, changed_sequence, build, proceedings, deadline, listed)
  SELECT game_id, ruleset, sequence, chain_hash, status, ending, actor, throws_drawn, position,
         updated_at, changed_sequence, build, proceedings, deadline, listed
  FROM new_heads WHERE fresh
), filed AS (
  INSERT INTO deadlines (game_id, due) SELECT game_id, deadline FROM new_heads
  WHERE deadline IS NOT NULL
  ON CONFLICT (game_id) DO UPDATE SET due = EXCLUDED.due WHERE deadlines.due > EXCLUDED.due
), unfiled AS (
  DELETE FROM deadlines d USING new_heads n WHERE d.game_id = n.game_id AND n.status >= 3
), taken AS (
  UPDATE proposals p SET state = 2, game = t.game_id
  FROM unnest($1::uuid[], $20::text[]) WITH ORDINALITY AS t (game_id, takes, ordinal)
  WHERE t.takes IS NOT NULL AND (SELECT flags FROM accepted)[t.ordinal]
    AND p.id = ANY (t.takes::uuid[])
), matched AS (
  INSERT INTO matches (id, kind, length, first_mover, match_clock, timeout_loses, created_by,
                       created_at)
  SELECT m.id, m.kind, m.length, m.first_mover, m.match_clock, m.timeout_loses, m.created_by,
         m.created_at
  FROM unnest($58::int[], $59::uuid[], $60::smallint[], $61::smallint[], $62::smallint[],
              $63::bool[], $64::bool[], $65::uuid[], $66::bigint[])
    AS m (commit, id, kind, length, first_mover, match_clock, timeout_loses, created_by, created_at)
  WHERE (SELECT flags FROM accepted)[m.commit]
), paired AS (
  INSERT INTO match_seats (match, seat, player)
  SELECT s.match, s.seat, s.player
  FROM unnest($67::int[], $68::uuid[], $69::smallint[], $70::uuid[])
    AS s (commit, match, seat, player)
  WHERE (SELECT flags FROM accepted)[s.commit]
), seated AS (
  INSERT INTO game_seats (game_id, seat, player, place, points, active)
  SELECT ($1::uuid[])[s.commit], s.seat, s.player, s.place, s.points,
         ($8::smallint[])[s.commit] < 3
  FROM unnest($40::int[], $41::smallint[], $42::uuid[], $43::int[], $44::bigint[])
    AS s (commit, seat, player, place, points)
  WHERE (SELECT flags FROM accepted)[s.commit]
  ON CONFLICT (game_id, seat) DO UPDATE SET player = EXCLUDED.player, place = EXCLUDED.place,
    points = EXCLUDED.points, active = EXCLUDED.active
), to_be_rated AS (
  INSERT INTO rating_outbox (game, due)
  SELECT n.game_id, n.updated_at FROM new_heads n
  WHERE (n.status = 3 OR n.ending IN (6, 8)) AND (SELECT g.rated FROM games g WHERE g.id = n.game_id)
  ORDER BY n.ordinal
  ON CONFLICT DO NOTHING
), logged AS (
  INSERT INTO events (game_id, sequence, kind, seat, number, detail, at, position_hash, chain_hash,
                      player, request, body_hash, event_count)
  SELECT ($1::uuid[])[e.commit], e.sequence, e.kind, e.seat, e.number, e.detail, e.at,
         e.position_hash, e.chain_hash, e.player, e.request, e.body_hash, e.event_count
  FROM unnest($45::int[], $46::int[], $47::smallint[], $48::smallint[], $49::bigint[], $50::bytea[],
              $51::bigint[], $52::bytea[], $53::bytea[], $54::uuid[], $55::uuid[], $56::bytea[],
              $57::smallint[])
    AS e (commit, sequence, kind, seat, number, detail, at, position_hash, chain_hash, player,
          request, body_hash, event_count)
  WHERE (SELECT flags FROM accepted)[e.commit]
)
SELECT digits, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
       CASE WHEN any_at_all THEN pg_notify('astragal', $71)::text END
FROM accepted)sql"};

// What nearly every batch consists of: commits that only go on with games that are there, and have
// a head that is free and where they expect it. A statement costs what its plan has parts, whether
// or not they have anything to do, and a lone player waits for all of that; so this one does not
// find out why a commit cannot go on, and leaves a repeated request to the unique index.
const Statement kPlayBatch = {"play_batch", R"sql(
WITH asked AS MATERIALIZED (
  SELECT c.*,
    CASE WHEN h.sequence = c.expected THEN 0 ELSE 2 END AS outcome
  FROM unnest($1::uuid[], $2::int[], $3::int[], $4::bytea[], $5::smallint[], $6::smallint[],
              $7::smallint[], $8::int[], $9::bytea[], $10::bigint[], $11::int[], $12::text[],
              $13::bytea[], $14::bigint[])
    WITH ORDINALITY AS c (game_id, expected, sequence, chain_hash, status, ending, actor,
                          throws_drawn, position, updated_at, changed_sequence, build, proceedings,
                          deadline, ordinal)
  LEFT JOIN LATERAL (
    SELECT sequence FROM heads WHERE heads.game_id = c.game_id
    FOR NO KEY UPDATE SKIP LOCKED) AS h ON true
), accepted AS MATERIALIZED (
  SELECT array_agg(outcome = 0 ORDER BY ordinal) AS flags, bool_or(outcome = 0) AS any_at_all,
         string_agg(outcome::text, '' ORDER BY ordinal) AS digits
  FROM asked
), moved AS (
  UPDATE heads SET sequence = n.sequence, chain_hash = n.chain_hash, status = n.status,
    ending = n.ending, actor = n.actor, throws_drawn = n.throws_drawn, position = n.position,
    updated_at = n.updated_at, changed_sequence = n.changed_sequence, build = n.build,
    proceedings = n.proceedings, deadline = n.deadline
  FROM asked n WHERE heads.game_id = n.game_id AND n.outcome = 0
), filed AS (
  INSERT INTO deadlines (game_id, due) SELECT game_id, deadline FROM asked
  WHERE outcome = 0 AND deadline IS NOT NULL
  ON CONFLICT (game_id) DO UPDATE SET due = EXCLUDED.due WHERE deadlines.due > EXCLUDED.due
), logged AS (
  INSERT INTO events (game_id, sequence, kind, seat, number, detail, at, position_hash, chain_hash,
                      player, request, body_hash, event_count)
  SELECT ($1::uuid[])[e.commit], e.sequence, e.kind, e.seat, e.number, e.detail, e.at,
         e.position_hash, e.chain_hash, e.player, e.request, e.body_hash, e.event_count
  FROM unnest($15::int[], $16::int[], $17::smallint[], $18::smallint[], $19::bigint[], $20::bytea[],
              $21::bigint[], $22::bytea[], $23::bytea[], $24::uuid[], $25::uuid[], $26::bytea[],
              $27::smallint[])
    AS e (commit, sequence, kind, seat, number, detail, at, position_hash, chain_hash, player,
          request, body_hash, event_count)
  WHERE (SELECT flags FROM accepted)[e.commit]
)
SELECT digits, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
       CASE WHEN any_at_all THEN pg_notify('astragal', $28)::text END
FROM accepted)sql"};

namespace {

// $1 to $20 of a whole batch: one element for each commit.
struct CommitColumns {
  std::array<ArrayText, 20> of;

  void Add(const GameCommit& commit) {
    const std::optional<RequestStamp>& stamp = commit.events.front().request;
    size_t column = 0;
    of[column++].Uuid(commit.head.id.bytes());
    of[column++].Int(commit.expected_sequence);
    of[column++].Bool(commit.create.has_value());
    stamp ? of[column].Uuid(stamp->player.bytes()) : of[column].Null();
    ++column;
    stamp ? of[column].Uuid(stamp->request.bytes) : of[column].Null();
    ++column;
    of[column++].Int(commit.head.sequence);
    of[column++].Hash(commit.head.chain_hash);
    of[column++].Int(static_cast<int>(commit.head.status));
    of[column++].Int(static_cast<int>(commit.head.ending));
    of[column++].Int(commit.head.actor);
    of[column++].Int(commit.head.throws_drawn);
    of[column++].Bytea(commit.head.position);
    of[column++].Int(commit.head.updated_at.micros);
    of[column++].Int(commit.head.changed_sequence);
    of[column++].Text(commit.head.build);
    commit.create ? of[column].Text(commit.create->ruleset) : of[column].Null();
    ++column;
    of[column++].Bytea(commit.head.proceedings);
    commit.head.deadline ? of[column].Int(commit.head.deadline->micros) : of[column].Null();
    ++column;
    const bool listed = commit.create && commit.create->terms.visibility == Visibility::kPublic;
    commit.create ? of[column].Bool(listed) : of[column].Null();
    ++column;
    commit.takes.empty() ? of[column].Null() : of[column].Text(Uuids(commit.takes));
  }

 private:
  static std::string Uuids(const std::vector<base::ProposalId>& ids) {
    ArrayText text;
    for (const base::ProposalId& id : ids) text.Uuid(id.bytes());
    return std::move(text).Take();
  }
};

// $1 to $14 of a batch of plays: one element for each commit.
struct PlayColumns {
  std::array<ArrayText, 14> of;

  void Add(const GameCommit& commit) {
    const GameHead& head = commit.head;
    size_t column = 0;
    of[column++].Uuid(head.id.bytes());
    of[column++].Int(commit.expected_sequence);
    of[column++].Int(head.sequence);
    of[column++].Hash(head.chain_hash);
    of[column++].Int(static_cast<int>(head.status));
    of[column++].Int(static_cast<int>(head.ending));
    of[column++].Int(head.actor);
    of[column++].Int(head.throws_drawn);
    of[column++].Bytea(head.position);
    of[column++].Int(head.updated_at.micros);
    of[column++].Int(head.changed_sequence);
    of[column++].Text(head.build);
    of[column++].Bytea(head.proceedings);
    head.deadline ? of[column].Int(head.deadline->micros) : of[column].Null();
  }
};

// $21 to $39: one element for each new game.
struct GameColumns {
  std::array<ArrayText, 19> of;

  void Add(int64_t commit, const GameFacts& facts) {
    size_t column = 0;
    of[column++].Int(commit);
    of[column++].Int(facts.rules_version);
    of[column++].Text(facts.build);
    of[column++].Text(ArrayFromIntegers(facts.options));
    of[column++].Int(facts.seats);
    of[column++].Uuid(facts.created_by.bytes());
    of[column++].Int(facts.created_at.micros);
    of[column++].Int(facts.restore_epoch);
    of[column++].Hash(facts.commitment);
    of[column++].Bytea(facts.sealed_secret);
    const GameTerms& terms = facts.terms;
    of[column++].Int(static_cast<int>(terms.visibility));
    of[column++].Bool(terms.rated);
    of[column++].Int(static_cast<int>(terms.clock.kind));
    of[column++].Int(terms.clock.reserve_ms);
    of[column++].Int(terms.clock.increment_ms);
    of[column++].Int(terms.clock.first_turn_ms);
    of[column++].Text(ArrayFromIntegers(terms.reserves_ms));
    terms.match.is_nil() ? of[column].Null() : of[column].Uuid(terms.match.bytes());
    ++column;
    of[column++].Int(terms.match_game);
  }
};

// $40 to $44: one element for each changed seat.
struct SeatColumns {
  std::array<ArrayText, 5> of;

  void Add(int64_t commit, const SeatRecord& seat) {
    of[0].Int(commit);
    of[1].Int(seat.seat);
    seat.player.is_nil() ? of[2].Null() : of[2].Uuid(seat.player.bytes());
    of[3].Int(seat.place);
    of[4].Int(seat.points);
  }
};

// $45 to $57, or $15 to $27: one element for each event.
struct EventColumns {
  std::array<ArrayText, 13> of;

  void Add(int64_t commit, const EventRecord& event) {
    size_t column = 0;
    of[column++].Int(commit);
    of[column++].Int(event.sequence);
    of[column++].Int(static_cast<int>(event.kind));
    of[column++].Int(event.seat);
    of[column++].Int(event.number);
    of[column++].Bytea(event.detail);
    of[column++].Int(event.at.micros);
    of[column++].Hash(event.position_hash);
    of[column++].Hash(event.chain_hash);
    if (!event.request) {
      for (; column < of.size(); ++column) of[column].Null();
      return;
    }
    of[column++].Uuid(event.request->player.bytes());
    of[column++].Uuid(event.request->request.bytes);
    of[column++].Hash(event.request->body_hash);
    of[column++].Int(event.request->event_count);
  }
};

// $58 to $66: one element for each new match.
struct MatchColumns {
  std::array<ArrayText, 9> of;

  void Add(int64_t commit, const MatchRecord& match) {
    size_t column = 0;
    of[column++].Int(commit);
    of[column++].Uuid(match.id.bytes());
    of[column++].Int(static_cast<int>(match.kind));
    of[column++].Int(match.length);
    of[column++].Int(static_cast<int>(match.first_mover));
    of[column++].Bool(match.match_clock);
    of[column++].Bool(match.timeout_loses);
    of[column++].Uuid(match.created_by.bytes());
    of[column++].Int(match.created_at.micros);
  }
};

// $67 to $70: one element for each seat of a new match.
struct MatchSeatColumns {
  std::array<ArrayText, 4> of;

  void Add(int64_t commit, const MatchRecord& match) {
    for (size_t seat = 0; seat < match.players.size(); ++seat) {
      of[0].Int(commit);
      of[1].Uuid(match.id.bytes());
      of[2].Int(static_cast<int64_t>(seat));
      of[3].Uuid(match.players[seat].bytes());
    }
  }
};

template <typename Columns>
void Append(Columns& columns, Params& params) {
  for (ArrayText& column : columns.of) params.Text(std::move(column).Take());
}

}  // namespace

bool OnlyPlays(const GameCommit& commit) {
  return !commit.create && commit.seats.empty() && commit.takes.empty() && !commit.match &&
         commit.head.status == GameStatus::kRunning;
}

Params EncodePlays(const std::vector<const GameCommit*>& commits, const std::string& payload) {
  PlayColumns heads;
  EventColumns events;
  int64_t number = 0;
  for (const GameCommit* commit : commits) {
    ++number;
    heads.Add(*commit);
    for (const EventRecord& event : commit->events) events.Add(number, event);
  }
  Params params;
  Append(heads, params);
  Append(events, params);
  params.Text(payload);
  return params;
}

Params EncodeBatch(const std::vector<const GameCommit*>& commits, const std::string& payload) {
  CommitColumns heads;
  GameColumns games;
  SeatColumns seats;
  EventColumns events;
  MatchColumns matches;
  MatchSeatColumns match_seats;
  int64_t number = 0;
  for (const GameCommit* commit : commits) {
    ++number;
    heads.Add(*commit);
    if (commit->create) games.Add(number, *commit->create);
    for (const SeatRecord& seat : commit->seats) seats.Add(number, seat);
    for (const EventRecord& event : commit->events) events.Add(number, event);
    if (commit->match) matches.Add(number, *commit->match);
    if (commit->match) match_seats.Add(number, *commit->match);
  }
  Params params;
  Append(heads, params);
  Append(games, params);
  Append(seats, params);
  Append(events, params);
  Append(matches, params);
  Append(match_seats, params);
  params.Text(payload);
  return params;
}

}  // namespace astragal::storage
