DROP INDEX "games a player is in, newest first";
ALTER TABLE game_seats DROP COLUMN active;
