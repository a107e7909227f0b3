-- Log-in with an OpenID provider of a workspace's own. What is proved of it counts for addresses of domains that the workspace
-- proved, and one workspace at most proves a domain.
CREATE TABLE workspace_sso (
  workspace_id text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  client_id text NOT NULL,
  sealed_client_secret text COLLATE "C" NOT NULL,
  -- Of whoever comes for the first time.
  default_role text COLLATE "C" NOT NULL,
  -- The only way in for members with an address of these domains, but for owners where they keep the others.
  is_required boolean NOT NULL DEFAULT false,
  owners_keep_other_ways boolean NOT NULL DEFAULT true,
  -- When somebody last came in with this issuer and client; null: nobody yet.
  worked_at timestamptz(3),
  updated_by text COLLATE "C" NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT workspace_sso_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspace_sso_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT workspace_sso_default_role_check CHECK (default_role IN ('viewer', 'member', 'admin')),
  CONSTRAINT workspace_sso_required_check CHECK (worked_at IS NOT NULL OR NOT is_required)
);

CREATE TABLE sso_domains (
  workspace_id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  -- By which it was proved, and when: the token in its DNS, or the installation's settings.
  method text COLLATE "C",
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  -- What was there instead of the token at the last look.
  failure text,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT sso_domains_pkey PRIMARY KEY (workspace_id, domain),
  CONSTRAINT sso_domains_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT sso_domains_method_check CHECK (method IN ('dns', 'settings') AND verified_at IS NOT NULL
    OR method IS NULL AND verified_at IS NULL)
);
CREATE UNIQUE INDEX sso_domains_domain_key ON sso_domains (domain) WHERE verified_at IS NOT NULL;

-- Who somebody is at that provider. It goes with the membership.
CREATE TABLE sso_identities (
  workspace_id text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT sso_identities_pkey PRIMARY KEY (workspace_id, issuer, subject),
  CONSTRAINT sso_identities_workspace_id_user_id_issuer_key UNIQUE (workspace_id, user_id, issuer),
  CONSTRAINT sso_identities_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id)
    REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
);

-- Whose provider let the person in; null: something else did.
ALTER TABLE sessions ADD COLUMN sso_workspace_id text COLLATE "C";

-- The workspace whose provider is the only way in for a person; null: there is none. An address is of one domain, and a domain is
-- proved by one workspace.
CREATE FUNCTION flamegate_required_sso(person text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (
    SELECT workspace_sso.workspace_id FROM users
      JOIN sso_domains ON sso_domains.domain = split_part(users.email, '@', -1) COLLATE "C" AND sso_domains.verified_at IS NOT NULL
      JOIN workspace_sso ON workspace_sso.workspace_id = sso_domains.workspace_id AND workspace_sso.is_required
      JOIN workspaces ON workspaces.id = workspace_sso.workspace_id AND workspaces.deletes_at IS NULL
      JOIN memberships ON memberships.workspace_id = workspace_sso.workspace_id AND memberships.user_id = users.id
    WHERE users.id = person AND NOT (memberships.role = 'owner' AND workspace_sso.owners_keep_other_ways)
  );

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['workspace_sso', 'sso_domains', 'sso_identities']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format($policy$CREATE POLICY backed_up ON %I FOR SELECT TO flamegate_owner
      USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on')$policy$, name);
    EXECUTE format($policy$CREATE POLICY read ON %I FOR SELECT TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))$policy$, name);
    EXECUTE format('CREATE POLICY identity ON %I TO flamegate_auth USING (true) WITH CHECK (true)', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['workspace_sso', 'sso_domains']
  LOOP
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
CREATE POLICY keys_changed ON workspace_sso TO flamegate_owner
  USING ((SELECT current_setting('flamegate.changes_keys', true)) = 'on')
  WITH CHECK ((SELECT current_setting('flamegate.changes_keys', true)) = 'on');

-- Column by column, so that no archive of the workspace takes it along: elsewhere nothing is proved.
GRANT SELECT (workspace_id, issuer, client_id, sealed_client_secret, default_role, is_required, owners_keep_other_ways, worked_at,
  updated_by, updated_at) ON workspace_sso TO flamegate_app;
GRANT SELECT (workspace_id, domain, token, method, verified_at, checked_at, failure, created_by, created_at)
  ON sso_domains TO flamegate_app;
GRANT SELECT (workspace_id, issuer, user_id, created_at) ON sso_identities TO flamegate_app;
GRANT SELECT, UPDATE (worked_at) ON workspace_sso TO flamegate_auth;
GRANT SELECT ON sso_domains TO flamegate_auth;
GRANT SELECT, INSERT ON sso_identities TO flamegate_auth;
