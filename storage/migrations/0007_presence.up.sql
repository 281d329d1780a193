-- Which players are connected to which games, through which node: true while that node's heartbeat is
-- fresh, so that nobody renews anything. Unlogged: after a crash each node writes its own rows again.
CREATE UNLOGGED TABLE presence (
  game_id uuid NOT NULL,
  player uuid NOT NULL,
  node text NOT NULL,
  CONSTRAINT "a player is connected to a game through a node once"
    PRIMARY KEY (game_id, player, node)
);
CREATE INDEX "presence by node" ON presence (node);
