import type { QueueState } from '@flamegate/operations/ports'

const states = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children', 'failed'] as const

/** What we use of BullMQ's queue, whatever its backend. */
export interface Countable {
  name: string
  getJobCounts(
    ...states: ('waiting' | 'active' | 'delayed' | 'prioritized' | 'waiting-children' | 'failed')[]
  ): Promise<Record<string, number>>
  getJobs(
    state: 'waiting',
    start: number,
    end: number,
    isAscending: boolean,
  ): Promise<({ timestamp: number; delay: number } | undefined)[]>
}

export async function lookAt(queue: Countable): Promise<QueueState> {
  const [jobs, [next]] = await Promise.all([
    queue.getJobCounts(...states),
    queue.getJobs('waiting', 0, 0, true),
  ])
  const oldestWaitingMs = next === undefined ? 0 : Math.max(0, Date.now() - next.timestamp - next.delay)
  return { queue: queue.name, jobs, oldestWaitingMs }
}
