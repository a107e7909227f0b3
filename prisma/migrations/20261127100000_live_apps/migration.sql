-- Live apps: programs that tell how they are doing while they run, and what they told lately.

CREATE TABLE live_apps (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_push_at timestamptz(3),
  -- It was ended, or was silent for too long; a push opens it again.
  ended_at timestamptz(3),
  -- Of its snapshots and logs, as they are stored.
  size_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT live_apps_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT live_apps_workspace_id_project_id_name_key UNIQUE (workspace_id, project_id, name),
  CONSTRAINT live_apps_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX live_apps_last_push_at_idx ON live_apps (last_push_at);

-- A run of one program.
CREATE TABLE live_sessions (
  workspace_id text COLLATE "C" NOT NULL,
  live_app_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  -- What it said of itself; null as long as it said nothing.
  program jsonb,
  -- By section: how it stood in the last push that told it.
  sections jsonb NOT NULL DEFAULT '{}',
  -- Number of the last push that was stored: what comes again is known.
  last_sequence bigint NOT NULL DEFAULT -1,
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  CONSTRAINT live_sessions_pkey PRIMARY KEY (workspace_id, live_app_id, session),
  CONSTRAINT live_sessions_workspace_id_live_app_id_fkey FOREIGN KEY (workspace_id, live_app_id)
    REFERENCES live_apps (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX live_sessions_workspace_id_live_app_id_last_at_idx ON live_sessions (workspace_id, live_app_id, last_at);

-- A section of a session at a moment, with all its items.
CREATE TABLE live_snapshots (
  workspace_id text COLLATE "C" NOT NULL,
  live_app_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  section text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  -- It is the last one of so many seconds; 0 while all are kept.
  step_seconds integer NOT NULL DEFAULT 0,
  content bytea NOT NULL,
  CONSTRAINT live_snapshots_pkey PRIMARY KEY (workspace_id, live_app_id, section, session, at),
  CONSTRAINT live_snapshots_workspace_id_live_app_id_session_fkey FOREIGN KEY (workspace_id, live_app_id, session)
    REFERENCES live_sessions (workspace_id, live_app_id, session) ON DELETE CASCADE
);
-- Which ones are to be thinned.
CREATE INDEX live_snapshots_workspace_id_live_app_id_step_seconds_at_idx
  ON live_snapshots (workspace_id, live_app_id, step_seconds, at);
CREATE INDEX live_snapshots_workspace_id_live_app_id_session_idx ON live_snapshots (workspace_id, live_app_id, session);

-- A part of the logs of one push: some items of one section.
CREATE TABLE live_logs (
  workspace_id text COLLATE "C" NOT NULL,
  live_app_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  section text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  -- Of its entries.
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  sequence bigint NOT NULL,
  part integer NOT NULL,
  -- Which ones are in it.
  items text[] NOT NULL,
  content bytea NOT NULL,
  -- Newest first is how they are asked for.
  CONSTRAINT live_logs_pkey PRIMARY KEY (workspace_id, live_app_id, section, last_at, session, sequence, part),
  CONSTRAINT live_logs_workspace_id_live_app_id_session_fkey FOREIGN KEY (workspace_id, live_app_id, session)
    REFERENCES live_sessions (workspace_id, live_app_id, session) ON DELETE CASCADE
);
CREATE INDEX live_logs_workspace_id_live_app_id_session_idx ON live_logs (workspace_id, live_app_id, session);

-- Both are packed already: not to be compressed once more.
ALTER TABLE live_snapshots ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE live_logs ALTER COLUMN content SET STORAGE EXTERNAL;

-- A token with a live app can push to that one.
ALTER TABLE api_tokens
  ADD COLUMN live_app_id text COLLATE "C",
  ADD CONSTRAINT api_tokens_workspace_id_live_app_id_fkey FOREIGN KEY (workspace_id, live_app_id)
    REFERENCES live_apps (workspace_id, id) ON DELETE CASCADE;
CREATE INDEX api_tokens_workspace_id_live_app_id_idx ON api_tokens (workspace_id, live_app_id);
GRANT SELECT (live_app_id) ON api_tokens TO flamegate_app;

-- The only live app that there is for whoever comes with such a token.
CREATE FUNCTION flamegate_live_app_id() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('flamegate.live_app_id', true), '');

DO $$
DECLARE
  name text;
  app text;
BEGIN
  FOR name, app IN VALUES ('live_apps', 'id'), ('live_sessions', 'live_app_id'), ('live_snapshots', 'live_app_id'),
    ('live_logs', 'live_app_id')
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
    EXECUTE format($policy$CREATE POLICY one_live_app ON %I AS RESTRICTIVE TO flamegate_app
      USING (CASE WHEN (SELECT flamegate_live_app_id()) IS NULL THEN true
        ELSE %I = (SELECT flamegate_live_app_id()) END)$policy$, name, app);
  END LOOP;
END
$$;

-- The worker looks in all workspaces for those of which something is to be thinned or ended, and sees nothing else of them there.
GRANT SELECT (workspace_id, id, last_push_at, ended_at, size_bytes) ON live_apps TO flamegate_auth;
CREATE POLICY swept ON live_apps FOR SELECT TO flamegate_auth USING (size_bytes > 0 OR ended_at IS NULL);
