-- An id as callers write it (services/base/ids.h): 26 characters of five bits, the first with two
-- zeros before it.
CREATE FUNCTION id_text(id uuid) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
      substr(bits, 5 * at + 1, 5)::bit(5)::integer + 1, 1), '' ORDER BY at)
    FROM (SELECT '00' || ('x' || replace(id::text, '-', ''))::bit(128)::text) AS all_bits (bits),
      generate_series(0, 25) AS at);

-- What a key may be used for: bit n is the scope with number n of services/core/rights.h. Keys from
-- before scopes are those of players: read, play, account, direct.
ALTER TABLE api_keys ADD COLUMN scopes integer NOT NULL DEFAULT 15,
  ADD CONSTRAINT "a key may read and has known scopes" CHECK (scopes BETWEEN 1 AND 63 AND scopes % 2 = 1);

-- The players behind the people of outside issuers (OpenID Connect).
CREATE TABLE sign_ins (
  issuer text NOT NULL,
  subject text NOT NULL,
  player uuid NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT "a person of an issuer is one player" PRIMARY KEY (issuer, subject),
  CONSTRAINT "a person who signs in is a player" FOREIGN KEY (player) REFERENCES players (id),
  CONSTRAINT "issuer and subject have at most 256 bytes"
    CHECK (octet_length(issuer) <= 256 AND octet_length(subject) BETWEEN 1 AND 256)
);
CREATE INDEX "sign-ins of a player" ON sign_ins (player);

-- What moderators took from accounts. A row stays when it is lifted (kind 0), so that other nodes see
-- the change.
CREATE TABLE restrictions (
  player uuid NOT NULL,
  kind smallint NOT NULL,  -- 0 none, 1 no new games, 2 banned
  until bigint,            -- null: for good
  changed_at bigint NOT NULL,
  CONSTRAINT "an account has one restriction" PRIMARY KEY (player),
  CONSTRAINT "a restricted account is a player" FOREIGN KEY (player) REFERENCES players (id),
  CONSTRAINT "a restriction is of a known kind" CHECK (kind BETWEEN 0 AND 2)
);
CREATE INDEX "restrictions by time" ON restrictions (changed_at);

-- Who of the staff did what to whom, and why.
CREATE TABLE audit (
  id uuid NOT NULL,
  at bigint NOT NULL,
  actor uuid NOT NULL,  -- nil: the operator without an account
  key uuid NOT NULL,    -- nil: the operator's own key or certificate
  request uuid NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  reason text NOT NULL,
  detail text NOT NULL,
  CONSTRAINT "an audit id names one entry" PRIMARY KEY (id),
  CONSTRAINT "a request of an actor is audited once" UNIQUE (actor, request),
  CONSTRAINT "an audited action has a name and a reason"
    CHECK (octet_length(action) BETWEEN 1 AND 64 AND octet_length(reason) BETWEEN 1 AND 1024),
  CONSTRAINT "an audit entry is short"
    CHECK (octet_length(subject) <= 64 AND octet_length(detail) <= 4096)
);
CREATE INDEX "audit of a subject, newest first" ON audit (subject, id DESC);

CREATE FUNCTION refuse_to_rewrite_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only: % refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "audit entries are never changed or deleted" BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_to_rewrite_audit();
CREATE TRIGGER "audit entries are never truncated" BEFORE TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite_audit();
