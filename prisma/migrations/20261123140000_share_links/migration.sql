-- Links to one view of a profile. Members of the workspace follow them as themselves; a public one is a credential of its own,
-- for that profile and nothing else, and works as long as whoever made it may read the profile.

CREATE TABLE share_links (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  profile_id text COLLATE "C" NOT NULL,
  -- What it shows: root, filters, direction, and the profile that it is compared with.
  view jsonb NOT NULL,
  is_public boolean NOT NULL,
  -- Hex SHA-256 of what a public link has after the #; null: only members follow it.
  secret_hash text COLLATE "C",
  expires_at timestamptz(3) NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT share_links_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT share_links_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT share_links_secret_hash_check CHECK (is_public = (secret_hash IS NOT NULL)),
  CONSTRAINT share_links_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT share_links_workspace_id_profile_id_fkey FOREIGN KEY (workspace_id, profile_id)
    REFERENCES profiles (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX share_links_workspace_id_project_id_idx ON share_links (workspace_id, project_id);
CREATE INDEX share_links_workspace_id_profile_id_idx ON share_links (workspace_id, profile_id);

ALTER TABLE share_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE share_links FORCE ROW LEVEL SECURITY;
-- All but the hash can be read; nothing is changed.
GRANT SELECT (workspace_id, id, project_id, profile_id, view, is_public, expires_at, created_by, created_at), INSERT, DELETE
  ON share_links TO flamegate_app;
CREATE POLICY read ON share_links FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY add ON share_links FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY remove ON share_links FOR DELETE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY one_project ON share_links AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
    ELSE project_id = (SELECT flamegate_project_id()) END);

-- Authentication finds a public link by its secret.
GRANT SELECT ON share_links TO flamegate_auth;
CREATE POLICY identity ON share_links FOR SELECT TO flamegate_auth USING (is_public);
