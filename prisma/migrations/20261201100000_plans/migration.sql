-- What workspaces may use, what they used, and what is past the time that their plan keeps it.

CREATE TABLE plans (
  id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  -- In which order they are listed.
  position integer NOT NULL,
  -- As planLimitsSchema of packages/contract reads it; null in it: not limited.
  limits jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT plans_pkey PRIMARY KEY (id),
  CONSTRAINT plans_limits_check CHECK (jsonb_typeof(limits) = 'object')
);
INSERT INTO plans (id, title, position, limits) VALUES
  ('free', 'Free', 1, '{
    "calls_per_minute": 12000, "uploads_per_day": 10000, "agent_hours_per_month": 1000,
    "storage_bytes": 21474836480, "result_bytes": 10737418240, "result_file_bytes": 10737418240,
    "live_app_bytes": 536870912, "live_recording_bytes": 536870912, "mcp_report_bytes": 1073741824,
    "load_users": 10000, "load_rate_per_second": 20000, "load_duration_ms": 86400000, "load_browser_users": 50,
    "retention_days": {"runs": 730, "profiles": 365, "bench_results": 365, "live_metrics": 7, "audit": 730}}'),
  ('team', 'Team', 2, '{
    "calls_per_minute": 60000, "uploads_per_day": 100000, "agent_hours_per_month": 10000,
    "storage_bytes": 536870912000, "result_bytes": 107374182400, "result_file_bytes": 214748364800,
    "live_app_bytes": 2147483648, "live_recording_bytes": 10737418240, "mcp_report_bytes": 10737418240,
    "load_users": 100000, "load_rate_per_second": 200000, "load_duration_ms": 259200000, "load_browser_users": 500,
    "retention_days": {"runs": 1825, "profiles": 1095, "bench_results": 1095, "live_metrics": 30, "audit": 1825}}'),
  ('enterprise', 'Enterprise', 3, '{
    "calls_per_minute": 300000, "uploads_per_day": null, "agent_hours_per_month": null,
    "storage_bytes": null, "result_bytes": null, "result_file_bytes": null,
    "live_app_bytes": 8589934592, "live_recording_bytes": null, "mcp_report_bytes": null,
    "load_users": null, "load_rate_per_second": null, "load_duration_ms": 604800000, "load_browser_users": null,
    "retention_days": {"runs": null, "profiles": null, "bench_results": null, "live_metrics": null, "audit": null}}');

ALTER TABLE plans ENABLE ROW LEVEL SECURITY;
ALTER TABLE plans FORCE ROW LEVEL SECURITY;
CREATE POLICY backed_up ON plans FOR SELECT TO flamegate_owner
  USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on');
GRANT SELECT ON plans TO flamegate_app;
CREATE POLICY read ON plans FOR SELECT TO flamegate_app, flamegate_auth USING (true);
GRANT SELECT, INSERT, UPDATE (title, position, limits, updated_at) ON plans TO flamegate_auth;
CREATE POLICY add ON plans FOR INSERT TO flamegate_auth WITH CHECK ((SELECT flamegate_administers()));
CREATE POLICY change ON plans FOR UPDATE TO flamegate_auth
  USING ((SELECT flamegate_administers())) WITH CHECK ((SELECT flamegate_administers()));

-- The column `plan` is read by processes of the release before, as long as these still run, and by nobody else.
ALTER TABLE workspaces ADD COLUMN plan_id text COLLATE "C" NOT NULL DEFAULT 'free';
ALTER TABLE workspaces ADD CONSTRAINT workspaces_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans (id);
GRANT UPDATE (plan_id) ON workspaces TO flamegate_auth;
CREATE FUNCTION flamegate_only_admins_set_plans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'flamegate_auth' AND NOT flamegate_administers() THEN
    RAISE EXCEPTION 'Only administrators of the installation give a workspace its plan.'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER only_admins_set_plans BEFORE UPDATE ON workspaces
  FOR EACH ROW WHEN (OLD.plan_id IS DISTINCT FROM NEW.plan_id)
  EXECUTE FUNCTION flamegate_only_admins_set_plans();

-- ---- What was used -----------------------------------------------------------------------------------------

-- Of each workspace and day. It refers to no workspace, because what a deleted one used is still told. Nobody but the functions
-- below writes here: the application cannot make it less.
CREATE TABLE usage_days (
  workspace_id text COLLATE "C" NOT NULL,
  -- In UTC, such as 2026-11-23.
  day text COLLATE "C" NOT NULL,
  -- Calls of operations that the audit log has, but for refused ones.
  calls bigint NOT NULL DEFAULT 0,
  uploads bigint NOT NULL DEFAULT 0,
  upload_bytes bigint NOT NULL DEFAULT 0,
  -- How long agents made load.
  agent_seconds bigint NOT NULL DEFAULT 0,
  -- The most that was seen that day.
  storage_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT usage_days_pkey PRIMARY KEY (workspace_id, day)
);
ALTER TABLE usage_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_days FORCE ROW LEVEL SECURITY;
CREATE POLICY backed_up ON usage_days FOR SELECT TO flamegate_owner
  USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on');
CREATE POLICY metered ON usage_days TO flamegate_owner
  USING ((SELECT current_setting('flamegate.meters', true)) = 'on')
  WITH CHECK ((SELECT current_setting('flamegate.meters', true)) = 'on');
GRANT SELECT ON usage_days TO flamegate_app;
CREATE POLICY read ON usage_days FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
GRANT SELECT ON usage_days TO flamegate_auth;
CREATE POLICY administered ON usage_days FOR SELECT TO flamegate_auth USING ((SELECT flamegate_administers()));

CREATE FUNCTION flamegate_day(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD');

-- Counts an upload, unless there were as many today as there may be: then it is false.
CREATE FUNCTION flamegate_meter_upload(workspace text, size_bytes bigint, uploads_max bigint) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  is_counted boolean;
BEGIN
  IF NOT workspace = ANY (flamegate_ids('write')) THEN
    RAISE EXCEPTION 'Uploads are counted of workspaces that one may change.' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF uploads_max <= 0 THEN
    RETURN false;
  END IF;
  PERFORM set_config('flamegate.meters', 'on', true);
  INSERT INTO usage_days AS known (workspace_id, day, uploads, upload_bytes)
    VALUES (workspace, flamegate_day(now()), 1, size_bytes)
    ON CONFLICT ON CONSTRAINT usage_days_pkey DO UPDATE
      SET uploads = known.uploads + 1, upload_bytes = known.upload_bytes + EXCLUDED.upload_bytes
      WHERE uploads_max IS NULL OR known.uploads < uploads_max;
  is_counted := FOUND;
  PERFORM set_config('flamegate.meters', '', true);
  RETURN is_counted;
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_meter_upload FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flamegate_meter_upload TO flamegate_app;

-- Calls are counted with the audit events that tell of them: in the same transaction, and so exactly once. Days are in order, so
-- that two processes do not wait for each other.
CREATE FUNCTION flamegate_meter_calls() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('flamegate.meters', 'on', true);
  INSERT INTO usage_days AS known (workspace_id, day, calls)
    SELECT workspace_id, flamegate_day(at), count(*) FROM added
    WHERE workspace_id IS NOT NULL AND decision = 'allowed' AND effect <> 'security'
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (workspace_id, day) DO UPDATE SET calls = known.calls + EXCLUDED.calls;
  PERFORM set_config('flamegate.meters', '', true);
  RETURN NULL;
END
$$;
CREATE TRIGGER metered AFTER INSERT ON audit_events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_meter_calls();

-- The time of an agent counts on the day on which its part of a run ends. One that goes on after all gives it back.
CREATE FUNCTION flamegate_meter_shard() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('flamegate.meters', 'on', true);
  PERFORM set_config('flamegate.backs_up', 'on', true);
  INSERT INTO usage_days AS known (workspace_id, day, agent_seconds)
    SELECT NEW.workspace_id, flamegate_day(ended.at), sum(ended.sign * seconds)
    FROM bench_results AS run,
      (VALUES (-1, OLD.created_at, OLD.ended_at), (1, NEW.created_at, NEW.ended_at)) AS ended (sign, since, at),
      LATERAL (SELECT greatest(0, ceil(extract(epoch FROM ended.at - greatest(run.started_at, ended.since))))::bigint) AS lasted (seconds)
    WHERE run.workspace_id = NEW.workspace_id AND run.id = NEW.bench_result_id
      AND run.started_at IS NOT NULL AND ended.at IS NOT NULL AND seconds > 0
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (workspace_id, day) DO UPDATE SET agent_seconds = known.agent_seconds + EXCLUDED.agent_seconds;
  PERFORM set_config('flamegate.meters', '', true);
  PERFORM set_config('flamegate.backs_up', '', true);
  RETURN NULL;
END
$$;
CREATE TRIGGER metered AFTER UPDATE OF ended_at ON bench_shards
  FOR EACH ROW WHEN (OLD.ended_at IS DISTINCT FROM NEW.ended_at AND NEW.load_generator_id IS NOT NULL)
  EXECUTE FUNCTION flamegate_meter_shard();

-- What all workspaces have stored, now. As often as one likes: the most of a day stays.
CREATE FUNCTION flamegate_meter_storage() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('flamegate.meters', 'on', true);
  PERFORM set_config('flamegate.backs_up', 'on', true);
  INSERT INTO usage_days AS known (workspace_id, day, storage_bytes)
    SELECT workspace_id, flamegate_day(now()), sum(size_bytes) FROM files WHERE status = 'READY'
    GROUP BY 1 ORDER BY 1
    ON CONFLICT (workspace_id, day) DO UPDATE SET storage_bytes = EXCLUDED.storage_bytes
      WHERE known.storage_bytes < EXCLUDED.storage_bytes;
  PERFORM set_config('flamegate.meters', '', true);
  PERFORM set_config('flamegate.backs_up', '', true);
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_meter_storage FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flamegate_meter_storage TO flamegate_auth;
CREATE INDEX files_workspace_id_status_idx ON files (workspace_id, status) INCLUDE (size_bytes, expires_at);

-- ---- What goes ---------------------------------------------------------------------------------------------

-- What is older than its workspace's plan keeps it, and than `days_max` where that is not null; baselines stay. Whoever removes
-- finds out by this where it is, and sees nothing else of it.
CREATE FUNCTION flamegate_past_retention(kind text, days_max integer, rows_max integer)
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
          AND bench_results.ended_at < kept.since AND NOT bench_results.is_baseline
        ORDER BY bench_results.ended_at LIMIT rows_max)
    ) AS old
  WHERE kept.since IS NOT NULL
  LIMIT rows_max;
  PERFORM set_config('flamegate.backs_up', '', true);
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_past_retention FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flamegate_past_retention TO flamegate_auth;
CREATE INDEX profiles_workspace_id_created_at_idx ON profiles (workspace_id, created_at);
CREATE INDEX bench_results_workspace_id_ended_at_idx ON bench_results (workspace_id, ended_at);

-- Which of these objects in storage no file tells of.
CREATE FUNCTION flamegate_unknown_objects(keys text[]) RETURNS SETOF text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('flamegate.backs_up', 'on', true);
  RETURN QUERY SELECT key FROM unnest(keys) AS key WHERE NOT EXISTS (SELECT FROM files WHERE storage_key = key);
  PERFORM set_config('flamegate.backs_up', '', true);
END
$$;
REVOKE EXECUTE ON FUNCTION flamegate_unknown_objects FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flamegate_unknown_objects TO flamegate_auth;
