-- The log, which is the truth. No foreign key: the guarded head already vouches for the game, and
-- every lock on a games row would be one more write.
CREATE DOMAIN event_detail AS bytea
  CONSTRAINT "a detail has at most 4096 bytes" CHECK (octet_length(VALUE) <= 4096);

CREATE TABLE events (
  game_id uuid NOT NULL,
  sequence event_sequence NOT NULL,
  kind smallint NOT NULL,
  seat smallint NOT NULL,
  event_count smallint,
  at bigint NOT NULL,
  number bigint NOT NULL,
  player uuid,
  request uuid,
  position_hash sha256_digest NOT NULL,
  chain_hash sha256_digest NOT NULL,
  body_hash sha256_digest,
  detail event_detail NOT NULL,
  CONSTRAINT "a sequence of a game is one event" PRIMARY KEY (game_id, sequence)
) PARTITION BY HASH (game_id);

-- All of a game is in one part, so parts can move to other disks or servers.
CREATE TABLE events_0 PARTITION OF events FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE events_1 PARTITION OF events FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE events_2 PARTITION OF events FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE events_3 PARTITION OF events FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE events_4 PARTITION OF events FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE events_5 PARTITION OF events FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE events_6 PARTITION OF events FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE events_7 PARTITION OF events FOR VALUES WITH (MODULUS 8, REMAINDER 7);

CREATE UNIQUE INDEX "a request of a player is in a game once"
  ON events (game_id, player, request) WHERE request IS NOT NULL;

-- Append-only for everybody who does not first drop a trigger, the service's own role included.
CREATE FUNCTION refuse_to_rewrite_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'events are append-only: % refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "events are never changed or deleted" BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_to_rewrite_events();
CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite_events();
DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TRIGGER "events are never truncated" BEFORE TRUNCATE ON events_%s '
                   'FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite_events()', part);
  END LOOP;
END $$;
