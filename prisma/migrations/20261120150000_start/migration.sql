-- The first migration: tables, grants and row-level security together, because a table without them is open.
--
-- Roles (made beforehand, see packages/db/src/roles.ts):
--   flamegate_owner  owns and migrates. FORCE ROW LEVEL SECURITY holds for it too: a migration that touches rows
--                    says `ALTER TABLE … NO FORCE ROW LEVEL SECURITY` first and FORCE after.
--   flamegate_app    operations, as one caller at a time.
--   flamegate_auth   people, sessions, tokens and OAuth: what is needed before there is a caller.
--
-- Row-level security reads four settings that live for one transaction. Unset, nothing is visible:
--   flamegate.user_id           the person who calls
--   flamegate.read_workspaces   ids of workspaces, separated by commas
--   flamegate.write_workspaces  those where the caller may change data
--   flamegate.admin_workspaces  those where the caller may manage people and settings, and read the audit log
--
-- Ids are compared byte by byte (COLLATE "C"): shorter index keys, and the same order as in JavaScript.

DO $$
DECLARE
  missing text;
BEGIN
  SELECT string_agg(wanted.name, ', ') INTO missing
  FROM (VALUES ('flamegate_app'), ('flamegate_auth')) AS wanted (name)
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted.name);
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'Role missing: %. Create the roles before migrating.', missing;
  END IF;
END
$$;

-- ---- Who calls, as policies see it -------------------------------------------------------------------------

-- A setting made for a transaction is '' afterwards, not NULL: both mean an empty list.
CREATE FUNCTION flamegate_ids(kind text) RETURNS text[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(string_to_array(nullif(current_setting('flamegate.' || kind || '_workspaces', true), ''), ','), '{}');

CREATE FUNCTION flamegate_user_id() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('flamegate.user_id', true), '');

-- ---- People and workspaces ---------------------------------------------------------------------------------

CREATE TABLE users (
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_email_check CHECK (email = lower(email))
);

CREATE TABLE sessions (
  token_hash text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  user_agent text NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (token_hash),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE workspaces (
  id text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  name text NOT NULL,
  plan text NOT NULL DEFAULT 'free',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_slug_key UNIQUE (slug),
  -- The lists of ids in the settings are separated by commas.
  CONSTRAINT workspaces_id_check CHECK (id <> '' AND position(',' IN id) = 0)
);

CREATE TABLE memberships (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT memberships_pkey PRIMARY KEY (workspace_id, user_id),
  CONSTRAINT memberships_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT memberships_role_check CHECK (role IN ('viewer', 'member', 'admin', 'owner'))
);
CREATE INDEX memberships_user_id_idx ON memberships (user_id);

CREATE TABLE invitations (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  invited_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT invitations_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT invitations_workspace_id_email_key UNIQUE (workspace_id, email),
  CONSTRAINT invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT invitations_email_check CHECK (email = lower(email)),
  CONSTRAINT invitations_role_check CHECK (role IN ('viewer', 'member', 'admin', 'owner'))
);

-- ---- Projects, runs and results ----------------------------------------------------------------------------

CREATE TABLE projects (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  tags text[] NOT NULL DEFAULT '{}',
  repository text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT projects_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT projects_workspace_id_slug_key UNIQUE (workspace_id, slug),
  CONSTRAINT projects_workspace_id_repository_key UNIQUE (workspace_id, repository),
  CONSTRAINT projects_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
);
CREATE INDEX projects_workspace_id_created_at_id_idx ON projects (workspace_id, created_at DESC, id DESC);

CREATE TABLE environments (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT environments_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT environments_project_id_fingerprint_key UNIQUE (project_id, fingerprint),
  CONSTRAINT environments_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE runs (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  branch text COLLATE "C" NOT NULL,
  commit_hash text COLLATE "C" NOT NULL,
  commit_message text NOT NULL DEFAULT '',
  pull_request integer,
  event text NOT NULL,
  status text NOT NULL DEFAULT 'PENDING',
  environment_id text COLLATE "C",
  adapter text,
  tags text[] NOT NULL DEFAULT '{}',
  result_count integer NOT NULL DEFAULT 0,
  warnings jsonb NOT NULL DEFAULT '[]',
  committed_at timestamptz(3),
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT runs_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT runs_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT runs_workspace_id_environment_id_fkey FOREIGN KEY (workspace_id, environment_id)
    REFERENCES environments (workspace_id, id),
  CONSTRAINT runs_status_check CHECK (status IN ('PENDING', 'COMPLETED', 'FAILURE'))
);
CREATE INDEX runs_project_id_created_at_id_idx ON runs (project_id, created_at DESC, id DESC);
CREATE INDEX runs_project_id_branch_created_at_id_idx ON runs (project_id, branch, created_at DESC, id DESC);
CREATE INDEX runs_workspace_id_created_at_id_idx ON runs (workspace_id, created_at DESC, id DESC);
CREATE INDEX runs_project_id_commit_hash_idx ON runs (project_id, commit_hash);
CREATE INDEX runs_workspace_id_environment_id_idx ON runs (workspace_id, environment_id);

CREATE TABLE benchmarks (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  uri text COLLATE "C" NOT NULL,
  name text NOT NULL,
  instrument text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT benchmarks_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT benchmarks_project_id_uri_instrument_key UNIQUE (project_id, uri, instrument),
  CONSTRAINT benchmarks_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX benchmarks_project_id_created_at_id_idx ON benchmarks (project_id, created_at DESC, id DESC);

CREATE TABLE benchmark_results (
  workspace_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  benchmark_id text COLLATE "C" NOT NULL,
  value double precision NOT NULL,
  unit text NOT NULL,
  stats jsonb NOT NULL,
  metrics jsonb NOT NULL,
  rounds bytea,
  -- When the run was created, so that a benchmark's history can be read in order from one index.
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT benchmark_results_pkey PRIMARY KEY (workspace_id, run_id, benchmark_id),
  CONSTRAINT benchmark_results_workspace_id_run_id_fkey FOREIGN KEY (workspace_id, run_id)
    REFERENCES runs (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT benchmark_results_workspace_id_benchmark_id_fkey FOREIGN KEY (workspace_id, benchmark_id)
    REFERENCES benchmarks (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX benchmark_results_benchmark_id_created_at_run_id_idx
  ON benchmark_results (benchmark_id, created_at DESC, run_id DESC);
-- Deflated already: do not try again.
ALTER TABLE benchmark_results ALTER COLUMN rounds SET STORAGE EXTERNAL;

-- ---- Files, profiles and tasks -----------------------------------------------------------------------------

CREATE TABLE files (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C",
  purpose text NOT NULL,
  name text NOT NULL,
  content_type text NOT NULL,
  size_bytes bigint NOT NULL,
  sha256 text COLLATE "C",
  storage_key text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'PENDING',
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  CONSTRAINT files_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT files_storage_key_key UNIQUE (storage_key),
  CONSTRAINT files_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT files_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT files_status_check CHECK (status IN ('PENDING', 'READY')),
  CONSTRAINT files_size_bytes_check CHECK (size_bytes >= 0)
);
CREATE INDEX files_workspace_id_created_at_id_idx ON files (workspace_id, created_at DESC, id DESC);
CREATE INDEX files_workspace_id_project_id_idx ON files (workspace_id, project_id);

CREATE TABLE profiles (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C",
  benchmark_id text COLLATE "C",
  file_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  format text,
  status text NOT NULL DEFAULT 'PENDING',
  sample_types jsonb NOT NULL DEFAULT '[]',
  default_sample_type integer NOT NULL DEFAULT 0,
  duration_ms double precision,
  started_at timestamptz(3),
  sample_count integer NOT NULL DEFAULT 0,
  node_count integer NOT NULL DEFAULT 0,
  labels jsonb NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  warnings jsonb NOT NULL DEFAULT '[]',
  problem jsonb,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT profiles_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT profiles_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT profiles_workspace_id_run_id_fkey FOREIGN KEY (workspace_id, run_id)
    REFERENCES runs (workspace_id, id) ON DELETE SET NULL (run_id),
  CONSTRAINT profiles_workspace_id_benchmark_id_fkey FOREIGN KEY (workspace_id, benchmark_id)
    REFERENCES benchmarks (workspace_id, id) ON DELETE SET NULL (benchmark_id),
  CONSTRAINT profiles_workspace_id_file_id_fkey FOREIGN KEY (workspace_id, file_id)
    REFERENCES files (workspace_id, id),
  CONSTRAINT profiles_status_check CHECK (status IN ('PENDING', 'READY', 'FAILED'))
);
CREATE INDEX profiles_project_id_created_at_id_idx ON profiles (project_id, created_at DESC, id DESC);
CREATE INDEX profiles_workspace_id_run_id_idx ON profiles (workspace_id, run_id);
CREATE INDEX profiles_workspace_id_benchmark_id_idx ON profiles (workspace_id, benchmark_id);
CREATE INDEX profiles_workspace_id_file_id_idx ON profiles (workspace_id, file_id);

CREATE TABLE profile_trees (
  workspace_id text COLLATE "C" NOT NULL,
  profile_id text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT profile_trees_pkey PRIMARY KEY (workspace_id, profile_id),
  CONSTRAINT profile_trees_workspace_id_profile_id_fkey FOREIGN KEY (workspace_id, profile_id)
    REFERENCES profiles (workspace_id, id) ON DELETE CASCADE
);
ALTER TABLE profile_trees ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE tasks (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C",
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'PENDING',
  progress_percent integer NOT NULL DEFAULT 0,
  message text NOT NULL DEFAULT '',
  result jsonb,
  problem jsonb,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  CONSTRAINT tasks_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT tasks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT tasks_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT tasks_status_check CHECK (status IN ('PENDING', 'RUNNING', 'SUCCESS', 'FAILED')),
  CONSTRAINT tasks_progress_percent_check CHECK (progress_percent BETWEEN 0 AND 100)
);
CREATE INDEX tasks_workspace_id_created_at_id_idx ON tasks (workspace_id, created_at DESC, id DESC);
CREATE INDEX tasks_workspace_id_project_id_idx ON tasks (workspace_id, project_id);

-- ---- Credentials, retries and what was done ----------------------------------------------------------------

CREATE TABLE api_tokens (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT api_tokens_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT api_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT api_tokens_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT api_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX api_tokens_workspace_id_created_at_id_idx ON api_tokens (workspace_id, created_at DESC, id DESC);
CREATE INDEX api_tokens_user_id_idx ON api_tokens (user_id);

CREATE TABLE idempotency_keys (
  user_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  operation text NOT NULL,
  request_hash text COLLATE "C" NOT NULL,
  status text NOT NULL,
  response jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key),
  CONSTRAINT idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT idempotency_keys_status_check CHECK (status IN ('BUSY', 'DONE'))
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

-- No foreign keys: what was done stays known when the workspace or the person is gone.
CREATE TABLE audit_events (
  id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C",
  user_id text COLLATE "C" NOT NULL,
  via text NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  client_name text NOT NULL,
  operation text COLLATE "C" NOT NULL,
  effect text NOT NULL,
  target text COLLATE "C",
  outcome text COLLATE "C" NOT NULL,
  status integer NOT NULL,
  duration_ms double precision NOT NULL,
  request_id text NOT NULL,
  ip text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT audit_events_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX audit_events_workspace_id_at_id_key ON audit_events (workspace_id, at DESC, id DESC);

-- ---- OAuth -------------------------------------------------------------------------------------------------

CREATE TABLE oauth_records (
  model text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  payload jsonb NOT NULL,
  grant_id text COLLATE "C",
  user_code text COLLATE "C",
  uid text COLLATE "C",
  account_id text COLLATE "C",
  consumed_at timestamptz(3),
  expires_at timestamptz(3),
  CONSTRAINT oauth_records_pkey PRIMARY KEY (model, id)
);
CREATE INDEX oauth_records_grant_id_idx ON oauth_records (grant_id);
CREATE INDEX oauth_records_user_code_idx ON oauth_records (user_code);
CREATE INDEX oauth_records_uid_idx ON oauth_records (uid);
CREATE INDEX oauth_records_expires_at_idx ON oauth_records (expires_at);

CREATE TABLE oauth_keys (
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  secret jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retired_at timestamptz(3),
  CONSTRAINT oauth_keys_pkey PRIMARY KEY (id),
  CONSTRAINT oauth_keys_kind_check CHECK (kind IN ('jwks', 'cookie', 'assertion', 'storage'))
);

CREATE TABLE oauth_grants (
  grant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  client_name text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  calls bigint NOT NULL DEFAULT 0,
  CONSTRAINT oauth_grants_pkey PRIMARY KEY (grant_id)
);
CREATE INDEX oauth_grants_user_id_idx ON oauth_grants (user_id);

CREATE TABLE oauth_revocations (
  grant_id text COLLATE "C" NOT NULL,
  revoked_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT oauth_revocations_pkey PRIMARY KEY (grant_id)
);
CREATE INDEX oauth_revocations_revoked_at_idx ON oauth_revocations (revoked_at);

-- ---- Row-level security: nothing is allowed unless a policy says so ----------------------------------------

DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END
$$;

GRANT USAGE ON SCHEMA public TO flamegate_app, flamegate_auth;

-- Data of a workspace: readers read, writers write. `(SELECT …)` makes the planner work the list out once per
-- statement instead of once per row.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['projects', 'environments', 'runs', 'benchmarks', 'benchmark_results', 'files',
    'profiles', 'profile_trees', 'tasks']
  LOOP
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
  END LOOP;
END
$$;

-- Workspaces: made by flamegate_auth together with a person; settings are for admins.
GRANT SELECT, UPDATE (slug, name) ON workspaces TO flamegate_app;
CREATE POLICY read ON workspaces FOR SELECT TO flamegate_app
  USING (id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY change ON workspaces FOR UPDATE TO flamegate_app
  USING (id = ANY ((SELECT flamegate_ids('admin'))::text[]))
  WITH CHECK (id = ANY ((SELECT flamegate_ids('admin'))::text[]));
GRANT SELECT, INSERT ON workspaces TO flamegate_auth;
CREATE POLICY identity ON workspaces TO flamegate_auth USING (true) WITH CHECK (true);

-- Members are seen by members, and changed by admins.
GRANT SELECT, DELETE, UPDATE (role) ON memberships TO flamegate_app;
CREATE POLICY read ON memberships FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]) OR user_id = (SELECT flamegate_user_id()));
CREATE POLICY change ON memberships FOR UPDATE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]));
CREATE POLICY remove ON memberships FOR DELETE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]));
GRANT SELECT, INSERT ON memberships TO flamegate_auth;
CREATE POLICY identity ON memberships TO flamegate_auth USING (true) WITH CHECK (true);

-- Invitations: whoever knows the token's hash still has not got the token, but nobody here needs to see it.
GRANT SELECT (workspace_id, id, email, role, invited_by, created_at, expires_at), INSERT, DELETE,
  UPDATE (role, token_hash, invited_by, created_at, expires_at) ON invitations TO flamegate_app;
CREATE POLICY read ON invitations FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY add ON invitations FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]));
CREATE POLICY change ON invitations FOR UPDATE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]));
CREATE POLICY remove ON invitations FOR DELETE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]));
GRANT SELECT, DELETE ON invitations TO flamegate_auth;
CREATE POLICY identity ON invitations TO flamegate_auth USING (true);

-- API tokens: everybody has their own, admins see and revoke all. A token changes only by being revoked.
GRANT SELECT (workspace_id, id, user_id, name, prefix, scopes, created_at, expires_at, last_used_at, revoked_at),
  INSERT, UPDATE (revoked_at) ON api_tokens TO flamegate_app;
CREATE POLICY read ON api_tokens FOR SELECT TO flamegate_app
  USING (
    workspace_id = ANY ((SELECT flamegate_ids('read'))::text[])
    AND (user_id = (SELECT flamegate_user_id()) OR workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]))
  );
CREATE POLICY add ON api_tokens FOR INSERT TO flamegate_app
  WITH CHECK (
    workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]) AND user_id = (SELECT flamegate_user_id())
  );
CREATE POLICY change ON api_tokens FOR UPDATE TO flamegate_app
  USING (
    (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]) AND user_id = (SELECT flamegate_user_id()))
    OR workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[])
  )
  WITH CHECK (
    (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]) AND user_id = (SELECT flamegate_user_id()))
    OR workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[])
  );
GRANT SELECT, UPDATE (last_used_at) ON api_tokens TO flamegate_auth;
CREATE POLICY identity ON api_tokens TO flamegate_auth USING (true) WITH CHECK (true);

-- The audit log grows and never changes: nobody has UPDATE or DELETE.
GRANT SELECT, INSERT ON audit_events TO flamegate_app;
CREATE POLICY read ON audit_events FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]));
CREATE POLICY add ON audit_events FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id IS NULL OR workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));

-- Retry keys belong to a person. flamegate_auth sweeps those that are past their time, of anybody.
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO flamegate_app;
CREATE POLICY own ON idempotency_keys TO flamegate_app
  USING (user_id = (SELECT flamegate_user_id()))
  WITH CHECK (user_id = (SELECT flamegate_user_id()));
GRANT SELECT (expires_at), DELETE ON idempotency_keys TO flamegate_auth;
CREATE POLICY sweep ON idempotency_keys TO flamegate_auth USING (expires_at < now());

-- People: operations see the name and e-mail of those who share a workspace with the caller, and no more.
GRANT SELECT (id, email, name) ON users TO flamegate_app;
CREATE POLICY read ON users FOR SELECT TO flamegate_app
  USING (
    id = (SELECT flamegate_user_id())
    OR EXISTS (
      SELECT FROM memberships
      WHERE memberships.user_id = users.id
        AND memberships.workspace_id = ANY ((SELECT flamegate_ids('read'))::text[])
    )
  );

-- Identity and OAuth: only flamegate_auth.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['users', 'sessions', 'oauth_records', 'oauth_keys', 'oauth_grants', 'oauth_revocations']
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO flamegate_auth', name);
    EXECUTE format('CREATE POLICY identity ON %I TO flamegate_auth USING (true) WITH CHECK (true)', name);
  END LOOP;
END
$$;
