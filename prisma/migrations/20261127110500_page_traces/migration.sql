-- Traces of page actions are files of a run, too.
DROP POLICY of_bench_results ON files;
CREATE POLICY of_bench_results ON files FOR SELECT TO flamegate_auth
  USING (purpose IN ('request_log_piece', 'request_log', 'agent_log', 'failed_exchanges', 'page_trace'));
DROP INDEX files_workspace_id_purpose_idx;
CREATE INDEX files_workspace_id_purpose_idx ON files (workspace_id, purpose)
  WHERE purpose IN ('request_log_piece', 'request_log', 'agent_log', 'failed_exchanges', 'page_trace');
DROP INDEX files_status_created_at_idx;
CREATE INDEX files_status_created_at_idx ON files (status, created_at)
  WHERE purpose IN ('request_log_piece', 'request_log', 'agent_log', 'failed_exchanges', 'page_trace');
