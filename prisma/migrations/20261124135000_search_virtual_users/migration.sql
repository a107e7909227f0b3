-- Virtual users are found by their names, tags and descriptions, as long as they are not deleted. Everything else is as before.

CREATE OR REPLACE VIEW search_documents WITH (security_invoker = true) AS
  SELECT workspace_id, id, 'project' AS kind, id AS project_id, created_at,
    name AS title,
    concat_ws(' · ', repository, nullif(left(description, 200), '')) AS snippet,
    concat_ws(' ', name, slug, repository) AS strong,
    concat_ws(' ', left(description, 1000), array_to_string(tags, ' ')) AS weak
  FROM projects
UNION ALL
  SELECT workspace_id, id, 'run', project_id, created_at,
    concat_ws(' ', branch, left(commit_hash, 9)),
    concat_ws(' · ', nullif(split_part(left(commit_message, 200), E'\n', 1), ''),
      CASE WHEN pull_request IS NULL THEN event ELSE concat(event, ' #', pull_request) END,
      concat(result_count, CASE WHEN result_count = 1 THEN ' result' ELSE ' results' END)),
    concat_ws(' ', branch, commit_hash),
    concat_ws(' ', split_part(left(commit_message, 200), E'\n', 1), pull_request, event, array_to_string(tags, ' '))
  FROM runs
UNION ALL
  SELECT workspace_id, id, 'benchmark', project_id, created_at,
    name,
    concat_ws(' · ', uri, instrument),
    concat_ws(' ', name, left(uri, 1000)),
    instrument
  FROM benchmarks
UNION ALL
  SELECT workspace_id, id, 'profile', project_id, created_at,
    name,
    concat_ws(' · ', type, format, nullif(array_to_string(tags, ', '), '')),
    name,
    concat_ws(' ', type, format, array_to_string(tags, ' '))
  FROM profiles
  WHERE expires_at IS NULL
UNION ALL
  SELECT workspace_id, id, 'virtual_user', project_id, created_at,
    name,
    concat_ws(' · ', nullif(left(summary ->> 'description', 200), ''),
      concat(summary ->> 'request_count', CASE WHEN summary ->> 'request_count' = '1' THEN ' request' ELSE ' requests' END),
      nullif(array_to_string(tags, ', '), '')),
    name,
    concat_ws(' ', left(summary ->> 'description', 1000), array_to_string(tags, ' '))
  FROM design_objects
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT jsonb_array_elements_text(summary -> 'tags')) AS tags) AS tagged
  WHERE kind = 'virtual_user' AND deleted_at IS NULL;

CREATE TRIGGER add_words AFTER INSERT ON design_objects REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_add_words('virtual_user');
-- Most changes are of actions, which nobody is found by. Rows go with their project only, and so do their words.
CREATE TRIGGER renew_words AFTER UPDATE OF name, summary, deleted_at ON design_objects
  FOR EACH ROW WHEN (NEW.kind = 'virtual_user' AND
    (OLD.name, OLD.summary -> 'description', OLD.summary -> 'tags', OLD.deleted_at IS NULL)
    IS DISTINCT FROM (NEW.name, NEW.summary -> 'description', NEW.summary -> 'tags', NEW.deleted_at IS NULL))
  EXECUTE FUNCTION flamegate_renew_words('virtual_user');

-- What is there already.
ALTER TABLE projects NO FORCE ROW LEVEL SECURITY;
ALTER TABLE design_objects NO FORCE ROW LEVEL SECURITY;
ALTER TABLE search_words NO FORCE ROW LEVEL SECURITY;

INSERT INTO search_words (workspace_id, word, document_id, project_id, weight)
  SELECT document.workspace_id, found.word, document.id, document.project_id, found.weight
  FROM search_documents AS document
  CROSS JOIN LATERAL flamegate_words_of(document.strong, document.weak) AS found
  WHERE document.kind = 'virtual_user';

ALTER TABLE projects FORCE ROW LEVEL SECURITY;
ALTER TABLE design_objects FORCE ROW LEVEL SECURITY;
ALTER TABLE search_words FORCE ROW LEVEL SECURITY;
