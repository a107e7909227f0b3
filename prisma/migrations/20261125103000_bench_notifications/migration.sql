-- Who is told of load tests of a workspace, and how.
CREATE TABLE notifications (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  channel text COLLATE "C" NOT NULL
    CHECK (channel IN ('email', 'http', 'slack', 'teams', 'google_chat', 'webex', 'jira')),
  -- What may be shown of where messages go.
  target jsonb NOT NULL,
  -- What may not: addresses of incoming webhooks, tokens, keys that sign.
  sealed_secret text COLLATE "C",
  events text[] COLLATE "C" NOT NULL,
  filter jsonb NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- Since when nothing was delivered.
  failing_since timestamptz(3),
  -- Why the platform switched it off.
  off_reason text NOT NULL DEFAULT '',
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT notifications_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT notifications_workspace_id_name_key UNIQUE (workspace_id, name),
  CONSTRAINT notifications_workspace_id_fkey FOREIGN KEY (workspace_id)
    REFERENCES workspaces (id) ON DELETE CASCADE
);

ALTER TABLE notifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE notifications FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON notifications TO flamegate_app;
CREATE POLICY read ON notifications FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY add ON notifications FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY change ON notifications FOR UPDATE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY remove ON notifications FOR DELETE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
-- Whoever is limited to one project has nothing to do with what the workspace tells of the others.
CREATE POLICY one_project ON notifications AS RESTRICTIVE TO flamegate_app
  USING ((SELECT flamegate_project_id()) IS NULL);

-- A message of the outbox is for a webhook, for a notification, or, without both, for GitHub.
ALTER TABLE deliveries ADD COLUMN notification_id text COLLATE "C";
ALTER TABLE deliveries ADD CONSTRAINT deliveries_workspace_id_notification_id_fkey
  FOREIGN KEY (workspace_id, notification_id) REFERENCES notifications (workspace_id, id) ON DELETE CASCADE;
CREATE INDEX deliveries_workspace_id_notification_id_idx ON deliveries (workspace_id, notification_id);

-- How many users a run has at once, at most.
ALTER TABLE bench_results ADD COLUMN users_max integer NOT NULL DEFAULT 0;
