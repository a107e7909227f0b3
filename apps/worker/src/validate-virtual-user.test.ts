import { randomUUID } from 'node:crypto'
import { preparePeople } from '@flamegate/db/testing'
import {
  virtualUser,
  type ActionResult,
  type RecordedExchange,
  type ReplayedExchange,
} from '@flamegate/loadtest'
import { giveUpJob, jobHandlers } from '@flamegate/operations'
import type { KeptResult, ObjectStorage, VirtualUserRunner } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { lonelyDeps } from './testing/lonely-deps.ts'

/** Validations as the worker does them, of a run that is made up. */

const { at, ada, asAda, createProject } = preparePeople()
let written: string[] = []

const newId = (kind: string) => `${kind}_${randomUUID()}`

const storage = {
  write: async (key: string, bytes: Uint8Array) => {
    written.push(key)
    return { sizeBytes: bytes.length }
  },
  remove: async (key: string) => {
    written = written.filter((each) => each !== key)
  },
}

const deps = (run: VirtualUserRunner['run']) =>
  lonelyDeps({
    stores: at.stores,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked of it
    storage: storage as unknown as ObjectStorage,
    runner: { run },
  })

/** As after `validate_virtual_user`. */
async function announce(
  actions: object[] = [],
  recordingId: string | null = null,
  project: string | null = null,
): Promise<{ taskId: string; validationId: string; projectId: string }> {
  const { workspaceId } = ada
  const projectId = project ?? (await createProject())
  const document = virtualUser.parse({ name: 'Shop', recording_id: recordingId, actions })
  const id = newId('vu')
  const user = { id, kind: 'virtual_user' as const, name: id, document, summary: {} }
  await at.stores.designs.create(asAda(), { workspaceId, projectId }, user, { words: 'Created' })
  const [taskId, validationId] = [newId('task'), newId('val')]
  const place = { workspaceId, projectId, taskId, virtualUserId: user.id, version: 1, iterations: 1 }
  const expiresAt = new Date(Date.now() + 60_000)
  await at.stores.validations.create(asAda(), { ...place, id: validationId, expiresAt })
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

const keptResult: KeptResult = {
  sequence: 0,
  iteration: 0,
  actionId: 'act_0',
  type: 'script',
  name: '',
  path: [],
  outcome: 'passed',
  startedAt: '2026-11-20T10:00:00.000Z',
  durationMs: 1,
  status: null,
  recordedStatus: null,
  sentBytes: 0,
  receivedBytes: 0,
  assertions: [],
  extractors: [],
  variables: {},
  messages: [],
  failure: null,
  exchanges: [],
  screenshotFileId: null,
  traceFileId: null,
}

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
})

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
})

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

test('files of an attempt that did not come to its end go when another one does', async () => {
  written = []
  const { taskId, validationId } = await announce()
  const screenshot = new Uint8Array(10)
  const killed = runJob(taskId, async (_plan, finished) => {
    await finished(result(0, { screenshot }))
    throw new Error('the worker is gone')
  })
  await expect(killed).rejects.toThrow('the worker is gone')
  const [ofKilled] = written
  await runJob(taskId, async (_plan, finished) => {
    await finished(result(0, { screenshot }))
    return ended
  })
  const kept = await at.stores.validations.find(asAda(), validationId)
  const files = await at.stores.validations.listFiles(asAda(), validationId)
  expect(files.map(({ id }) => id)).toEqual([kept?.results[0]?.screenshotFileId])
  expect(written).toEqual(files.map(({ storageKey }) => storageKey))
  expect(written).not.toContain(ofKilled)
})

test('of one that is given up stays what was told', async () => {
  const { taskId, validationId } = await announce()
  const payload = { taskId, workspaceId: ada.workspaceId, requestId: 'req_1' }
  const told = { passed: 1, failed: 0, skipped: 0, message: 'Actions done: 1' }
  await at.stores.validations.progress(asAda(), validationId, { ...told, results: [keptResult] })
  await giveUpJob(
    payload,
    deps(() => Promise.reject(new Error('It was run'))),
  )
  expect(await at.stores.validations.find(asAda(), validationId)).toMatchObject({
    state: 'ERROR',
    message: expect.stringContaining('It was given up'),
    passed: 1,
    results: [{ actionId: 'act_0' }],
  })
  expect(await at.stores.tasks.find(asAda(), taskId)).toMatchObject({ status: 'FAILED' })
})

test('one that ended without its task being told is not run again', async () => {
  const { taskId, validationId } = await announce()
  await at.stores.validations.finish(asAda(), validationId, {
    state: 'PASSED',
    message: 'All 1 actions passed.',
    passed: 1,
    failed: 0,
    skipped: 0,
    results: [keptResult],
    fileId: null,
    index: null,
  })
  await runJob(taskId, () => Promise.reject(new Error('It was run again')))
  expect(await at.stores.tasks.find(asAda(), taskId)).toMatchObject({
    status: 'SUCCESS',
    result: { state: 'PASSED', passed: 1 },
  })
})

test('a task without a validation is ended', async () => {
  const { projectId } = await announce()
  const taskId = newId('task')
  await at.stores.tasks.create(asAda(), {
    id: taskId,
    workspaceId: ada.workspaceId,
    projectId,
    kind: 'validate_virtual_user',
    message: '',
    result: { validation_id: newId('val') },
  })
  await runJob(taskId, () => Promise.reject(new Error('It was run')))
  expect(await at.stores.tasks.find(asAda(), taskId)).toMatchObject({ status: 'FAILED' })
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

/** A recording of a project, as an import keeps it: of its exchanges what the index tells. */
async function recordingIn(
  { projectId, taskId }: { projectId: string; taskId: string },
  exchanges: Pick<RecordedExchange, 'url' | 'status'>[],
): Promise<string> {
  const recordingId = newId('rec')
  const file = newId('file')
  const index = exchanges.map((each) => ({ offset: 0, length: 1, method: 'GET', ...each }))
  await at.stores.imports.complete(asAda(), {
    workspaceId: ada.workspaceId,
    projectId,
    taskId,
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
      exchangeCount: exchanges.length,
      index: Buffer.from(JSON.stringify({ schemaVersion: 1, exchanges: index })),
    },
    report: { format: 'har', elements: [], notes: [] },
    result: { virtual_users: [] },
  })
  return recordingId
}

const shop = 'https://x.example'
const getRequest = (id: string, more: object) => ({
  type: 'http_request',
  id,
  method: 'GET',
  server_id: 'srv_1',
  path: '/',
  ...more,
})

function sent(role: 'main' | 'redirect', path: string, status: number, location?: string): ReplayedExchange {
  const none = { blockedMs: null, dnsMs: null, connectMs: null, tlsMs: null }
  const headers = location === undefined ? [] : [{ name: 'location', value: location }]
  return {
    role,
    resourceId: null,
    isFromCache: false,
    exchange: {
      startedAt: '2026-11-20T10:00:00.000Z',
      request: { method: 'GET', url: `${shop}${path}`, httpVersion: null, headers: [], body: null },
      response: { status, statusText: '', httpVersion: null, headers, body: null },
      error: null,
      timings: { ...none, sendMs: 0, firstByteMs: 1, downloadMs: 0, totalMs: 1 },
      remoteAddress: null,
    },
  }
}

test('what is led to the login page fails with what holds it, and an assertion decides where there is one', async () => {
  const { taskId, validationId, projectId } = await announce()
  const recordingId = await recordingIn(
    { projectId, taskId },
    [
      ['/account', 200],
      ['/pay', 302],
      ['/paid/17', 200],
    ].map(([path, status]) => ({ url: `${shop}${path}`, status: Number(status) })),
  )
  const toLogin = [sent('redirect', '/account', 302, '/login'), sent('main', '/login', 200)]
  const holder = { type: 'container', id: 'holder', name: 'Page' }
  const redirects = { recorded: [2] }
  const actions = [
    { ...holder, actions: [getRequest('led', { recorded: 0 }), getRequest('asserted', { recorded: 0 })] },
    getRequest('as_recorded', { recorded: 1, redirects }),
    getRequest('astray', { recorded: 1, redirects }),
  ]
  const begun = await announce(actions, recordingId, projectId)
  const page = { type: 'http_request', status: 200, outcome: 'passed' as const }
  await runJob(begun.taskId, async (_plan, finished) => {
    const inside = { ...page, path: ['holder'], exchanges: toLogin }
    const held = [{ id: 'ast_1', outcome: 'passed' as const, message: '' }]
    const paid = [sent('redirect', '/pay', 302, '/paid/18'), sent('main', '/paid/18', 200)]
    for (const each of [
      result(0, { ...inside, actionId: 'led' }),
      result(1, { ...inside, actionId: 'asserted', assertions: held }),
      result(2, { type: 'container', actionId: 'holder', outcome: 'passed' }),
      result(3, { ...page, actionId: 'as_recorded', exchanges: paid }),
      result(4, { ...page, actionId: 'astray', exchanges: toLogin }),
    ])
      // oxlint-disable-next-line no-await-in-loop -- as they come
      await finished(each)
    return ended
  })
  expect(validationId).not.toBe(begun.validationId)
  const kept = await at.stores.validations.find(asAda(), begun.validationId)
  expect(kept).toMatchObject({ state: 'FAILED', passed: 2, failed: 2 })
  expect(kept?.results.map(({ actionId, failure }) => [actionId, failure])).toEqual([
    [
      'led',
      'It was redirected (302) to /login, where 200 was recorded without a redirect: that may be the login page.',
    ],
    ['asserted', null],
    ['holder', '1 of 2 actions in it failed.'],
    ['as_recorded', null],
    [
      'astray',
      'It was redirected (302) to /login, where the recording was led to /paid/17: that may be the login page, or one that tells of an error.',
    ],
  ])
})

test('a recording of another project says nothing of what was to come', async () => {
  const recordingId = await recordingIn(await announce(), [{ url: `${shop}/`, status: 418 }])
  const { taskId, validationId } = await announce([getRequest('act_0', { recorded: 0 })], recordingId)
  await runJob(taskId, async (_plan, finished) => {
    await finished(result(0, { type: 'http_request', status: 200 }))
    return ended
  })
  const kept = await at.stores.validations.find(asAda(), validationId)
  expect(kept?.results[0]).toMatchObject({ outcome: 'passed', recordedStatus: null })
})
