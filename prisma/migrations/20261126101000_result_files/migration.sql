-- Files of a run: the pieces in which its agents log every request, and what is made of these when it has ended. They stay without
-- the run until their bytes are gone, too.
ALTER TABLE files ADD COLUMN bench_result_id text COLLATE "C";
ALTER TABLE files ADD CONSTRAINT files_workspace_id_bench_result_id_fkey
  FOREIGN KEY (workspace_id, bench_result_id) REFERENCES bench_results (workspace_id, id)
  ON DELETE SET NULL (bench_result_id);
-- A piece that comes twice, and a file that is planned twice, is one.
CREATE UNIQUE INDEX files_workspace_id_bench_result_id_name_key ON files (workspace_id, bench_result_id, name);
-- How much of them a workspace has.
CREATE INDEX files_workspace_id_purpose_idx ON files (workspace_id, purpose)
  WHERE purpose IN ('request_log_piece', 'request_log', 'agent_log', 'failed_exchanges');

-- The worker looks in all workspaces for those that were not made, and those that have no run any more.
GRANT SELECT (bench_result_id, status) ON files TO flamegate_auth;
CREATE POLICY of_bench_results ON files FOR SELECT TO flamegate_auth
  USING (purpose IN ('request_log_piece', 'request_log', 'agent_log', 'failed_exchanges'));
CREATE INDEX files_status_created_at_idx ON files (status, created_at)
  WHERE purpose IN ('request_log_piece', 'request_log', 'agent_log', 'failed_exchanges');

-- What an agent says of its part of a run, a list of lines.
ALTER TABLE bench_shards ADD COLUMN log jsonb NOT NULL DEFAULT '[]';
