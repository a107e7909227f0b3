-- Ids of benchmarks that were merged into others: links and agents that know one go on with the benchmark that is left.
CREATE TABLE merged_benchmarks (
  workspace_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  benchmark_id text COLLATE "C" NOT NULL,
  CONSTRAINT merged_benchmarks_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT merged_benchmarks_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT merged_benchmarks_workspace_id_benchmark_id_fkey FOREIGN KEY (workspace_id, benchmark_id)
    REFERENCES benchmarks (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX merged_benchmarks_workspace_id_benchmark_id_idx ON merged_benchmarks (workspace_id, benchmark_id);

ALTER TABLE merged_benchmarks ENABLE ROW LEVEL SECURITY;
ALTER TABLE merged_benchmarks FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON merged_benchmarks TO flamegate_app;
CREATE POLICY read ON merged_benchmarks FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY add ON merged_benchmarks FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY change ON merged_benchmarks FOR UPDATE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY remove ON merged_benchmarks FOR DELETE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY one_project ON merged_benchmarks AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
    ELSE project_id = (SELECT flamegate_project_id()) END);
