-- The logs of games that have ended, one row a game in place of one row an event.
CREATE DOMAIN packed_log AS bytea
  CONSTRAINT "a packed log has at most 16 MiB" CHECK (octet_length(VALUE) BETWEEN 1 AND 16777216);

CREATE TABLE packed_logs (
  game_id uuid NOT NULL,
  log packed_log,  -- null: archived
  archive text,    -- where to, in the operator's words
  CONSTRAINT "a game has its log packed once" PRIMARY KEY (game_id),
  CONSTRAINT "a packed log belongs to a game" FOREIGN KEY (game_id) REFERENCES games (id),
  CONSTRAINT "a log is here or archived" CHECK ((log IS NULL) <> (archive IS NULL)),
  CONSTRAINT "an archive has a name" CHECK (octet_length(archive) BETWEEN 1 AND 256)
);
-- DEFLATE was here before.
ALTER TABLE packed_logs ALTER COLUMN log SET STORAGE EXTERNAL;

ALTER TABLE heads ADD COLUMN log_form smallint NOT NULL DEFAULT 0;  -- 0 events, 1 packed, 2 archived
-- Status and form change a few times in a game's life: moves stay on their page (HOT).
CREATE INDEX "games whose logs are to be packed" ON heads (game_id)
  WHERE status IN (3, 4) AND log_form = 0;
CREATE INDEX "games whose logs are packed" ON heads (game_id) WHERE log_form = 1;

-- Events go when their log is packed, and else never.
CREATE FUNCTION refuse_to_lose_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM packed_logs p WHERE p.game_id = OLD.game_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'events are append-only: % refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER "events are never changed or deleted" ON events;
CREATE TRIGGER "events are never changed, and deleted only once packed"
  BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_to_lose_events();
