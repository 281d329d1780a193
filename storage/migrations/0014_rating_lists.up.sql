-- Rated games that came to nothing because of one player: he called it off, gave up before
-- anybody acted, or did not take his first turn in time.
CREATE TABLE no_shows (
  player uuid NOT NULL,
  game uuid NOT NULL,
  ended_at bigint NOT NULL,
  CONSTRAINT "a player misses a game once" PRIMARY KEY (player, game)
);
CREATE INDEX "what a player missed, by time" ON no_shows (player, ended_at);

-- Who lives with whom, as the operator knows it: at tables they are not rated together.
CREATE TABLE households (
  player uuid NOT NULL,
  household uuid NOT NULL,
  CONSTRAINT "a player lives in one household" PRIMARY KEY (player)
);
CREATE INDEX "players of a household" ON households (household);

-- The list of a pool on a day, as it was soon after midnight UTC. The first one of a month is the
-- official list of that month and stays; of the others only the latest do.
CREATE TABLE rating_snapshots (
  pool integer NOT NULL,
  day date NOT NULL,
  taken_at bigint NOT NULL,
  CONSTRAINT "a pool has one snapshot of a day" PRIMARY KEY (pool, day),
  CONSTRAINT "a snapshot belongs to a pool" FOREIGN KEY (pool) REFERENCES rating_pools (number)
);
CREATE TABLE rating_snapshot_rows (
  day date NOT NULL,
  rank bigint NOT NULL,
  LIKE ratings,
  CONSTRAINT "a rank of a snapshot is one player" PRIMARY KEY (pool, day, rank),
  CONSTRAINT "a player is in a snapshot once" UNIQUE (pool, day, player)
);
