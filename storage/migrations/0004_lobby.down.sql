DROP TABLE proposals;
DROP TABLE match_seats;
DROP TABLE matches;
