-- A benchmark that was measured in several processes has the value of each, in the order in which they ran, NULL for one
-- that lacks it; none for what was measured in one.
ALTER TABLE benchmark_results ADD COLUMN process_values double precision[] NOT NULL DEFAULT '{}';

-- Runs of one measurement, base and head, ran process by process in turns. Whoever uploads them makes up the id; it counts
-- within the project.
ALTER TABLE runs ADD COLUMN measurement_id text COLLATE "C";
CREATE INDEX runs_project_id_measurement_id_idx ON runs (project_id, measurement_id);
