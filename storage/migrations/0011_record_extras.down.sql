DROP TABLE record_extras;
