-- Alerts about programs that run: what is too much, what was seen, and what somebody did about it.

-- Of a project, or of one of its live apps, in place of what the project says of the same type.
CREATE TABLE alert_thresholds (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- What kind of program they are for.
  target_kind text COLLATE "C" NOT NULL CHECK (target_kind IN ('live_app')),
  -- Null: all of the project.
  live_app_id text COLLATE "C",
  -- By type; one that is null is off, and one that is missing is not said here.
  thresholds jsonb NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT alert_thresholds_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT alert_thresholds_target_key UNIQUE NULLS NOT DISTINCT (workspace_id, project_id, target_kind, live_app_id),
  CONSTRAINT alert_thresholds_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT alert_thresholds_workspace_id_live_app_id_fkey FOREIGN KEY (workspace_id, live_app_id)
    REFERENCES live_apps (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX alert_thresholds_workspace_id_live_app_id_idx ON alert_thresholds (workspace_id, live_app_id);

CREATE TABLE live_alerts (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  live_app_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL
    CHECK (type IN ('high_cpu', 'high_memory', 'slow_response', 'high_error_rate')),
  -- The function or the process; empty of all calls.
  subject text NOT NULL,
  unit text COLLATE "C" NOT NULL CHECK (unit IN ('percent', 'bytes', 'ns')),
  value double precision NOT NULL,
  crossed_limit double precision NOT NULL,
  for_seconds integer NOT NULL,
  reason text NOT NULL,
  -- By the clock of the program. As long as it lasts it has no end.
  since timestamptz(3) NOT NULL,
  until timestamptz(3),
  state text COLLATE "C" NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'acknowledged', 'muted', 'resolved')),
  muted_until timestamptz(3),
  -- Who changed the state last, when and why.
  state_by text COLLATE "C",
  state_reason text NOT NULL DEFAULT '',
  state_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT live_alerts_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT live_alerts_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT live_alerts_workspace_id_live_app_id_fkey FOREIGN KEY (workspace_id, live_app_id)
    REFERENCES live_apps (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX live_alerts_project_id_created_at_id_idx ON live_alerts (project_id, created_at DESC, id DESC);
CREATE INDEX live_alerts_workspace_id_live_app_id_idx ON live_alerts (workspace_id, live_app_id);
-- One of a type lasts at a time.
CREATE UNIQUE INDEX live_alerts_lasting_key ON live_alerts (workspace_id, live_app_id, type) WHERE until IS NULL;

-- When an app was judged last, and how long each value is where it is.
CREATE TABLE live_alert_watches (
  workspace_id text COLLATE "C" NOT NULL,
  live_app_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  judged_at timestamptz(3) NOT NULL,
  -- By type.
  streaks jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT live_alert_watches_pkey PRIMARY KEY (workspace_id, live_app_id),
  CONSTRAINT live_alert_watches_workspace_id_live_app_id_fkey FOREIGN KEY (workspace_id, live_app_id)
    REFERENCES live_apps (workspace_id, id) ON DELETE CASCADE
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['alert_thresholds', 'live_alerts', 'live_alert_watches'] LOOP
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
    EXECUTE format($policy$CREATE POLICY one_live_app ON %I AS RESTRICTIVE TO flamegate_app
      USING (CASE WHEN (SELECT flamegate_live_app_id()) IS NULL THEN true
        ELSE live_app_id = (SELECT flamegate_live_app_id()) END)$policy$, name);
  END LOOP;
END $$;

-- The worker looks in all workspaces for apps that are to be judged, and sees nothing else of these there.
GRANT SELECT (project_id) ON live_apps TO flamegate_auth;
GRANT SELECT (workspace_id, project_id, live_app_id) ON alert_thresholds TO flamegate_auth;
CREATE POLICY judged ON alert_thresholds FOR SELECT TO flamegate_auth USING (true);
GRANT SELECT (workspace_id, live_app_id, until) ON live_alerts TO flamegate_auth;
CREATE POLICY judged ON live_alerts FOR SELECT TO flamegate_auth USING (until IS NULL);
