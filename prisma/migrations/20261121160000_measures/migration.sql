-- A benchmark is what one instrument measures of one uri: time, instructions, memory, or a measure of the sender's. Which
-- way is better belongs to it; numbers are in the unit of their result, so their names say no unit any more.
ALTER TABLE benchmarks
  ADD COLUMN metric text COLLATE "C" NOT NULL DEFAULT 'time',
  ADD COLUMN better_when text COLLATE "C" NOT NULL DEFAULT 'lower' CHECK (better_when IN ('lower', 'higher'));
ALTER TABLE benchmarks ALTER COLUMN metric DROP DEFAULT, ALTER COLUMN better_when DROP DEFAULT;

ALTER TABLE benchmarks
  DROP CONSTRAINT benchmarks_project_id_uri_instrument_key,
  ADD CONSTRAINT benchmarks_project_id_uri_instrument_metric_key UNIQUE (project_id, uri, instrument, metric);

-- Of all workspaces, which no caller could.
ALTER TABLE benchmark_results NO FORCE ROW LEVEL SECURITY;
UPDATE benchmark_results SET stats = (
  SELECT coalesce(jsonb_object_agg(regexp_replace(key, 'Ns$', ''), value), '{}') FROM jsonb_each(stats)
);
ALTER TABLE benchmark_results FORCE ROW LEVEL SECURITY;
