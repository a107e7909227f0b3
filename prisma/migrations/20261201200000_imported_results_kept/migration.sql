-- Results of other tools may have been measured long before they were imported: they are kept for as long as the plan says from then on, and
-- not from their end, by which a worker would remove them within the hour.
CREATE OR REPLACE FUNCTION flamegate_past_retention(kind text, days_max integer, rows_max integer)
  RETURNS TABLE (workspace_id text, id text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('flamegate.backs_up', 'on', true);
  RETURN QUERY SELECT workspaces.id, old.id
  FROM workspaces JOIN plans ON plans.id = workspaces.plan_id,
    LATERAL (SELECT now() - make_interval(days => least((plans.limits -> 'retention_days' ->> kind)::integer, days_max))) AS kept (since),
    LATERAL (
      (SELECT runs.id FROM runs
        WHERE kind = 'runs' AND runs.workspace_id = workspaces.id AND runs.created_at < kept.since
          AND NOT EXISTS (SELECT FROM projects
            WHERE projects.workspace_id = workspaces.id AND projects.baseline_run_id = runs.id)
        ORDER BY runs.created_at LIMIT rows_max)
      UNION ALL
      (SELECT profiles.id FROM profiles
        WHERE kind = 'profiles' AND profiles.workspace_id = workspaces.id AND profiles.created_at < kept.since
        ORDER BY profiles.created_at LIMIT rows_max)
      UNION ALL
      (SELECT bench_results.id FROM bench_results
        WHERE kind = 'bench_results' AND bench_results.workspace_id = workspaces.id
          AND bench_results.ended_at < kept.since AND bench_results.created_at < kept.since
          AND NOT bench_results.is_baseline
        ORDER BY bench_results.ended_at LIMIT rows_max)
      UNION ALL
      (SELECT mcp_sessions.id FROM mcp_sessions
        WHERE kind = 'mcp_sessions' AND mcp_sessions.workspace_id = workspaces.id AND mcp_sessions.created_at < kept.since
        ORDER BY mcp_sessions.created_at LIMIT rows_max)
      UNION ALL
      (SELECT live_recordings.id FROM live_recordings
        WHERE kind = 'live_recordings' AND live_recordings.workspace_id = workspaces.id
          AND live_recordings.created_at < kept.since
        ORDER BY live_recordings.created_at LIMIT rows_max)
    ) AS old
  WHERE kept.since IS NOT NULL
  LIMIT rows_max;
  PERFORM set_config('flamegate.backs_up', '', true);
END
$$;

CREATE OR REPLACE FUNCTION flamegate_plan_use(of_plan text, of_workspace text, result_purposes text[], kept jsonb)
  RETURNS TABLE (
    workspace_id text,
    storage_bytes bigint, result_bytes bigint, result_file_bytes bigint, live_recording_bytes bigint, mcp_report_bytes bigint,
    uploads_today bigint, agent_seconds_this_month bigint,
    old_runs bigint, old_profiles bigint, old_bench_results bigint,
    old_mcp_sessions bigint, old_live_recordings bigint
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
      AND ended_at < now() - make_interval(days => (kept ->> 'bench_results')::integer)
      AND created_at < now() - make_interval(days => (kept ->> 'bench_results')::integer)),
    (SELECT count(*) FROM mcp_sessions WHERE mcp_sessions.workspace_id = tenant.id
      AND created_at < now() - make_interval(days => (kept ->> 'mcp_sessions')::integer)),
    (SELECT count(*) FROM live_recordings WHERE live_recordings.workspace_id = tenant.id
      AND created_at < now() - make_interval(days => (kept ->> 'live_recordings')::integer))
  FROM workspaces AS tenant
  WHERE CASE WHEN of_workspace IS NULL THEN tenant.plan_id = of_plan ELSE tenant.id = of_workspace END;
  PERFORM set_config('flamegate.backs_up', '', true);
END
$$;
