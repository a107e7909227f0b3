-- OAuth clients: when each was used and whether an administrator blocked it, what clients publish about themselves,
-- and keys that every process knows before one of them uses it. Only flamegate_auth sees any of it.

-- One row for every client that registered or got a token, beside its metadata in oauth_records.
CREATE TABLE oauth_clients (
  client_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  redirect_hosts text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The last time that somebody registered it; the same registration again is the same client.
  registered_at timestamptz(3) NOT NULL DEFAULT now(),
  first_used_at timestamptz(3),
  last_used_at timestamptz(3),
  blocked_at timestamptz(3),
  block_reason text,
  CONSTRAINT oauth_clients_pkey PRIMARY KEY (client_id),
  CONSTRAINT oauth_clients_kind_check CHECK (kind IN ('registered', 'document', 'machine'))
);
CREATE INDEX oauth_clients_created_at_client_id_idx ON oauth_clients (created_at DESC, client_id DESC);

-- Client metadata documents and key sets as they were last fetched, for when their address does not answer.
CREATE TABLE oauth_client_documents (
  url text COLLATE "C" NOT NULL,
  body text NOT NULL,
  fetched_at timestamptz(3) NOT NULL DEFAULT now(),
  fresh_until timestamptz(3) NOT NULL,
  CONSTRAINT oauth_client_documents_pkey PRIMARY KEY (url)
);
CREATE INDEX oauth_client_documents_fetched_at_idx ON oauth_client_documents (fetched_at);

-- Until then a key only verifies, so that all processes know it before one of them signs with it.
ALTER TABLE oauth_keys ADD COLUMN active_at timestamptz(3) NOT NULL DEFAULT now();

CREATE INDEX oauth_grants_client_id_idx ON oauth_grants (client_id);

-- Clients from before this table, which count as registered today. Row-level security holds for the owner too.
ALTER TABLE oauth_records NO FORCE ROW LEVEL SECURITY;
ALTER TABLE oauth_grants NO FORCE ROW LEVEL SECURITY;
INSERT INTO oauth_clients (client_id, kind, name, redirect_hosts, created_at, first_used_at, last_used_at)
SELECT id, 'registered', coalesce(payload ->> 'client_name', id),
  ARRAY(
    SELECT DISTINCT coalesce(substring(uri FROM '^https?://([^/?#]+)'), substring(uri FROM '^[^:]+:'))
    FROM jsonb_array_elements_text(coalesce(payload -> 'redirect_uris', '[]')) AS uri
  ),
  coalesce(to_timestamp((payload ->> 'client_id_issued_at')::double precision), now()),
  (SELECT min(created_at) FROM oauth_grants WHERE client_id = oauth_records.id),
  (SELECT max(coalesce(last_used_at, created_at)) FROM oauth_grants WHERE client_id = oauth_records.id)
FROM oauth_records WHERE model = 'Client';
ALTER TABLE oauth_records FORCE ROW LEVEL SECURITY;
ALTER TABLE oauth_grants FORCE ROW LEVEL SECURITY;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['oauth_clients', 'oauth_client_documents']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO flamegate_auth', name);
    EXECUTE format('CREATE POLICY identity ON %I TO flamegate_auth USING (true) WITH CHECK (true)', name);
  END LOOP;
END
$$;
