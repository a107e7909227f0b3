-- Series have chunks of each action by the hour.

-- Up to this second; runs from before have none.
ALTER TABLE bench_series ADD COLUMN hours_to integer NOT NULL DEFAULT 0;
