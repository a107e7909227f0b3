-- Monitors of what is under load are documents (design_objects); here is what agents that collect them tell.

-- A process that collects: `flamegate monitor --group`, when it was last heard of.
CREATE TABLE monitor_agents (
  workspace_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  agent_group text NOT NULL,
  version text NOT NULL,
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT monitor_agents_pkey PRIMARY KEY (workspace_id, name),
  CONSTRAINT monitor_agents_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE CASCADE
);

-- What is known of a monitor: whether it was reached, and what it had when it was checked.
CREATE TABLE monitor_states (
  workspace_id text COLLATE "C" NOT NULL,
  monitor_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- Somebody wants it checked; an agent took that on.
  asked_at timestamptz(3),
  taken_at timestamptz(3),
  -- Of the last check; its counters are {name, unit, value, is_kept}, the first of them.
  checked_at timestamptz(3),
  counters jsonb NOT NULL DEFAULT '[]',
  counter_count integer NOT NULL DEFAULT 0,
  -- Of the last check or run.
  seen_at timestamptz(3),
  agent text NOT NULL DEFAULT '',
  is_reachable boolean,
  message text NOT NULL DEFAULT '',
  CONSTRAINT monitor_states_pkey PRIMARY KEY (workspace_id, monitor_id),
  CONSTRAINT monitor_states_workspace_id_monitor_id_fkey FOREIGN KEY (workspace_id, monitor_id)
    REFERENCES design_objects (workspace_id, id) ON DELETE CASCADE
);

-- A monitor in a run, as it was when its first agent began, and the agent that has it now.
CREATE TABLE monitored_runs (
  workspace_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  monitor_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  document jsonb NOT NULL,
  -- Grows when another agent takes over.
  lease integer NOT NULL DEFAULT 1,
  agent text NOT NULL,
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Number of the last batch that was stored: what comes again is known.
  last_sequence integer NOT NULL DEFAULT -1,
  CONSTRAINT monitored_runs_pkey PRIMARY KEY (workspace_id, bench_result_id, monitor_id),
  CONSTRAINT monitored_runs_workspace_id_bench_result_id_fkey FOREIGN KEY (workspace_id, bench_result_id)
    REFERENCES bench_results (workspace_id, id) ON DELETE CASCADE
);

-- A minute of what a monitor saw in a run.
CREATE TABLE monitor_chunks (
  workspace_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  monitor_id text COLLATE "C" NOT NULL,
  -- Since the run began.
  minute integer NOT NULL,
  chunk bytea NOT NULL,
  CONSTRAINT monitor_chunks_pkey PRIMARY KEY (workspace_id, bench_result_id, monitor_id, minute),
  CONSTRAINT monitor_chunks_workspace_id_bench_result_id_monitor_id_fkey
    FOREIGN KEY (workspace_id, bench_result_id, monitor_id)
    REFERENCES monitored_runs (workspace_id, bench_result_id, monitor_id) ON DELETE CASCADE
);
-- It is packed already: not to be compressed once more.
ALTER TABLE monitor_chunks ALTER COLUMN chunk SET STORAGE EXTERNAL;

-- Agents ask every second which monitors of their group there are, and which runs go on.
CREATE INDEX design_objects_workspace_id_project_id_idx ON design_objects (workspace_id, project_id)
  WHERE kind = 'monitor' AND deleted_at IS NULL;
CREATE INDEX bench_results_workspace_id_project_id_idx ON bench_results (workspace_id, project_id) WHERE state = 'RUNNING';

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['monitor_agents', 'monitor_states', 'monitored_runs', 'monitor_chunks']
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
  END LOOP;
  FOREACH name IN ARRAY ARRAY['monitor_states', 'monitored_runs']
  LOOP
    EXECUTE format($policy$CREATE POLICY one_project ON %I AS RESTRICTIVE TO flamegate_app
      USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
        ELSE project_id = (SELECT flamegate_project_id()) END)$policy$, name);
  END LOOP;
END
$$;
CREATE POLICY one_project ON monitor_chunks AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true ELSE EXISTS (
    SELECT FROM bench_results
    WHERE bench_results.workspace_id = monitor_chunks.workspace_id AND bench_results.id = monitor_chunks.bench_result_id
  ) END);
