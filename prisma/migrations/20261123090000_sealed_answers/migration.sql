-- What a call answered may hold a secret that is shown once: it is kept sealed for those who ask again with the same key.
-- Answers from before are forgotten; they were kept for a day.

DELETE FROM idempotency_keys;
ALTER TABLE idempotency_keys RENAME COLUMN response TO sealed_answer;
ALTER TABLE idempotency_keys ALTER COLUMN sealed_answer TYPE text USING NULL;
