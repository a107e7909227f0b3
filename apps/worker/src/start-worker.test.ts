import { randomUUID } from 'node:crypto'
import { findUnjudgedRuns, findWaitingUploads } from '@flamegate/db'
import { plainRun, prepareProject } from '@flamegate/db/testing'
import { queueArrivedUploads } from '@flamegate/operations'
import type { ObjectStorage, Run } from '@flamegate/operations/ports'
import { openTestQueue } from '@flamegate/queue/testing'
import { expect, test } from 'vitest'
import { startWorker } from './start-worker.ts'
import { lonelyDeps } from './testing/lonely-deps.ts'

/** Nothing waits for a worker but its jobs. */
const idle = {
  sweep: async () => {},
  sweepLive: async () => {},
  judgeLive: async () => {},
  findUnjudged: async () => [],
  findUnmadeFiles: async () => [],
  findForgotten: async () => [],
  findWaitingUploads: async () => [],
  findDue: async () => [],
  findSchedules: async () => [],
  findOpenRuns: async () => [],
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
    ...lonelyDeps({ stores: at.stores }),
    ...idle,
    queue,
    concurrency: 1,
    findUnjudged: () => findUnjudgedRuns(at.database, { olderThanMs: 0 }),
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
    ...lonelyDeps({ stores: at.stores }),
    ...idle,
    queue,
    concurrency: 1,
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

const goBench = new TextEncoder().encode('BenchmarkParse-2 100 10 ns/op\n')

/** Keeps what was uploaded in memory. */
function uploads() {
  const objects = new Map<string, Uint8Array>()
  const storage = {
    find: async (key: string) => {
      const bytes = objects.get(key)
      return bytes && { sizeBytes: bytes.length }
    },
    read: async (key: string) => objects.get(key),
  }
  /** A task that has waited for three minutes, with its run and its file. */
  const announce = async ({ isThere }: { isThere: boolean }) => {
    const fileId = `fil_${randomUUID()}`
    const taskId = `tsk_${randomUUID()}`
    const storageKey = `${ada.workspaceId}/${fileId}`
    const run = { ...plainRun, ...place, id: `run_${randomUUID()}`, commitHash: 'abcdef2' }
    await at.stores.runs.create(asAda(), run)
    await at.stores.files.create(asAda(), {
      ...place,
      id: fileId,
      runId: run.id,
      purpose: 'import_results',
      name: 'bench.txt',
      contentType: 'application/octet-stream',
      sizeBytes: goBench.length,
      storageKey,
      expiresAt: null,
    })
    const result = { file_id: fileId, run_id: run.id }
    await at.stores.tasks.create(asAda(), {
      ...place,
      id: taskId,
      kind: 'import_results',
      message: '',
      result,
    })
    await at.admin.query(`UPDATE tasks SET updated_at = now() - interval '3 minutes' WHERE id = $1`, [taskId])
    if (isThere) objects.set(storageKey, goBench)
    return taskId
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked of it
  return { announce, storage: storage as unknown as ObjectStorage }
}

test('an upload that is there is imported though nobody asks and its job was lost, and once where it was not', async () => {
  const { announce, storage } = uploads()
  const queue = await openTestQueue(at.urls.queueUrl)
  const deps = lonelyDeps({ stores: at.stores, storage, queue })
  const findUploads = () => findWaitingUploads(at.database)
  const waitingNow = async () => (await queue.look())[0]?.jobs['waiting'] ?? 0
  const before = await waitingNow()
  const queued = await announce({ isThere: true })
  await queue.add('import_results', { taskId: queued, workspaceId: ada.workspaceId, requestId: 'req-1' })
  const lost = await announce({ isThere: true })
  const absent = await announce({ isThere: false })
  for (let round = 0; round < 2; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as every minute
    await queueArrivedUploads(await findUploads(), deps)
    // oxlint-disable-next-line no-await-in-loop
    expect(await waitingNow()).toBe(before + 2)
  }

  const lostAfter = await announce({ isThere: true })
  const workers = startWorker({
    ...deps,
    ...idle,
    queue,
    concurrency: 1,
    findWaitingUploads: findUploads,
    log: silent,
  })
  try {
    const statuses = () =>
      Promise.all(
        [queued, lost, lostAfter, absent].map(
          async (id) => (await at.stores.tasks.find(asAda(), id))?.status,
        ),
      )
    await expect.poll(statuses, { timeout: 20_000 }).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'PENDING'])
  } finally {
    await workers.close({ deadlineMs: 1_000 })
    await queue.close()
  }
})
