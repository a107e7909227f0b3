import { beforeEach, expect, test } from 'vitest'
import type { CallContext, Implementation } from '../implement.ts'
import type { FailedJob, QueueDesk, Stores } from '../ports/index.ts'
import { reasonToShow } from './failed-job-on-wire.ts'
import { listJobs } from './list-jobs.ts'
import { removeJob } from './remove-job.ts'
import { retryJob } from './retry-job.ts'

// What is not used is not there, and fails the test.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

const failed = (id: string, name: FailedJob['name']): FailedJob => ({
  id,
  name,
  taskId: 'tsk_1',
  workspaceId: 'ws_1',
  requestId: 'req-1',
  reason: 'away',
  attempts: 8,
  createdAt: new Date(0),
  failedAt: new Date(1000),
})

let jobs: FailedJob[]
let done: string[]
let concerned: unknown[]

beforeEach(() => {
  jobs = [failed('flamegate:1', 'import_profile'), failed('flamegate-watch:2', 'run_bench_shard')]
  done = []
  concerned = []
})

const queueDesk: QueueDesk = {
  look: async () => [
    {
      queue: 'flamegate',
      jobs: { waiting: 2, prioritized: 1, 'waiting-children': 4, failed: 2 },
      oldestWaitingMs: 7,
    },
  ],
  listFailed: async () => jobs,
  findFailed: async (id) => jobs.find((job) => job.id === id),
  retry: async (id) => Boolean(done.push(`retry ${id}`)),
  removeFailed: async (id) => Boolean(done.push(`remove ${id}`)),
}

function call(implementation: Implementation, input: Record<string, unknown>, isAdmin = true) {
  return implementation.handle(
    implementation.operation.input.parse(input),
    onlyWith<CallContext>({
      principal: onlyWith<CallContext['principal']>({ userId: 'usr_1' }),
      concerns: (...of) => void concerned.push(of),
      deps: onlyWith<CallContext['deps']>({
        admins: [],
        queueDesk,
        stores: onlyWith<Stores>({
          users: onlyWith<Stores['users']>({
            findUser: async (id) => ({ id, email: 'a@example.com', name: 'A', emailVerifiedAt: new Date(0) }),
          }),
          administration: onlyWith<Stores['administration']>({ isAdmin: async () => isAdmin }),
        }),
      }),
    }),
  )
}

test('queues are told by what waits in them, and failed jobs with whether they can be done again', async () => {
  const answer = await call(listJobs, {})
  expect(answer).toMatchObject({
    queues: [{ queue: 'flamegate', waiting: 3, active: 0, blocked: 4, failed: 2, oldest_waiting_ms: 7 }],
    failed_jobs: [
      { job_id: 'flamegate:1', name: 'import_profile', attempts: 8, can_retry: true },
      { job_id: 'flamegate-watch:2', name: 'run_bench_shard', can_retry: false },
    ],
    next_cursor: null,
  })
})

test('a failed job is done again or forgotten, which is recorded with its id and in no workspace', async () => {
  await call(retryJob, { job_id: 'flamegate:1' })
  await call(removeJob, { job_id: 'flamegate-watch:2' })
  expect(done).toEqual(['retry flamegate:1', 'remove flamegate-watch:2'])
  expect(concerned).toEqual([
    [null, 'flamegate:1'],
    [null, 'flamegate-watch:2'],
  ])
})

test('what cannot go on is not done again, and what is not there is not found', async () => {
  await expect(call(retryJob, { job_id: 'flamegate-watch:2' })).rejects.toMatchObject({
    code: 'job_not_repeatable',
  })
  await expect(call(retryJob, { job_id: 'flamegate:9' })).rejects.toMatchObject({ code: 'job_not_found' })
  await expect(call(removeJob, { job_id: 'flamegate:9' })).rejects.toMatchObject({ code: 'job_not_found' })
  expect(done).toEqual([])
})

test('nobody but an administrator sees or changes any of it', async () => {
  for (const [implementation, input] of [
    [listJobs, {}],
    [retryJob, { job_id: 'flamegate:1' }],
    [removeJob, { job_id: 'flamegate:1' }],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, to tell which
    await expect(call(implementation, input, false)).rejects.toMatchObject({ code: 'job_not_found' })
  }
  expect(done).toEqual([])
})

test.each([
  ['connect ECONNREFUSED 10.0.0.7:9000', 'connect ECONNREFUSED 10.0.0.7:9000'],
  ['GET https://bob:hunter2@s3.example/a failed', 'GET https://[redacted]@s3.example/a failed'],
  [
    'PUT http://s3.example/a?X-Amz-Signature=abc was refused',
    'PUT http://s3.example/a?[redacted] was refused',
  ],
  ['Refused: Bearer abcdef123456, and fg_0123456789abcdef', 'Refused: [redacted], and [redacted]'],
  ['Query failed:\nSELECT secret FROM somewhere', 'Query failed:'],
  ['x'.repeat(5000), 'x'.repeat(300)],
])('the reason of a failure is shown in short and without secrets: %s', (reason, shown) => {
  expect(reasonToShow(reason)).toBe(shown)
})
