-- Agents that profile all the time push a profile every few seconds: each is of a service, and is kept for some days.

ALTER TABLE profiles
  ADD COLUMN service text COLLATE "C",
  -- When the worker removes it with its file and its task; null: never.
  ADD COLUMN expires_at timestamptz(3);
CREATE INDEX profiles_project_id_service_created_at_id_idx ON profiles (project_id, service, created_at DESC, id DESC);
CREATE INDEX profiles_expires_at_idx ON profiles (expires_at) WHERE expires_at IS NOT NULL;

-- The worker looks for them in all workspaces, and sees nothing else of profiles there.
GRANT SELECT (workspace_id, id, expires_at) ON profiles TO flamegate_auth;
CREATE POLICY expires ON profiles FOR SELECT TO flamegate_auth USING (expires_at IS NOT NULL);

-- Nobody searches for one of thousands that are alike: as before, but without them.
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
  WHERE expires_at IS NULL;
