-- Telling others: webhooks, what a project says in pull requests, badges.

CREATE TABLE webhooks (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events text[] COLLATE "C" NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  sealed_secret text COLLATE "C" NOT NULL,
  -- After a rotation, until then, messages are signed with both.
  sealed_previous_secret text COLLATE "C",
  previous_secret_until timestamptz(3),
  -- Since when nothing was delivered.
  failing_since timestamptz(3),
  -- Why the platform switched it off.
  off_reason text NOT NULL DEFAULT '',
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhooks_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT webhooks_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX webhooks_workspace_id_project_id_idx ON webhooks (workspace_id, project_id);

-- At most one for a project: its runs of pull requests are told there.
CREATE TABLE github_reports (
  workspace_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  sealed_token text COLLATE "C" NOT NULL,
  sets_status boolean NOT NULL,
  comments boolean NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT github_reports_pkey PRIMARY KEY (workspace_id, project_id),
  CONSTRAINT github_reports_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);

-- The outbox: written with what it tells of, in one transaction, and worked off after. Without a webhook it is for GitHub.
CREATE TABLE deliveries (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C",
  event text COLLATE "C" NOT NULL,
  subject_ids text[] COLLATE "C" NOT NULL,
  -- Made with the first attempt, and the same with all others.
  body text,
  attempts integer NOT NULL DEFAULT 0,
  -- Null: there is no further attempt.
  next_at timestamptz(3),
  attempted_at timestamptz(3),
  delivered_at timestamptz(3),
  response_status integer,
  response_excerpt text NOT NULL DEFAULT '',
  duration_ms integer,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT deliveries_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT deliveries_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT deliveries_workspace_id_webhook_id_fkey FOREIGN KEY (workspace_id, webhook_id)
    REFERENCES webhooks (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX deliveries_project_id_created_at_id_idx ON deliveries (project_id, created_at DESC, id DESC);
CREATE INDEX deliveries_workspace_id_webhook_id_idx ON deliveries (workspace_id, webhook_id);
CREATE INDEX deliveries_next_at_idx ON deliveries (next_at) WHERE next_at IS NOT NULL;

-- The address of a project's badge is all that is asked of whoever looks at it.
CREATE TABLE badges (
  workspace_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT badges_pkey PRIMARY KEY (workspace_id, project_id),
  CONSTRAINT badges_token_key UNIQUE (token),
  CONSTRAINT badges_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['webhooks', 'github_reports', 'deliveries', 'badges']
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

-- The worker looks for what is due in all workspaces, and removes what is old; it sees of it where it is, and no more.
GRANT SELECT (workspace_id, id, next_at, created_at), DELETE ON deliveries TO flamegate_auth;
CREATE POLICY outbox ON deliveries TO flamegate_auth USING (true);

-- Whoever has a badge's address is told whose it is.
GRANT SELECT (workspace_id, project_id, token) ON badges TO flamegate_auth;
CREATE POLICY address ON badges FOR SELECT TO flamegate_auth USING (true);
