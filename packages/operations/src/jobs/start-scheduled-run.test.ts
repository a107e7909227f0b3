import { Problem } from '@flamegate/contract'
import { schedule } from '@flamegate/loadtest'
import { expect, test } from 'vitest'
import type { DesignObject, StoredSchedule, Stores } from '../ports/index.ts'
import type { JobDeps } from './job.ts'
import { startScheduledRun } from './start-scheduled-run.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

test('a start that fails because something is away is left to be gone on with, and is not told as failed', async () => {
  const away = new Problem('unavailable', 'The job queue cannot be reached. Try again.')
  let stored = onlyWith<StoredSchedule>({
    workspaceId: 'ws_1',
    document: schedule.parse({ type: 'cron', expression: '0 6 * * *' }),
    isEnabled: true,
    nextRunAt: new Date(Date.now() - 1_000),
    waitingSince: null,
    startingSince: null,
    firings: [],
    createdBy: 'usr_1',
  })
  const stores = onlyWith<Stores>({
    schedules: onlyWith<Stores['schedules']>({
      find: async () => stored,
      change: async (_caller, _id, decide) => (stored = { ...stored, ...decide(stored) }),
    }),
    benchRuns: onlyWith<Stores['benchRuns']>({ find: async () => undefined }),
    memberships: { rolesOf: async () => new Map([['ws_1', 'member']]) },
    designs: onlyWith<Stores['designs']>({ find: async () => onlyWith<DesignObject>({ kind: 'scenario' }) }),
    plans: { ofWorkspace: () => Promise.reject(away) },
  })
  const payload = { taskId: 'sch_1', scheduleId: 'sch_1', workspaceId: 'ws_1', requestId: 'req_1' }
  await expect(startScheduledRun(payload, onlyWith<JobDeps>({ stores }))).rejects.toBe(away)
  expect(stored.firings).toMatchObject([{ outcome: 'STARTING' }])
})
