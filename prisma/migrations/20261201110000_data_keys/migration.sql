-- Secrets are sealed with a key of their workspace, which is stored wrapped by a key that is not in the database.
-- Keys of oauth_keys are wrapped, too: their secret is {"wrapped": "…"} then.
CREATE TABLE data_keys (
  id text COLLATE "C" NOT NULL,
  -- Null: for what belongs to people.
  workspace_id text COLLATE "C",
  wrapped text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Since when it only opens.
  retired_at timestamptz(3),
  CONSTRAINT data_keys_pkey PRIMARY KEY (id),
  -- What is left of a workspace anywhere opens for nobody any more.
  CONSTRAINT data_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
);
CREATE INDEX data_keys_workspace_id_idx ON data_keys (workspace_id);

ALTER TABLE data_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE data_keys FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT ON data_keys TO flamegate_auth;
CREATE POLICY identity ON data_keys TO flamegate_auth USING (true) WITH CHECK (true);
CREATE POLICY backed_up ON data_keys FOR SELECT TO flamegate_owner
  USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on');

-- Whoever changes keys does so as the owner of the tables, in transactions that say so. A table with sealed columns that is added
-- later needs the same policy.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT DISTINCT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT attisdropped
      AND (attname LIKE 'sealed\_%' OR relname IN ('data_keys', 'oauth_keys'))
  LOOP
    EXECUTE format($policy$CREATE POLICY keys_changed ON %I TO flamegate_owner
      USING ((SELECT current_setting('flamegate.changes_keys', true)) = 'on')
      WITH CHECK ((SELECT current_setting('flamegate.changes_keys', true)) = 'on')$policy$, name);
  END LOOP;
END
$$;
