-- What a player is in: seats of games that wait for players or are being played, so that nobody has to
-- walk over the games he has behind him. Changes once, with the commit that ends the game.
ALTER TABLE game_seats ADD COLUMN active boolean NOT NULL DEFAULT true;
UPDATE game_seats s SET active = false FROM heads h WHERE h.game_id = s.game_id AND h.status >= 3;
CREATE INDEX "games a player is in, newest first" ON game_seats (player, game_id DESC)
  WHERE active AND player IS NOT NULL;
