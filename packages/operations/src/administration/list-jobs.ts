import { operations } from '@flamegate/contract'
import { pageAfter } from '../cursor.ts'
import { implement } from '../implement.ts'
import type { FailedJob, QueueState } from '../ports/index.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { failedJobOnWire } from './failed-job-on-wire.ts'

export const listJobs = implement(operations.listJobs)(async (input, context) => {
  await requireInstallationAdmin(context, 'job_not_found')
  const { queueDesk } = context.deps
  const { name } = input
  const queues = await queueDesk.look()
  const { rows, nextCursor } = await pageAfter<FailedJob, Pick<FailedJob, 'failedAt' | 'id'>>(
    'jobs',
    input,
    { name },
    {
      fetch: (limit, after) => queueDesk.listFailed({ limit, after, name }),
      sortKeyOf: ({ failedAt }) => failedAt.toISOString(),
      readSortKey: (key, id) => {
        const failedAt = new Date(key)
        return Number.isNaN(failedAt.getTime()) ? undefined : { failedAt, id }
      },
    },
  )
  return { queues: queues.map(queueOnWire), failed_jobs: rows.map(failedJobOnWire), next_cursor: nextCursor }
})

function queueOnWire({ queue, jobs, oldestWaitingMs }: QueueState) {
  return {
    queue,
    waiting: (jobs['waiting'] ?? 0) + (jobs['prioritized'] ?? 0),
    active: jobs['active'] ?? 0,
    delayed: jobs['delayed'] ?? 0,
    blocked: jobs['waiting-children'] ?? 0,
    failed: jobs['failed'] ?? 0,
    oldest_waiting_ms: oldestWaitingMs,
  }
}
