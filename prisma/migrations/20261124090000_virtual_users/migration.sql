-- What load is designed of: virtual users, HTTP servers, variables and correlation rules. All are JSON documents with versions,
-- so one table has them. What is deleted stays, so that it can come back.
CREATE TABLE design_objects (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text NOT NULL,
  document jsonb NOT NULL,
  -- What a listing tells of it, worked out of the document when it is written.
  summary jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- What it was imported from; null: it was made here.
  source jsonb,
  -- Value of a secret variable, sealed. No version keeps it.
  sealed_secret text,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CONSTRAINT design_objects_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT design_objects_kind_check CHECK (kind IN ('virtual_user', 'http_server', 'variable', 'correlation_rule')),
  CONSTRAINT design_objects_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX design_objects_name_key ON design_objects (workspace_id, project_id, kind, name)
  WHERE deleted_at IS NULL;
CREATE INDEX design_objects_project_id_kind_created_at_id_idx
  ON design_objects (project_id, kind, created_at DESC, id DESC);

CREATE TABLE design_versions (
  workspace_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  document jsonb NOT NULL,
  -- What its author calls it; null: nothing.
  label text,
  -- What was done, in words.
  change text NOT NULL,
  author_id text COLLATE "C" NOT NULL,
  -- The program through which it was done.
  author_client text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT design_versions_pkey PRIMARY KEY (workspace_id, object_id, version),
  CONSTRAINT design_versions_workspace_id_object_id_fkey FOREIGN KEY (workspace_id, object_id)
    REFERENCES design_objects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT design_versions_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX design_versions_workspace_id_project_id_idx ON design_versions (workspace_id, project_id);

-- What a browser sent and got, of which a virtual user was made. The exchanges are a file; where each is in it, the index says.
CREATE TABLE recordings (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  exchange_count integer NOT NULL,
  index bytea NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT recordings_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT recordings_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT recordings_workspace_id_file_id_fkey FOREIGN KEY (workspace_id, file_id)
    REFERENCES files (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX recordings_workspace_id_project_id_idx ON recordings (workspace_id, project_id);
CREATE INDEX recordings_workspace_id_file_id_idx ON recordings (workspace_id, file_id);

-- What became of every element of an imported source.
CREATE TABLE import_reports (
  workspace_id text COLLATE "C" NOT NULL,
  -- Of the import.
  task_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  file_name text NOT NULL,
  report jsonb NOT NULL,
  -- What its task answers.
  result jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT import_reports_pkey PRIMARY KEY (workspace_id, task_id),
  CONSTRAINT import_reports_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX import_reports_workspace_id_project_id_idx ON import_reports (workspace_id, project_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['design_objects', 'design_versions', 'recordings', 'import_reports']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO flamegate_app', name);
    EXECUTE format($policy$CREATE POLICY read ON %I FOR SELECT TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY add ON %I FOR INSERT TO flamegate_app
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY one_project ON %I AS RESTRICTIVE TO flamegate_app
      USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
        ELSE project_id = (SELECT flamegate_project_id()) END)$policy$, name);
  END LOOP;
END
$$;

-- Nothing else is changed once it is there, and nothing goes before its project does.
GRANT UPDATE ON design_objects TO flamegate_app;
CREATE POLICY change ON design_objects FOR UPDATE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
