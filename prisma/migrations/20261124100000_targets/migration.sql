-- Hosts that a project may aim virtual users at, because whoever runs them put the project's token there.
CREATE TABLE targets (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- shop.example.com, shop.example.com:8443 or *.example.com
  host text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  -- How the token was found, and when; null: at the last look it was not there.
  method text COLLATE "C",
  verified_at timestamptz(3),
  -- Null: nobody looked yet.
  checked_at timestamptz(3),
  -- What was there instead; null: nothing is wrong.
  failure text,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT targets_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT targets_workspace_id_project_id_host_key UNIQUE (workspace_id, project_id, host),
  CONSTRAINT targets_method_check CHECK (method IN ('file', 'dns') AND verified_at IS NOT NULL
    OR method IS NULL AND verified_at IS NULL),
  CONSTRAINT targets_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);

-- Which file a path of a project means now. The files that it meant before are its versions.
CREATE TABLE project_files (
  workspace_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  CONSTRAINT project_files_pkey PRIMARY KEY (workspace_id, project_id, path),
  CONSTRAINT project_files_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT project_files_workspace_id_file_id_fkey FOREIGN KEY (workspace_id, file_id)
    REFERENCES files (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX project_files_workspace_id_file_id_idx ON project_files (workspace_id, file_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['targets', 'project_files']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO flamegate_app', name);
    EXECUTE format($policy$CREATE POLICY read ON %I FOR SELECT TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY add ON %I FOR INSERT TO flamegate_app
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY change ON %I FOR UPDATE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY remove ON %I FOR DELETE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY one_project ON %I AS RESTRICTIVE TO flamegate_app
      USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
        ELSE project_id = (SELECT flamegate_project_id()) END)$policy$, name);
  END LOOP;
END
$$;
