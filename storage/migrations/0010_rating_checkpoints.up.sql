-- The state of a pool after one of its matches, so that a correction need not begin at the first.
-- Taken in one statement, so it is of one moment; at most three for each pool.
CREATE TABLE rating_checkpoints (
  pool integer NOT NULL,
  rated_order bigint NOT NULL,
  revision integer NOT NULL,       -- in which it was so
  taken_at bigint NOT NULL,
  CONSTRAINT "a pool has one checkpoint after a match" PRIMARY KEY (pool, rated_order),
  CONSTRAINT "a checkpoint belongs to a pool" FOREIGN KEY (pool) REFERENCES rating_pools (number)
);
CREATE TABLE rating_checkpoint_standings (
  rated_order bigint NOT NULL,
  LIKE ratings,
  CONSTRAINT "a player has one rating in a checkpoint" PRIMARY KEY (pool, rated_order, player)
);
CREATE TABLE rating_checkpoint_pairs (
  rated_order bigint NOT NULL,
  LIKE rating_pairs,
  CONSTRAINT "two players have one record in a checkpoint" PRIMARY KEY (pool, rated_order, low, high)
);
CREATE INDEX "pairs of a pool" ON rating_pairs (pool);

-- The first match that each later revision says something else about: of older checkpoints only
-- those before it still hold.
CREATE TABLE rating_revisions (
  pool integer NOT NULL,
  revision integer NOT NULL,
  first_order bigint NOT NULL,
  CONSTRAINT "a revision of a pool begins once" PRIMARY KEY (pool, revision)
);
