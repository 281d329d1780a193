-- What every commit writes is checked by its columns' types: PostgreSQL keeps the checks of a type
-- parsed for a session, those of a table it parses again in every statement, for every partition.
CREATE DOMAIN sha256_digest AS bytea
  CONSTRAINT "a SHA-256 has 32 bytes" CHECK (octet_length(VALUE) = 32);
CREATE DOMAIN event_sequence AS integer
  CONSTRAINT "sequences count from 1" CHECK (VALUE >= 1);

-- What is fixed when a game is created.
CREATE TABLE games (
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
  commitment sha256_digest NOT NULL,
  sealed_secret bytea NOT NULL,
  visibility smallint NOT NULL,  -- 1 public, 2 unlisted, 3 private
  rated boolean NOT NULL,
  clock_kind smallint NOT NULL,  -- 0 none, 1 delay, 2 Bronstein, 3 Fischer, 4 per turn
  reserve_ms bigint NOT NULL,
  increment_ms bigint NOT NULL,
  first_turn_ms bigint NOT NULL,
  reserves_ms bigint[] NOT NULL,  -- of each seat, where a match clock goes on
  match uuid,
  match_game smallint NOT NULL,
  CONSTRAINT "a game id names one game" PRIMARY KEY (id),
  CONSTRAINT "a request of a player creates one game" UNIQUE (created_by, create_request),
  CONSTRAINT "a game has 1 to 127 seats" CHECK (seats BETWEEN 1 AND 127),
  CONSTRAINT "a game names its ruleset" CHECK (octet_length(ruleset) BETWEEN 1 AND 64)
);
CREATE INDEX "games of a ruleset, newest first" ON games (ruleset, id DESC) WHERE visibility = 1;
CREATE INDEX "games, newest first" ON games (id DESC) WHERE visibility = 1;
CREATE UNIQUE INDEX "a match has each game once" ON games (match, match_game) WHERE match IS NOT NULL;

-- Where a game stands after its last event: the one row that every commit rewrites. What changes with
-- each commit is in no index, so that the new version stays on its page (HOT); status changes twice
-- in a game's life, ruleset never.
CREATE TABLE heads (
  game_id uuid NOT NULL,
  ruleset text NOT NULL,  -- as in games, for the index
  sequence event_sequence NOT NULL,
  changed_sequence integer NOT NULL,
  status smallint NOT NULL,
  ending smallint NOT NULL,
  actor smallint NOT NULL,
  throws_drawn integer NOT NULL,
  updated_at bigint NOT NULL,
  chain_hash sha256_digest NOT NULL,
  position bytea NOT NULL,
  build text NOT NULL,
  proceedings bytea NOT NULL,
  deadline bigint,
  listed boolean NOT NULL,  -- as the game's visibility says, for the indexes
  CONSTRAINT "a game has one head" PRIMARY KEY (game_id),
  CONSTRAINT "a head belongs to a game" FOREIGN KEY (game_id) REFERENCES games (id)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX "games by status, newest first" ON heads (status, game_id DESC)
  WHERE listed;
CREATE INDEX "games by ruleset and status, newest first" ON heads (ruleset, status, game_id DESC)
  WHERE listed;

-- When the service must look at a game by itself. `due` is never later than the head's deadline, and
-- is moved forward only when it has come: so a move does not write here.
CREATE TABLE deadlines (
  game_id uuid NOT NULL,
  due bigint NOT NULL,
  CONSTRAINT "a game has one deadline" PRIMARY KEY (game_id),
  CONSTRAINT "a deadline belongs to a game" FOREIGN KEY (game_id) REFERENCES games (id)
);
CREATE INDEX "deadlines in order" ON deadlines (due);

-- Which servers live, and when none did: that time is given back to running clocks.
CREATE TABLE nodes (
  name text NOT NULL,
  seen_at bigint NOT NULL,
  CONSTRAINT "a node has one heartbeat" PRIMARY KEY (name)
);
CREATE TABLE outages (
  began_at bigint NOT NULL,
  ended_at bigint NOT NULL,
  CONSTRAINT "an outage begins once" PRIMARY KEY (began_at),
  CONSTRAINT "an outage ends after it began" CHECK (ended_at > began_at)
);
CREATE INDEX "outages by their end" ON outages (ended_at);

CREATE TABLE game_seats (
  game_id uuid NOT NULL,
  seat smallint NOT NULL,
  player uuid,  -- null while the seat is free
  place integer NOT NULL,
  points bigint NOT NULL,
  CONSTRAINT "a game has each seat once" PRIMARY KEY (game_id, seat),
  CONSTRAINT "a seat belongs to a game" FOREIGN KEY (game_id) REFERENCES games (id),
  CONSTRAINT "seats are numbered from 0" CHECK (seat >= 0),
  CONSTRAINT "places are counted from 1, and 0 is none" CHECK (place >= 0)
);
CREATE INDEX "games of a player, newest first" ON game_seats (player, game_id DESC)
  WHERE player IS NOT NULL;
