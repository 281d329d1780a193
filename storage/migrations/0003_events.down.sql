DROP TABLE events;
DROP FUNCTION refuse_to_rewrite_events();
DROP DOMAIN event_detail;
