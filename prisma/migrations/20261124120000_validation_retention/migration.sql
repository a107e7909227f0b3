-- Validations are kept for some days, what was imported only until it is read, and no job stays without an end.

-- When the worker removes a validation with its files, unless it is the latest of its virtual user. Those that are there get
-- the time that is usual.
ALTER TABLE validations ADD COLUMN expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '30 days';
ALTER TABLE validations ALTER COLUMN expires_at DROP DEFAULT;
CREATE INDEX validations_expires_at_idx ON validations (expires_at);
-- Names of their files begin with the id of the validation.
CREATE INDEX files_workspace_id_name_idx ON files (workspace_id, name) WHERE purpose = 'keep_validation';

GRANT DELETE ON validations TO flamegate_app;
CREATE POLICY remove ON validations FOR DELETE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));

-- The worker looks for them in all workspaces, and sees nothing else of validations there.
GRANT SELECT (workspace_id, id, virtual_user_id, created_at, expires_at) ON validations TO flamegate_auth;
CREATE POLICY expires ON validations FOR SELECT TO flamegate_auth USING (true);

-- Nor of files, but for those that an import was to read, which may hold passwords.
GRANT SELECT (workspace_id, id, purpose, created_at) ON files TO flamegate_auth;
CREATE POLICY imported ON files FOR SELECT TO flamegate_auth USING (purpose = 'import_virtual_user');
CREATE INDEX files_created_at_idx ON files (created_at) WHERE purpose = 'import_virtual_user';

-- Nor of tasks, but for those that have not ended: their jobs may be lost.
GRANT SELECT (workspace_id, id, kind, status, created_at, updated_at) ON tasks TO flamegate_auth;
CREATE POLICY unfinished ON tasks FOR SELECT TO flamegate_auth USING (status IN ('PENDING', 'RUNNING'));
CREATE INDEX tasks_updated_at_idx ON tasks (updated_at) WHERE status IN ('PENDING', 'RUNNING');
