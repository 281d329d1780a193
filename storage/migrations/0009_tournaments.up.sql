-- Tournaments. The truth is the log; a row of tournaments is what lists, schedules and guards it.
CREATE TABLE tournaments (
  id uuid NOT NULL,
  name text NOT NULL,
  status smallint NOT NULL,  -- of the tournament after its last entry, see core/tournaments
  version integer NOT NULL,  -- of the last entry
  due_at bigint,             -- when a server must look at it by itself; null: never
  leased_until bigint NOT NULL,  -- until then one of them does
  created_by uuid NOT NULL,
  request uuid NOT NULL,
  body_hash bytea NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT "a tournament id names one tournament" PRIMARY KEY (id),
  CONSTRAINT "a tournament request makes one tournament" UNIQUE (created_by, request),
  CONSTRAINT "a tournament has a version" CHECK (version >= 1),
  CONSTRAINT "a tournament name has at most 80 characters" CHECK (char_length(name) <= 80)
);
CREATE INDEX "tournaments by status, newest first" ON tournaments (status, id DESC);
CREATE INDEX "tournaments that are due" ON tournaments (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE tournament_log (
  tournament uuid NOT NULL,
  version integer NOT NULL,  -- from 1, no gaps
  kind smallint NOT NULL,
  player uuid,               -- whom it concerns
  round smallint NOT NULL,   -- 0: none
  board integer NOT NULL,    -- 0: none
  number bigint NOT NULL,
  detail bytea NOT NULL,     -- as core encodes it
  by uuid,                   -- null: the server
  reason text NOT NULL,
  request uuid,
  body_hash bytea,
  at bigint NOT NULL,
  CONSTRAINT "a tournament has each version once" PRIMARY KEY (tournament, version),
  CONSTRAINT "an entry belongs to a tournament"
    FOREIGN KEY (tournament) REFERENCES tournaments (id),
  CONSTRAINT "a request of a tournament is one entry" UNIQUE (tournament, by, request),
  CONSTRAINT "an entry gives at most 500 characters of reason" CHECK (char_length(reason) <= 500)
);
CREATE TRIGGER "the log of a tournament only grows"
  BEFORE UPDATE OR DELETE OR TRUNCATE ON tournament_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite_events();
