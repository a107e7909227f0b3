import { setTimeout as sleep } from 'node:timers/promises'
import { UnrecoverableError, WaitingError } from 'bullmq'
import type { Job } from 'bullmq'
import { Problem } from '@flamegate/contract'
import { mayComeBack, type JobName, type JobPayloads } from '@flamegate/operations/ports'
import type { QueueLog } from './queue-log.ts'

export interface JobContext {
  /** 1 for the first time. */
  attempt: number
  /** From when it could have been begun until it was; 0 from the second attempt on. */
  waitedMs: number
  /** Aborted when the process is leaving and cannot wait any longer; the job will be done again elsewhere. */
  signal: AbortSignal
  /** 0 to 100. Rejects never: progress is nice to have. */
  reportProgress: (percent: number) => Promise<void>
}

/**
 * One handler per kind of job, idempotent by `taskId`. A thrown `Problem` is the user's and is not tried again, unless it says
 * that something is away for now; everything else is ours and is, up to three times, or for half an hour or more while something is away.
 */
export type JobHandlers = {
  [N in JobName]: (payload: JobPayloads[N], context: JobContext) => Promise<void>
}

/** An attempt that is over, for whoever counts them. */
export interface EndedJob {
  name: JobName
  /** `completed`, `refused` (the user's), `failed`, `will_retry` or `handed_back` (we are leaving). */
  outcome: 'completed' | 'refused' | 'failed' | 'will_retry' | 'handed_back'
  waitedMs: number
  durationMs: number
}

export interface WorkerOptions {
  /** Jobs at a time in this process. */
  concurrency: number
  onEnded?: (job: EndedJob) => void
  onProgress?: (name: JobName, payload: JobPayloads[JobName], percent: number) => Promise<void>
  /**
   * No more attempts will be made: a `Problem`, the last attempt's error, or a job that took its workers down with it
   * several times. Called before the queue forgets the job, at least once.
   */
  onGiveUp: (name: JobName, payload: JobPayloads[JobName], error: unknown) => Promise<void>
  /** A job whose worker has shown no sign of life for this long is given to another one. */
  lockMs?: number
}

/** How often a job is begun at most. */
export interface Attempts {
  /** When it fails for a reason that will hardly go away by itself. */
  ofDefects: number
  /** When it fails because something is away that will come back. */
  whileAway: number
}

export interface Workers {
  /** Takes no more jobs, waits for those at work, and after the deadline leaves them to other workers. */
  close(options: { deadlineMs: number }): Promise<void>
}

type QueuedJob = Job<JobPayloads[JobName], void, JobName>
type Process = (job: QueuedJob, token: string | undefined, signal: AbortSignal | undefined) => Promise<void>

/** What we use of BullMQ's worker, whatever its backend. */
interface QueueWorker {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'failed', listener: (job: QueuedJob | undefined, error: Error) => void): unknown
  on(event: 'stalled', listener: (jobId: string) => void): unknown
  cancelAllJobs(reason?: string): void
  close(force?: boolean): Promise<void>
}

interface WorkerSettings {
  concurrency: number
  lockDuration: number
  stalledInterval: number
  maxStalledCount: number
}

const handBackWithinMs = 1_000

/** Stops BullMQ from trying again, and keeps the reason. */
class NotAgain extends UnrecoverableError {
  constructor(cause: Error) {
    super(cause.message)
    this.cause = cause
  }
}

export function startWorkers(
  createWorker: (process: Process, settings: WorkerSettings) => QueueWorker,
  handlers: JobHandlers,
  options: WorkerOptions & { attempts: Attempts; log: QueueLog },
): Workers {
  const { log } = options
  const lockMs = options.lockMs ?? 60_000

  const giveUp = async (job: QueuedJob, error: unknown) => {
    try {
      await options.onGiveUp(job.name, job.data, error)
    } catch (reason) {
      log.error({ err: reason, job: job.name, taskId: job.data.taskId }, 'giving up on a job failed')
    }
  }

  let isClosing = false
  const worker = createWorker(
    async (job, token, signal) => {
      const startedAt = performance.now()
      const attempt = job.attemptsMade + 1
      const waitedMs = attempt === 1 ? Math.max(0, Date.now() - job.timestamp - job.delay) : 0
      const noteEnd = (outcome: EndedJob['outcome']) =>
        options.onEnded?.({ name: job.name, outcome, waitedMs, durationMs: performance.now() - startedAt })
      const line = (outcome: string) => ({
        job: job.name,
        taskId: job.data.taskId,
        workspaceId: job.data.workspaceId,
        requestId: job.data.requestId,
        attempt,
        outcome,
        ms: Math.round(performance.now() - startedAt),
      })
      const context: JobContext = {
        attempt,
        waitedMs,
        signal: signal ?? new AbortController().signal,
        reportProgress: async (percent) => {
          try {
            await job.updateProgress(percent)
            await options.onProgress?.(job.name, job.data, percent)
          } catch (error) {
            log.warn({ ...line('progress'), err: error }, 'progress was not recorded')
          }
        },
      }
      // At once and without counting as an attempt: it is not the job's fault that we are leaving.
      const handBack = async (): Promise<never> => {
        log.info(line('handed_back'), 'job')
        noteEnd('handed_back')
        await job.moveToWait(token)
        throw new WaitingError()
      }
      // BullMQ asks for one more job when its waiting for jobs is broken off, which may even be one that we have just handed back.
      if (isClosing) await handBack()
      try {
        await runHandler(handlers, job.name, job.data, context)
        log.info(line('completed'), 'job')
        noteEnd('completed')
      } catch (error) {
        const isAway = mayComeBack(error)
        if (error instanceof Problem && !isAway) {
          log.info(line(error.code), 'job')
          noteEnd('refused')
          await giveUp(job, error)
          throw new NotAgain(error)
        }
        if (signal?.aborted === true) await handBack()
        const isLast = attempt >= (isAway ? options.attempts.whileAway : options.attempts.ofDefects)
        const outcome = isLast ? 'failed' : 'will_retry'
        log.error({ ...line(outcome), err: error }, 'job')
        noteEnd(outcome)
        if (!isLast) throw error
        await giveUp(job, error)
        throw new NotAgain(error instanceof Error ? error : new Error(String(error)))
      }
    },
    { concurrency: options.concurrency, lockDuration: lockMs, stalledInterval: lockMs, maxStalledCount: 2 },
  )
  // See `openQueue`: not while closing.
  worker.on('error', (error) => {
    if (!isClosing) log.warn({ err: error }, 'worker connection')
  })
  worker.on('stalled', (jobId) => log.warn({ taskId: jobId }, 'job of a worker that is gone is taken over'))
  // Jobs that stalled too often are failed by BullMQ itself, without asking the handler.
  worker.on('failed', (job, error) => {
    if (job?.deferredFailure === undefined) return
    options.onEnded?.({ name: job.name, outcome: 'failed', waitedMs: 0, durationMs: 0 })
    void giveUp(job, error)
  })

  return {
    close: async ({ deadlineMs }) => {
      isClosing = true
      const closed = worker.close().then(() => true)
      if (await Promise.race([closed, sleep(deadlineMs, false, { ref: false })])) return
      log.warn({ deadlineMs }, 'jobs still at work are told to stop')
      worker.cancelAllJobs('shutting down')
      // A handler that does not listen keeps its job until its lock runs out, which it does when we are gone.
      await Promise.race([closed, sleep(handBackWithinMs, false, { ref: false })])
    },
  }
}

function runHandler<N extends JobName>(
  handlers: JobHandlers,
  name: N,
  payload: JobPayloads[N],
  context: JobContext,
): Promise<void> {
  return handlers[name](payload, context)
}
