DROP TABLE rating_revisions;
DROP INDEX "pairs of a pool";
DROP TABLE rating_checkpoint_pairs;
DROP TABLE rating_checkpoint_standings;
DROP TABLE rating_checkpoints;
