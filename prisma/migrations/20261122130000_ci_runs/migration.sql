-- Uploads that the jobs of one CI run make by themselves, one each, are one run: they name it and the commit. Rows without
-- one never conflict.
ALTER TABLE runs ADD COLUMN ci_run text COLLATE "C";
CREATE UNIQUE INDEX runs_workspace_id_project_id_commit_hash_ci_run_key
  ON runs (workspace_id, project_id, commit_hash, ci_run);
