-- Judging runs: none is forgotten when the queue of jobs is away, and a project may do without alerts.

-- Since when a run has results that nobody has judged; null: it is judged. What is there already, is.
ALTER TABLE runs ADD COLUMN unjudged_since timestamptz(3);
CREATE INDEX runs_unjudged_since_idx ON runs (unjudged_since) WHERE unjudged_since IS NOT NULL;

-- The worker looks for them in all workspaces, and sees nothing else of runs there.
GRANT SELECT (workspace_id, id, unjudged_since) ON runs TO flamegate_auth;
CREATE POLICY unjudged ON runs FOR SELECT TO flamegate_auth USING (unjudged_since IS NOT NULL);

-- Since when runs of a project raise no alerts, and who wanted it so; null: they do.
ALTER TABLE projects
  ADD COLUMN alerts_off_since timestamptz(3),
  ADD COLUMN alerts_off_by text COLLATE "C",
  ADD CONSTRAINT projects_alerts_off_by_fkey FOREIGN KEY (alerts_off_by) REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX projects_alerts_off_by_idx ON projects (alerts_off_by);
