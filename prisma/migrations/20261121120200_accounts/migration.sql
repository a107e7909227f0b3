-- Accounts: confirmed e-mail addresses, and other proofs of who somebody is than a password. Only flamegate_auth
-- sees any of it, except for names and addresses.

-- Who signed up through another service has no password until they set one.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;
ALTER TABLE users ADD COLUMN email_verified_at timestamptz(3);

-- When the person last proved who they are; unknown for sessions that are older than this column.
ALTER TABLE sessions ADD COLUMN proved_at timestamptz(3);

-- Keys that encrypt what has to be read again, such as secrets of one-time codes. Which kinds there are is the
-- programs' business; the list here was one more thing to change with each of them.
ALTER TABLE oauth_keys DROP CONSTRAINT IF EXISTS oauth_keys_kind_check;

-- Secrets that were handed out, in a mail or in a cookie, to go on with something once.
CREATE TABLE tickets (
  secret_hash text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  payload jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT tickets_pkey PRIMARY KEY (secret_hash),
  CONSTRAINT tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX tickets_user_id_idx ON tickets (user_id);
CREATE INDEX tickets_expires_at_idx ON tickets (expires_at);

CREATE TABLE passkeys (
  -- The credential's id, which its authenticator made up.
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  is_backup_eligible boolean NOT NULL,
  is_backed_up boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);

CREATE TABLE totp_secrets (
  user_id text COLLATE "C" NOT NULL,
  -- Encrypted with a key of oauth_keys.
  sealed_secret text NOT NULL,
  confirmed_at timestamptz(3),
  -- The time step of the last code that was taken: no code counts twice.
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT totp_secrets_pkey PRIMARY KEY (user_id),
  CONSTRAINT totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE recovery_codes (
  user_id text COLLATE "C" NOT NULL,
  code_hash text COLLATE "C" NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

-- Accounts elsewhere that somebody may log in with. The issuer is an address and not our name for it, so that
-- another issuer under the same name in the settings knows nobody.
CREATE TABLE linked_sign_ins (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT linked_sign_ins_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT linked_sign_ins_user_id_issuer_key UNIQUE (user_id, issuer),
  CONSTRAINT linked_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tickets', 'passkeys', 'totp_secrets', 'recovery_codes', 'linked_sign_ins']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO flamegate_auth', name);
    EXECUTE format('CREATE POLICY identity ON %I TO flamegate_auth USING (true) WITH CHECK (true)', name);
  END LOOP;
END
$$;

-- An account whose address turns out to be somebody else's is handed over without the tokens of whoever had it.
GRANT UPDATE (revoked_at) ON api_tokens TO flamegate_auth;
