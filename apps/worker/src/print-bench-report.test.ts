import { hash, randomUUID } from 'node:crypto'
import { prepareProject } from '@flamegate/db/testing'
import { newReport } from '@flamegate/loadtest'
import { jobHandlers, removeFoundFiles } from '@flamegate/operations'
import { NotPrinted, type ObjectStorage, type PrintRequest, type Task } from '@flamegate/operations/ports'
import { beforeEach, expect, test } from 'vitest'
import { lonelyDeps } from './testing/lonely-deps.ts'

/** Prints of reports as the worker makes them, with a printer that does as it is told. */

const { at, ada, place, asAda } = prepareProject()
let reportId: string
let objects: Map<string, Uint8Array>
let asked: PrintRequest[]
let printing: (request: PrintRequest) => Promise<Uint8Array>

beforeEach(async () => {
  objects = new Map()
  asked = []
  reportId = newId('rep')
  const name = `Sale ${reportId}: a/b`
  const document = { ...newReport(name, ['bnr_1']) }
  const report = { id: reportId, kind: 'bench_report' as const, name, document, summary: {} }
  await at.stores.designs.create(asAda(), place, report, { words: 'Created' })
})

const newId = (kind: string) => `${kind}_${randomUUID()}`
const linksLeft = () => at.stores.shareLinks.list(asAda(), { benchReportId: reportId })

const storage = {
  write: async (key: string, bytes: Uint8Array) => {
    objects.set(key, bytes)
    return { sizeBytes: bytes.length, sha256: 'a'.repeat(64) }
  },
  remove: async (key: string) => void objects.delete(key),
}

const deps = () =>
  lonelyDeps({
    stores: at.stores,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing is read or linked here
    storage: storage as unknown as ObjectStorage,
    newSecret: () => ({ secret: 'fg_secret', hash: hash('sha256', 'fg_secret') }),
    printer: {
      print: async (request) => {
        asked.push(request)
        return printing(request)
      },
    },
  })

async function taskOf(format: string): Promise<string> {
  const id = newId('tsk')
  const result = { bench_report_id: reportId, format }
  await at.stores.tasks.create(asAda(), { ...place, id, kind: 'print_bench_report', message: '', result })
  return id
}

async function run(taskId: string): Promise<Task | undefined> {
  await jobHandlers.print_bench_report({ taskId, workspaceId: ada.workspaceId, requestId: 'req_1' }, deps())
  return at.stores.tasks.find(asAda(), taskId)
}

test('a print is a file of its report, and was read by a link of whoever asked, which is gone then', async () => {
  printing = async ({ path }) => {
    const [, id = ''] = /^\/shared\/reports\/(\w+)\?print=1#fg_secret$/.exec(path.replaceAll('-', '')) ?? []
    expect(id).not.toBe('')
    expect(await linksLeft()).toMatchObject([{ isPublic: true, createdBy: ada.userId }])
    return Buffer.from('%PDF-')
  }
  const task = await run(await taskOf('pdf'))
  expect(task).toMatchObject({ status: 'SUCCESS', progressPercent: 100, result: { size_bytes: 5 } })
  const fileId = String(task?.result?.['file_id'])
  const file = await at.stores.files.find(asAda(), fileId)
  expect(file).toMatchObject({
    ...place,
    benchReportId: reportId,
    contentType: 'application/pdf',
    name: `Sale ${reportId}- a-b.pdf`,
    status: 'READY',
  })
  const days = ((file?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(30)
  expect([...objects.keys()]).toEqual([file?.storageKey])
  expect(await linksLeft()).toEqual([])
  expect(asked).toHaveLength(1)

  // A job may come twice.
  await run(task?.id ?? '')
  expect(asked).toHaveLength(1)

  const found = [{ workspaceId: ada.workspaceId, id: fileId }]
  expect(await removeFoundFiles(async () => found.splice(0), deps())).toBe(1)
  expect(objects.size).toBe(0)
  expect(await at.stores.files.find(asAda(), fileId)).toBeUndefined()
})

test('what could not be printed says why, and leaves nothing', async () => {
  printing = () => Promise.reject(new NotPrinted('The report was not drawn.'))
  expect(await run(await taskOf('html'))).toMatchObject({
    status: 'FAILED',
    problem: { code: 'unavailable', detail: 'The report was not drawn.' },
  })
  expect(await linksLeft()).toEqual([])
  expect(objects.size).toBe(0)
})

test('a defect of ours is tried again', async () => {
  printing = () => Promise.reject(new TypeError('a defect'))
  await expect(run(await taskOf('pdf'))).rejects.toThrow('a defect')
  expect(await linksLeft()).toEqual([])
})

test('a print that is called off stops, and is not kept', async () => {
  const taskId = await taskOf('pdf')
  printing = async ({ signal }) => {
    await at.stores.tasks.requestCancel(asAda(), taskId)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    throw new Error('The browser was closed')
  }
  expect(await run(taskId)).toMatchObject({ status: 'CANCELLED' })
  expect(await linksLeft()).toEqual([])
  expect(objects.size).toBe(0)
})

test('a report that was deleted is not printed', async () => {
  const taskId = await taskOf('pdf')
  await at.stores.designs.remove(asAda(), reportId)
  expect(await run(taskId)).toMatchObject({ status: 'FAILED', problem: { code: 'bench_report_not_found' } })
  expect(asked).toEqual([])
})
