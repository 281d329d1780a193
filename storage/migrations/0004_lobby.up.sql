-- Matches: series of games. The score is that of the games, so nothing here changes.
CREATE TABLE matches (
  id uuid NOT NULL,
  kind smallint NOT NULL,  -- 1 to a number of points, 2 best of, 3 a number of games
  length smallint NOT NULL,
  first_mover smallint NOT NULL,  -- 1 the rules, 2 winner, 3 loser, 4 alternate
  match_clock boolean NOT NULL,
  timeout_loses boolean NOT NULL,
  created_by uuid NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT "a match id names one match" PRIMARY KEY (id),
  CONSTRAINT "a match has a length" CHECK (length >= 1)
);
CREATE TABLE match_seats (
  match uuid NOT NULL,
  seat smallint NOT NULL,
  player uuid NOT NULL,
  CONSTRAINT "a match has each seat once" PRIMARY KEY (match, seat),
  CONSTRAINT "a match seat belongs to a match" FOREIGN KEY (match) REFERENCES matches (id)
);
CREATE INDEX "matches of a player, newest first" ON match_seats (player, match DESC);

-- What players propose to each other: seeks for anybody who fits, challenges to one player, tickets
-- of the automatic queue. A proposal becomes at most one game, in the transaction that creates it.
CREATE TABLE proposals (
  id uuid NOT NULL,
  kind smallint NOT NULL,   -- 1 seek, 2 challenge, 3 ticket
  state smallint NOT NULL,  -- 1 open, 2 taken, 3 withdrawn, 4 declined
  player uuid NOT NULL,
  opponent uuid,            -- of a challenge
  terms bytea NOT NULL,     -- what is to be played, as core encodes it
  pool text NOT NULL,       -- tickets of one pool may be paired
  rating integer NOT NULL,  -- of the player when it was made
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  game uuid,                -- once taken
  CONSTRAINT "a proposal id names one proposal" PRIMARY KEY (id),
  CONSTRAINT "a taken proposal has its game" CHECK ((state = 2) = (game IS NOT NULL)),
  CONSTRAINT "a challenge names its opponent" CHECK ((kind = 2) = (opponent IS NOT NULL)),
  CONSTRAINT "terms have at most 4096 bytes" CHECK (octet_length(terms) <= 4096)
);
CREATE INDEX "open proposals of a kind, newest first" ON proposals (kind, id DESC) WHERE state = 1;
CREATE INDEX "open tickets of a pool, oldest first" ON proposals (pool, id) WHERE state = 1 AND kind = 3;
CREATE INDEX "open proposals of a player" ON proposals (player, id DESC) WHERE state = 1;
CREATE INDEX "open challenges to a player" ON proposals (opponent, id DESC)
  WHERE state = 1 AND kind = 2;
CREATE INDEX "proposals by their end" ON proposals (expires_at);
