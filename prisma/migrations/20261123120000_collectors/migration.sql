-- Collectors take profiles on the side of those whose programs they are of: which there are, and what is asked of them.

CREATE TABLE collectors (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  version text NOT NULL,
  -- What it may run, as it says itself: name, kind, types, longest time, description.
  captures jsonb NOT NULL,
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT collectors_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT collectors_workspace_id_project_id_name_key UNIQUE (workspace_id, project_id, name),
  CONSTRAINT collectors_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);

-- What the task of a capture asks of which collector.
CREATE TABLE captures (
  workspace_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  collector_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  -- Null: as long as the collector has it.
  seconds integer,
  -- When the collector started it; one does, of several of the same name.
  started_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT captures_pkey PRIMARY KEY (workspace_id, task_id),
  CONSTRAINT captures_workspace_id_task_id_fkey FOREIGN KEY (workspace_id, task_id)
    REFERENCES tasks (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT captures_workspace_id_collector_id_fkey FOREIGN KEY (workspace_id, collector_id)
    REFERENCES collectors (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT captures_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX captures_workspace_id_collector_id_created_at_idx ON captures (workspace_id, collector_id, created_at);
CREATE INDEX captures_workspace_id_project_id_idx ON captures (workspace_id, project_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['collectors', 'captures']
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
