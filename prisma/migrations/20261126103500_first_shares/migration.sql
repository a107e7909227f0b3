-- Which values of files, counters and lists are an agent's: those of its share at the start, whatever share it has later.
-- Null until then.
ALTER TABLE bench_shards ADD COLUMN first_share_index integer;
ALTER TABLE bench_shards ADD COLUMN first_share_count integer;
