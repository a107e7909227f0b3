-- Tells every process whose tools and resources may look different from now on, when the transaction commits: a role
-- or a membership changed, or what a person left a client. Whoever waits on a stream is then told to list anew.
CREATE FUNCTION flamegate_tell_visible_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('flamegate_visible_changes', CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END);
  RETURN NULL;
END
$$;

CREATE TRIGGER tell_visible_change AFTER INSERT OR DELETE OR UPDATE OF role ON memberships
  FOR EACH ROW EXECUTE FUNCTION flamegate_tell_visible_change();
CREATE TRIGGER tell_visible_change AFTER UPDATE OF choices ON oauth_grants
  FOR EACH ROW WHEN (OLD.choices IS DISTINCT FROM NEW.choices)
  EXECUTE FUNCTION flamegate_tell_visible_change();
