-- Attempts are counted for all processes together, and invitations go by mail. Only flamegate_auth counts and mails.

-- Attempts that may be somebody guessing. Whom they are counted for is hashed: addresses are nobody's to keep.
CREATE TABLE attempts (
  key_hash text COLLATE "C" NOT NULL,
  -- Before this, the next one is refused.
  next_at timestamptz(3) NOT NULL,
  -- When all of them are forgiven: each attempt moves that on by the time that forgives one.
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT attempts_pkey PRIMARY KEY (key_hash)
);
CREATE INDEX attempts_expires_at_idx ON attempts (expires_at);
ALTER TABLE attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE attempts FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON attempts TO flamegate_auth;
CREATE POLICY identity ON attempts TO flamegate_auth USING (true) WITH CHECK (true);

-- When a mail about the invitation was sent, or was found not to be needed: those that are here already were handed on.
ALTER TABLE invitations ADD COLUMN mailed_at timestamptz(3);
ALTER TABLE invitations NO FORCE ROW LEVEL SECURITY;
UPDATE invitations SET mailed_at = created_at;
ALTER TABLE invitations FORCE ROW LEVEL SECURITY;
GRANT UPDATE (mailed_at) ON invitations TO flamegate_app, flamegate_auth;
