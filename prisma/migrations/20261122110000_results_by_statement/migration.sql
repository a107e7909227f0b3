-- Results come by the hundred thousand, and a foreign key looks up one row after the other: two of them took two thirds
-- of the time of an import. What they promised is kept here instead, once per statement: a result belongs to a run and
-- to a benchmark, which are of one project, and goes with either.

-- The functions below run as the owner of the tables, who is under row-level security like everybody else, and sees
-- these rows for as long as one of them runs.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['projects', 'runs', 'benchmarks']
  LOOP
    EXECUTE format($policy$CREATE POLICY keep_results_seen ON %I FOR SELECT TO flamegate_owner
      USING ((SELECT current_setting('flamegate.keeps_results', true)) = 'on')$policy$, name);
    -- To lock a row takes the right to change it.
    EXECUTE format($policy$CREATE POLICY keep_results_locked ON %I FOR UPDATE TO flamegate_owner
      USING ((SELECT current_setting('flamegate.keeps_results', true)) = 'on') WITH CHECK (false)$policy$, name);
  END LOOP;
END
$$;
CREATE POLICY keep_results_seen ON benchmark_results FOR SELECT TO flamegate_owner
  USING ((SELECT current_setting('flamegate.keeps_results', true)) = 'on');
CREATE POLICY keep_results_removed ON benchmark_results FOR DELETE TO flamegate_owner
  USING ((SELECT current_setting('flamegate.keeps_results', true)) = 'on');

CREATE FUNCTION flamegate_results_belong() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  astray bigint;
BEGIN
  PERFORM set_config('flamegate.keeps_results', 'on', true);
  -- EXECUTE, so that each time it is planned for as many rows as there are. The lock on the project stands for one on
  -- each of its benchmarks: whoever removes one waits for it.
  EXECUTE 'SELECT FROM runs JOIN projects ON projects.workspace_id = runs.workspace_id AND projects.id = runs.project_id
    WHERE (runs.workspace_id, runs.id) IN (SELECT DISTINCT workspace_id, run_id FROM added)
    FOR KEY SHARE OF runs, projects';
  -- One look into an index for each row, whatever the planner thinks of the tables; of the rest there is little.
  EXECUTE 'SELECT count(*) FROM (
      SELECT workspace_id, run_id, (SELECT project_id FROM benchmarks
        WHERE benchmarks.workspace_id = added.workspace_id AND benchmarks.id = added.benchmark_id) AS project_id
      FROM added GROUP BY 1, 2, 3
    ) AS measured
    WHERE project_id IS NULL OR project_id IS DISTINCT FROM (SELECT project_id FROM runs
      WHERE runs.workspace_id = measured.workspace_id AND runs.id = measured.run_id)' INTO astray;
  IF astray > 0 THEN
    RAISE foreign_key_violation USING MESSAGE = 'a result is of a run and of a benchmark of one project';
  END IF;
  PERFORM set_config('flamegate.keeps_results', '', true);
  RETURN NULL;
END
$$;
CREATE TRIGGER belong_added AFTER INSERT ON benchmark_results REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_results_belong();

-- Moved to another benchmark when two become one.
CREATE FUNCTION flamegate_result_moves() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('flamegate.keeps_results', 'on', true);
  PERFORM FROM runs
    JOIN projects ON projects.workspace_id = runs.workspace_id AND projects.id = runs.project_id
    JOIN benchmarks ON benchmarks.workspace_id = runs.workspace_id AND benchmarks.project_id = runs.project_id
    WHERE runs.workspace_id = NEW.workspace_id AND runs.id = NEW.run_id AND benchmarks.id = NEW.benchmark_id
    FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING MESSAGE = 'a result is of a run and of a benchmark of one project';
  END IF;
  PERFORM set_config('flamegate.keeps_results', '', true);
  RETURN NULL;
END
$$;
CREATE TRIGGER belong_moved AFTER UPDATE OF workspace_id, run_id, benchmark_id ON benchmark_results FOR EACH ROW
  WHEN ((OLD.workspace_id, OLD.run_id, OLD.benchmark_id)
    IS DISTINCT FROM (NEW.workspace_id, NEW.run_id, NEW.benchmark_id))
  EXECUTE FUNCTION flamegate_result_moves();

CREATE FUNCTION flamegate_remove_results() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- An import that had the row locked was waited for, but an older snapshot would not see what it stored.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE invalid_transaction_state USING MESSAGE = format('%s are removed in READ COMMITTED only', TG_TABLE_NAME);
  END IF;
  PERFORM set_config('flamegate.keeps_results', 'on', true);
  IF TG_TABLE_NAME = 'benchmarks' THEN
    PERFORM FROM projects WHERE (workspace_id, id) IN (SELECT workspace_id, project_id FROM removed)
      ORDER BY workspace_id, id FOR UPDATE;
  END IF;
  EXECUTE format('DELETE FROM benchmark_results USING removed
    WHERE benchmark_results.workspace_id = removed.workspace_id AND benchmark_results.%I = removed.id', TG_ARGV[0]);
  PERFORM set_config('flamegate.keeps_results', '', true);
  RETURN NULL;
END
$$;
CREATE TRIGGER remove_results AFTER DELETE ON runs REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_remove_results('run_id');
CREATE TRIGGER remove_results AFTER DELETE ON benchmarks REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_remove_results('benchmark_id');

CREATE FUNCTION flamegate_keep_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE foreign_key_violation USING MESSAGE = format('the keys of "%s" never change', TG_TABLE_NAME);
END
$$;
CREATE TRIGGER keep_key AFTER UPDATE OF workspace_id, id, project_id ON runs FOR EACH ROW
  WHEN ((OLD.workspace_id, OLD.id, OLD.project_id) IS DISTINCT FROM (NEW.workspace_id, NEW.id, NEW.project_id))
  EXECUTE FUNCTION flamegate_keep_key();
CREATE TRIGGER keep_key AFTER UPDATE OF workspace_id, id, project_id ON benchmarks FOR EACH ROW
  WHEN ((OLD.workspace_id, OLD.id, OLD.project_id) IS DISTINCT FROM (NEW.workspace_id, NEW.id, NEW.project_id))
  EXECUTE FUNCTION flamegate_keep_key();

ALTER TABLE benchmark_results
  DROP CONSTRAINT benchmark_results_workspace_id_run_id_fkey,
  DROP CONSTRAINT benchmark_results_workspace_id_benchmark_id_fkey;

-- Looked up by id alone: the keys begin with the workspace, of which the policies name a list, and of a list the planner
-- thinks that it is long. Without statistics it prefers an index that merely ends with the id, and tries all beginnings.
CREATE UNIQUE INDEX runs_id_key ON runs (id);
CREATE UNIQUE INDEX benchmarks_id_key ON benchmarks (id);
