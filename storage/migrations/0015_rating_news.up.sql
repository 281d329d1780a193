-- Whose rating the last recomputation of a pool changed, so that they can be told: one row for each
-- player and pool, as his ratings are.
ALTER TABLE rating_revisions
  ADD COLUMN switched_at bigint NOT NULL DEFAULT 0,
  ADD COLUMN players bigint NOT NULL DEFAULT 0;  -- whose standing differs
CREATE TABLE rating_news (
  player uuid NOT NULL,
  pool integer NOT NULL,
  revision integer NOT NULL,
  rating_before double precision NOT NULL,  -- 0: he had none
  rating_after double precision NOT NULL,
  CONSTRAINT "a player is told of a pool once" PRIMARY KEY (player, pool)
);

-- How strong players said they were before their first match in a pool: steps below or above its
-- start.
CREATE TABLE rating_estimates (
  pool integer NOT NULL,
  player uuid NOT NULL,
  level smallint NOT NULL,
  made_at bigint NOT NULL,
  CONSTRAINT "a player estimates himself once in a pool" PRIMARY KEY (pool, player),
  CONSTRAINT "an estimate belongs to a pool" FOREIGN KEY (pool) REFERENCES rating_pools (number),
  CONSTRAINT "an estimate is one step at most" CHECK (level BETWEEN -1 AND 1)
);
-- The log says what its players had estimated, so that a replay needs nothing else; empty: nobody
-- had.
ALTER TABLE rated_matches ADD COLUMN estimates smallint[] NOT NULL DEFAULT '{}';
