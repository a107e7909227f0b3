import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { findLeftResultFiles } from '@flamegate/db'
import { prepareProject } from '@flamegate/db/testing'
import { RequestLogWriter, type RequestRow } from '@flamegate/loadtest/request-log'
import { jobHandlers, removeFoundFiles, type JobDeps } from '@flamegate/operations'
import type { FileRecord, PlannedFile } from '@flamegate/operations/ports'
import { openStorage } from '@flamegate/storage'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRequestLogFile } from './request-logs/request-log-file.ts'
import { lonelyDeps } from './testing/lonely-deps.ts'

/** Files of a run that has ended, as the worker makes them of what agents sent. */

const { at, ada, projectId, asAda } = prepareProject()
let folder: string
let deps: JobDeps
let runId: string
let shardIds: string[]

const startedAt = new Date('2026-11-22T10:00:00.000Z')
const newId = (kind: string) => `${kind}_${randomUUID()}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-files-'))
  const { storage } = await openStorage(
    { S3_REGION: '', S3_FORCE_PATH_STYLE: false, FLAMEGATE_STORAGE_DIR: folder },
    { baseUrl: 'https://flamegate.example', signingKey: 'k'.repeat(43) },
  )
  deps = lonelyDeps({ stores: at.stores, storage, requestLogFiles: openRequestLogFile })
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  runId = newId('bnr')
  shardIds = [newId('shd'), newId('shd')]
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
      taskId: newId('tsk'),
      benchReportId: null,
      plan: {
        scenario: { profiles: [{ name: 'buyers' }] },
        virtual_users: [],
        servers: [],
        variables: [],
        actions: [
          { profile: 0, action_id: 'a', type: 'http_request', name: 'GET /', path: ['shop'] },
          { profile: 0, action_id: 'b', type: 'http_request', name: '', path: [] },
        ],
      },
    },
    shardIds.map((id, shareIndex) => ({
      id,
      agentGroup: 'default',
      shareIndex,
      shareCount: 2,
      engines: [],
    })),
  )
  await at.stores.benchRuns.change(asAda(), runId, () => ({
    run: { state: 'FINISHED', startedAt, endedAt: new Date() },
    shards: [],
    events: [],
  }))
})

const run = () => ({ id: runId, workspaceId: ada.workspaceId, projectId })
const row = (endMs: number, more: Partial<RequestRow> = {}): RequestRow => ({
  endUs: endMs * 1000,
  responseUs: 10_000,
  serviceUs: 9_000,
  connectUs: 0,
  downloadUs: 500,
  sentBytes: 100,
  receivedBytes: 2000,
  status: 200,
  action: 0,
  user: 0,
  iteration: 0,
  profileUsers: 4,
  allUsers: 4,
  errorClass: '',
  failure: '',
  url: 'http://shop.test/',
  ...more,
})

async function addPiece(slot: number, sequence: number, rows: readonly RequestRow[]): Promise<void> {
  const writer = new RequestLogWriter(0)
  for (const each of rows) writer.add(each)
  const bytes = gzipSync(writer.take() ?? '')
  const name = `${String(sequence).padStart(7, '0')}.${String(slot).padStart(5, '0')}`
  const [piece] = await plan([
    { name, purpose: 'request_log_piece', contentType: '', sizeBytes: bytes.length },
  ])
  await deps.storage.write(piece?.storageKey ?? '', bytes, { contentType: '' })
  await at.stores.files.markReady(asAda(), piece?.id ?? '', { sizeBytes: bytes.length, sha256: null })
}

const plan = (files: PlannedFile[]) => at.stores.resultFiles.plan(asAda(), run(), files)
const planned = (name: string, purpose: PlannedFile['purpose']): PlannedFile => ({
  name,
  purpose,
  contentType: '',
  sizeBytes: 0,
})
const make = () =>
  jobHandlers.make_result_files({ taskId: runId, workspaceId: ada.workspaceId, requestId: 'req_1' }, deps)
const filesOf = () => at.stores.resultFiles.list(asAda(), runId)
const read = async ({ storageKey }: FileRecord) =>
  Buffer.from(await deps.storage.read(storageKey, { maxBytes: 1e9 }))

async function fileOf(name: string): Promise<Buffer> {
  const found = (await filesOf()).find((file) => file.name === name)
  if (found === undefined) throw new TypeError(`No file ${name}`)
  const bytes = await read(found)
  expect([found.status, found.sizeBytes]).toEqual(['READY', bytes.length])
  return bytes
}

test('all pieces of all agents become one JTL and one Parquet file, once, and go', async () => {
  await addPiece(1, 0, [row(20)])
  await addPiece(0, 1, [
    row(11_000, { action: 1, status: 0, serviceUs: -1, errorClass: 'reset', failure: 'gone' }),
  ])
  await addPiece(0, 0, [row(15), row(16)])
  // Its bytes never came.
  await plan([planned('0000002.00000', 'request_log_piece')])
  await plan([planned('requests.jtl.gz', 'request_log'), planned('requests.parquet', 'request_log')])
  await make()
  expect((await filesOf()).map(({ name }) => name)).toEqual(['requests.jtl.gz', 'requests.parquet'])
  const jtl = await fileOf('requests.jtl.gz')
  const lines = gunzipSync(jtl).toString().trimEnd().split('\n').slice(1)
  expect(lines.map((line) => line.split(',').slice(0, 6))).toEqual([
    ['1795341600005', '10', 'shop / GET /', '200', '', 'buyers 1.1-1'],
    ['1795341600006', '10', 'shop / GET /', '200', '', 'buyers 1.1-1'],
    ['1795341600010', '10', 'shop / GET /', '200', '', 'buyers 2.1-1'],
    [
      '1795341610990',
      '10',
      'b',
      'Non HTTP response code: reset',
      'Non HTTP response message: gone',
      'buyers 1.1-1',
    ],
  ])
  const parquet = new Uint8Array(await fileOf('requests.parquet'))
  const rows = await parquetReadObjects({ file: parquet.buffer })
  expect(rows).toHaveLength(4)
  expect(rows[0]).toEqual({
    time: new Date('2026-11-22T10:00:00.005Z'),
    label: 'shop / GET /',
    profile: 'buyers',
    response_time_us: 10_000n,
    service_time_us: 9_000n,
    connect_us: 0n,
    download_us: 500n,
    status: 200,
    error_class: null,
    failure: null,
    sent_bytes: 100n,
    received_bytes: 2000n,
    url: 'http://shop.test/',
    host: 'agent 0',
    thread: 'buyers 1.1-1',
    user: 0,
    iteration: 0,
    users: 4,
  })
  expect(rows[3]).toMatchObject({
    status: null,
    service_time_us: null,
    error_class: 'reset',
    failure: 'gone',
  })
  // A job that comes twice finds nothing to do, and takes nothing away.
  await make()
  expect(await fileOf('requests.jtl.gz')).toEqual(jtl)
})

test('logs and failed exchanges are files, and what no agent of ours would send is left out', async () => {
  const exchange = {
    startedAt: '2026-11-22T10:00:01.000Z',
    request: { method: 'GET', url: 'http://shop.test/', httpVersion: null, headers: [], body: null },
    response: { status: 500, statusText: 'Oh', httpVersion: null, headers: [], body: null },
    error: null,
    timings: {
      blockedMs: null,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      sendMs: null,
      firstByteMs: null,
      downloadMs: null,
      totalMs: 5,
    },
    remoteAddress: null,
  }
  const sample = { action: 0, profile: 0, errorClass: 'status_5xx' as const, message: 'it', at: startedAt }
  const [id = ''] = shardIds
  await at.stores.benchRuns.addSamples(
    asAda(),
    { id, workspaceId: ada.workspaceId, projectId, benchResultId: runId },
    [
      { ...sample, id: newId('smp'), exchange },
      { ...sample, id: newId('smp'), exchange: { request: 'none' } },
      { ...sample, id: newId('smp'), exchange: null },
    ],
  )
  await at.stores.resultFiles.addLogLines(asAda(), id, { from: 0, lines: ['begins', 'ends'] })
  await plan([planned('agent-0.log', 'agent_log'), planned('failed-exchanges.har', 'failed_exchanges')])
  await make()
  expect((await fileOf('agent-0.log')).toString()).toBe('begins\nends\n')
  const { log } = JSON.parse((await fileOf('failed-exchanges.har')).toString())
  expect(log.entries).toHaveLength(1)
  expect(log.entries[0]).toMatchObject({ request: { url: 'http://shop.test/' }, response: { status: 500 } })
})

test('what cannot be read is tried again, and nothing of it is shown', async () => {
  const [piece] = await plan([planned('0000000.00000', 'request_log_piece')])
  await deps.storage.write(piece?.storageKey ?? '', gzipSync('what is this?'), { contentType: '' })
  await at.stores.files.markReady(asAda(), piece?.id ?? '', { sizeBytes: 20, sha256: null })
  await plan([planned('requests.jtl.gz', 'request_log')])
  await expect(make()).rejects.toThrow('A frame is cut off')
  expect((await filesOf()).map(({ name, status }) => [name, status])).toEqual([
    ['0000000.00000', 'READY'],
    ['requests.jtl.gz', 'PENDING'],
  ])
})

test('a trace that an agent sent stays as it is, and one that it could not send goes', async () => {
  const [sent] = await plan([planned('trace-0-0-failed-buy.zip', 'page_trace')])
  await deps.storage.write(sent?.storageKey ?? '', Buffer.from('zip'), { contentType: '' })
  await at.stores.files.markReady(asAda(), sent?.id ?? '', { sizeBytes: 3, sha256: null })
  await plan([planned('trace-0-1-passed-buy.zip', 'page_trace')])
  await make()
  expect((await filesOf()).map(({ name }) => name)).toEqual(['trace-0-0-failed-buy.zip'])
  expect((await fileOf('trace-0-0-failed-buy.zip')).toString()).toBe('zip')
})

test('pieces of a run that goes on are kept for however long it takes, and for three days after that', async () => {
  await addPiece(0, 0, [row(1)])
  const [piece] = await filesOf()
  await at.admin.query(`UPDATE files SET created_at = now() - interval '5 days' WHERE id = $1`, [piece?.id])
  const ended = (daysAgo: number | null) =>
    at.admin.query('UPDATE bench_results SET ended_at = now() - make_interval(days => $2) WHERE id = $1', [
      runId,
      daysAgo,
    ])
  const isLeft = async () =>
    (await findLeftResultFiles(at.database, { limit: 100 })).some(({ id }) => id === piece?.id)
  await ended(null)
  expect(await isLeft()).toBe(false)
  await ended(2)
  expect(await isLeft()).toBe(false)
  await ended(4)
  expect(await isLeft()).toBe(true)
  await at.stores.files.remove(asAda(), piece?.id ?? '')
})

test('files of a run that is gone are swept, with their bytes', async () => {
  await addPiece(0, 0, [row(1)])
  const [piece] = await filesOf()
  await at.stores.benchRuns.remove(asAda(), runId)
  const find = (options: { limit: number }) => findLeftResultFiles(at.database, options)
  expect(await removeFoundFiles(find, deps)).toBe(1)
  expect(await deps.storage.find(piece?.storageKey ?? '')).toBeUndefined()
  expect(await at.stores.files.find(asAda(), piece?.id ?? '')).toBeUndefined()
})
