-- What loading a page was like for a user with a real browser, as an agent measured it.
CREATE TABLE bench_page_loads (
  workspace_id text COLLATE "C" NOT NULL,
  bench_result_id text COLLATE "C" NOT NULL,
  -- Number of the agent in the run, and of the page load among those of the agent: one that comes again is known.
  agent integer NOT NULL,
  sequence integer NOT NULL,
  -- In which it began, since the run did.
  second integer NOT NULL,
  -- Places among those of the run.
  profile integer NOT NULL,
  action integer NOT NULL,
  -- Its path, without what differs from one thing to another.
  page text NOT NULL,
  -- Web vitals; null where they were not measured.
  ttfb_ms double precision,
  fcp_ms double precision,
  lcp_ms double precision,
  cls double precision,
  inp_ms double precision,
  CONSTRAINT bench_page_loads_pkey PRIMARY KEY (workspace_id, bench_result_id, agent, sequence),
  -- They are kept as long as the series of the run.
  CONSTRAINT bench_page_loads_workspace_id_bench_result_id_fkey FOREIGN KEY (workspace_id, bench_result_id)
    REFERENCES bench_series (workspace_id, bench_result_id) ON DELETE CASCADE
);

ALTER TABLE bench_page_loads ENABLE ROW LEVEL SECURITY;
ALTER TABLE bench_page_loads FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT ON bench_page_loads TO flamegate_app;
CREATE POLICY read ON bench_page_loads FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY add ON bench_page_loads FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY one_project ON bench_page_loads AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true ELSE EXISTS (
    SELECT FROM bench_results
    WHERE bench_results.workspace_id = bench_page_loads.workspace_id
      AND bench_results.id = bench_page_loads.bench_result_id
  ) END);
