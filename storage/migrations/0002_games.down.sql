DROP TABLE game_seats;
DROP TABLE heads;
DROP TABLE games;
