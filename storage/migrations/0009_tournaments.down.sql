DROP TABLE tournament_log;
DROP TABLE tournaments;
