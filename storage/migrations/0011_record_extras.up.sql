-- What the record of an imported game said beyond what a game is: kept for its next export.
CREATE TABLE record_extras (
  game_id uuid NOT NULL,
  extras text NOT NULL,  -- a JSON object: event number -> keys and values; 0 is the header
  CONSTRAINT "a game has its extras once" PRIMARY KEY (game_id),
  CONSTRAINT "extras have at most 1 MiB" CHECK (octet_length(extras) BETWEEN 1 AND 1048576)
);
