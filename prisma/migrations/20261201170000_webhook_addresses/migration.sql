-- Addresses of webhooks, and of notifications by http, are sealed, because many have a secret in their path; what may be shown of them is the
-- host. A database cannot seal: those that are there stay where they are, in `url` and `target`, until a process with the keys seals them
-- (`flamegate admin rotate-keys`; `npm start` does it by itself).
ALTER TABLE webhooks
  ADD COLUMN host text NOT NULL DEFAULT '',
  ADD COLUMN sealed_url text,
  ALTER COLUMN url DROP NOT NULL;
ALTER TABLE notifications ADD COLUMN sealed_url text;

-- Of all workspaces, which no caller could.
ALTER TABLE webhooks NO FORCE ROW LEVEL SECURITY;
UPDATE webhooks SET host = coalesce(lower(substring(url from '(?i)^https?://([^/?#]+)')), '');
ALTER TABLE webhooks FORCE ROW LEVEL SECURITY;
ALTER TABLE webhooks ALTER COLUMN host DROP DEFAULT;
ALTER TABLE notifications NO FORCE ROW LEVEL SECURITY;
UPDATE notifications
  SET target = target || jsonb_build_object('host', coalesce(lower(substring(target ->> 'url' from '(?i)^https?://([^/?#]+)')), ''))
  WHERE target ? 'url';
ALTER TABLE notifications FORCE ROW LEVEL SECURITY;
