-- Engines that others made which its profiles ask for: only agents that have them, and may run them, take it.
ALTER TABLE bench_shards ADD COLUMN engines text[] COLLATE "C" NOT NULL DEFAULT '{}';
