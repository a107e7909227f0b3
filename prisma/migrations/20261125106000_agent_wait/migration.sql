-- How long a run waits for its agents: those that are started for it take longer than those that are there.
ALTER TABLE bench_results ADD COLUMN agent_wait_ms integer NOT NULL DEFAULT 60000;
