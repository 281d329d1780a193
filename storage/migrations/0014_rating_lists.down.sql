DROP TABLE rating_snapshot_rows;
DROP TABLE rating_snapshots;
DROP TABLE households;
DROP TABLE no_shows;
