-- Backups read everything as the owner of the tables, who is under row-level security like everybody else, and sees rows for as long
-- as it says in its own transaction that it backs up. A table that is added later needs the same policy.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relrowsecurity
  LOOP
    EXECUTE format($policy$CREATE POLICY backed_up ON %I FOR SELECT TO flamegate_owner
      USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on')$policy$, name);
  END LOOP;
END
$$;
