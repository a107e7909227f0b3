-- A share link is of a profile or of a bench report.
ALTER TABLE share_links ALTER COLUMN profile_id DROP NOT NULL;
ALTER TABLE share_links ADD COLUMN bench_report_id text COLLATE "C";
ALTER TABLE share_links ADD CONSTRAINT share_links_of_one_check CHECK (num_nonnulls(profile_id, bench_report_id) = 1);
ALTER TABLE share_links ADD CONSTRAINT share_links_workspace_id_bench_report_id_fkey
  FOREIGN KEY (workspace_id, bench_report_id) REFERENCES design_objects (workspace_id, id) ON DELETE CASCADE;
CREATE INDEX share_links_workspace_id_bench_report_id_idx ON share_links (workspace_id, bench_report_id);
GRANT SELECT (bench_report_id) ON share_links TO flamegate_app;

-- Reports that were printed know what they are of, and go when their time is over.
ALTER TABLE files ADD COLUMN bench_report_id text COLLATE "C";
ALTER TABLE files ADD CONSTRAINT files_workspace_id_bench_report_id_fkey
  FOREIGN KEY (workspace_id, bench_report_id) REFERENCES design_objects (workspace_id, id) ON DELETE CASCADE;
CREATE INDEX files_workspace_id_bench_report_id_idx ON files (workspace_id, bench_report_id);

-- The worker looks for them in all workspaces, and sees nothing else of files there.
GRANT SELECT (expires_at) ON files TO flamegate_auth;
CREATE POLICY printed ON files FOR SELECT TO flamegate_auth USING (purpose = 'print_bench_report');
CREATE INDEX files_expires_at_idx ON files (expires_at) WHERE purpose = 'print_bench_report';
