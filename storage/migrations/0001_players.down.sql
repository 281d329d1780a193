DROP TABLE answers;
DROP TABLE api_keys;
DROP TABLE players;
DROP FUNCTION instant(bigint);
