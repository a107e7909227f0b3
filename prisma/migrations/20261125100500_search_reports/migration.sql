-- Bench reports are found by their names and descriptions, as long as they are not deleted. Everything else is as before.

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
  WHERE kind = 'virtual_user' AND deleted_at IS NULL
UNION ALL
  SELECT workspace_id, id, 'report', project_id, created_at,
    name,
    concat_ws(' · ', nullif(left(summary ->> 'description', 200), ''),
      CASE WHEN (summary ->> 'is_trend')::boolean THEN 'trend'
        ELSE concat(jsonb_array_length(summary -> 'bench_result_ids'),
          CASE WHEN jsonb_array_length(summary -> 'bench_result_ids') = 1 THEN ' run' ELSE ' runs' END) END),
    name,
    left(summary ->> 'description', 1000)
  FROM design_objects
  WHERE kind = 'bench_report' AND deleted_at IS NULL;

CREATE TRIGGER add_report_words AFTER INSERT ON design_objects REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_add_words('report');
-- Rows go with their project only, and so do their words.
CREATE TRIGGER renew_report_words AFTER UPDATE OF name, summary, deleted_at ON design_objects
  FOR EACH ROW WHEN (NEW.kind = 'bench_report' AND
    (OLD.name, OLD.summary -> 'description', OLD.deleted_at IS NULL)
    IS DISTINCT FROM (NEW.name, NEW.summary -> 'description', NEW.deleted_at IS NULL))
  EXECUTE FUNCTION flamegate_renew_words('report');
