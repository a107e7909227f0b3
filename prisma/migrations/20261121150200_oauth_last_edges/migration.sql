-- How often the person of a grant changed what its client may do. Tokens say it, and every process refuses those that
-- say an older number, as soon as the change commits.
ALTER TABLE oauth_grants ADD COLUMN choices_version integer NOT NULL DEFAULT 0;
ALTER TABLE oauth_grants ADD COLUMN choices_changed_at timestamptz(3);
CREATE INDEX oauth_grants_choices_changed_at_idx ON oauth_grants (choices_changed_at);

CREATE FUNCTION flamegate_count_choices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.choices_version := OLD.choices_version + 1;
  NEW.choices_changed_at := now();
  PERFORM pg_notify('flamegate_revocations', NEW.grant_id || ' ' || NEW.choices_version);
  RETURN NEW;
END
$$;

CREATE TRIGGER count_choices BEFORE UPDATE OF choices ON oauth_grants
  FOR EACH ROW WHEN (OLD.choices IS DISTINCT FROM NEW.choices)
  EXECUTE FUNCTION flamegate_count_choices();

-- Secrets of clients, which were in clear, as hashes. Row-level security holds for the owner too.
ALTER TABLE oauth_records NO FORCE ROW LEVEL SECURITY;
UPDATE oauth_records
SET payload = jsonb_set(payload, '{client_secret}', to_jsonb(
  'sha256:' || encode(sha256(convert_to(payload ->> 'client_secret', 'UTF8')), 'hex')
))
WHERE model = 'Client' AND payload ->> 'client_secret' NOT LIKE 'sha256:%';
ALTER TABLE oauth_records FORCE ROW LEVEL SECURITY;
