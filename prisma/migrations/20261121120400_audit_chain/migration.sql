-- The audit log becomes a chain per writing process, that nobody can change unseen. What goes into a hash is said in
-- packages/db/src/audit-chain.ts; `verify-audit.ts` of the platform walks the chains.
--
-- Nothing here refers from one event to another but the hashes, so that a table of old events can be made into a
-- partition and dropped one day: a chain is verified from any anchor on.

ALTER TABLE audit_events
  ADD COLUMN arguments_digest text,
  ADD COLUMN decision text NOT NULL DEFAULT 'allowed',
  ADD COLUMN answer_bytes integer NOT NULL DEFAULT 0,
  ADD COLUMN trace_id text,
  -- The link is null in events from before this migration, and in no other.
  ADD COLUMN writer_id text COLLATE "C",
  ADD COLUMN sequence bigint,
  ADD COLUMN previous_hash text,
  ADD COLUMN hash text;

ALTER TABLE audit_events NO FORCE ROW LEVEL SECURITY;
UPDATE audit_events SET decision = 'refused' WHERE status IN (401, 403, 429);

ALTER TABLE audit_events
  ALTER COLUMN decision DROP DEFAULT,
  ALTER COLUMN answer_bytes DROP DEFAULT,
  ADD CONSTRAINT audit_events_decision_check CHECK (decision IN ('allowed', 'refused')),
  ADD CONSTRAINT audit_events_link_check
    CHECK (writer_id IS NOT NULL AND sequence IS NOT NULL AND previous_hash IS NOT NULL AND hash IS NOT NULL) NOT VALID;
CREATE UNIQUE INDEX audit_events_writer_id_sequence_key ON audit_events (writer_id, sequence);

-- How far a chain had come at a time: what follows can be verified without what came before, and what came before
-- cannot be replaced as a whole. Written every minute, and when the writer ends; also to its log.
CREATE TABLE audit_anchors (
  writer_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  hash text NOT NULL,
  -- The writer ended here. Nothing may follow.
  is_last boolean NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT audit_anchors_pkey PRIMARY KEY (writer_id, sequence, is_last)
);
-- The events from before, as the chain of nobody: that many there are, and no more.
INSERT INTO audit_anchors (writer_id, sequence, hash, is_last)
  SELECT '', count(*), '', true FROM audit_events;
ALTER TABLE audit_events FORCE ROW LEVEL SECURITY;

ALTER TABLE audit_anchors ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_anchors FORCE ROW LEVEL SECURITY;
GRANT INSERT ON audit_anchors TO flamegate_app;
CREATE POLICY add ON audit_anchors FOR INSERT TO flamegate_app WITH CHECK (true);

-- Whoever verifies reads everything: the owner, who may do more than that anyway.
CREATE POLICY verify ON audit_events FOR SELECT TO flamegate_owner USING (true);
CREATE POLICY verify ON audit_anchors FOR SELECT TO flamegate_owner USING (true);

-- Append-only also for those who have every right.
CREATE FUNCTION flamegate_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% only grows: no row of it is changed or removed.', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_anchors
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_append_only();
