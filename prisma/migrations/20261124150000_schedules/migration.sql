-- When a scenario runs by itself. The queue is told when one is due; that it is, is known here alone.
CREATE TABLE schedules (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  scenario_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Once, or by cron in a time zone: the schedule of packages/loadtest.
  document jsonb NOT NULL,
  agents_max integer NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  -- When it is looked at next; null: not any more.
  next_run_at timestamptz(3),
  -- The firing that waits until the run before has ended.
  waiting_since timestamptz(3),
  -- When the run that is being started was decided on.
  starting_since timestamptz(3),
  -- The last ones, newest first: {due_at, at, outcome, message, count, bench_result_id}.
  firings jsonb NOT NULL DEFAULT '[]',
  -- Runs begin in the name of this person.
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT schedules_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT schedules_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT schedules_workspace_id_scenario_id_fkey FOREIGN KEY (workspace_id, scenario_id)
    REFERENCES design_objects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX schedules_workspace_id_project_id_created_at_id_idx
  ON schedules (workspace_id, project_id, created_at DESC, id DESC);
CREATE INDEX schedules_workspace_id_scenario_id_idx ON schedules (workspace_id, scenario_id);
CREATE INDEX schedules_next_run_at_idx ON schedules (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX schedules_starting_since_idx ON schedules (starting_since) WHERE starting_since IS NOT NULL;

ALTER TABLE schedules ENABLE ROW LEVEL SECURITY;
ALTER TABLE schedules FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON schedules TO flamegate_app;
CREATE POLICY read ON schedules FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY add ON schedules FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY change ON schedules FOR UPDATE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY remove ON schedules FOR DELETE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY one_project ON schedules AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
    ELSE project_id = (SELECT flamegate_project_id()) END);

-- The worker looks for what is due in all workspaces, and sees nothing else of schedules there.
GRANT SELECT (workspace_id, id, next_run_at, starting_since) ON schedules TO flamegate_auth;
CREATE POLICY due ON schedules FOR SELECT TO flamegate_auth USING (true);
