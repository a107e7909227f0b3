-- Pushes that have no number, as those of OpenTelemetry, are known by a digest when they come again: of the last ones of a session,
-- eight bytes each. Null before the first.
ALTER TABLE live_sessions ADD COLUMN recent_pushes bytea;
