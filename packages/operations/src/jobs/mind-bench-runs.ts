import { tellRun } from '../bench-runs/tell-run.ts'
import type { OpenBenchRun } from '../ports/index.ts'
import { workerCaller, type JobDeps } from './job.ts'

/** Those who watch look every second. */
const unwatchedMs = 5_000
const beginning = 'The job queue could not be reached'

/** What a worker knows from one look to the next. */
export interface EarlierLooks {
  /** Since when the queue is away; undefined while it is there. */
  awaySince: Date | undefined
  /** When it looked last, and since when it does without a break, as `performance.now()` tells. */
  lookedAtMs?: number
  looksSinceMs?: number
}

/**
 * Sees to it that somebody sees to every run that has not ended: a queue that was away may have forgotten its jobs, and those of a
 * worker that died are given to another one late. Where somebody does after all, two do, which is no harm. Tells all of them when the queue
 * was away.
 *
 * After a break of its own a worker waits for a while: if it was the database that was away, those who watch come back by themselves, and tell so.
 */
export async function mindBenchRuns(
  runs: readonly OpenBenchRun[],
  earlier: EarlierLooks,
  { queue, stores, check }: Pick<JobDeps, 'queue' | 'stores'> & { check: () => Promise<void> },
): Promise<void> {
  const nowMs = performance.now()
  if (nowMs - (earlier.lookedAtMs ?? -Infinity) > unwatchedMs) earlier.looksSinceMs = nowMs
  earlier.lookedAtMs = nowMs
  const isUpToDate = nowMs - (earlier.looksSinceMs ?? nowMs) >= unwatchedMs
  if (runs.length === 0) return
  try {
    await check()
  } catch (error) {
    earlier.awaySince ??= new Date()
    throw error
  }
  const { awaySince } = earlier
  earlier.awaySince = undefined
  for (const { workspaceId, id, unwatchedMs: pauseMs } of runs) {
    // oxlint-disable no-await-in-loop -- a queue that is away fails the first one
    if (awaySince !== undefined)
      await tellRun(
        { caller: workerCaller(workspaceId), deps: { stores } },
        id,
        `${beginning} for about ${Math.ceil((Date.now() - awaySince.getTime()) / 1000)} s. The run went on.`,
        { at: awaySince, beginning },
      )
    if (isUpToDate && pauseMs > unwatchedMs)
      await queue.add('end_bench_run', {
        taskId: id,
        benchResultId: id,
        workspaceId,
        requestId: `unwatched_${id}`,
      })
    // oxlint-enable no-await-in-loop
  }
}
