-- Watching benchmarks: what is judged when a run comes in, and what came of it.

-- Null: `main`, or `master` where there is no main.
ALTER TABLE projects
  ADD COLUMN default_branch text COLLATE "C",
  ADD COLUMN baseline_run_id text COLLATE "C",
  ADD CONSTRAINT projects_workspace_id_baseline_run_id_fkey FOREIGN KEY (workspace_id, baseline_run_id)
    REFERENCES runs (workspace_id, id) ON DELETE SET NULL (baseline_run_id);
CREATE INDEX projects_workspace_id_baseline_run_id_idx ON projects (workspace_id, baseline_run_id);

-- What a pull request's run was branched off, when the upload said it.
ALTER TABLE runs
  ADD COLUMN base_branch text COLLATE "C",
  ADD COLUMN base_commit_hash text COLLATE "C";

-- The noise is that of the default branch, worked out anew with each of its runs, so that comparing two runs reads no
-- histories.
ALTER TABLE benchmarks
  ADD COLUMN state text COLLATE "C" NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'ignored', 'archived')),
  ADD COLUMN is_critical boolean NOT NULL DEFAULT false,
  ADD COLUMN threshold_percent double precision,
  ADD COLUMN noise_percent double precision,
  ADD COLUMN noise_runs integer NOT NULL DEFAULT 0;

-- Former uris: runs that come with one go on with the benchmark's history.
CREATE TABLE benchmark_uris (
  workspace_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  uri text COLLATE "C" NOT NULL,
  instrument text COLLATE "C" NOT NULL,
  metric text COLLATE "C" NOT NULL,
  benchmark_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT benchmark_uris_pkey PRIMARY KEY (workspace_id, project_id, uri, instrument, metric),
  CONSTRAINT benchmark_uris_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT benchmark_uris_workspace_id_benchmark_id_fkey FOREIGN KEY (workspace_id, benchmark_id)
    REFERENCES benchmarks (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX benchmark_uris_workspace_id_benchmark_id_idx ON benchmark_uris (workspace_id, benchmark_id);

-- A null target is every one; of metrics, the main one.
CREATE TABLE thresholds (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  branch text COLLATE "C",
  benchmark_id text COLLATE "C",
  metric text COLLATE "C",
  test text COLLATE "C" NOT NULL,
  lower_bound double precision,
  upper_bound double precision,
  window_runs integer NOT NULL,
  sample_min integer NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT thresholds_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT thresholds_target_key UNIQUE NULLS NOT DISTINCT (workspace_id, project_id, branch, benchmark_id, metric),
  CONSTRAINT thresholds_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT thresholds_workspace_id_benchmark_id_fkey FOREIGN KEY (workspace_id, benchmark_id)
    REFERENCES benchmarks (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX thresholds_workspace_id_benchmark_id_idx ON thresholds (workspace_id, benchmark_id);

CREATE TABLE alerts (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  benchmark_id text COLLATE "C" NOT NULL,
  metric text COLLATE "C" NOT NULL,
  branch text COLLATE "C" NOT NULL,
  test text COLLATE "C" NOT NULL,
  -- The first run that was different, and the run that it was noticed with.
  run_id text COLLATE "C" NOT NULL,
  raised_by_run_id text COLLATE "C" NOT NULL,
  -- The first run that was back on the old level.
  back_run_id text COLLATE "C",
  verdict text COLLATE "C" NOT NULL CHECK (verdict IN ('regressed', 'improved')),
  unit text NOT NULL,
  baseline double precision NOT NULL,
  value double precision NOT NULL,
  crossed_limit double precision,
  change_percent double precision NOT NULL,
  reason text NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'acknowledged', 'muted', 'resolved')),
  muted_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT alerts_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT alerts_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT alerts_workspace_id_benchmark_id_fkey FOREIGN KEY (workspace_id, benchmark_id)
    REFERENCES benchmarks (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT alerts_workspace_id_run_id_fkey FOREIGN KEY (workspace_id, run_id)
    REFERENCES runs (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX alerts_project_id_created_at_id_idx ON alerts (project_id, created_at DESC, id DESC);
CREATE INDEX alerts_workspace_id_run_id_idx ON alerts (workspace_id, run_id);
CREATE INDEX alerts_benchmark_id_idx ON alerts (benchmark_id);
-- One at a time: whoever judges a run twice, or two runs at once, raises one.
CREATE UNIQUE INDEX alerts_open_key ON alerts (workspace_id, benchmark_id, metric, branch, test) WHERE state = 'open';
-- And never a second one for the same change, whatever became of the first.
CREATE UNIQUE INDEX alerts_change_key ON alerts (workspace_id, benchmark_id, metric, branch, test, run_id);

-- Who changed the state of an alert, when and why. Grows and never changes.
CREATE TABLE alert_changes (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  alert_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  changed_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT alert_changes_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT alert_changes_workspace_id_alert_id_fkey FOREIGN KEY (workspace_id, alert_id)
    REFERENCES alerts (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX alert_changes_workspace_id_alert_id_id_idx ON alert_changes (workspace_id, alert_id, id DESC);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['benchmark_uris', 'thresholds', 'alerts', 'alert_changes']
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
  FOREACH name IN ARRAY ARRAY['benchmark_uris', 'thresholds', 'alerts']
  LOOP
    EXECUTE format('GRANT UPDATE, DELETE ON %I TO flamegate_app', name);
    EXECUTE format($policy$CREATE POLICY change ON %I FOR UPDATE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY remove ON %I FOR DELETE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
  END LOOP;
END
$$;

-- Large result files come by COPY, which is refused for tables with row-level security: into a temporary table of the
-- connection, and from there, as the caller, where they belong.
DO $$
BEGIN
  EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO flamegate_app', current_database());
END
$$;
