-- The audit log by months: of all large tables the one whose rows go by their age alone, whosever they are. A month that no plan keeps
-- any more is dropped as a whole, in place of a row at a time (packages/db/src/audit/drop-old-audit.ts).
--
-- Its parts are closed: everybody reaches them through `audit_events`, whose policies hold, and nobody but the owner directly.
--   audit_events_before   what was there before this migration, up to the next month
--   audit_events_2027_01  a month of UTC
--   audit_events_rest     what is of no other: what a chain still needs of a dropped month, and events of months that nobody prepared

ALTER TABLE audit_events VALIDATE CONSTRAINT audit_events_before_check;

ALTER TABLE audit_events RENAME TO audit_events_before;
DROP TRIGGER metered ON audit_events_before;
DROP POLICY read ON audit_events_before;
DROP POLICY add ON audit_events_before;
DROP POLICY security_read ON audit_events_before;
DROP POLICY security_add ON audit_events_before;
DROP POLICY backed_up ON audit_events_before;
REVOKE ALL ON audit_events_before FROM flamegate_app, flamegate_auth;

CREATE TABLE audit_events (LIKE audit_events_before INCLUDING DEFAULTS) PARTITION BY RANGE (at);
ALTER TABLE audit_events
  ADD CONSTRAINT audit_events_decision_check
    CHECK (decision IN ('allowed', 'refused', 'confirmation_required', 'confirmed')),
  -- Not of events from before there were chains.
  ADD CONSTRAINT audit_events_link_check
    CHECK (writer_id IS NOT NULL AND sequence IS NOT NULL AND previous_hash IS NOT NULL AND hash IS NOT NULL) NOT VALID;

-- As those of the part that is there, which are taken over. Ids and places in a chain are unique within a part only: a place that is
-- taken twice in two of them shows when the chain is verified.
CREATE UNIQUE INDEX audit_events_of_workspace_key ON audit_events (workspace_id, at DESC, id DESC);
CREATE INDEX audit_events_of_user_idx ON audit_events (user_id, at DESC, id DESC)
  WHERE effect = 'security' OR (workspace_id IS NULL AND effect <> 'read');
CREATE INDEX audit_events_of_all_idx ON audit_events (at DESC, id DESC)
  WHERE effect = 'security' OR (workspace_id IS NULL AND effect <> 'read');

ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_events FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT ON audit_events TO flamegate_app, flamegate_auth;
CREATE POLICY read ON audit_events FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('admin'))::text[]));
CREATE POLICY add ON audit_events FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id IS NULL OR workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY security_read ON audit_events FOR SELECT TO flamegate_auth
  USING (effect = 'security' OR (workspace_id IS NULL AND effect <> 'read'));
CREATE POLICY security_add ON audit_events FOR INSERT TO flamegate_auth WITH CHECK (effect = 'security');
CREATE POLICY verify ON audit_events FOR SELECT TO flamegate_owner USING (true);
CREATE POLICY dropped ON audit_events FOR DELETE TO flamegate_owner
  USING ((SELECT current_setting('flamegate.drops_old_audit', true)) = 'on' AND at < now() - interval '30 days');
CREATE POLICY backed_up ON audit_events FOR SELECT TO flamegate_owner
  USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on');
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_append_only();
CREATE TRIGGER metered AFTER INSERT ON audit_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_meter_calls();

DO $$
BEGIN
  EXECUTE format('ALTER TABLE audit_events ATTACH PARTITION audit_events_before FOR VALUES FROM (MINVALUE) TO (%L)',
    (SELECT (regexp_match(pg_get_constraintdef(oid), $bound$'([^']+)'$bound$))[1] FROM pg_constraint
      WHERE conrelid = 'audit_events_before'::regclass AND conname = 'audit_events_before_check'));
END
$$;
ALTER TABLE audit_events_before DROP CONSTRAINT audit_events_before_check;

-- A table for a part of the log, which nobody but the owner reaches by its own name, and which only grows.
CREATE FUNCTION flamegate_add_audit_part(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE audit_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (id)', name, name || '_pkey');
  EXECUTE format('CREATE UNIQUE INDEX %I ON %I (writer_id, sequence)', name || '_writer_id_sequence_key', name);
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY verify ON %I FOR SELECT TO flamegate_owner USING (true)', name);
  EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION flamegate_append_only()', name);
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_add_audit_part FROM PUBLIC;

SELECT flamegate_add_audit_part('audit_events_rest');
CREATE POLICY dropped ON audit_events_rest FOR DELETE TO flamegate_owner
  USING ((SELECT current_setting('flamegate.drops_old_audit', true)) = 'on' AND at < now() - interval '30 days');
CREATE POLICY kept ON audit_events_rest FOR INSERT TO flamegate_owner
  WITH CHECK ((SELECT current_setting('flamegate.drops_old_audit', true)) = 'on');
ALTER TABLE audit_events ATTACH PARTITION audit_events_rest DEFAULT;

-- Adds the months that are missing of this one and the next two, and tells their names; with `is_dry` it only tells. As often as one
-- likes, by any process. A month of which there are events already, in `audit_events_rest`, stays there. Whoever reads the log holds a
-- new part up, and would be held up in turn: after two seconds it is left to the next time.
CREATE FUNCTION flamegate_prepare_audit(is_dry boolean) RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET timezone = 'UTC' AS $$
DECLARE
  this_month timestamptz := date_trunc('month', now());
  since timestamptz;
  until timestamptz;
  name text;
BEGIN
  IF NOT is_dry AND NOT pg_try_advisory_xact_lock(hashtext('flamegate_prepare_audit')) THEN
    RETURN;
  END IF;
  SELECT greatest(this_month, max((regexp_match(pg_get_expr(relpartbound, oid), $bound$ TO \('([^']+)'\)$bound$))[1]::timestamptz))
    INTO since FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE inhparent = 'audit_events'::regclass;
  WHILE since < this_month + interval '3 months' LOOP
    until := since + interval '1 month';
    name := to_char(since, '"audit_events_"YYYY_MM');
    IF NOT EXISTS (SELECT FROM audit_events WHERE at >= since AND at < until) THEN
      IF NOT is_dry THEN
        BEGIN
          PERFORM flamegate_add_audit_part(name);
          EXECUTE format('ALTER TABLE audit_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, since, until);
        EXCEPTION WHEN lock_not_available THEN
          RETURN;
        END;
      END IF;
      RETURN NEXT name;
    END IF;
    since := until;
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_prepare_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flamegate_prepare_audit TO flamegate_auth;
SELECT flamegate_prepare_audit(false);
