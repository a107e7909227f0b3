-- Tells every process what became of runs, when the transaction commits, so that whoever looks at one need not ask all the
-- time: `BenchNews` of packages/operations/src/ports, as JSON. Seconds are told of by those who store them, and not each time.
CREATE FUNCTION flamegate_tell_bench_run() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run bench_results := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM pg_notify('flamegate_bench_news', json_build_object(
    'of', 'run',
    'benchResultId', run.id,
    'projectId', run.project_id,
    'state', CASE TG_OP WHEN 'DELETE' THEN NULL ELSE run.state END,
    'startedAtMs', (extract(epoch FROM run.started_at) * 1000)::bigint,
    'durationMs', run.duration_ms)::text);
  RETURN NULL;
END
$$;

CREATE FUNCTION flamegate_tell_bench_shard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('flamegate_bench_news', json_build_object(
    'of', 'agents',
    'benchResultId', NEW.bench_result_id)::text);
  RETURN NULL;
END
$$;

CREATE TRIGGER tell_bench_run AFTER INSERT OR DELETE ON bench_results
  FOR EACH ROW EXECUTE FUNCTION flamegate_tell_bench_run();
-- Not when somebody only says that the run is seen to.
CREATE TRIGGER tell_changed_bench_run AFTER UPDATE OF state, events, name, tags, is_baseline ON bench_results
  FOR EACH ROW EXECUTE FUNCTION flamegate_tell_bench_run();
CREATE TRIGGER tell_bench_shard AFTER UPDATE OF state ON bench_shards
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION flamegate_tell_bench_shard();
