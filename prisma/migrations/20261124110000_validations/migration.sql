-- A functional check of a virtual user: what happened to each action, and where in the file its exchanges, pictures and traces are.
CREATE TABLE validations (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  virtual_user_id text COLLATE "C" NOT NULL,
  -- Of the virtual user that is checked.
  version integer NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'PENDING',
  iterations integer NOT NULL,
  passed integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  -- What it does now, or why it ended.
  message text NOT NULL,
  -- One for each action that ended, in that order.
  results jsonb NOT NULL DEFAULT '[]',
  -- Its exchanges; null until it has ended.
  file_id text COLLATE "C",
  -- Where each exchange is in the file.
  index jsonb,
  task_id text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  CONSTRAINT validations_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT validations_state_check
    CHECK (state IN ('PENDING', 'RUNNING', 'PASSED', 'FAILED', 'ERROR', 'CANCELLED')),
  CONSTRAINT validations_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT validations_workspace_id_virtual_user_id_fkey FOREIGN KEY (workspace_id, virtual_user_id)
    REFERENCES design_objects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT validations_workspace_id_file_id_fkey FOREIGN KEY (workspace_id, file_id)
    REFERENCES files (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX validations_workspace_id_project_id_idx ON validations (workspace_id, project_id);
CREATE INDEX validations_workspace_id_file_id_idx ON validations (workspace_id, file_id);
CREATE INDEX validations_workspace_id_virtual_user_id_created_at_id_idx
  ON validations (workspace_id, virtual_user_id, created_at DESC, id DESC);

ALTER TABLE validations ENABLE ROW LEVEL SECURITY;
ALTER TABLE validations FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE ON validations TO flamegate_app;
CREATE POLICY read ON validations FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY add ON validations FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY change ON validations FOR UPDATE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY one_project ON validations AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
    ELSE project_id = (SELECT flamegate_project_id()) END);
