-- What a player is in: seats of games that wait for players or are being played, so that nobody has to
-- walk over the games he has behind him. Changes once, with the commit that ends the game.
ALTER TABLE game_seats ADD COLUMN active boolean NOT NULL DEFAULT true;
UPDATE game_seats s SET active = false FROM heads h WHERE h.game_id = s.game_id AND h.status >= 3;
CREATE INDEX "games a player is in, newest first" ON game_seats (player, game_id DESC)
  WHERE active AND player IS NOT NULL;
-- What was made and ended within a moment has to be told, too.
CREATE INDEX "ended proposals of a player" ON proposals (player, id DESC) WHERE state <> 1;
CREATE INDEX "ended challenges to a player" ON proposals (opponent, id DESC)
  WHERE state <> 1 AND kind = 2;
