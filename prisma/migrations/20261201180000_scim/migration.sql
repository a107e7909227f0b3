-- Provisioning by SCIM (RFC 7643, RFC 7644): a workspace's identity provider makes people members and takes it away again.

-- What the provider proves itself with. It is for one workspace and opens nothing but its SCIM.
CREATE TABLE scim_tokens (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  -- Of whoever is made a member.
  default_role text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  CONSTRAINT scim_tokens_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT scim_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT scim_tokens_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT scim_tokens_default_role_check CHECK (default_role IN ('viewer', 'member', 'admin'))
);

-- What the provider says about people. It stays when the membership goes, so that the provider finds them again: whether somebody
-- is active is whether there is a membership, and is written down nowhere else.
CREATE TABLE scim_users (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  user_name text NOT NULL,
  -- The same in lower case, by which it is found.
  user_name_key text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  display_name text,
  given_name text,
  family_name text,
  -- Of the account when it was last written; what is told of people who are no members.
  email text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT scim_users_pkey PRIMARY KEY (workspace_id, user_id),
  CONSTRAINT scim_users_workspace_id_user_name_key_key UNIQUE (workspace_id, user_name_key),
  CONSTRAINT scim_users_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT scim_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX scim_users_user_id_idx ON scim_users (user_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['scim_tokens', 'scim_users']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format($policy$CREATE POLICY backed_up ON %I FOR SELECT TO flamegate_owner
      USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on')$policy$, name);
    EXECUTE format($policy$CREATE POLICY read ON %I FOR SELECT TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))$policy$, name);
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON %I TO flamegate_app', name);
    EXECUTE format($policy$CREATE POLICY add ON %I FOR INSERT TO flamegate_app
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY change ON %I FOR UPDATE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY remove ON %I FOR DELETE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))$policy$, name);
  END LOOP;
END
$$;
CREATE POLICY identity ON scim_tokens TO flamegate_auth USING (true) WITH CHECK (true);

-- Column by column, so that no archive of the workspace takes it along, and without the hash, which operations may write and not read.
GRANT SELECT (workspace_id, id, prefix, default_role, created_by, created_at, last_used_at) ON scim_tokens TO flamegate_app;
GRANT SELECT (workspace_id, user_id, user_name, user_name_key, external_id, display_name, given_name, family_name, email,
  created_at, updated_at) ON scim_users TO flamegate_app;
GRANT SELECT, UPDATE (last_used_at) ON scim_tokens TO flamegate_auth;
