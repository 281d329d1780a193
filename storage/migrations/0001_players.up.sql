-- Instants are whole microseconds since 1970-01-01T00:00:00Z, everywhere: event hashes cover them, so
-- no conversion may lose one. For people: SELECT instant(created_at) FROM players.
CREATE FUNCTION instant(micros bigint) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN timestamptz '1970-01-01 00:00:00+00' + micros * interval '1 microsecond';

CREATE TABLE players (
  id uuid NOT NULL,
  name text NOT NULL,
  -- The same on every server: its own collation, not the one the database was made with.
  name_key text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (lower(name COLLATE "und-x-icu")) STORED,
  bot boolean NOT NULL,
  version integer NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT "a player id names one player" PRIMARY KEY (id),
  CONSTRAINT "a name belongs to one player whatever its case" UNIQUE (name_key),
  CONSTRAINT "a name has 1 to 256 bytes" CHECK (octet_length(name) BETWEEN 1 AND 256),
  CONSTRAINT "versions of a player count from 1" CHECK (version >= 1)
);

CREATE TABLE api_keys (
  id uuid NOT NULL,
  player uuid NOT NULL,
  hash bytea NOT NULL,
  label text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  CONSTRAINT "a key id names one key" PRIMARY KEY (id),
  CONSTRAINT "a key hash names one key" UNIQUE (hash),
  CONSTRAINT "a key belongs to a player" FOREIGN KEY (player) REFERENCES players (id),
  CONSTRAINT "a key is stored as SHA-256" CHECK (octet_length(hash) = 32),
  CONSTRAINT "a label has at most 256 bytes" CHECK (octet_length(label) <= 256)
);
CREATE INDEX "keys of a player, newest first" ON api_keys (player, id DESC);
CREATE INDEX "revoked keys by time" ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;

-- First answers to requests, so that a repeat gets the same; swept after 24 hours.
CREATE TABLE answers (
  account uuid NOT NULL,  -- nil: a caller without identity
  request uuid NOT NULL,
  body_hash bytea NOT NULL,
  payload bytea NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT "a request of an account has one answer" PRIMARY KEY (account, request),
  CONSTRAINT "a body is known by its SHA-256" CHECK (octet_length(body_hash) = 32),
  CONSTRAINT "an answer has at most 16384 bytes" CHECK (octet_length(payload) <= 16384)
);
CREATE INDEX "answers by age" ON answers (created_at);
