import { createPostgresBackend, createRedisBackend, withBackend } from 'bullmq'
import type { BackendClasses, IQueueBackend } from 'bullmq'
import type { JobName, JobPayload, JobPayloads, JobQueue, QueueDesk } from '@flamegate/operations/ports'
import { answerWithinMs, asked, inTime } from './in-time.ts'
import { queueDesk } from './queue-desk.ts'
import type { QueueLog } from './queue-log.ts'
import { startWorkers } from './workers.ts'
import type { Attempts, JobHandlers, WorkerOptions, Workers } from './workers.ts'

export interface QueueOptions {
  /** Where jobs wait: Redis when given, else Postgres. */
  redisUrl?: string
  /** A role that may create the schema `bullmq` in its database (done here, on the first start). */
  postgresUrl?: string
  log: QueueLog
  /** Before the second attempt; it doubles for each that follows. */
  retryDelayMs?: number
  /** The trace that we are in, which goes along with a job; empty when there is none. */
  traceContext?: () => Readonly<Record<string, string>>
}

export interface OpenQueue extends JobQueue, QueueDesk {
  /** Takes jobs and works on them in this process until closed. */
  startWorkers(handlers: JobHandlers, options: WorkerOptions): Workers
  /** Rejects when the queue cannot be reached; for `/readyz`. */
  check(): Promise<void>
  /** After the workers. */
  close(): Promise<void>
}

export const queueName = 'flamegate'
/** Jobs that wait for what others do elsewhere, for minutes or hours: they must not take the place of those that do something. */
export const watchQueueName = 'flamegate-watch'
const watching: ReadonlySet<JobName> = new Set<JobName>(['run_bench_shard', 'end_bench_run'])

/**
 * What fails three times in a row needs a person. A database or a storage that is away mostly comes back within minutes: with twice as
 * long before each attempt, the twelfth is made half an hour to an hour after the first.
 */
const attempts: Attempts = { ofDefects: 3, whileAway: 12 }

/** A watcher costs a look a second; whoever watches for one that died has to begin soon. */
const watchers = { concurrency: 500, lockMs: 10_000 }
/** Those who watch are told to end; only those who do nothing at all end before that. */
const watchersEndMs = 300

/** Long enough to look into what happened, short enough to stay small. */
const keptJobs = {
  removeOnComplete: { age: 24 * 3600, count: 10_000 },
  removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
}

/** There is no queue where the settings say, or they say nothing. `message` is meant to be printed as it is. */
class NoQueue extends Error {
  override name = 'NoQueue'
  readonly isForOperator = true
}

/**
 * Opens the one queue of the platform.
 * @throws NoQueue when neither URL is given, or the server cannot be reached or prepared
 */
export async function openQueue(options: QueueOptions): Promise<OpenQueue> {
  if (options.redisUrl !== undefined) {
    const url = options.redisUrl
    return open(withBackend(createRedisBackend), options, {
      // A request must not wait for a Redis that is away, while a worker has nothing better to do.
      producer: { url, enableOfflineQueue: false, maxRetriesPerRequest: 1, connectTimeout: answerWithinMs },
      worker: { url, maxRetriesPerRequest: null },
    })
  }
  if (options.postgresUrl !== undefined) {
    const connection = {
      connectionString: options.postgresUrl,
      migrate: true,
      connectionTimeoutMillis: answerWithinMs,
    }
    return open(withBackend(createPostgresBackend), options, {
      producer: { ...connection, max: 4 },
      worker: { ...connection, max: 4 },
    })
  }
  throw new NoQueue('A setting is not right:\n  Set REDIS_URL, or FLAMEGATE_DATABASE_QUEUE_URL.')
}

async function open<B extends IQueueBackend, C>(
  backend: BackendClasses<B, C>,
  options: QueueOptions,
  connections: { producer: C; worker: C },
): Promise<OpenQueue> {
  const { log } = options
  const defaultJobOptions = {
    attempts: attempts.whileAway,
    backoff: { type: 'exponential', delay: options.retryDelayMs ?? 2_000, jitter: 0.5 },
    ...keptJobs,
  }
  const queue = new backend.Queue<JobPayloads[JobName], void, JobName>(queueName, {
    connection: connections.producer,
    defaultJobOptions,
  })
  const watchQueue = new backend.Queue<JobPayloads[JobName], void, JobName>(watchQueueName, {
    connection: connections.producer,
    defaultJobOptions,
  })
  const queueOf = (name: JobName) => (watching.has(name) ? watchQueue : queue)
  const flows = new backend.FlowProducer({ connection: connections.producer })
  // Of one that is not opened yet, whoever opens it is told; one that is being closed may hear that its server is leaving, too.
  let isOpen = false
  let lastWords = ''
  const warn = (error: Error) => {
    lastWords = error.message
    if (isOpen) log.warn({ err: error }, 'queue connection')
  }
  queue.on('error', warn)
  watchQueue.on('error', warn)
  flows.on('error', warn)
  try {
    await inTime(Promise.all([queue.waitUntilReady(), watchQueue.waitUntilReady()]))
    isOpen = true
  } catch (cause) {
    // The reason is more interesting than what closing a connection that never was has to say.
    await Promise.all([queue.close(), watchQueue.close()]).catch(() => undefined)
    const [setting, server] =
      options.redisUrl === undefined ? ['FLAMEGATE_DATABASE_QUEUE_URL', 'PostgreSQL'] : ['REDIS_URL', 'Redis']
    const words = lastWords || (cause instanceof Error ? cause.message : String(cause))
    throw new NoQueue(
      `A setting is not right:\n  ${setting}: ${server} could not be asked (${words}). Start it, or set this to where it is.`,
      { cause },
    )
  }
  const traced = <P extends JobPayload>(payload: P): P => {
    const trace = options.traceContext?.() ?? {}
    return Object.keys(trace).length === 0 ? payload : { ...payload, trace }
  }
  const flowJob = <N extends JobName>({ name, payload }: { name: N; payload: JobPayloads[N] }) => ({
    name,
    queueName: queueOf(name).name,
    data: traced(payload),
    opts: { ...defaultJobOptions, jobId: jobKey(name, payload.taskId) },
  })
  const add: JobQueue['add'] = async (name, payload, { delayMs } = {}) => {
    const once = { deduplication: { id: jobKey(name, payload.taskId) } }
    await asked(queueOf(name).add(name, traced(payload), delayMs === undefined ? once : { delay: delayMs }))
  }
  return {
    ...queueDesk([queue, watchQueue], add),
    add,
    addAfter: async (last, first) => {
      const children = first.map((each) => {
        const { opts, ...rest } = flowJob(each)
        return { ...rest, opts: { ...opts, ignoreDependencyOnFailure: true } }
      })
      await asked(flows.add({ ...flowJob(last), children }))
    },
    remove: async (name, taskId) => {
      const jobId = await asked(queueOf(name).getDeduplicationJobId(jobKey(name, taskId)))
      if (jobId !== null) await asked(queueOf(name).remove(jobId))
    },
    startWorkers: (handlers, workerOptions) => {
      const start = (name: string, own: Partial<WorkerOptions>) =>
        startWorkers(
          (process, settings) =>
            new backend.Worker<JobPayloads[JobName], void, JobName>(name, process, {
              connection: connections.worker,
              ...settings,
            }),
          handlers,
          { ...workerOptions, ...own, attempts, log },
        )
      const doing = start(queueName, {})
      const watchingOnly = start(watchQueueName, {
        ...watchers,
        lockMs: workerOptions.lockMs ?? watchers.lockMs,
      })
      return {
        close: async (closing) => {
          // Nothing is lost when a watcher ends at once: another one looks.
          await Promise.all([doing.close(closing), watchingOnly.close({ deadlineMs: watchersEndMs })])
        },
      }
    },
    check: async () => {
      await inTime(queue.getJobCounts('waiting'))
    },
    close: async () => {
      isOpen = false
      await Promise.all([queue.close(), watchQueue.close(), flows.close()])
    },
  }
}

/** Under which the same job twice is one. */
function jobKey(name: JobName, taskId: string): string {
  return `${name}.${taskId}`
}
