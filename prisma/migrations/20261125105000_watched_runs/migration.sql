-- When somebody saw to the run last, as a worker does every second until it has ended, and since when without a break: what agents
-- said in a break could not be heard.
ALTER TABLE bench_results ADD COLUMN watched_at timestamptz(3);
ALTER TABLE bench_results ADD COLUMN watched_since timestamptz(3);

-- Workers look for those that nobody sees to in all workspaces, and see nothing else of runs there.
CREATE INDEX bench_results_created_at_idx ON bench_results (created_at)
  WHERE state IN ('PENDING', 'PREPARING', 'RUNNING', 'STOPPING');
GRANT SELECT (workspace_id, id, state, created_at, watched_at) ON bench_results TO flamegate_auth;
CREATE POLICY unwatched ON bench_results FOR SELECT TO flamegate_auth
  USING (state IN ('PENDING', 'PREPARING', 'RUNNING', 'STOPPING'));

-- Bytes of the run's chunks, which count against the plan of its workspace.
ALTER TABLE bench_series ADD COLUMN chunk_bytes bigint NOT NULL DEFAULT 0;
ALTER TABLE bench_series NO FORCE ROW LEVEL SECURITY;
ALTER TABLE series_chunks NO FORCE ROW LEVEL SECURITY;
UPDATE bench_series SET chunk_bytes = sums.bytes
FROM (
  SELECT workspace_id, bench_result_id, sum(length(chunk)) AS bytes FROM series_chunks
  GROUP BY workspace_id, bench_result_id
) AS sums
WHERE bench_series.workspace_id = sums.workspace_id AND bench_series.bench_result_id = sums.bench_result_id;
ALTER TABLE bench_series FORCE ROW LEVEL SECURITY;
ALTER TABLE series_chunks FORCE ROW LEVEL SECURITY;

-- The same second with all requests of a profile as one action, for questions that are not about actions. Null: it came before
-- there were any.
ALTER TABLE live_ticks ADD COLUMN totals bytea;
ALTER TABLE live_ticks ALTER COLUMN totals SET STORAGE EXTERNAL;
