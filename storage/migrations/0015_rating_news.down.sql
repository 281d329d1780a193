ALTER TABLE rated_matches DROP COLUMN estimates;
DROP TABLE rating_estimates;
DROP TABLE rating_news;
ALTER TABLE rating_revisions DROP COLUMN switched_at, DROP COLUMN players;
