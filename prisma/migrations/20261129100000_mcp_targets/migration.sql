-- MCP servers that a project measures, what was measured of them, and the alerts about it.

CREATE TABLE mcp_targets (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- That of the server in the file of a collector.
  name text COLLATE "C" NOT NULL,
  -- URL or command, for people: collectors have their own.
  address text,
  transport text COLLATE "C" NOT NULL CHECK (transport IN ('stdio', 'streamable_http', 'sse')),
  -- Tools to call; none: those that say that they only read.
  operations text[] NOT NULL,
  -- By tool.
  arguments jsonb NOT NULL,
  note text NOT NULL,
  -- Interval, retention and length of sessions; null: it is not monitored.
  monitor jsonb,
  -- When the next session of the monitor is due.
  monitor_next_at timestamptz(3),
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT mcp_targets_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT mcp_targets_workspace_id_project_id_name_key UNIQUE (workspace_id, project_id, name),
  CONSTRAINT mcp_targets_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);

-- One measurement of a target: asked for, or uploaded.
CREATE TABLE mcp_sessions (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  mcp_target_id text COLLATE "C" NOT NULL,
  -- Of mcp-profiler.
  command text COLLATE "C" NOT NULL,
  label text,
  origin text COLLATE "C" NOT NULL CHECK (origin IN ('uploaded', 'ordered', 'monitor')),
  -- What was asked for. Null of what was uploaded, as are the next three.
  measurement jsonb,
  task_id text COLLATE "C",
  -- No foreign key: collectors are forgotten, and what they measured stays.
  collector_id text COLLATE "C",
  collector text,
  -- When the collector took it; one does, of several of the same name.
  taken_at timestamptz(3),
  server_version text,
  -- By the clock of what measured; null until there is a report.
  started_at timestamptz(3),
  -- Key numbers of the report, so that lists and trends need none.
  figures jsonb,
  profile_ids text[] NOT NULL DEFAULT '{}',
  -- Of the report, as it is stored.
  size_bytes bigint NOT NULL DEFAULT 0,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: it is kept.
  expires_at timestamptz(3),
  CONSTRAINT mcp_sessions_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT mcp_sessions_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT mcp_sessions_workspace_id_mcp_target_id_fkey FOREIGN KEY (workspace_id, mcp_target_id)
    REFERENCES mcp_targets (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX mcp_sessions_workspace_id_project_id_created_at_id_idx
  ON mcp_sessions (workspace_id, project_id, created_at, id);
CREATE INDEX mcp_sessions_workspace_id_mcp_target_id_started_at_idx
  ON mcp_sessions (workspace_id, mcp_target_id, started_at);
CREATE INDEX mcp_sessions_workspace_id_collector_id_created_at_idx
  ON mcp_sessions (workspace_id, collector_id, created_at);
CREATE INDEX mcp_sessions_expires_at_idx ON mcp_sessions (expires_at);

-- The report of a session, and what the command found beside it, as packed JSON.
CREATE TABLE mcp_reports (
  workspace_id text COLLATE "C" NOT NULL,
  mcp_session_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT mcp_reports_pkey PRIMARY KEY (workspace_id, mcp_session_id),
  CONSTRAINT mcp_reports_workspace_id_mcp_session_id_fkey FOREIGN KEY (workspace_id, mcp_session_id)
    REFERENCES mcp_sessions (workspace_id, id) ON DELETE CASCADE
);

-- Packed already: not to be compressed once more.
ALTER TABLE mcp_reports ALTER COLUMN content SET STORAGE EXTERNAL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['mcp_targets', 'mcp_sessions', 'mcp_reports'] LOOP
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
    -- A token that can push to an app has nothing to do here.
    EXECUTE format($policy$CREATE POLICY one_live_app ON %I AS RESTRICTIVE TO flamegate_app
      USING ((SELECT flamegate_live_app_id()) IS NULL)$policy$, name);
  END LOOP;
END $$;

-- What a collector may measure, as it says itself.
ALTER TABLE collectors ADD COLUMN mcp_servers jsonb NOT NULL DEFAULT '[]';

-- Thresholds and alerts are of live apps, or of MCP targets.
ALTER TABLE alert_thresholds DROP CONSTRAINT alert_thresholds_target_kind_check;
ALTER TABLE alert_thresholds ADD CONSTRAINT alert_thresholds_target_kind_check
  CHECK (target_kind IN ('live_app', 'mcp_target'));
ALTER TABLE alert_thresholds ADD COLUMN mcp_target_id text COLLATE "C";
ALTER TABLE alert_thresholds DROP CONSTRAINT alert_thresholds_target_key;
ALTER TABLE alert_thresholds ADD CONSTRAINT alert_thresholds_target_key
  UNIQUE NULLS NOT DISTINCT (workspace_id, project_id, target_kind, live_app_id, mcp_target_id);
ALTER TABLE alert_thresholds ADD CONSTRAINT alert_thresholds_workspace_id_mcp_target_id_fkey
  FOREIGN KEY (workspace_id, mcp_target_id) REFERENCES mcp_targets (workspace_id, id) ON DELETE CASCADE;
CREATE INDEX alert_thresholds_workspace_id_mcp_target_id_idx ON alert_thresholds (workspace_id, mcp_target_id);

ALTER TABLE live_alerts ALTER COLUMN live_app_id DROP NOT NULL;
ALTER TABLE live_alerts ADD COLUMN mcp_target_id text COLLATE "C";
-- The session in which it opened, which may be gone since.
ALTER TABLE live_alerts ADD COLUMN mcp_session_id text COLLATE "C";
ALTER TABLE live_alerts ADD CONSTRAINT live_alerts_workspace_id_mcp_target_id_fkey
  FOREIGN KEY (workspace_id, mcp_target_id) REFERENCES mcp_targets (workspace_id, id) ON DELETE CASCADE;
CREATE INDEX live_alerts_workspace_id_mcp_target_id_idx ON live_alerts (workspace_id, mcp_target_id);
CREATE UNIQUE INDEX live_alerts_lasting_of_mcp_target_key
  ON live_alerts (workspace_id, mcp_target_id, type) WHERE until IS NULL;

-- The worker looks in all workspaces for apps that are to be judged, which thresholds of targets are nothing for, and for
-- sessions that are past their time. It sees nothing else of these there.
GRANT SELECT (target_kind) ON alert_thresholds TO flamegate_auth;
GRANT SELECT (workspace_id, id, expires_at) ON mcp_sessions TO flamegate_auth;
CREATE POLICY expires ON mcp_sessions FOR SELECT TO flamegate_auth USING (expires_at IS NOT NULL);
