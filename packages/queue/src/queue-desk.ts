import type { FailedJob, JobName, JobPayloads, JobQueue, QueueDesk } from '@flamegate/operations/ports'
import { asked } from './in-time.ts'
import { lookAt, type Countable } from './queue-state.ts'

/** Failed jobs that are read at a time, to find those of one kind or those of a further page. */
const readAtOnce = 200

/** What we use of BullMQ's job, whatever its backend. */
interface QueuedJob {
  id?: string | undefined
  name: JobName
  data: JobPayloads[JobName]
  failedReason: string
  attemptsMade: number
  timestamp: number
  finishedOn?: number | undefined
  remove(): Promise<void>
}

/** And of its queue. */
interface Queue extends Countable {
  getFailed(start: number, end: number): Promise<(QueuedJob | undefined)[]>
  getJobState(id: string): Promise<string>
  getJob(id: string): Promise<QueuedJob | undefined>
}

/** Looking after the jobs of these queues, of which an id says which one it is: `queue:id`. */
export function queueDesk(queues: readonly Queue[], add: JobQueue['add']): QueueDesk {
  async function find(id: string): Promise<QueuedJob | undefined> {
    const end = id.indexOf(':')
    const queue = queues.find(({ name }) => name === id.slice(0, end))
    const own = id.slice(end + 1)
    // Asked first, because whatever else has that name in Redis is no job.
    return (await queue?.getJobState(own)) === 'failed' ? queue?.getJob(own) : undefined
  }

  return {
    look: () => asked(Promise.all(queues.map(lookAt))),

    listFailed: (page) =>
      asked(
        (async () => {
          const found = await Promise.all(queues.map((queue) => failedOf(queue, page)))
          return found
            .flat()
            .toSorted(newestFirst)
            .slice(0, page.limit + 1)
        })(),
      ),

    findFailed: async (id) => {
      const job = await asked(find(id))
      return job && told(id, job)
    },

    retry: async (id) => {
      const job = await asked(find(id))
      if (job === undefined) return false
      const { trace: _before, ...payload } = job.data
      // Added first: one that is in the list although it is done again does no harm, and one that is lost does.
      await add<JobName>(job.name, { ...payload, isRetried: true })
      await asked(job.remove())
      return true
    },

    removeFailed: async (id) => {
      const job = await asked(find(id))
      await asked(job?.remove() ?? Promise.resolve())
      return job !== undefined
    },
  }
}

type Page = Parameters<QueueDesk['listFailed']>[0]

async function failedOf(queue: Queue, { limit, after, name }: Page): Promise<FailedJob[]> {
  const found: FailedJob[] = []
  for (let start = 0; found.length <= limit; start += readAtOnce) {
    // oxlint-disable-next-line no-await-in-loop -- as few as it takes
    const jobs = await queue.getFailed(start, start + readAtOnce - 1)
    for (const job of jobs) {
      // One that was removed meanwhile.
      if (job?.id === undefined || (name !== undefined && job.name !== name)) continue
      const failed = told(`${queue.name}:${job.id}`, job)
      if (after === undefined || newestFirst(after, failed) < 0) found.push(failed)
    }
    if (jobs.length < readAtOnce) break
  }
  return found
}

function told(
  id: string,
  { name, data, failedReason, attemptsMade, timestamp, finishedOn }: QueuedJob,
): FailedJob {
  const { taskId, workspaceId, requestId } = data
  return {
    id,
    name,
    taskId,
    workspaceId,
    requestId,
    reason: failedReason,
    attempts: attemptsMade,
    createdAt: new Date(timestamp),
    failedAt: new Date(finishedOn ?? timestamp),
  }
}

type Place = Pick<FailedJob, 'failedAt' | 'id'>

function newestFirst(a: Place, b: Place): number {
  return b.failedAt.getTime() - a.failedAt.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}
