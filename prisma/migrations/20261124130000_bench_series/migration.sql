-- What load generators measured: the seconds of a run as they come, and its series, into which those are sealed.

-- That a run has series, and how far they are.
CREATE TABLE bench_series (
  workspace_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  -- As many seconds the run may last; of later ones nothing is taken.
  seconds_max integer NOT NULL,
  -- Places of actions that hold others. Totals leave them out, because their time is that of what they hold.
  containers jsonb NOT NULL,
  -- Up to this second there are chunks of 600 s.
  rolled_to integer NOT NULL DEFAULT 0,
  CONSTRAINT bench_series_pkey PRIMARY KEY (workspace_id, bench_result_id),
  CONSTRAINT bench_series_workspace_id_bench_result_id_fkey FOREIGN KEY (workspace_id, bench_result_id)
    REFERENCES bench_results (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX bench_series_bench_result_id_idx ON bench_series (bench_result_id);

-- Batches that were stored, in the same transaction as their ticks: one that comes again is known.
CREATE TABLE tick_batches (
  workspace_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  -- Number of the agent in the run.
  agent integer NOT NULL,
  -- Number of the batch among those of the agent.
  sequence integer NOT NULL,
  CONSTRAINT tick_batches_pkey PRIMARY KEY (workspace_id, bench_result_id, agent, sequence),
  CONSTRAINT tick_batches_workspace_id_bench_result_id_fkey FOREIGN KEY (workspace_id, bench_result_id)
    REFERENCES bench_series (workspace_id, bench_result_id) ON DELETE CASCADE
);

-- What an agent saw in one second, as it sent it, for a minute or two until it is sealed.
CREATE TABLE live_ticks (
  workspace_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  -- Since the run began.
  second integer NOT NULL,
  agent integer NOT NULL,
  sequence integer NOT NULL,
  tick bytea NOT NULL,
  CONSTRAINT live_ticks_pkey PRIMARY KEY (workspace_id, bench_result_id, second, agent, sequence),
  CONSTRAINT live_ticks_workspace_id_bench_result_id_fkey FOREIGN KEY (workspace_id, bench_result_id)
    REFERENCES bench_series (workspace_id, bench_result_id) ON DELETE CASCADE
);

-- Pieces of series: each of one series, of the seconds from one on, with a row for every 1, 10, 60 or 600 of them.
CREATE TABLE series_chunks (
  workspace_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  -- Seconds that a row counts.
  level integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- Of requests: whether rows are of each agent, or of all. Of gauges one chunk has both.
  is_apart boolean NOT NULL,
  -- Places among those of the run; -1: all together.
  action integer NOT NULL,
  profile integer NOT NULL,
  start_second integer NOT NULL,
  chunk bytea NOT NULL,
  CONSTRAINT series_chunks_pkey PRIMARY KEY
    (workspace_id, bench_result_id, level, kind, is_apart, action, profile, start_second),
  CONSTRAINT series_chunks_kind_check CHECK (kind IN ('requests', 'users', 'generator')),
  CONSTRAINT series_chunks_workspace_id_bench_result_id_fkey FOREIGN KEY (workspace_id, bench_result_id)
    REFERENCES bench_series (workspace_id, bench_result_id) ON DELETE CASCADE
);
-- Both are packed already: not to be compressed once more.
ALTER TABLE live_ticks ALTER COLUMN tick SET STORAGE EXTERNAL;
ALTER TABLE series_chunks ALTER COLUMN chunk SET STORAGE EXTERNAL;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['bench_series', 'tick_batches', 'live_ticks', 'series_chunks']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO flamegate_app', name);
    EXECUTE format($policy$CREATE POLICY read ON %I FOR SELECT TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY add ON %I FOR INSERT TO flamegate_app
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
    EXECUTE format($policy$CREATE POLICY one_project ON %1$I AS RESTRICTIVE TO flamegate_app
      USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true ELSE EXISTS (
        SELECT FROM bench_results
        WHERE bench_results.workspace_id = %1$I.workspace_id AND bench_results.id = %1$I.bench_result_id
      ) END)$policy$, name);
  END LOOP;
  -- A window that is sealed once more has its chunks changed.
  FOREACH name IN ARRAY ARRAY['bench_series', 'series_chunks']
  LOOP
    EXECUTE format('GRANT UPDATE ON %I TO flamegate_app', name);
    EXECUTE format($policy$CREATE POLICY change ON %I FOR UPDATE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
      WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
  END LOOP;
  -- Live ticks go when they are sealed, all the rest with the row of the run.
  FOREACH name IN ARRAY ARRAY['bench_series', 'live_ticks']
  LOOP
    EXECUTE format('GRANT DELETE ON %I TO flamegate_app', name);
    EXECUTE format($policy$CREATE POLICY remove ON %I FOR DELETE TO flamegate_app
      USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))$policy$, name);
  END LOOP;
END
$$;
