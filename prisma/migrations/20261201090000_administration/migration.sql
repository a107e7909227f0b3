-- Administrators of the installation, people who were shut out, and workspaces that are going to be deleted. What administrators do
-- is done by flamegate_auth in their name (flamegate.user_id), and the database asks again whether they are one.

CREATE TABLE installation_admins (
  user_id text COLLATE "C" NOT NULL,
  -- Who gave the role; null: the settings name them, for as long as they do.
  granted_by text COLLATE "C",
  granted_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT installation_admins_pkey PRIMARY KEY (user_id),
  CONSTRAINT installation_admins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

-- Whoever is disabled proves nothing: no log-in, no session, no token.
ALTER TABLE users
  ADD COLUMN disabled_at timestamptz(3),
  ADD COLUMN disabled_reason text,
  ADD CONSTRAINT users_disabled_check CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL));
CREATE INDEX users_created_at_id_idx ON users (created_at DESC, id DESC);

-- Until then it can be read and kept; then it goes with all that is in it.
ALTER TABLE workspaces
  ADD COLUMN deletes_at timestamptz(3),
  ADD COLUMN deletion_asked_by text COLLATE "C",
  ADD CONSTRAINT workspaces_deletion_check CHECK ((deletes_at IS NULL) = (deletion_asked_by IS NULL));
CREATE INDEX workspaces_deletes_at_idx ON workspaces (deletes_at);
CREATE INDEX workspaces_created_at_id_idx ON workspaces (created_at DESC, id DESC);

CREATE FUNCTION flamegate_administers() RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN EXISTS (
    SELECT FROM installation_admins JOIN users ON users.id = installation_admins.user_id
    WHERE installation_admins.user_id = flamegate_user_id() AND users.disabled_at IS NULL
  );

ALTER TABLE installation_admins ENABLE ROW LEVEL SECURITY;
ALTER TABLE installation_admins FORCE ROW LEVEL SECURITY;
CREATE POLICY backed_up ON installation_admins FOR SELECT TO flamegate_owner
  USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on');
GRANT SELECT, INSERT, DELETE, UPDATE (granted_by, granted_at) ON installation_admins TO flamegate_auth;
CREATE POLICY read ON installation_admins FOR SELECT TO flamegate_auth USING (true);
-- What the settings say is the process's own word; one who gives the role has it.
CREATE POLICY add ON installation_admins FOR INSERT TO flamegate_auth
  WITH CHECK (granted_by IS NULL OR (granted_by = (SELECT flamegate_user_id()) AND (SELECT flamegate_administers())));
CREATE POLICY change ON installation_admins FOR UPDATE TO flamegate_auth USING (true)
  WITH CHECK (granted_by = (SELECT flamegate_user_id()) AND (SELECT flamegate_administers()));
CREATE POLICY remove ON installation_admins FOR DELETE TO flamegate_auth
  USING (granted_by IS NULL OR (SELECT flamegate_administers()));

CREATE FUNCTION flamegate_only_admins_disable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT flamegate_administers() THEN
    RAISE EXCEPTION 'Only administrators of the installation disable people.' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER only_admins_disable BEFORE UPDATE ON users
  FOR EACH ROW WHEN (OLD.disabled_at IS DISTINCT FROM NEW.disabled_at)
  EXECUTE FUNCTION flamegate_only_admins_disable();

CREATE POLICY not_disabled ON sessions AS RESTRICTIVE FOR INSERT TO flamegate_auth
  WITH CHECK (NOT EXISTS (SELECT FROM users WHERE users.id = user_id AND users.disabled_at IS NOT NULL));

-- A deletion is asked for, and called off, by an owner or an administrator, and done when its time has come.
GRANT UPDATE (deletes_at, deletion_asked_by), DELETE ON workspaces TO flamegate_auth;
CREATE POLICY asked ON workspaces AS RESTRICTIVE FOR UPDATE TO flamegate_auth
  USING ((SELECT flamegate_administers()) OR EXISTS (
    SELECT FROM memberships WHERE memberships.workspace_id = workspaces.id
      AND memberships.user_id = (SELECT flamegate_user_id()) AND memberships.role = 'owner'
  ));
CREATE POLICY due ON workspaces AS RESTRICTIVE FOR DELETE TO flamegate_auth USING (deletes_at <= now());

-- People leave by themselves, and lock the owners meanwhile, which wants the right to change them: nothing can be changed by it.
GRANT UPDATE (role), DELETE ON memberships TO flamegate_auth;
CREATE POLICY only_lock ON memberships AS RESTRICTIVE FOR UPDATE TO flamegate_auth USING (true) WITH CHECK (false);
CREATE POLICY own ON memberships AS RESTRICTIVE FOR DELETE TO flamegate_auth
  USING (user_id = (SELECT flamegate_user_id()));

-- How much each workspace has.
CREATE POLICY administered ON projects FOR SELECT TO flamegate_auth USING ((SELECT flamegate_administers()));
GRANT SELECT (size_bytes) ON files TO flamegate_auth;
CREATE POLICY administered ON files FOR SELECT TO flamegate_auth USING ((SELECT flamegate_administers()));

-- Whoever is shut out, or whose workspace is frozen, sees other tools from then on.
CREATE FUNCTION flamegate_tell_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('flamegate_visible_changes', user_id) FROM memberships WHERE workspace_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER tell_visible_change AFTER UPDATE OF deletes_at ON workspaces
  FOR EACH ROW EXECUTE FUNCTION flamegate_tell_members();
