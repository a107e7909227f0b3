import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Told by the workers of the queue; see `EndedJob` there. */
export interface MeasuredJob {
  name: string
  outcome: string
  waitedMs: number
  durationMs: number
}

/** Told by what a worker does again and again. */
export interface MeasuredRound {
  name: string
  hasFailed: boolean
  durationMs: number
}

/** From a hundredth of a second to an hour: jobs are that different. */
const jobBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600]

/** Records what a worker does. */
export function measureWork(registry: Registry): {
  onJobEnded: (job: MeasuredJob) => void
  onRound: (round: MeasuredRound) => void
} {
  const registers = [registry]
  const durations = new Histogram({
    name: 'flamegate_job_duration_seconds',
    help: 'Time of one attempt at a job, by what came of it.',
    labelNames: ['kind', 'outcome'],
    buckets: jobBuckets,
    registers,
  })
  const waits = new Histogram({
    name: 'flamegate_job_wait_seconds',
    help: 'Time from when a job could have been begun until it was.',
    labelNames: ['kind'],
    buckets: jobBuckets,
    registers,
  })
  const rounds = new Histogram({
    name: 'flamegate_routine_duration_seconds',
    help: 'Time of one round of what a worker does again and again.',
    labelNames: ['routine'],
    buckets: [0.001, 0.01, 0.1, 1, 10, 60, 600],
    registers,
  })
  const failures = new Counter({
    name: 'flamegate_routine_failures_total',
    help: 'Rounds of what a worker does again and again that failed.',
    labelNames: ['routine'],
    registers,
  })
  const successes = new Gauge({
    name: 'flamegate_routine_last_success_timestamp_seconds',
    help: 'When a round of what a worker does again and again last came to its end.',
    labelNames: ['routine'],
    registers,
  })
  return {
    onJobEnded({ name, outcome, waitedMs, durationMs }) {
      durations.observe({ kind: name, outcome }, durationMs / 1_000)
      // Other attempts waited because the first one failed.
      if (waitedMs > 0) waits.observe({ kind: name }, waitedMs / 1_000)
    },
    onRound({ name, hasFailed, durationMs }) {
      rounds.observe({ routine: name }, durationMs / 1_000)
      // Both are there from the first round on, so that a failure is an increase.
      failures.inc({ routine: name }, hasFailed ? 1 : 0)
      if (!hasFailed) successes.set({ routine: name }, Date.now() / 1_000)
    },
  }
}
