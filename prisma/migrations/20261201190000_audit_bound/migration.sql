-- The audit log is about to be kept by months (see the next migration). What is there now becomes one part, which ends with the next
-- month, so that processes of the release before may write into it meanwhile. Proving that takes a scan of all of it: the bound is set
-- here, without one, and proved in a transaction of its own, in which everybody goes on to write.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE audit_events ADD CONSTRAINT audit_events_before_check CHECK (at < %L) NOT VALID',
    to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months', 'YYYY-MM-DD HH24:MI:SS+00'));
END
$$;
