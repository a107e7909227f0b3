-- The worker looks for runs that ended long ago in all workspaces, and sees nothing else of them there.
GRANT SELECT (workspace_id, id, ended_at, is_baseline) ON bench_results TO flamegate_auth;
CREATE POLICY ended ON bench_results FOR SELECT TO flamegate_auth USING (ended_at IS NOT NULL);
CREATE INDEX bench_results_ended_at_idx ON bench_results (ended_at);
