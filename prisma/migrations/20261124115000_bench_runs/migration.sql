-- A process that makes load: `flamegate agent --group`, as it said of itself when it was last seen.
CREATE TABLE load_generators (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Where it is: scenarios name groups, not generators.
  agent_group text NOT NULL,
  version text NOT NULL,
  cores integer NOT NULL,
  -- What it said of its machine: engines of others, memory.
  facts jsonb NOT NULL DEFAULT '{}',
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT load_generators_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT load_generators_workspace_id_name_key UNIQUE (workspace_id, name),
  CONSTRAINT load_generators_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE CASCADE
);

-- A run of a scenario. What it is of is fixed when it is asked for: whatever is changed later, it is this that was run.
CREATE TABLE bench_results (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  scenario_id text COLLATE "C",
  scenario_version integer,
  name text NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'PENDING',
  -- Why it is in its state.
  message text NOT NULL DEFAULT '',
  -- The scenario and all that it needs, without secrets.
  plan jsonb NOT NULL DEFAULT '{}',
  -- How long its loads last.
  duration_ms bigint NOT NULL DEFAULT 0,
  -- What happened on the way, oldest first: {at, kind, words}.
  events jsonb NOT NULL DEFAULT '[]',
  -- Grows when users are given to other generators.
  shares_version integer NOT NULL DEFAULT 0,
  is_degraded boolean NOT NULL DEFAULT false,
  stop_asked_at timestamptz(3),
  task_id text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When all generators begin at once; seconds of its series are counted from there.
  started_at timestamptz(3),
  ended_at timestamptz(3),
  CONSTRAINT bench_results_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT bench_results_state_check
    CHECK (state IN ('PENDING', 'PREPARING', 'RUNNING', 'STOPPING', 'FINISHED', 'ABORTED', 'ERROR')),
  CONSTRAINT bench_results_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX bench_results_workspace_id_project_id_created_at_id_idx
  ON bench_results (workspace_id, project_id, created_at DESC, id DESC);
CREATE INDEX bench_results_workspace_id_scenario_id_created_at_id_idx
  ON bench_results (workspace_id, scenario_id, created_at DESC, id DESC);

-- A part of a run that one generator makes.
CREATE TABLE bench_shards (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  -- Place among the shards of the run: what tells its series from the others'.
  slot integer NOT NULL,
  agent_group text NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'WAITING',
  -- Which one had it, also when that was forgotten.
  load_generator_id text COLLATE "C",
  -- Which part of the load it makes: number `share_index` of `share_count`, of its group; null while it makes none.
  share_index integer,
  share_count integer,
  message text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3),
  ended_at timestamptz(3),
  CONSTRAINT bench_shards_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT bench_shards_workspace_id_bench_result_id_slot_key UNIQUE (workspace_id, bench_result_id, slot),
  CONSTRAINT bench_shards_state_check
    CHECK (state IN ('WAITING', 'PREPARING', 'READY', 'RUNNING', 'DONE', 'FAILED', 'LOST')),
  CONSTRAINT bench_shards_workspace_id_bench_result_id_fkey FOREIGN KEY (workspace_id, bench_result_id)
    REFERENCES bench_results (workspace_id, id) ON DELETE CASCADE
);
-- Generators ask for the oldest one that waits, all the time.
CREATE INDEX bench_shards_workspace_id_agent_group_state_created_at_idx ON bench_shards (workspace_id, agent_group, state, created_at);

-- An exchange that failed, as one generator saw it: some of each action and kind of error.
CREATE TABLE bench_samples (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  shard_id text COLLATE "C" NOT NULL,
  action integer NOT NULL,
  profile integer NOT NULL,
  error_class text COLLATE "C" NOT NULL,
  message text NOT NULL,
  at timestamptz(3) NOT NULL,
  exchange jsonb,
  CONSTRAINT bench_samples_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT bench_samples_workspace_id_shard_id_fkey FOREIGN KEY (workspace_id, shard_id)
    REFERENCES bench_shards (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT bench_samples_workspace_id_bench_result_id_fkey FOREIGN KEY (workspace_id, bench_result_id)
    REFERENCES bench_results (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX bench_samples_workspace_id_bench_result_id_at_idx ON bench_samples (workspace_id, bench_result_id, at);
CREATE INDEX bench_samples_workspace_id_shard_id_idx ON bench_samples (workspace_id, shard_id);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['load_generators', 'bench_results', 'bench_shards', 'bench_samples'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO flamegate_app', name);
    EXECUTE format('CREATE POLICY read ON %I FOR SELECT TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids(''read''))::text[]))', name);
    EXECUTE format('CREATE POLICY add ON %I FOR INSERT TO flamegate_app
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids(''write''))::text[]))', name);
    EXECUTE format('CREATE POLICY change ON %I FOR UPDATE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids(''write''))::text[]))
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids(''write''))::text[]))', name);
    EXECUTE format('CREATE POLICY remove ON %I FOR DELETE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids(''write''))::text[]))', name);
  END LOOP;
END $$;
CREATE POLICY one_project ON bench_results AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
    ELSE project_id = (SELECT flamegate_project_id()) END);
CREATE POLICY one_project ON bench_shards AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
    ELSE project_id = (SELECT flamegate_project_id()) END);
CREATE POLICY one_project ON bench_samples AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
    ELSE project_id = (SELECT flamegate_project_id()) END);
