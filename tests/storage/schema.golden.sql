CREATE DOMAIN public.event_detail AS bytea
	CONSTRAINT "a detail has at most 4096 bytes" CHECK ((octet_length(VALUE) <= 4096));
CREATE DOMAIN public.event_sequence AS integer
	CONSTRAINT "sequences count from 1" CHECK ((VALUE >= 1));
CREATE DOMAIN public.packed_log AS bytea
	CONSTRAINT "a packed log has at most 16 MiB" CHECK (((octet_length(VALUE) >= 1) AND (octet_length(VALUE) <= 16777216)));
CREATE DOMAIN public.sha256_digest AS bytea
	CONSTRAINT "a SHA-256 has 32 bytes" CHECK ((octet_length(VALUE) = 32));
CREATE FUNCTION public.count_listed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO rating_ranks AS ranks (pool, points, players)
  SELECT pool, floor(lower_bound)::integer AS at, count(*) FROM added WHERE listed
  GROUP BY pool, at ORDER BY pool, at
  ON CONFLICT (pool, points) DO UPDATE SET players = ranks.players + EXCLUDED.players;
  RETURN NULL;
END $$;
CREATE FUNCTION public.id_text(id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (((substr(all_bits.bits, ((5 * at.at) + 1), 5))::bit(5))::integer + 1), 1), ''::text ORDER BY at.at) AS string_agg FROM (SELECT ('00'::text || ((('x'::text || replace((id_text.id)::text, '-'::text, ''::text)))::bit(128))::text) AS "?column?") all_bits(bits), generate_series(0, 25) at(at));
CREATE FUNCTION public.instant(micros bigint) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ('1970-01-01 00:00:00+00'::timestamp with time zone + ((micros)::double precision * '00:00:00.000001'::interval));
CREATE FUNCTION public.recount_listed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO rating_ranks (pool, points, players)
  SELECT DISTINCT pool, floor(lower_bound)::integer AS at, 0 FROM now_so WHERE listed
  ORDER BY pool, at ON CONFLICT DO NOTHING;
  WITH changes AS (
    SELECT pool, at, sum(change) AS change FROM (
      SELECT pool, floor(lower_bound)::integer AS at, 1 AS change FROM now_so WHERE listed
      UNION ALL
      SELECT pool, floor(lower_bound)::integer, -1 FROM was_so WHERE listed) AS each
    GROUP BY pool, at HAVING sum(change) <> 0
  ), held AS MATERIALIZED (
    SELECT r.pool, r.points, c.change FROM rating_ranks r
    JOIN changes c ON c.pool = r.pool AND c.at = r.points
    ORDER BY r.pool, r.points FOR UPDATE OF r
  )
  UPDATE rating_ranks r SET players = r.players + h.change
  FROM held h WHERE h.pool = r.pool AND h.points = r.points;
  RETURN NULL;
END $$;
CREATE FUNCTION public.refuse_to_lose_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM packed_logs p WHERE p.game_id = OLD.game_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'events are append-only: % refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE FUNCTION public.refuse_to_rewrite_audit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only: % refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE FUNCTION public.refuse_to_rewrite_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'events are append-only: % refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TABLE public.answers (
    account uuid NOT NULL,
    request uuid NOT NULL,
    body_hash bytea NOT NULL,
    payload bytea NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT "a body is known by its SHA-256" CHECK ((octet_length(body_hash) = 32)),
    CONSTRAINT "an answer has at most 16384 bytes" CHECK ((octet_length(payload) <= 16384))
);
CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    player uuid NOT NULL,
    hash bytea NOT NULL,
    label text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    scopes integer DEFAULT 15 NOT NULL,
    CONSTRAINT "a key is stored as SHA-256" CHECK ((octet_length(hash) = 32)),
    CONSTRAINT "a key may read and has known scopes" CHECK ((((scopes >= 1) AND (scopes <= 63)) AND ((scopes % 2) = 1))),
    CONSTRAINT "a label has at most 256 bytes" CHECK ((octet_length(label) <= 256))
);
CREATE TABLE public.audit (
    id uuid NOT NULL,
    at bigint NOT NULL,
    actor uuid NOT NULL,
    key uuid NOT NULL,
    request uuid NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    CONSTRAINT "an audit entry is short" CHECK (((octet_length(subject) <= 64) AND (octet_length(detail) <= 4096))),
    CONSTRAINT "an audited action has a name and a reason" CHECK ((((octet_length(action) >= 1) AND (octet_length(action) <= 64)) AND ((octet_length(reason) >= 1) AND (octet_length(reason) <= 1024))))
);
CREATE TABLE public.deadlines (
    game_id uuid NOT NULL,
    due bigint NOT NULL
);
CREATE TABLE public.events (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
)
PARTITION BY HASH (game_id);
CREATE TABLE public.events_0 (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
);
CREATE TABLE public.events_1 (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
);
CREATE TABLE public.events_2 (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
);
CREATE TABLE public.events_3 (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
);
CREATE TABLE public.events_4 (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
);
CREATE TABLE public.events_5 (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
);
CREATE TABLE public.events_6 (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
);
CREATE TABLE public.events_7 (
    game_id uuid NOT NULL,
    sequence public.event_sequence NOT NULL,
    kind smallint NOT NULL,
    seat smallint NOT NULL,
    event_count smallint,
    at bigint NOT NULL,
    number bigint NOT NULL,
    player uuid,
    request uuid,
    position_hash public.sha256_digest NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    body_hash public.sha256_digest,
    detail public.event_detail NOT NULL
);
CREATE TABLE public.game_seats (
    game_id uuid NOT NULL,
    seat smallint NOT NULL,
    player uuid,
    place integer NOT NULL,
    points bigint NOT NULL,
    active boolean DEFAULT true NOT NULL,
    CONSTRAINT "places are counted from 1, and 0 is none" CHECK ((place >= 0)),
    CONSTRAINT "seats are numbered from 0" CHECK ((seat >= 0))
);
CREATE TABLE public.games (
    id uuid NOT NULL,
    ruleset text NOT NULL,
    rules_version integer NOT NULL,
    build text NOT NULL,
    options bigint[] NOT NULL,
    seats smallint NOT NULL,
    created_by uuid NOT NULL,
    create_request uuid,
    created_at bigint NOT NULL,
    restore_epoch integer NOT NULL,
    commitment public.sha256_digest NOT NULL,
    sealed_secret bytea NOT NULL,
    visibility smallint NOT NULL,
    rated boolean NOT NULL,
    clock_kind smallint NOT NULL,
    reserve_ms bigint NOT NULL,
    increment_ms bigint NOT NULL,
    first_turn_ms bigint NOT NULL,
    reserves_ms bigint[] NOT NULL,
    match uuid,
    match_game smallint NOT NULL,
    CONSTRAINT "a game has 1 to 127 seats" CHECK (((seats >= 1) AND (seats <= 127))),
    CONSTRAINT "a game names its ruleset" CHECK (((octet_length(ruleset) >= 1) AND (octet_length(ruleset) <= 64)))
);
CREATE TABLE public.heads (
    game_id uuid NOT NULL,
    ruleset text NOT NULL,
    sequence public.event_sequence NOT NULL,
    changed_sequence integer NOT NULL,
    status smallint NOT NULL,
    ending smallint NOT NULL,
    actor smallint NOT NULL,
    throws_drawn integer NOT NULL,
    updated_at bigint NOT NULL,
    chain_hash public.sha256_digest NOT NULL,
    "position" bytea NOT NULL,
    build text NOT NULL,
    proceedings bytea NOT NULL,
    deadline bigint,
    listed boolean NOT NULL,
    log_form smallint DEFAULT 0 NOT NULL
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.households (
    player uuid NOT NULL,
    household uuid NOT NULL
);
CREATE TABLE public.match_seats (
    match uuid NOT NULL,
    seat smallint NOT NULL,
    player uuid NOT NULL
);
CREATE TABLE public.matches (
    id uuid NOT NULL,
    kind smallint NOT NULL,
    length smallint NOT NULL,
    first_mover smallint NOT NULL,
    match_clock boolean NOT NULL,
    timeout_loses boolean NOT NULL,
    created_by uuid NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT "a match has a length" CHECK ((length >= 1))
);
CREATE TABLE public.no_shows (
    player uuid NOT NULL,
    game uuid NOT NULL,
    ended_at bigint NOT NULL
);
CREATE TABLE public.nodes (
    name text NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE public.outages (
    began_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    CONSTRAINT "an outage ends after it began" CHECK ((ended_at > began_at))
);
CREATE TABLE public.packed_logs (
    game_id uuid NOT NULL,
    log public.packed_log,
    archive text,
    CONSTRAINT "a log is here or archived" CHECK (((log IS NULL) <> (archive IS NULL))),
    CONSTRAINT "an archive has a name" CHECK (((octet_length(archive) >= 1) AND (octet_length(archive) <= 256)))
);
ALTER TABLE ONLY public.packed_logs ALTER COLUMN log SET STORAGE EXTERNAL;
CREATE TABLE public.players (
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text GENERATED ALWAYS AS (lower((name COLLATE "und-x-icu"))) STORED NOT NULL COLLATE pg_catalog."C",
    bot boolean NOT NULL,
    version integer NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT "a name has 1 to 256 bytes" CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 256))),
    CONSTRAINT "versions of a player count from 1" CHECK ((version >= 1))
);
CREATE UNLOGGED TABLE public.presence (
    game_id uuid NOT NULL,
    player uuid NOT NULL,
    node text NOT NULL
);
CREATE TABLE public.proposals (
    id uuid NOT NULL,
    kind smallint NOT NULL,
    state smallint NOT NULL,
    player uuid NOT NULL,
    opponent uuid,
    terms bytea NOT NULL,
    pool text NOT NULL,
    rating integer NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    game uuid,
    CONSTRAINT "a challenge names its opponent" CHECK (((kind = 2) = (opponent IS NOT NULL))),
    CONSTRAINT "a taken proposal has its game" CHECK (((state = 2) = (game IS NOT NULL))),
    CONSTRAINT "terms have at most 4096 bytes" CHECK ((octet_length(terms) <= 4096))
);
CREATE TABLE public.rated_matches (
    pool integer NOT NULL,
    rated_order bigint NOT NULL,
    match uuid NOT NULL,
    finished_at bigint NOT NULL,
    players uuid[] NOT NULL,
    places smallint[] NOT NULL,
    length smallint NOT NULL,
    first_mover smallint NOT NULL,
    exempt boolean NOT NULL,
    early boolean NOT NULL,
    state smallint NOT NULL,
    revision integer NOT NULL,
    reason text NOT NULL,
    estimates smallint[] DEFAULT '{}'::smallint[] NOT NULL,
    CONSTRAINT "a rated match has two to four players" CHECK ((((cardinality(players) >= 2) AND (cardinality(players) <= 4)) AND (cardinality(places) = cardinality(players)))),
    CONSTRAINT "a reason has at most 512 bytes" CHECK ((octet_length(reason) <= 512))
);
CREATE TABLE public.rating_changes (
    pool integer NOT NULL,
    revision integer NOT NULL,
    match uuid NOT NULL,
    places_before smallint[] NOT NULL,
    state_before smallint NOT NULL,
    places smallint[] NOT NULL,
    state smallint NOT NULL,
    reason text NOT NULL,
    changed_at bigint NOT NULL
);
CREATE TABLE public.rating_checkpoint_pairs (
    rated_order bigint NOT NULL,
    low uuid NOT NULL,
    high uuid NOT NULL,
    pool integer NOT NULL,
    matches integer NOT NULL,
    wins integer NOT NULL,
    draws integer NOT NULL,
    recent bigint[] NOT NULL
);
CREATE TABLE public.rating_checkpoint_standings (
    rated_order bigint NOT NULL,
    pool integer NOT NULL,
    player uuid NOT NULL,
    pinned boolean NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    matches integer NOT NULL,
    opponents integer NOT NULL,
    wins integer NOT NULL,
    draws integer NOT NULL,
    last_at bigint NOT NULL,
    peak double precision NOT NULL,
    peak_at bigint NOT NULL,
    fibs_rating double precision NOT NULL,
    fibs_experience double precision NOT NULL,
    lower_bound double precision NOT NULL,
    listed boolean NOT NULL
);
CREATE TABLE public.rating_checkpoints (
    pool integer NOT NULL,
    rated_order bigint NOT NULL,
    revision integer NOT NULL,
    taken_at bigint NOT NULL
);
CREATE TABLE public.rating_estimates (
    pool integer NOT NULL,
    player uuid NOT NULL,
    level smallint NOT NULL,
    made_at bigint NOT NULL,
    CONSTRAINT "an estimate is one step at most" CHECK (((level >= '-1'::integer) AND (level <= 1)))
);
CREATE TABLE public.rating_news (
    player uuid NOT NULL,
    pool integer NOT NULL,
    revision integer NOT NULL,
    rating_before double precision NOT NULL,
    rating_after double precision NOT NULL
);
CREATE TABLE public.rating_outbox (
    id bigint NOT NULL,
    game uuid NOT NULL,
    due bigint NOT NULL
);
ALTER TABLE public.rating_outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rating_outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rating_pairs (
    low uuid NOT NULL,
    high uuid NOT NULL,
    pool integer NOT NULL,
    matches integer NOT NULL,
    wins integer NOT NULL,
    draws integer NOT NULL,
    recent bigint[] NOT NULL,
    CONSTRAINT "a pair is written in one way" CHECK ((low < high))
);
CREATE TABLE public.rating_pools (
    number integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    ruleset text NOT NULL,
    seats smallint NOT NULL,
    profile text NOT NULL,
    next_order bigint NOT NULL,
    revision integer NOT NULL,
    shadow integer NOT NULL,
    refreshed_at bigint NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT "a pool is of two seats or of tables" CHECK ((seats = ANY (ARRAY[2, 4]))),
    CONSTRAINT "matches of a pool are ordered from 1" CHECK ((next_order >= 1)),
    CONSTRAINT "revisions of a pool count from 1" CHECK ((revision >= 1))
);
ALTER TABLE public.rating_pools ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rating_pools_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.rating_ranks (
    pool integer NOT NULL,
    points integer NOT NULL,
    players bigint NOT NULL,
    CONSTRAINT "players of a point are counted" CHECK ((players >= 0))
)
WITH (fillfactor='50');
CREATE TABLE public.rating_revisions (
    pool integer NOT NULL,
    revision integer NOT NULL,
    first_order bigint NOT NULL,
    switched_at bigint DEFAULT 0 NOT NULL,
    players bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.rating_snapshot_rows (
    day date NOT NULL,
    rank bigint NOT NULL,
    pool integer NOT NULL,
    player uuid NOT NULL,
    pinned boolean NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    matches integer NOT NULL,
    opponents integer NOT NULL,
    wins integer NOT NULL,
    draws integer NOT NULL,
    last_at bigint NOT NULL,
    peak double precision NOT NULL,
    peak_at bigint NOT NULL,
    fibs_rating double precision NOT NULL,
    fibs_experience double precision NOT NULL,
    lower_bound double precision NOT NULL,
    listed boolean NOT NULL
);
CREATE TABLE public.rating_snapshots (
    pool integer NOT NULL,
    day date NOT NULL,
    taken_at bigint NOT NULL
);
CREATE TABLE public.rating_steps (
    pool integer NOT NULL,
    player uuid NOT NULL,
    rated_order bigint NOT NULL,
    revision integer NOT NULL,
    counted boolean NOT NULL,
    information double precision NOT NULL,
    rating_before double precision NOT NULL,
    deviation_before double precision NOT NULL,
    volatility_before double precision NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    matches integer NOT NULL,
    opponents integer NOT NULL,
    wins integer NOT NULL,
    draws integer NOT NULL,
    last_at bigint NOT NULL,
    peak double precision NOT NULL,
    peak_at bigint NOT NULL,
    fibs_rating double precision NOT NULL,
    fibs_experience double precision NOT NULL
);
CREATE TABLE public.ratings (
    pool integer NOT NULL,
    player uuid NOT NULL,
    pinned boolean NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    matches integer NOT NULL,
    opponents integer NOT NULL,
    wins integer NOT NULL,
    draws integer NOT NULL,
    last_at bigint NOT NULL,
    peak double precision NOT NULL,
    peak_at bigint NOT NULL,
    fibs_rating double precision NOT NULL,
    fibs_experience double precision NOT NULL,
    lower_bound double precision NOT NULL,
    listed boolean NOT NULL,
    CONSTRAINT "a rating is a number" CHECK (((rating <> 'NaN'::double precision) AND (deviation > (0)::double precision) AND (deviation < 'Infinity'::double precision)))
);
CREATE TABLE public.record_extras (
    game_id uuid NOT NULL,
    extras text NOT NULL,
    CONSTRAINT "extras have at most 1 MiB" CHECK (((octet_length(extras) >= 1) AND (octet_length(extras) <= 1048576)))
);
CREATE TABLE public.restrictions (
    player uuid NOT NULL,
    kind smallint NOT NULL,
    until bigint,
    changed_at bigint NOT NULL,
    CONSTRAINT "a restriction is of a known kind" CHECK (((kind >= 0) AND (kind <= 2)))
);
CREATE TABLE public.schema_steps (
    number integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    sha256 text
);
CREATE TABLE public.sign_ins (
    issuer text NOT NULL,
    subject text NOT NULL,
    player uuid NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT "issuer and subject have at most 256 bytes" CHECK (((octet_length(issuer) <= 256) AND ((octet_length(subject) >= 1) AND (octet_length(subject) <= 256))))
);
CREATE TABLE public.tournament_log (
    tournament uuid NOT NULL,
    version integer NOT NULL,
    kind smallint NOT NULL,
    player uuid,
    round smallint NOT NULL,
    board integer NOT NULL,
    number bigint NOT NULL,
    detail bytea NOT NULL,
    by uuid,
    reason text NOT NULL,
    request uuid,
    body_hash bytea,
    at bigint NOT NULL,
    CONSTRAINT "an entry gives at most 500 characters of reason" CHECK ((char_length(reason) <= 500))
);
CREATE TABLE public.tournaments (
    id uuid NOT NULL,
    name text NOT NULL,
    status smallint NOT NULL,
    version integer NOT NULL,
    due_at bigint,
    leased_until bigint NOT NULL,
    created_by uuid NOT NULL,
    request uuid NOT NULL,
    body_hash bytea NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT "a tournament has a version" CHECK ((version >= 1)),
    CONSTRAINT "a tournament name has at most 80 characters" CHECK ((char_length(name) <= 80))
);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_0 FOR VALUES WITH (modulus 8, remainder 0);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_1 FOR VALUES WITH (modulus 8, remainder 1);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_2 FOR VALUES WITH (modulus 8, remainder 2);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_3 FOR VALUES WITH (modulus 8, remainder 3);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_4 FOR VALUES WITH (modulus 8, remainder 4);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_5 FOR VALUES WITH (modulus 8, remainder 5);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_6 FOR VALUES WITH (modulus 8, remainder 6);
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_7 FOR VALUES WITH (modulus 8, remainder 7);
ALTER TABLE ONLY public.game_seats
    ADD CONSTRAINT "a game has each seat once" PRIMARY KEY (game_id, seat);
ALTER TABLE ONLY public.record_extras
    ADD CONSTRAINT "a game has its extras once" PRIMARY KEY (game_id);
ALTER TABLE ONLY public.packed_logs
    ADD CONSTRAINT "a game has its log packed once" PRIMARY KEY (game_id);
ALTER TABLE ONLY public.deadlines
    ADD CONSTRAINT "a game has one deadline" PRIMARY KEY (game_id);
ALTER TABLE ONLY public.heads
    ADD CONSTRAINT "a game has one head" PRIMARY KEY (game_id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT "a game id names one game" PRIMARY KEY (id);
ALTER TABLE ONLY public.rating_outbox
    ADD CONSTRAINT "a game is in the outbox once" UNIQUE (game);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "a key hash names one key" UNIQUE (hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "a key id names one key" PRIMARY KEY (id);
ALTER TABLE ONLY public.match_seats
    ADD CONSTRAINT "a match has each seat once" PRIMARY KEY (match, seat);
ALTER TABLE ONLY public.matches
    ADD CONSTRAINT "a match id names one match" PRIMARY KEY (id);
ALTER TABLE ONLY public.rated_matches
    ADD CONSTRAINT "a match is rated once" UNIQUE (match);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT "a name belongs to one player whatever its case" UNIQUE (name_key);
ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT "a node has one heartbeat" PRIMARY KEY (name);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT "a person of an issuer is one player" PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.rating_estimates
    ADD CONSTRAINT "a player estimates himself once in a pool" PRIMARY KEY (pool, player);
ALTER TABLE ONLY public.rating_checkpoint_standings
    ADD CONSTRAINT "a player has one rating in a checkpoint" PRIMARY KEY (pool, rated_order, player);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT "a player has one rating in a pool" PRIMARY KEY (pool, player);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT "a player id names one player" PRIMARY KEY (id);
ALTER TABLE ONLY public.presence
    ADD CONSTRAINT "a player is connected to a game through a node once" PRIMARY KEY (game_id, player, node);
ALTER TABLE ONLY public.rating_snapshot_rows
    ADD CONSTRAINT "a player is in a snapshot once" UNIQUE (pool, day, player);
ALTER TABLE ONLY public.rating_news
    ADD CONSTRAINT "a player is told of a pool once" PRIMARY KEY (player, pool);
ALTER TABLE ONLY public.households
    ADD CONSTRAINT "a player lives in one household" PRIMARY KEY (player);
ALTER TABLE ONLY public.no_shows
    ADD CONSTRAINT "a player misses a game once" PRIMARY KEY (player, game);
ALTER TABLE ONLY public.rating_ranks
    ADD CONSTRAINT "a point of a pool is counted once" PRIMARY KEY (pool, points);
ALTER TABLE ONLY public.rating_pools
    ADD CONSTRAINT "a pool has a number" PRIMARY KEY (number);
ALTER TABLE ONLY public.rating_checkpoints
    ADD CONSTRAINT "a pool has one checkpoint after a match" PRIMARY KEY (pool, rated_order);
ALTER TABLE ONLY public.rating_snapshots
    ADD CONSTRAINT "a pool has one snapshot of a day" PRIMARY KEY (pool, day);
ALTER TABLE ONLY public.rating_pools
    ADD CONSTRAINT "a pool name names one pool" UNIQUE (name);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT "a proposal id names one proposal" PRIMARY KEY (id);
ALTER TABLE ONLY public.rating_snapshot_rows
    ADD CONSTRAINT "a rank of a snapshot is one player" PRIMARY KEY (pool, day, rank);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT "a request of a player creates one game" UNIQUE (created_by, create_request);
ALTER TABLE ONLY public.tournament_log
    ADD CONSTRAINT "a request of a tournament is one entry" UNIQUE (tournament, by, request);
ALTER TABLE ONLY public.answers
    ADD CONSTRAINT "a request of an account has one answer" PRIMARY KEY (account, request);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT "a request of an actor is audited once" UNIQUE (actor, request);
ALTER TABLE ONLY public.rating_changes
    ADD CONSTRAINT "a revision changes a match once" PRIMARY KEY (pool, revision, match);
ALTER TABLE ONLY public.rating_revisions
    ADD CONSTRAINT "a revision of a pool begins once" PRIMARY KEY (pool, revision);
ALTER TABLE ONLY public.schema_steps
    ADD CONSTRAINT "a schema step is applied once" PRIMARY KEY (number);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT "a sequence of a game is one event" PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.rating_steps
    ADD CONSTRAINT "a step of a player is in a revision once" PRIMARY KEY (pool, rated_order, player, revision);
ALTER TABLE ONLY public.tournament_log
    ADD CONSTRAINT "a tournament has each version once" PRIMARY KEY (tournament, version);
ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT "a tournament id names one tournament" PRIMARY KEY (id);
ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT "a tournament request makes one tournament" UNIQUE (created_by, request);
ALTER TABLE ONLY public.restrictions
    ADD CONSTRAINT "an account has one restriction" PRIMARY KEY (player);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT "an audit id names one entry" PRIMARY KEY (id);
ALTER TABLE ONLY public.rated_matches
    ADD CONSTRAINT "an order of a pool is one match" PRIMARY KEY (pool, rated_order);
ALTER TABLE ONLY public.outages
    ADD CONSTRAINT "an outage begins once" PRIMARY KEY (began_at);
ALTER TABLE ONLY public.rating_outbox
    ADD CONSTRAINT "an outbox row has a number" PRIMARY KEY (id);
ALTER TABLE ONLY public.events_0
    ADD CONSTRAINT events_0_pkey PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.events_1
    ADD CONSTRAINT events_1_pkey PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.events_2
    ADD CONSTRAINT events_2_pkey PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.events_3
    ADD CONSTRAINT events_3_pkey PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.events_4
    ADD CONSTRAINT events_4_pkey PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.events_5
    ADD CONSTRAINT events_5_pkey PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.events_6
    ADD CONSTRAINT events_6_pkey PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.events_7
    ADD CONSTRAINT events_7_pkey PRIMARY KEY (game_id, sequence);
ALTER TABLE ONLY public.rating_checkpoint_pairs
    ADD CONSTRAINT "two players have one record in a checkpoint" PRIMARY KEY (pool, rated_order, low, high);
ALTER TABLE ONLY public.rating_pairs
    ADD CONSTRAINT "two players have one record in a pool" PRIMARY KEY (low, high, pool);
CREATE UNIQUE INDEX "a match has each game once" ON public.games USING btree (match, match_game) WHERE (match IS NOT NULL);
CREATE UNIQUE INDEX "a request of a player is in a game once" ON ONLY public.events USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE INDEX "answers by age" ON public.answers USING btree (created_at);
CREATE INDEX "audit of a subject, newest first" ON public.audit USING btree (subject, id DESC);
CREATE INDEX "deadlines in order" ON public.deadlines USING btree (due);
CREATE INDEX "ended challenges to a player" ON public.proposals USING btree (opponent, id DESC) WHERE ((state <> 1) AND (kind = 2));
CREATE INDEX "ended proposals of a player" ON public.proposals USING btree (player, id DESC) WHERE (state <> 1);
CREATE UNIQUE INDEX events_0_game_id_player_request_idx ON public.events_0 USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE UNIQUE INDEX events_1_game_id_player_request_idx ON public.events_1 USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE UNIQUE INDEX events_2_game_id_player_request_idx ON public.events_2 USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE UNIQUE INDEX events_3_game_id_player_request_idx ON public.events_3 USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE UNIQUE INDEX events_4_game_id_player_request_idx ON public.events_4 USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE UNIQUE INDEX events_5_game_id_player_request_idx ON public.events_5 USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE UNIQUE INDEX events_6_game_id_player_request_idx ON public.events_6 USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE UNIQUE INDEX events_7_game_id_player_request_idx ON public.events_7 USING btree (game_id, player, request) WHERE (request IS NOT NULL);
CREATE INDEX "games a player is in, newest first" ON public.game_seats USING btree (player, game_id DESC) WHERE (active AND (player IS NOT NULL));
CREATE INDEX "games by ruleset and status, newest first" ON public.heads USING btree (ruleset, status, game_id DESC) WHERE listed;
CREATE INDEX "games by status, newest first" ON public.heads USING btree (status, game_id DESC) WHERE listed;
CREATE INDEX "games of a player, newest first" ON public.game_seats USING btree (player, game_id DESC) WHERE (player IS NOT NULL);
CREATE INDEX "games of a ruleset, newest first" ON public.games USING btree (ruleset, id DESC) WHERE (visibility = 1);
CREATE INDEX "games whose logs are packed" ON public.heads USING btree (game_id) WHERE (log_form = 1);
CREATE INDEX "games whose logs are to be packed" ON public.heads USING btree (game_id) WHERE ((status = ANY (ARRAY[3, 4])) AND (log_form = 0));
CREATE INDEX "games, newest first" ON public.games USING btree (id DESC) WHERE (visibility = 1);
CREATE INDEX "keys of a player, newest first" ON public.api_keys USING btree (player, id DESC);
CREATE INDEX "matches of a player, newest first" ON public.match_seats USING btree (player, match DESC);
CREATE INDEX "open challenges to a player" ON public.proposals USING btree (opponent, id DESC) WHERE ((state = 1) AND (kind = 2));
CREATE INDEX "open proposals by their end" ON public.proposals USING btree (expires_at) WHERE (state = 1);
CREATE INDEX "open proposals of a kind, newest first" ON public.proposals USING btree (kind, id DESC) WHERE (state = 1);
CREATE INDEX "open proposals of a player" ON public.proposals USING btree (player, id DESC) WHERE (state = 1);
CREATE INDEX "open tickets of a pool, oldest first" ON public.proposals USING btree (pool, id) WHERE ((state = 1) AND (kind = 3));
CREATE INDEX "outages by their end" ON public.outages USING btree (ended_at);
CREATE INDEX "pairs of a pool" ON public.rating_pairs USING btree (pool);
CREATE INDEX "players of a household" ON public.households USING btree (household);
CREATE INDEX "presence by node" ON public.presence USING btree (node);
CREATE INDEX "proposals by their end" ON public.proposals USING btree (expires_at);
CREATE INDEX "ratings of a player" ON public.ratings USING btree (player, pool);
CREATE INDEX "restrictions by time" ON public.restrictions USING btree (changed_at);
CREATE INDEX "revoked keys by time" ON public.api_keys USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);
CREATE INDEX "sign-ins of a player" ON public.sign_ins USING btree (player);
CREATE INDEX "steps of a player" ON public.rating_steps USING btree (pool, player, rated_order, revision);
CREATE INDEX "the list of a pool" ON public.ratings USING btree (pool, lower_bound DESC, player DESC) WHERE listed;
CREATE INDEX "tournaments by status, newest first" ON public.tournaments USING btree (status, id DESC);
CREATE INDEX "tournaments that are due" ON public.tournaments USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX "what a player missed, by time" ON public.no_shows USING btree (player, ended_at);
ALTER INDEX public."a request of a player is in a game once" ATTACH PARTITION public.events_0_game_id_player_request_idx;
ALTER INDEX public."a sequence of a game is one event" ATTACH PARTITION public.events_0_pkey;
ALTER INDEX public."a request of a player is in a game once" ATTACH PARTITION public.events_1_game_id_player_request_idx;
ALTER INDEX public."a sequence of a game is one event" ATTACH PARTITION public.events_1_pkey;
ALTER INDEX public."a request of a player is in a game once" ATTACH PARTITION public.events_2_game_id_player_request_idx;
ALTER INDEX public."a sequence of a game is one event" ATTACH PARTITION public.events_2_pkey;
ALTER INDEX public."a request of a player is in a game once" ATTACH PARTITION public.events_3_game_id_player_request_idx;
ALTER INDEX public."a sequence of a game is one event" ATTACH PARTITION public.events_3_pkey;
ALTER INDEX public."a request of a player is in a game once" ATTACH PARTITION public.events_4_game_id_player_request_idx;
ALTER INDEX public."a sequence of a game is one event" ATTACH PARTITION public.events_4_pkey;
ALTER INDEX public."a request of a player is in a game once" ATTACH PARTITION public.events_5_game_id_player_request_idx;
ALTER INDEX public."a sequence of a game is one event" ATTACH PARTITION public.events_5_pkey;
ALTER INDEX public."a request of a player is in a game once" ATTACH PARTITION public.events_6_game_id_player_request_idx;
ALTER INDEX public."a sequence of a game is one event" ATTACH PARTITION public.events_6_pkey;
ALTER INDEX public."a request of a player is in a game once" ATTACH PARTITION public.events_7_game_id_player_request_idx;
ALTER INDEX public."a sequence of a game is one event" ATTACH PARTITION public.events_7_pkey;
CREATE TRIGGER "audit entries are never changed or deleted" BEFORE DELETE OR UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION public.refuse_to_rewrite_audit();
CREATE TRIGGER "audit entries are never truncated" BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_audit();
CREATE TRIGGER "events are never changed, and deleted only once packed" BEFORE DELETE OR UPDATE ON public.events FOR EACH ROW EXECUTE FUNCTION public.refuse_to_lose_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events_0 FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events_1 FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events_2 FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events_3 FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events_4 FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events_5 FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events_6 FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON public.events_7 FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
CREATE TRIGGER "listed players are counted" AFTER INSERT ON public.ratings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER "listed players are counted again" AFTER UPDATE ON public.ratings REFERENCING OLD TABLE AS was_so NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION public.recount_listed();
CREATE TRIGGER "the log of a tournament only grows" BEFORE DELETE OR UPDATE OR TRUNCATE ON public.tournament_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_rewrite_events();
ALTER TABLE ONLY public.rating_checkpoints
    ADD CONSTRAINT "a checkpoint belongs to a pool" FOREIGN KEY (pool) REFERENCES public.rating_pools(number);
ALTER TABLE ONLY public.deadlines
    ADD CONSTRAINT "a deadline belongs to a game" FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.heads
    ADD CONSTRAINT "a head belongs to a game" FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT "a key belongs to a player" FOREIGN KEY (player) REFERENCES public.players(id);
ALTER TABLE ONLY public.match_seats
    ADD CONSTRAINT "a match seat belongs to a match" FOREIGN KEY (match) REFERENCES public.matches(id);
ALTER TABLE ONLY public.packed_logs
    ADD CONSTRAINT "a packed log belongs to a game" FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT "a person who signs in is a player" FOREIGN KEY (player) REFERENCES public.players(id);
ALTER TABLE ONLY public.rated_matches
    ADD CONSTRAINT "a rated match belongs to a pool" FOREIGN KEY (pool) REFERENCES public.rating_pools(number);
ALTER TABLE ONLY public.restrictions
    ADD CONSTRAINT "a restricted account is a player" FOREIGN KEY (player) REFERENCES public.players(id);
ALTER TABLE ONLY public.game_seats
    ADD CONSTRAINT "a seat belongs to a game" FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.rating_snapshots
    ADD CONSTRAINT "a snapshot belongs to a pool" FOREIGN KEY (pool) REFERENCES public.rating_pools(number);
ALTER TABLE ONLY public.tournament_log
    ADD CONSTRAINT "an entry belongs to a tournament" FOREIGN KEY (tournament) REFERENCES public.tournaments(id);
ALTER TABLE ONLY public.rating_estimates
    ADD CONSTRAINT "an estimate belongs to a pool" FOREIGN KEY (pool) REFERENCES public.rating_pools(number);
