-- Live recordings: a time of a live app that is kept, however long ago it is, and also when the app is deleted.

CREATE TABLE live_recordings (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- No foreign key: the recording stays when the app goes.
  live_app_id text COLLATE "C" NOT NULL,
  -- Of the app when the recording was made.
  app_name text NOT NULL,
  name text NOT NULL,
  note text,
  from_at timestamptz(3) NOT NULL,
  to_at timestamptz(3) NOT NULL,
  processes integer NOT NULL,
  -- Those of which there are snapshots.
  sections text[] NOT NULL,
  -- Of its snapshots, as they are stored.
  size_bytes bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT live_recordings_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT live_recordings_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX live_recordings_workspace_id_project_id_created_at_id_idx
  ON live_recordings (workspace_id, project_id, created_at, id);

-- A run of one program, as it was known at the end of the recording.
CREATE TABLE live_recorded_sessions (
  workspace_id text COLLATE "C" NOT NULL,
  live_recording_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  program jsonb,
  sections jsonb NOT NULL,
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  CONSTRAINT live_recorded_sessions_pkey PRIMARY KEY (workspace_id, live_recording_id, session),
  CONSTRAINT live_recorded_sessions_workspace_id_live_recording_id_fkey FOREIGN KEY (workspace_id, live_recording_id)
    REFERENCES live_recordings (workspace_id, id) ON DELETE CASCADE
);

-- A section of a session at a moment, with all its items.
CREATE TABLE live_recorded_snapshots (
  workspace_id text COLLATE "C" NOT NULL,
  live_recording_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  section text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT live_recorded_snapshots_pkey PRIMARY KEY (workspace_id, live_recording_id, section, session, at),
  CONSTRAINT live_recorded_snapshots_workspace_id_live_recording_id_fkey FOREIGN KEY (workspace_id, live_recording_id)
    REFERENCES live_recordings (workspace_id, id) ON DELETE CASCADE
);

-- Packed already: not to be compressed once more.
ALTER TABLE live_recorded_snapshots ALTER COLUMN content SET STORAGE EXTERNAL;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['live_recordings', 'live_recorded_sessions', 'live_recorded_snapshots']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    -- A recording stays as it is.
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON %I TO flamegate_app', name);
    EXECUTE format($policy$CREATE POLICY read ON %I FOR SELECT TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY add ON %I FOR INSERT TO flamegate_app
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
END
$$;
