-- Uploads from CI without a stored secret: a job proves its repository, and gets an API token for one project that lasts
-- some minutes and does nothing but upload.

-- In whose name a project takes them; null: it takes none. Who lets it must stay a member.
ALTER TABLE projects
  ADD COLUMN keyless_uploads_by text COLLATE "C",
  ADD CONSTRAINT projects_keyless_uploads_by_fkey FOREIGN KEY (keyless_uploads_by) REFERENCES users (id)
    ON DELETE SET NULL;
CREATE INDEX projects_keyless_uploads_by_idx ON projects (keyless_uploads_by);

-- Authentication sees which repositories may, and nothing else of projects.
GRANT SELECT (workspace_id, id, repository, keyless_uploads_by) ON projects TO flamegate_auth;
CREATE POLICY identity ON projects FOR SELECT TO flamegate_auth USING (keyless_uploads_by IS NOT NULL);

-- A token with a project came of such a proof. It counts as long as the project lets it.
ALTER TABLE api_tokens
  ADD COLUMN project_id text COLLATE "C",
  ADD CONSTRAINT api_tokens_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE;
CREATE INDEX api_tokens_workspace_id_project_id_idx ON api_tokens (workspace_id, project_id);
GRANT SELECT (project_id) ON api_tokens TO flamegate_app;
GRANT INSERT, DELETE ON api_tokens TO flamegate_auth;
CREATE POLICY one_project ON api_tokens AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
    ELSE project_id = (SELECT flamegate_project_id()) END);
