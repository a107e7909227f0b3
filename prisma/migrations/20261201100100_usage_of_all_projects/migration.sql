-- What a workspace has stored, and what its agents may still take, also where the caller sees only one of its projects: what counts
-- against a plan is that of all of them.
CREATE FUNCTION flamegate_storage_bytes(workspace text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  bytes bigint;
BEGIN
  IF workspace = ANY (flamegate_ids('read')) THEN
    PERFORM set_config('flamegate.backs_up', 'on', true);
    SELECT sum(size_bytes) INTO bytes FROM files
      WHERE workspace_id = workspace AND (status = 'READY' OR (status = 'PENDING' AND expires_at > now()));
    PERFORM set_config('flamegate.backs_up', '', true);
  END IF;
  RETURN coalesce(bytes, 0);
END
$$;

CREATE FUNCTION flamegate_promised_agent_seconds(workspace text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  seconds bigint;
BEGIN
  IF workspace = ANY (flamegate_ids('read')) THEN
    PERFORM set_config('flamegate.backs_up', 'on', true);
    SELECT sum(ceil(bench_results.duration_ms / 1000.0)) INTO seconds
      FROM bench_results JOIN bench_shards ON bench_shards.workspace_id = bench_results.workspace_id
        AND bench_shards.bench_result_id = bench_results.id
      WHERE bench_results.workspace_id = workspace AND bench_results.ended_at IS NULL AND bench_shards.ended_at IS NULL;
    PERFORM set_config('flamegate.backs_up', '', true);
  END IF;
  RETURN coalesce(seconds, 0);
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_storage_bytes, flamegate_promised_agent_seconds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flamegate_storage_bytes, flamegate_promised_agent_seconds TO flamegate_app;
