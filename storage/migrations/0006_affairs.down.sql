DROP INDEX "ended challenges to a player";
DROP INDEX "ended proposals of a player";
DROP INDEX "games a player is in, newest first";
ALTER TABLE game_seats DROP COLUMN active;
