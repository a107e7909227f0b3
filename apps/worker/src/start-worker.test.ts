import { randomUUID } from 'node:crypto'
import { findUnjudgedRuns } from '@flamegate/db'
import { plainRun, prepareProject } from '@flamegate/db/testing'
import type { ObjectStorage, Run } from '@flamegate/operations/ports'
import { openTestQueue } from '@flamegate/queue/testing'
import { targetRules } from '@flamegate/runtime'
import { expect, test } from 'vitest'
import { startWorker } from './start-worker.ts'

const nobody = () => Promise.reject(new RangeError('Nobody is told'))
const tellsNobody = {
  postMessage: nobody,
  sendMail: nobody,
  github: { url: '', request: nobody },
  sealing: { seal: async (plain: string) => plain, open: async (sealed: string) => sealed },
  targets: targetRules([]),
  sourceReader: { read: nobody },
  requestLogFiles: () => Promise.reject(new RangeError('No files are made')),
  workspaceArchives: () => Promise.reject(new RangeError('No archives are made')),
  resultReader: { read: nobody },
  printer: { print: nobody },
  newSecret: () => ({ secret: '', hash: '' }),
  runner: { run: nobody },
  publicUrl: 'https://flamegate.example',
  findDue: async () => [],
  findSchedules: async () => [],
  findOpenRuns: async () => [],
  limits: undefined,
}
const silent = { info: () => {}, warn: () => {}, error: () => {} }

const { at, ada, place, asAda } = prepareProject()

/** A run of main with one result, as an upload stores it, and nothing queued for it. */
async function storeRun(projectId: string): Promise<Run> {
  const { id } = await at.stores.runs.create(asAda(), {
    ...plainRun,
    id: 'run_1',
    workspaceId: ada.workspaceId,
    projectId,
    commitHash: 'abcdef1',
  })
  const result = {
    uri: 'bench::parse',
    name: 'parse',
    instrument: 'walltime',
    metric: 'time',
    betterWhen: 'lower',
    value: 100,
    unit: 'ns',
    stats: {},
    metrics: [],
  } as const
  return at.stores.runs.complete(asAda(), id, {
    adapter: 'go_bench',
    warnings: [],
    environment: {},
    results: [{ ...result, metrics: [] }],
  })
}

test('a run that came while the queue was away is judged when it is back', async () => {
  const anything = { branch: null, benchmarkId: null, metric: null }
  const limit = { test: 'static', lowerBound: null, upperBound: 1, windowRuns: 2, sampleMin: 1 } as const
  await at.stores.thresholds.set(asAda(), { ...place, ...anything, ...limit })
  const run = await storeRun(place.projectId)
  expect(run.unjudgedSince).toEqual(expect.any(Date))

  const queue = await openTestQueue(at.urls.queueUrl)
  const workers = startWorker({
    queue,
    stores: at.stores,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- judging reads no files
    storage: {} as ObjectStorage,
    concurrency: 1,
    sweep: async () => {},
    sweepLive: async () => {},
    judgeLive: async () => {},
    findUnjudged: () => findUnjudgedRuns(at.database, { olderThanMs: 0 }),
    findUnmadeFiles: async () => [],
    findForgotten: async () => [],
    ...tellsNobody,
    log: silent,
  })
  try {
    const isJudged = async () => (await at.stores.runs.find(asAda(), run.id))?.unjudgedSince
    await expect.poll(isJudged, { timeout: 20_000 }).toBeNull()
    const alerts = await at.stores.alerts.list(asAda(), place.projectId, { limit: 10 }, {})
    expect(alerts.map(({ runId, test: by }) => [runId, by])).toEqual([[run.id, 'static']])
    expect(await findUnjudgedRuns(at.database, { olderThanMs: 0 })).toEqual([])
  } finally {
    await workers.close({ deadlineMs: 1_000 })
    await queue.close()
  }
})

test('a job that was given up is done again when somebody asks for it, and its task with it', async () => {
  const taskId = `tsk_${randomUUID()}`
  const { workspaceId } = ada
  const task = { id: taskId, workspaceId, projectId: null, kind: 'export_workspace' }
  await at.stores.tasks.create(asAda(), { ...task, message: 'Waiting', result: {} })
  const statusNow = async () => (await at.stores.tasks.find(asAda(), taskId))?.status
  let isMended = false
  const queue = await openTestQueue(at.urls.queueUrl, { retryDelayMs: 20 })
  const workers = startWorker({
    queue,
    stores: at.stores,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is nothing to keep
    storage: {} as ObjectStorage,
    concurrency: 1,
    sweep: async () => {},
    sweepLive: async () => {},
    judgeLive: async () => {},
    findUnjudged: async () => [],
    findUnmadeFiles: async () => [],
    findForgotten: async () => [],
    ...tellsNobody,
    workspaceArchives: async () => {
      if (!isMended) throw new Error('There is no room for an archive.')
      // As of a task that is called off meanwhile.
      return undefined
    },
    log: silent,
  })
  try {
    await queue.add('export_workspace', { taskId, workspaceId, requestId: 'req-1' })
    const find = async () => (await queue.listFailed({ limit: 1 })).find((job) => job.taskId === taskId)
    await expect.poll(find, { timeout: 20_000 }).toMatchObject({ reason: 'There is no room for an archive.' })
    expect(await statusNow()).toBe('FAILED')
    isMended = true
    expect(await queue.retry((await find())?.id ?? '')).toBe(true)
    await expect.poll(statusNow, { timeout: 20_000 }).toBe('CANCELLED')
    expect(await find()).toBeUndefined()
  } finally {
    await workers.close({ deadlineMs: 1_000 })
    await queue.close()
  }
})
