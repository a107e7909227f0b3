-- Old events of the audit log may go, from the beginning of their chain: only the owner of the tables removes them, in a transaction that
-- says so, and not the application. What is younger than 30 days stays in any case.
CREATE OR REPLACE FUNCTION flamegate_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_user = 'flamegate_owner'
    AND current_setting('flamegate.drops_old_audit', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% only grows: no row of it is changed or removed.', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE POLICY dropped ON audit_events FOR DELETE TO flamegate_owner
  USING ((SELECT current_setting('flamegate.drops_old_audit', true)) = 'on' AND at < now() - interval '30 days');
CREATE POLICY dropped ON audit_anchors FOR DELETE TO flamegate_owner
  USING ((SELECT current_setting('flamegate.drops_old_audit', true)) = 'on' AND at < now() - interval '30 days');
