DROP TABLE audit;
DROP FUNCTION refuse_to_rewrite_audit();
DROP TABLE restrictions;
DROP TABLE sign_ins;
ALTER TABLE api_keys DROP COLUMN scopes;
DROP FUNCTION id_text(uuid);
