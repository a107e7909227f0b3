-- Work can be called off. A task that waits ends at once; one that runs is asked to, and ends at its next checkpoint.

ALTER TABLE tasks ADD COLUMN cancel_requested_at timestamptz(3);

ALTER TABLE tasks DROP CONSTRAINT tasks_status_check;
ALTER TABLE tasks ADD CONSTRAINT tasks_status_check
  CHECK (status IN ('PENDING', 'RUNNING', 'SUCCESS', 'FAILED', 'CANCELLED'));
