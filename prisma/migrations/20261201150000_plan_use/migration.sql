-- What workspaces use of what a plan limits, and what it would keep no longer, for administrators of the installation who think of
-- changing a plan, or of giving a workspace another one. It tells numbers, and nothing of what is in a workspace.

-- Of the workspaces of a plan, or of one workspace. `kept` is how many days of each kind are to be kept, as in plans.limits; baselines stay.
CREATE FUNCTION flamegate_plan_use(of_plan text, of_workspace text, result_purposes text[], kept jsonb)
  RETURNS TABLE (
    workspace_id text,
    storage_bytes bigint, result_bytes bigint, result_file_bytes bigint, live_recording_bytes bigint, mcp_report_bytes bigint,
    uploads_today bigint, agent_seconds_this_month bigint,
    old_runs bigint, old_profiles bigint, old_bench_results bigint
  )
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('flamegate.backs_up', 'on', true);
  IF NOT flamegate_administers() THEN
    RAISE EXCEPTION 'Only administrators of the installation see what workspaces use.' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN QUERY SELECT tenant.id,
    (SELECT coalesce(sum(size_bytes), 0)::bigint FROM files WHERE files.workspace_id = tenant.id
      AND (status = 'READY' OR (status = 'PENDING' AND expires_at > now()))),
    (SELECT coalesce(sum(chunk_bytes), 0)::bigint FROM bench_series WHERE bench_series.workspace_id = tenant.id)
      + (SELECT coalesce(sum(length(tick)), 0)::bigint FROM live_ticks WHERE live_ticks.workspace_id = tenant.id),
    (SELECT coalesce(sum(size_bytes), 0)::bigint FROM files WHERE files.workspace_id = tenant.id
      AND purpose = ANY (result_purposes)),
    (SELECT coalesce(sum(size_bytes), 0)::bigint FROM live_recordings WHERE live_recordings.workspace_id = tenant.id),
    (SELECT coalesce(sum(size_bytes), 0)::bigint FROM mcp_sessions WHERE mcp_sessions.workspace_id = tenant.id),
    (SELECT coalesce(sum(uploads), 0)::bigint FROM usage_days WHERE usage_days.workspace_id = tenant.id
      AND day = flamegate_day(now())),
    (SELECT coalesce(sum(agent_seconds), 0)::bigint FROM usage_days WHERE usage_days.workspace_id = tenant.id
      AND day >= to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-01')),
    (SELECT count(*) FROM runs WHERE runs.workspace_id = tenant.id
      AND created_at < now() - make_interval(days => (kept ->> 'runs')::integer)
      AND NOT EXISTS (SELECT FROM projects
        WHERE projects.workspace_id = tenant.id AND projects.baseline_run_id = runs.id)),
    (SELECT count(*) FROM profiles WHERE profiles.workspace_id = tenant.id
      AND created_at < now() - make_interval(days => (kept ->> 'profiles')::integer)),
    (SELECT count(*) FROM bench_results WHERE bench_results.workspace_id = tenant.id AND NOT is_baseline
      AND ended_at < now() - make_interval(days => (kept ->> 'bench_results')::integer))
  FROM workspaces AS tenant
  WHERE CASE WHEN of_workspace IS NULL THEN tenant.plan_id = of_plan ELSE tenant.id = of_workspace END;
  PERFORM set_config('flamegate.backs_up', '', true);
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_plan_use FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flamegate_plan_use TO flamegate_auth;

-- What all workspaces used in a month.
CREATE INDEX usage_days_day_idx ON usage_days (day);
