import { randomUUID } from 'node:crypto'
import { plainProject, startTestStores, testCaller, type TestStores } from '@flamegate/db/testing'
import { virtualUser, type ActionResult } from '@flamegate/loadtest'
import { jobHandlers, type JobDeps } from '@flamegate/operations'
import type { ObjectStorage, VirtualUserRunner } from '@flamegate/operations/ports'
import { targetRules } from '@flamegate/runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Validations as the worker does them, of a run that is made up. */

let at: TestStores
let ada: { userId: string; workspaceId: string }
let written: string[] = []

beforeAll(async () => {
  at = await startTestStores()
  ada = await at.signUp('ada')
}, 60_000)
afterAll(() => at?.stop())

const newId = (kind: string) => `${kind}_${randomUUID()}`
const asAda = () => testCaller(ada.userId, { [ada.workspaceId]: 'owner' }, 'write')

const storage = {
  write: async (key: string, bytes: Uint8Array) => {
    written.push(key)
    return { sizeBytes: bytes.length }
  },
}

const deps = (run: VirtualUserRunner['run']): JobDeps => ({
  stores: at.stores,
  queue: { add: async () => {}, remove: async () => {} },
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked of it
  storage: storage as unknown as ObjectStorage,
  sealing: { seal: (plain) => plain, open: (sealed) => sealed },
  targets: targetRules([]),
  publicUrl: 'https://flamegate.example',
  postMessage: () => Promise.reject(new RangeError('Nobody is told')),
  github: { url: '', request: () => Promise.reject(new RangeError('Nobody is told')) },
  runner: { run },
  sourceReader: { read: () => Promise.reject(new RangeError('Nothing is read')) },
})

/** As after `validate_virtual_user`. */
async function announce(
  actions: object[] = [],
  recordingId: string | null = null,
): Promise<{ taskId: string; validationId: string; projectId: string }> {
  const { workspaceId } = ada
  const { id: projectId } = await at.stores.projects.create(asAda(), {
    ...plainProject,
    id: newId('project'),
    workspaceId,
    slug: newId('project'),
    name: 'Shop',
  })
  const document = virtualUser.parse({ name: 'Shop', recording_id: recordingId, actions })
  const user = { id: newId('vu'), kind: 'virtual_user' as const, name: 'Shop', document, summary: {} }
  await at.stores.designs.create(asAda(), { workspaceId, projectId }, user, { words: 'Created' })
  const [taskId, validationId] = [newId('task'), newId('val')]
  const place = { workspaceId, projectId, taskId, virtualUserId: user.id, version: 1, iterations: 1 }
  await at.stores.validations.create(asAda(), { ...place, id: validationId })
  await at.stores.tasks.create(asAda(), {
    id: taskId,
    workspaceId,
    projectId,
    kind: 'validate_virtual_user',
    message: '',
    result: { validation_id: validationId },
  })
  return { taskId, validationId, projectId }
}

const runJob = (taskId: string, run: VirtualUserRunner['run']) =>
  jobHandlers.validate_virtual_user({ taskId, workspaceId: ada.workspaceId, requestId: 'req_1' }, deps(run))

const ended = { iterations: 1, passed: 0, failed: 0, ended: null }

const result = (sequence: number, change: Partial<ActionResult> = {}): ActionResult => ({
  sequence,
  iteration: 0,
  actionId: `act_${sequence}`,
  type: 'script',
  name: '',
  path: [],
  outcome: sequence % 2 === 0 ? 'passed' : 'failed',
  startedAt: '2026-11-20T10:00:00.000Z',
  durationMs: 1,
  status: null,
  sentBytes: 0,
  receivedBytes: 0,
  assertions: [],
  extractors: [],
  variables: {},
  failure: null,
  messages: [],
  exchanges: [],
  screenshot: null,
  trace: null,
  ...change,
})

test('of a run without end a bounded part is kept, everything is counted, and what is missing is told', async () => {
  const { taskId, validationId } = await announce()
  await runJob(taskId, async (_plan, finished) => {
    // oxlint-disable-next-line no-await-in-loop -- as they come
    for (let sequence = 0; sequence < 30_000; sequence++) await finished(result(sequence))
    return ended
  })
  const kept = await at.stores.validations.find(asAda(), validationId)
  expect(kept).toMatchObject({ state: 'FAILED', passed: 15_000, failed: 15_000 })
  expect(kept?.results).toHaveLength(20_000)
  expect(kept?.message).toBe('15000 of 30000 actions failed. 10000 more actions were done than are kept.')
}, 60_000)

test('results with much to tell are kept as long as they are together small enough for one row', async () => {
  const { taskId, validationId } = await announce()
  const messages = Array.from({ length: 200 }, () => 'm'.repeat(2000))
  await runJob(taskId, async (_plan, finished) => {
    // oxlint-disable-next-line no-await-in-loop -- as they come
    for (let sequence = 0; sequence < 200; sequence++) await finished(result(sequence, { messages }))
    return ended
  })
  const kept = await at.stores.validations.find(asAda(), validationId)
  expect(JSON.stringify(kept?.results).length).toBeLessThan(21_000_000)
  expect(kept).toMatchObject({ passed: 100, failed: 100 })
}, 60_000)

test('pictures and traces are kept up to a limit', async () => {
  written = []
  const { taskId, validationId } = await announce()
  const trace = new Uint8Array(100_000_000)
  await runJob(taskId, async (_plan, finished) => {
    // oxlint-disable-next-line no-await-in-loop -- as they come
    for (let sequence = 0; sequence < 4; sequence++) await finished(result(sequence, { trace }))
    return ended
  })
  const kept = await at.stores.validations.find(asAda(), validationId)
  expect(kept?.results.map(({ traceFileId }) => traceFileId === null)).toEqual([false, false, true, true])
  expect(written).toHaveLength(2)
})

test('a job that is delivered again after its end changes nothing', async () => {
  const { taskId, validationId } = await announce()
  await runJob(taskId, async (_plan, finished) => {
    await finished(result(0))
    return ended
  })
  await runJob(taskId, () => Promise.reject(new Error('It was run again')))
  expect(await at.stores.validations.find(asAda(), validationId)).toMatchObject({
    state: 'PASSED',
    passed: 1,
  })
})

test('one that is called off while it runs is told to stop, and ends as cancelled', async () => {
  const { taskId, validationId } = await announce()
  await runJob(taskId, async ({ signal }) => {
    await at.stores.tasks.requestCancel(asAda(), taskId)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return { ...ended, ended: 'It was cancelled.' }
  })
  expect(await at.stores.validations.find(asAda(), validationId)).toMatchObject({ state: 'CANCELLED' })
  expect(await at.stores.tasks.find(asAda(), taskId)).toMatchObject({ status: 'CANCELLED' })
})

test('a recording of another project says nothing of what was to come', async () => {
  const other = await announce()
  const recordingId = newId('rec')
  const file = newId('file')
  await at.stores.imports.complete(asAda(), {
    workspaceId: ada.workspaceId,
    projectId: other.projectId,
    taskId: other.taskId,
    fileName: 'shop.har',
    objects: [],
    change: { words: 'Imported', author: { userId: ada.userId, clientName: 'test' } },
    files: [],
    recording: {
      id: recordingId,
      file: {
        id: file,
        name: 'recording',
        contentType: 'application/gzip',
        sizeBytes: 1,
        sha256: null,
        storageKey: `${ada.workspaceId}/${file}`,
      },
      exchangeCount: 1,
      index: Buffer.from(
        JSON.stringify({
          schemaVersion: 1,
          exchanges: [{ offset: 0, length: 1, method: 'GET', url: 'https://x.example/', status: 418 }],
        }),
      ),
    },
    report: { format: 'har', elements: [], notes: [] },
    result: { virtual_users: [] },
  })
  const request = { type: 'http_request', id: 'act_0', method: 'GET', server_id: 'srv_1', path: '/' }
  const { taskId, validationId } = await announce([{ ...request, recorded: 0 }], recordingId)
  await runJob(taskId, async (_plan, finished) => {
    await finished(result(0, { type: 'http_request', status: 200 }))
    return ended
  })
  const kept = await at.stores.validations.find(asAda(), validationId)
  expect(kept?.results[0]).toMatchObject({ outcome: 'passed', recordedStatus: null })
})
