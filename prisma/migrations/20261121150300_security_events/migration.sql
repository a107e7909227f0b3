-- What people do to their accounts, and what they allow clients, goes into the audit log too. It is no operation: the
-- sign-in pages and the OAuth server record it, as `flamegate_auth`. `effect` says `security`. What concerns one workspace,
-- such as a consent that names it, carries its id and is seen by its admins; everything else belongs to the person.

ALTER TABLE audit_events ADD COLUMN user_agent text;

ALTER TABLE audit_events DROP CONSTRAINT audit_events_decision_check;
ALTER TABLE audit_events ADD CONSTRAINT audit_events_decision_check
  CHECK (decision IN ('allowed', 'refused', 'confirmation_required', 'confirmed'));

-- Of one person, and of everybody, newest first. The condition is that of the policy below.
CREATE INDEX audit_events_user_id_at_id_idx ON audit_events (user_id, at DESC, id DESC)
  WHERE effect = 'security' OR (workspace_id IS NULL AND effect <> 'read');
CREATE INDEX audit_events_at_id_idx ON audit_events (at DESC, id DESC)
  WHERE effect = 'security' OR (workspace_id IS NULL AND effect <> 'read');

GRANT SELECT, INSERT ON audit_events TO flamegate_auth;
CREATE POLICY security_read ON audit_events FOR SELECT TO flamegate_auth
  USING (effect = 'security' OR (workspace_id IS NULL AND effect <> 'read'));
CREATE POLICY security_add ON audit_events FOR INSERT TO flamegate_auth WITH CHECK (effect = 'security');

GRANT INSERT ON audit_anchors TO flamegate_auth;
CREATE POLICY security_add ON audit_anchors FOR INSERT TO flamegate_auth WITH CHECK (true);
