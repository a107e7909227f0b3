import { randomUUID } from 'node:crypto'
import { findDueSchedules } from '@flamegate/db'
import { preparePeople } from '@flamegate/db/testing'
import { httpServer, scenario, schedule, virtualUser } from '@flamegate/loadtest'
import { giveUpJob, jobHandlers, queueDueSchedules, type JobDeps } from '@flamegate/operations'
import type { JobQueue, StoredSchedule, Stores } from '@flamegate/operations/ports'
import { openTestQueue } from '@flamegate/queue/testing'
import { targetRules } from '@flamegate/runtime'
import { beforeEach, expect, test } from 'vitest'
import { startWorker } from './start-worker.ts'
import { lonelyDeps } from './testing/lonely-deps.ts'

/** Schedules that are due, as the worker looks after them. */

const { at, ada, asAda, createProject } = preparePeople()
let place: { workspaceId: string; projectId: string }
let scenarioId: string
/** Of the runs that were queued, with so many shards. */
let queued: [runId: string, shards: number][] = []

const newId = (kind: string) => `${kind}_${randomUUID()}`

const takesAll: JobQueue = {
  add: async () => {},
  addAfter: async ({ payload }, shards) => void queued.push([payload.taskId, shards.length]),
  remove: async () => {},
}

const deps = (change: Partial<JobDeps> = {}) =>
  lonelyDeps({ stores: at.stores, queue: takesAll, targets: targetRules(['127.0.0.1']), ...change })

beforeEach(async () => {
  queued = []
  place = { workspaceId: ada.workspaceId, projectId: await createProject() }
  const server = await store(
    'http_server',
    httpServer.parse({ name: 'shop', base_url: 'http://127.0.0.1:9' }),
  )
  const request = { type: 'http_request', id: 'act_1', method: 'GET', server_id: server, path: '/' }
  const user = await store('virtual_user', virtualUser.parse({ name: 'Buyer', actions: [request] }))
  const load = { type: 'ramp_up', users: 2, plateau_ms: 1000 }
  const profiles = [{ id: 'buyers', name: 'Buyers', virtual_user_id: user, load }]
  scenarioId = await store('scenario', scenario.parse({ name: 'Checkout', profiles }))
})

async function store(
  kind: 'http_server' | 'virtual_user' | 'scenario',
  document: { name: string },
): Promise<string> {
  const object = { id: newId(kind), kind, name: document.name, document, summary: {} }
  await at.stores.designs.create(asAda(), place, object, { words: 'Created' })
  return object.id
}

/** One that is due since a second, and then not for so long that no test sees it. */
async function dueSchedule(policies: object = {}): Promise<StoredSchedule> {
  const created = await at.stores.schedules.create(asAda(), {
    id: newId('sch'),
    ...place,
    scenarioId,
    name: 'Leap day',
    document: schedule.parse({ type: 'cron', expression: '0 0 29 2 *', ...policies }),
    agentsMax: 10,
    nextRunAt: new Date(Date.now() - 1_000),
  })
  if (created === undefined) throw new TypeError('There is no place for a schedule')
  return created
}

const payloadOf = (id: string) => ({
  taskId: id,
  scheduleId: id,
  workspaceId: ada.workspaceId,
  requestId: 'req_1',
})
const work = (id: string, change?: Partial<JobDeps>) =>
  jobHandlers.start_scheduled_run(payloadOf(id), deps(change))
const makeDue = (id: string) =>
  at.stores.schedules.change(asAda(), id, () => ({ nextRunAt: new Date(Date.now() - 1_000) }))

async function firingsOf(id: string) {
  return (await at.stores.schedules.find(asAda(), id))?.firings ?? []
}

const runsOf = () => at.stores.benchRuns.list(asAda(), { projectId: place.projectId }, { limit: 10 })

const withRole = (role: 'viewer' | undefined): Stores => ({
  ...at.stores,
  memberships: { rolesOf: async () => new Map(role === undefined ? [] : [[ada.workspaceId, role]]) },
})

test('starts a run in the name of whoever made it, and says so', async () => {
  const { id } = await dueSchedule()
  await work(id)
  const [run] = await runsOf()
  expect(run).toMatchObject({ name: 'Leap day', scenarioId, createdBy: ada.userId, state: 'PENDING' })
  expect(await firingsOf(id)).toMatchObject([{ outcome: 'STARTED', bench_result_id: run?.id, message: '' }])
  expect(queued).toEqual([[run?.id, 1]])
  expect(await at.stores.tasks.find(asAda(), run?.taskId ?? '')).toMatchObject({ kind: 'run_scenario' })
  const after = await at.stores.schedules.find(asAda(), id)
  expect(after?.nextRunAt?.getTime()).toBeGreaterThan(Date.now())
  expect(after?.startingSince).toBeNull()
})

test('a job that comes twice starts one run', async () => {
  const { id } = await dueSchedule()
  await Promise.allSettled([work(id), work(id)])
  await work(id)
  expect(await runsOf()).toHaveLength(1)
  expect(await firingsOf(id)).toMatchObject([{ outcome: 'STARTED' }])
})

test('a start that was interrupted is gone on with: one run, and its jobs', async () => {
  const { id } = await dueSchedule()
  const away = { ...takesAll, addAfter: () => Promise.reject(new Error('The queue is away')) }
  await expect(work(id, { queue: away })).rejects.toThrow('away')
  expect(await firingsOf(id)).toMatchObject([{ outcome: 'STARTING' }])
  await work(id)
  const runs = await runsOf()
  expect(runs).toHaveLength(1)
  expect(await firingsOf(id)).toMatchObject([{ outcome: 'STARTED', bench_result_id: runs[0]?.id }])
  expect(queued).toEqual([[runs[0]?.id, 1]])
})

test('one that cannot be started at all is told of, and the next one is started', async () => {
  const { id } = await dueSchedule()
  const away = { ...at.stores.benchRuns, create: () => Promise.reject(new Error('Out of room')) }
  await expect(work(id, { stores: { ...at.stores, benchRuns: away } })).rejects.toThrow('Out of room')
  await giveUpJob(payloadOf(id), deps())
  expect(await firingsOf(id)).toMatchObject([
    { outcome: 'FAILED', message: expect.stringContaining('defect'), bench_result_id: null },
  ])
  await makeDue(id)
  await work(id)
  expect((await firingsOf(id)).map(({ outcome }) => outcome)).toEqual(['STARTED', 'FAILED'])
})

test.each(['viewer', undefined] as const)('of somebody who is %s by now, nothing runs', async (role) => {
  const { id } = await dueSchedule()
  await work(id, { stores: withRole(role) })
  expect(await firingsOf(id)).toMatchObject([
    { outcome: 'FAILED', message: expect.stringContaining('any more') },
  ])
  expect(await runsOf()).toEqual([])
})

test('of a scenario that was deleted, nothing runs', async () => {
  const { id } = await dueSchedule()
  await at.stores.designs.remove(asAda(), scenarioId)
  await work(id)
  expect(await firingsOf(id)).toMatchObject([{ outcome: 'FAILED', message: 'The scenario was deleted.' }])
  expect(await runsOf()).toEqual([])
})

test('what the plan does without is not run, and says why', async () => {
  const { id } = await dueSchedule()
  const { plans } = at.stores
  await work(id, {
    stores: {
      ...at.stores,
      plans: {
        async ofWorkspace(workspaceId) {
          const plan = await plans.ofWorkspace(workspaceId)
          return { ...plan, limits: { ...plan.limits, features_off: ['scenarios'] } }
        },
      },
    },
  })
  expect(await firingsOf(id)).toMatchObject([
    { outcome: 'FAILED', message: expect.stringContaining('does not have scenarios') },
  ])
  expect(await runsOf()).toEqual([])
})

test('what the limits of load do not allow fails, and says why', async () => {
  const { id } = await dueSchedule()
  await work(id, { limits: { factor: 1e-4 } })
  expect(await firingsOf(id)).toMatchObject([
    { outcome: 'FAILED', message: expect.stringContaining('cannot run') },
  ])
  expect(await runsOf()).toEqual([])
})

test('while the run before goes on nothing is started, and after its end there is', async () => {
  const { id } = await dueSchedule()
  await work(id)
  const [run] = await runsOf()
  await makeDue(id)
  await work(id)
  expect(await firingsOf(id)).toMatchObject([
    { outcome: 'SKIPPED', message: expect.stringContaining(run?.id ?? '?') },
    { outcome: 'STARTED' },
  ])
  await at.stores.benchRuns.change(asAda(), run?.id ?? '', () => ({
    run: { state: 'FINISHED', endedAt: new Date() },
    shards: [],
    events: [],
  }))
  await makeDue(id)
  await work(id)
  expect((await firingsOf(id)).map(({ outcome }) => outcome)).toEqual(['STARTED', 'SKIPPED', 'STARTED'])
  expect(await runsOf()).toHaveLength(2)
})

test('a worker finds what is due by itself, and a look more often does no more', async () => {
  const { id } = await dueSchedule()
  const silent = { info: () => {}, warn: () => {}, error: () => {} }
  const queue = await openTestQueue(at.urls.queueUrl)
  const workers = startWorker({
    ...deps(),
    queue,
    concurrency: 2,
    sweep: async () => {},
    sweepLive: async () => {},
    judgeLive: async () => {},
    findUnjudged: async () => [],
    findUnmadeFiles: async () => [],
    findForgotten: async () => [],
    findWaitingUploads: async () => [],
    findOpenRuns: async () => [],
    findSchedules: async () => {
      const due = await findDueSchedules(at.database)
      await queueDueSchedules(queue, due)
      return due
    },
    findDue: async () => [],
    log: silent,
  })
  try {
    await expect.poll(() => firingsOf(id), { timeout: 20_000 }).toMatchObject([{ outcome: 'STARTED' }])
    expect(await runsOf()).toHaveLength(1)
    expect(await findDueSchedules(at.database)).toEqual([])
  } finally {
    await workers.close({ deadlineMs: 1_000 })
    await queue.close()
  }
})
