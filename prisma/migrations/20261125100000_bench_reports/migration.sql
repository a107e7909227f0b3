-- Bench reports are documents of a project with versions, as scenarios are; so are their templates, the service levels that
-- runs are held against, and the monitors of what is under load.
ALTER TABLE design_objects DROP CONSTRAINT design_objects_kind_check;
ALTER TABLE design_objects ADD CONSTRAINT design_objects_kind_check
  CHECK (kind IN ('virtual_user', 'http_server', 'variable', 'correlation_rule', 'scenario', 'bench_report',
    'report_template', 'sla_profile', 'monitor'));

-- The report that was made with the run.
ALTER TABLE bench_results ADD COLUMN bench_report_id text COLLATE "C";
-- What its results were imported from; null: they were measured here.
ALTER TABLE bench_results ADD COLUMN imported_from text COLLATE "C";
ALTER TABLE bench_results ADD COLUMN tags jsonb NOT NULL DEFAULT '[]';
-- What later runs of its scenario are compared with.
ALTER TABLE bench_results ADD COLUMN is_baseline boolean NOT NULL DEFAULT false;
