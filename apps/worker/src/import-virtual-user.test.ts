import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { plainFile, preparePeople } from '@flamegate/db/testing'
import { httpServer, variable, virtualUser, writeArchive, type Archive } from '@flamegate/loadtest'
import { jobHandlers } from '@flamegate/operations'
import type { DesignKind, ObjectStorage, Task } from '@flamegate/operations/ports'
import { beforeEach, expect, test } from 'vitest'
import { openResultReader } from './bench-imports/result-reader.ts'
import { openSourceReader } from './sources/source-reader.ts'
import { lonelyDeps } from './testing/lonely-deps.ts'

/** Imports as the worker does them, with a thread for the source. */

const { at, ada, asAda, createProject } = preparePeople()
let place: { workspaceId: string; projectId: string }
let objects: Map<string, Uint8Array>

beforeEach(async () => {
  objects = new Map()
  place = { workspaceId: ada.workspaceId, projectId: await createProject() }
})

const newId = (kind: string) => `${kind}_${randomUUID()}`

/** Bytes in memory. */
const storage = {
  find: async (key: string) => {
    const bytes = objects.get(key)
    return bytes && { sizeBytes: bytes.length }
  },
  open: async (key: string) => new Blob([Buffer.from(objects.get(key) ?? '')]).stream(),
  write: async (key: string, bytes: Uint8Array) => {
    objects.set(key, bytes)
    return { sizeBytes: bytes.length, sha256: 'a'.repeat(64) }
  },
  receive: async (key: string, body: AsyncIterable<Uint8Array>) => {
    objects.set(key, await buffer(body))
  },
  remove: async (key: string) => void objects.delete(key),
}

const deps = () =>
  lonelyDeps({
    stores: at.stores,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody makes links here
    storage: storage as unknown as ObjectStorage,
    sourceReader: openSourceReader(),
    resultReader: openResultReader(),
  })

/** As after an upload. */
async function announce(format: string, bytes: Uint8Array): Promise<string> {
  const id = newId('file')
  const storageKey = `${ada.workspaceId}/${id}`
  await at.stores.files.create(asAda(), {
    ...plainFile,
    ...place,
    id,
    purpose: 'import_virtual_user',
    name: `shop.${format}`,
    sizeBytes: bytes.length,
    storageKey,
  })
  objects.set(storageKey, bytes)
  const request = {
    format,
    client_name: 'Claude',
    think_time_max_ms: 60_000,
    container_gap_ms: 2000,
    timeline: [],
    resources: 'embedded',
    browser: 'page',
  }
  const taskId = newId('task')
  await at.stores.tasks.create(asAda(), {
    ...place,
    id: taskId,
    kind: 'import_virtual_user',
    message: '',
    result: { file_id: id, import: request },
  })
  return taskId
}

async function runJob(taskId: string): Promise<Task | undefined> {
  await jobHandlers.import_virtual_user({ taskId, workspaceId: ada.workspaceId, requestId: 'req_1' }, deps())
  return at.stores.tasks.find(asAda(), taskId)
}

const imported = async (format: string, bytes: Uint8Array) => runJob(await announce(format, bytes))

const names = async (kind: DesignKind) =>
  [...(await at.stores.designs.listNames(asAda(), place.projectId, kind))].toSorted((a, b) =>
    a < b ? -1 : 1,
  )

/** Id of the first of the virtual users that a task made. */
function firstUserIn(task: Task | undefined): string {
  const [id = ''] = /vu_\w+/.exec(JSON.stringify(task?.result)) ?? []
  return id
}

const har = Buffer.from(
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'test', version: '1' },
      entries: [
        {
          startedDateTime: '2026-11-20T10:00:00.000Z',
          time: 20,
          request: {
            method: 'GET',
            url: 'https://shop.example.com/cart',
            httpVersion: 'HTTP/1.1',
            headers: [],
            queryString: [],
            cookies: [],
            headersSize: -1,
            bodySize: 0,
          },
          response: {
            status: 200,
            statusText: 'OK',
            httpVersion: 'HTTP/1.1',
            headers: [],
            cookies: [],
            content: { size: 2, mimeType: 'text/html', text: 'hi' },
            redirectURL: '',
            headersSize: -1,
            bodySize: 2,
          },
          cache: {},
          timings: { send: 1, wait: 18, receive: 1 },
        },
      ],
    },
  }),
)

const archive: Archive = {
  virtualUsers: [
    {
      id: 'vu_1',
      document: virtualUser.parse({
        name: 'Buyer',
        actions: [{ type: 'http_request', id: 'a', method: 'GET', server_id: 'srv_1', path: '/${who}' }],
      }),
    },
  ],
  servers: [
    { id: 'srv_1', document: httpServer.parse({ name: 'shop', base_url: 'https://shop.example.com' }) },
  ],
  variables: [{ id: 'var_1', document: variable.parse({ type: 'constant', name: 'who', value: 'ada' }) }],
  rules: [],
  files: [{ path: 'data/users.csv', contentType: 'text/csv', bytes: Buffer.from('user\nada\n') }],
}

test('a recording becomes a virtual user that knows it, with a report and the name of who imported it', async () => {
  const task = await imported('har', har)
  expect(task).toMatchObject({
    status: 'SUCCESS',
    result: { virtual_users: [{ id: expect.stringMatching(/^vu_/), name: expect.any(String) }], read: 1 },
  })
  expect(task?.result).not.toHaveProperty('import')
  const id = firstUserIn(task)
  const user = await at.stores.designs.find(asAda(), id)
  expect(user).toMatchObject({
    createdBy: ada.userId,
    source: { format: 'har', file_name: 'shop.har', task_id: task?.id },
    summary: { request_count: 1, disabled_count: 1 },
  })
  expect(await at.stores.designs.listVersions(asAda(), id, { limit: 9 })).toMatchObject([
    { change: 'Imported from shop.har', authorId: ada.userId, authorClient: 'Claude' },
  ])
  const recording = await at.stores.recordings.find(asAda(), String(user?.document['recording_id']))
  expect(recording).toMatchObject({ ...place, exchangeCount: 1 })
  // The source itself is gone.
  expect([...objects.keys()]).toEqual([recording?.storageKey])
  expect(await at.stores.files.find(asAda(), String(task?.result?.['file_id']))).toBeUndefined()
  expect(await at.stores.imports.find(asAda(), task?.id ?? '')).toMatchObject({
    report: { format: 'har', elements: [{ outcome: 'approximated' }] },
  })
})

test('what a project has already is used, and what is another under the same name gets a number', async () => {
  const bytes = writeArchive(archive)
  expect(await imported('archive', bytes)).toMatchObject({ status: 'SUCCESS' })
  const other = structuredClone(archive)
  other.variables = [
    { id: 'var_1', document: variable.parse({ type: 'constant', name: 'who', value: 'bob' }) },
  ]
  const again = await imported('archive', writeArchive(other))
  expect(again).toMatchObject({
    status: 'SUCCESS',
    result: { notes: expect.arrayContaining([expect.stringContaining('variable who already')]) },
  })
  expect(await names('http_server')).toEqual(['shop'])
  expect(await names('variable')).toEqual(['who'])
  expect(await names('virtual_user')).toEqual(['Buyer', 'Buyer (2)'])
  const [server] = await at.stores.designs.listDocuments(asAda(), place.projectId, 'http_server')
  const users = await at.stores.designs.listDocuments(asAda(), place.projectId, 'virtual_user')
  expect(users.map(({ document }) => JSON.stringify(document))).toEqual([
    expect.stringContaining(`"${server?.id}"`),
    expect.stringContaining(`"${server?.id}"`),
  ])
  expect(await at.stores.projectFiles.find(asAda(), place.projectId, 'data/users.csv')).toBeDefined()
})

test('a source that cannot be read ends the task with the reason, and leaves nothing', async () => {
  const task = await imported('har', har.subarray(0, 300))
  expect(task).toMatchObject({ status: 'FAILED', problem: { code: 'unreadable_source' } })
  expect(await names('virtual_user')).toEqual([])
  expect(objects.size).toBe(0)
})

test('the same job again does nothing', async () => {
  const taskId = await announce('archive', writeArchive(archive))
  const first = await runJob(taskId)
  const kept = objects.size
  expect(await runJob(taskId)).toEqual(first)
  expect(await names('virtual_user')).toEqual(['Buyer'])
  expect(objects.size).toBe(kept)
})

test('an import that is called off stores nothing', async () => {
  const taskId = await announce('har', har)
  await at.stores.tasks.progress(asAda(), taskId, { percent: 1, message: '' })
  await at.stores.tasks.requestCancel(asAda(), taskId)
  expect(await runJob(taskId)).toMatchObject({ status: 'CANCELLED' })
  expect(await names('virtual_user')).toEqual([])
  expect(objects.size).toBe(0)
})
