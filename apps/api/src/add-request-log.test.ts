import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createSealing } from '@flamegate/auth'
import { newId, operations, Problem, type OutputOf, type RawInputOf } from '@flamegate/contract'
import { prepareProject } from '@flamegate/db/testing'
import { createExecute, implementations, type Deps } from '@flamegate/operations'
import type { RateLimiter } from '@flamegate/operations/ports'
import { noQueueDesk } from '@flamegate/queue/testing'
import { createArchiveLinks, openStorage } from '@flamegate/storage'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operationDeps } from './operation-deps.ts'

/** What agents send of the log of requests, and of page actions that they recorded, as the API takes it. */

const { at, ada, projectId, asAda } = prepareProject()
let deps: Deps
let folder = ''
let runId = ''
let shardId = ''

const action = { profile: 0, action_id: 'act_1', type: 'page', name: 'add to / cart', path: ['shop'] }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-log-'))
  const links = { baseUrl: 'https://flamegate.example', signingKey: 'k'.repeat(43) }
  const { storage } = await openStorage(
    { S3_REGION: '', S3_FORCE_PATH_STYLE: false, FLAMEGATE_STORAGE_DIR: folder },
    links,
  )
  deps = operationDeps({
    stores: at.stores,
    queue: { add: async () => {}, addAfter: async () => {}, remove: async () => {} },
    queueDesk: noQueueDesk,
    storage,
    archiveLinks: createArchiveLinks(links),
    publicUrl: links.baseUrl,
    admins: [],
    pushedProfileDays: 7,
    validationDays: 30,
    limits: undefined,
    auditKey: 'test',
    sealing: createSealing(at.identity),
    githubApiUrl: '',
    webhooksToLoopback: false,
    mailServer: undefined,
    targetsAllowed: [],
    dnsServers: [],
    ssoDomains: [],
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  runId = newId('benchResult')
  shardId = newId('benchShard')
  await at.stores.benchRuns.create(
    asAda(),
    {
      id: runId,
      workspaceId: ada.workspaceId,
      projectId,
      scenarioId: null,
      scenarioVersion: null,
      name: 'Checkout',
      durationMs: 60_000,
      agentWaitMs: 60_000,
      taskId: newId('task'),
      benchReportId: null,
      plan: { scenario: {}, virtual_users: [], servers: [], variables: [], actions: [action] },
    },
    [{ id: shardId, agentGroup: 'default', shareIndex: 0, shareCount: 1, engines: [] }],
  )
})

const unlimited: RateLimiter = {
  take: () => ({ refusedBy: undefined, retryAfterMs: 0, limits: [] }),
  release: () => {},
}
const words = async () => (await at.stores.benchRuns.find(asAda(), runId))?.events.map((event) => event.words)
const filesOf = () => at.stores.resultFiles.list(asAda(), runId)

/** Frames without rows, as gzip. */
function pieceOf(frames: number): string {
  const frame = new Uint8Array(12)
  new DataView(frame.buffer).setUint32(0, 8)
  return gzipSync(Buffer.concat(Array.from({ length: frames }, () => frame))).toString('base64')
}

async function add(
  sequence: number,
  content: string,
  { rowsLost = 0, limits }: { rowsLost?: number; limits?: Deps['limits'] } = {},
): Promise<unknown> {
  const execute = createExecute(implementations, { ...deps, limits })
  const principal = { ...asAda().principal, scopes: ['agent' as const] }
  const input = { shard_id: shardId, sequence, content, rows_lost: rowsLost }
  const origin = { principal, requestId: 'req_1', ip: '127.0.0.1' }
  const answer: unknown = await execute(operations.addRequestLog, input, origin)
  return answer
}

test('a piece that comes twice is kept once, and what was lost before it is told once', async () => {
  const piece = pieceOf(5)
  expect(await add(3, piece, { rowsLost: 7 })).toMatchObject({ outcome: 'stored', bench_result_id: runId })
  expect(await add(3, piece, { rowsLost: 7 })).toMatchObject({ outcome: 'stored' })
  expect(await add(4, piece)).toMatchObject({ outcome: 'stored' })
  const files = await filesOf()
  expect(files.map(({ name, purpose, status }) => [name, purpose, status])).toEqual([
    ['0000003.00000', 'request_log_piece', 'READY'],
    ['0000004.00000', 'request_log_piece', 'READY'],
  ])
  const bytes = await deps.storage.read(files[0]?.storageKey ?? '', { maxBytes: 1e6 })
  expect(Buffer.from(bytes).toString('base64')).toBe(piece)
  expect(await words()).toEqual([
    expect.stringMatching(/^7 requests of the agent in slot 0 are not in the files/),
  ])
  // Nobody is shown pieces.
  const page = { limit: 10 }
  expect(await at.stores.files.list(asAda(), { benchResultId: runId }, page)).toEqual([])
  expect(await at.stores.files.list(asAda(), { projectId }, page)).toEqual([])
})

test.each([
  ['no gzip', Buffer.from('rows').toString('base64')],
  ['no rows', gzipSync('rows').toString('base64')],
])('%s is refused, naming the field', async (_, content) => {
  const refused = await add(0, content).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({ code: 'invalid_input', errors: [{ field: 'content' }] })
  expect(await filesOf()).toEqual([])
})

test('without room the run goes on without files, and says so once', async () => {
  // A byte is left of what the plan has.
  const used = await at.stores.resultFiles.countBytes(asAda(), ada.workspaceId)
  const limits = { limiter: unlimited, factor: (used + 1) / (10 * 2 ** 30) }
  expect(await add(0, pieceOf(100), { limits })).toMatchObject({ outcome: 'stored' })
  expect(await add(1, pieceOf(1), { limits })).toMatchObject({ outcome: 'full' })
  expect(await add(2, pieceOf(1), { limits })).toMatchObject({ outcome: 'full' })
  expect(await filesOf()).toHaveLength(1)
  expect(await words()).toEqual([
    expect.stringMatching(
      /^The files of its requests end here: .* plan has 0 MiB\. The run goes on without them\.$/,
    ),
  ])
  expect((await at.stores.benchRuns.find(asAda(), runId))?.stopAskedAt).toBeNull()
})

test('what comes after the end is not wanted', async () => {
  await at.stores.benchRuns.change(asAda(), runId, () => ({
    run: { state: 'FINISHED', endedAt: new Date() },
    shards: [],
    events: [],
  }))
  expect(await add(0, pieceOf(1))).toMatchObject({ outcome: 'gone' })
  expect(await filesOf()).toEqual([])
})

test('lines of the log of an agent that come twice are kept once', async () => {
  const { resultFiles } = at.stores
  await resultFiles.addLogLines(asAda(), shardId, { from: 0, lines: ['one', 'two'] })
  await resultFiles.addLogLines(asAda(), shardId, { from: 0, lines: ['one', 'two', 'three'] })
  await resultFiles.addLogLines(asAda(), shardId, { from: 1, lines: ['two', 'three'] })
  expect(await resultFiles.listLogs(asAda(), runId, 2)).toEqual([
    { slot: 0, lines: ['two', 'three'], lineCount: 3 },
  ])
  await resultFiles.addLogLines(asAda(), shardId, { from: 3, lines: Array.from({ length: 3000 }, String) })
  expect(await resultFiles.listLogs(asAda(), runId, 0)).toEqual([{ slot: 0, lines: [], lineCount: 2000 }])
})

type Trace = typeof operations.addPageTrace

async function addTrace(
  input: Partial<RawInputOf<Trace>> = {},
  limits?: Deps['limits'],
): Promise<OutputOf<Trace>> {
  const execute = createExecute(implementations, { ...deps, limits })
  const principal = { ...asAda().principal, scopes: ['agent' as const] }
  const asked = { shard_id: shardId, sequence: 3, action: 0, has_failed: true, size_bytes: 3, ...input }
  const origin = { principal, requestId: 'req_1', ip: '127.0.0.1' }
  return operations.addPageTrace.output.parse(await execute(operations.addPageTrace, asked, origin))
}

test('a trace is announced, sent, and there: each call may come twice', async () => {
  const { outcome, upload } = await addTrace()
  expect([outcome, upload?.method]).toEqual(['wanted', 'PUT'])
  expect((await addTrace()).outcome).toBe('wanted')
  const [file] = await filesOf()
  expect(file).toMatchObject({
    name: 'trace-0-3-failed-add-to-cart.zip',
    purpose: 'page_trace',
    status: 'PENDING',
  })
  await deps.storage.write(file?.storageKey ?? '', Buffer.from('zip'), { contentType: 'application/zip' })
  expect(await addTrace()).toMatchObject({ outcome: 'stored', upload: null, bench_result_id: runId })
  expect(await addTrace()).toMatchObject({ outcome: 'stored' })
  expect((await filesOf()).map(({ status, sizeBytes }) => [status, sizeBytes])).toEqual([['READY', 3]])
  // Unlike pieces of logs it is shown, also while the run goes on.
  expect(await at.stores.files.list(asAda(), { benchResultId: runId }, { limit: 10 })).toHaveLength(1)
})

test('a trace of an action that the run does not have is refused, naming the field', async () => {
  await expect(addTrace({ action: 1 })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: [{ field: 'action' }],
  })
})

test('without room no more traces are taken, which the run says once', async () => {
  const used = await at.stores.resultFiles.countBytes(asAda(), ada.workspaceId)
  const limits = { limiter: unlimited, factor: (used + 1) / (10 * 2 ** 30) }
  expect(await addTrace({ size_bytes: 100 }, limits)).toMatchObject({ outcome: 'wanted' })
  expect(await addTrace({ sequence: 4 }, limits)).toMatchObject({ outcome: 'full', upload: null })
  expect(await addTrace({ sequence: 5 }, limits)).toMatchObject({ outcome: 'full' })
  expect(await words()).toEqual([
    expect.stringMatching(/^No more traces of its pages are kept: the result files/),
  ])
  expect(await filesOf()).toHaveLength(1)
})

test('a run that has ended takes no trace', async () => {
  await at.stores.benchRuns.change(asAda(), runId, () => ({
    run: { state: 'FINISHED', endedAt: new Date() },
    shards: [],
    events: [],
  }))
  expect(await addTrace()).toMatchObject({ outcome: 'gone', upload: null })
  expect(await filesOf()).toEqual([])
})
