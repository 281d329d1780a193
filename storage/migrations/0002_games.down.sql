DROP TABLE game_seats;
DROP TABLE outages;
DROP TABLE nodes;
DROP TABLE deadlines;
DROP TABLE heads;
DROP TABLE games;
DROP DOMAIN event_sequence;
DROP DOMAIN sha256_digest;
