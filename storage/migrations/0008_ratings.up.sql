-- Games that ended with a result and are rated, until their ratings have followed: written by the
-- commit that ends the game. `due` is moved on when one has to wait.
CREATE TABLE rating_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  game uuid NOT NULL,
  due bigint NOT NULL,
  CONSTRAINT "an outbox row has a number" PRIMARY KEY (id),
  CONSTRAINT "a game is in the outbox once" UNIQUE (game)
);

-- Sets of comparable ratings. Whoever rates the next match moves next_order on, so that row is what
-- rating a pool serialises on.
CREATE TABLE rating_pools (
  number integer GENERATED ALWAYS AS IDENTITY,
  name text COLLATE "C" NOT NULL,  -- RULESET/SEATS/SPEED/KIND[/OPTION=VALUE,...]
  ruleset text NOT NULL,
  seats smallint NOT NULL,         -- 2, or 4 for three and four
  profile text NOT NULL,           -- what is computed with, in full
  next_order bigint NOT NULL,
  revision integer NOT NULL,
  shadow integer NOT NULL,         -- recomputations begun so far: only the latest may write
  refreshed_at bigint NOT NULL,    -- when the list was aged
  created_at bigint NOT NULL,
  CONSTRAINT "a pool has a number" PRIMARY KEY (number),
  CONSTRAINT "a pool name names one pool" UNIQUE (name),
  CONSTRAINT "a pool is of two seats or of tables" CHECK (seats IN (2, 4)),
  CONSTRAINT "matches of a pool are ordered from 1" CHECK (next_order >= 1),
  CONSTRAINT "revisions of a pool count from 1" CHECK (revision >= 1)
);

-- The log of a pool: ratings are a fold over it in this order. A correction changes places or state
-- and goes with a new revision.
CREATE TABLE rated_matches (
  pool integer NOT NULL,
  rated_order bigint NOT NULL,
  match uuid NOT NULL,             -- a game outside of a match: the game's id
  finished_at bigint NOT NULL,
  players uuid[] NOT NULL,
  places smallint[] NOT NULL,
  length smallint NOT NULL,        -- points that the match went to
  first_mover smallint NOT NULL,   -- the seat that the system let begin; -1: dice did
  exempt boolean NOT NULL,         -- from the rule against farming
  early boolean NOT NULL,          -- given up or lost on time before its tenth action
  state smallint NOT NULL,         -- 1 counted, 2 annulled, 3 corrected
  revision integer NOT NULL,       -- that gave it its state
  reason text NOT NULL,            -- of the last change
  CONSTRAINT "an order of a pool is one match" PRIMARY KEY (pool, rated_order),
  CONSTRAINT "a match is rated once" UNIQUE (match),
  CONSTRAINT "a rated match belongs to a pool" FOREIGN KEY (pool) REFERENCES rating_pools (number),
  CONSTRAINT "a rated match has two to four players"
    CHECK (cardinality(players) BETWEEN 2 AND 4 AND cardinality(places) = cardinality(players)),
  CONSTRAINT "a reason has at most 512 bytes" CHECK (octet_length(reason) <= 512)
);

-- What each match did to each of its players, in every revision in which that was something new.
-- The step that holds is the one with the highest revision that is not above the pool's: higher ones
-- are being computed.
CREATE TABLE rating_steps (
  pool integer NOT NULL,
  player uuid NOT NULL,
  rated_order bigint NOT NULL,
  revision integer NOT NULL,
  counted boolean NOT NULL,        -- false: in this revision it did nothing
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
  fibs_experience double precision NOT NULL,
  CONSTRAINT "a step of a player is in a revision once"
    PRIMARY KEY (pool, rated_order, player, revision)
);
CREATE INDEX "steps of a player" ON rating_steps (pool, player, rated_order, revision);

-- Standings now: the last step of each player, and the place in the list.
CREATE TABLE ratings (
  pool integer NOT NULL,
  player uuid NOT NULL,
  pinned boolean NOT NULL,         -- never rated: a bot of fixed strength
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
  lower_bound double precision NOT NULL,  -- rating less deviation as shown, when last looked at
  listed boolean NOT NULL,
  CONSTRAINT "a player has one rating in a pool" PRIMARY KEY (pool, player),
  CONSTRAINT "a rating is a number" CHECK (rating <> 'NaN'::double precision
    AND deviation > 0 AND deviation < 'Infinity'::double precision)
);
CREATE INDEX "the list of a pool" ON ratings (pool, lower_bound DESC, player DESC) WHERE listed;
CREATE INDEX "ratings of a player" ON ratings (player, pool);

-- How many listed players of a pool have a lower bound of so many whole points, so that a rank is
-- counted point by point, and only within the player's own point one by one. Kept by triggers, as
-- every statement that writes ratings changes it.
CREATE TABLE rating_ranks (
  pool integer NOT NULL,
  points integer NOT NULL,
  players bigint NOT NULL,
  CONSTRAINT "a point of a pool is counted once" PRIMARY KEY (pool, points),
  CONSTRAINT "players of a point are counted" CHECK (players >= 0)
) WITH (fillfactor = 50);

CREATE FUNCTION count_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rating_ranks AS ranks (pool, points, players)
  SELECT pool, floor(lower_bound)::integer AS at, count(*) FROM added WHERE listed
  GROUP BY pool, at ORDER BY pool, at
  ON CONFLICT (pool, points) DO UPDATE SET players = ranks.players + EXCLUDED.players;
  RETURN NULL;
END $$;

-- In order of the points, so that two of them never wait for each other.
CREATE FUNCTION recount_listed() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER "listed players are counted" AFTER INSERT ON ratings
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed();
CREATE TRIGGER "listed players are counted again" AFTER UPDATE ON ratings
  REFERENCING OLD TABLE AS was_so NEW TABLE AS now_so
  FOR EACH STATEMENT EXECUTE FUNCTION recount_listed();

-- How often two players met in rated matches, and when last: head to head, and the rule against
-- farming. `wins` are those of the lower id.
CREATE TABLE rating_pairs (
  low uuid NOT NULL,
  high uuid NOT NULL,
  pool integer NOT NULL,
  matches integer NOT NULL,
  wins integer NOT NULL,
  draws integer NOT NULL,
  recent bigint[] NOT NULL,
  CONSTRAINT "two players have one record in a pool" PRIMARY KEY (low, high, pool),
  CONSTRAINT "a pair is written in one way" CHECK (low < high)
);

-- Why the past was changed, for ever.
CREATE TABLE rating_changes (
  pool integer NOT NULL,
  revision integer NOT NULL,
  match uuid NOT NULL,
  places_before smallint[] NOT NULL,
  state_before smallint NOT NULL,
  places smallint[] NOT NULL,
  state smallint NOT NULL,
  reason text NOT NULL,
  changed_at bigint NOT NULL,
  CONSTRAINT "a revision changes a match once" PRIMARY KEY (pool, revision, match)
);
