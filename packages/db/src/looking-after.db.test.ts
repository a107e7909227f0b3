import { NotPermitted } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { findExpiredPrints, findExpiredValidations } from './find-expired.ts'
import { findForgottenTasks } from './forgotten-tasks.ts'
import { findLeftSources } from './left-sources.ts'
import { prepareProject, testCaller } from './testing.ts'
import { findWaitingUploads } from './waiting-uploads.ts'

/** What the worker finds in all workspaces, and what it may not read there. */

const { at, ada, bob, projectId, place, asAda, asBob } = prepareProject()

let count = 0
const newId = (kind: string) => `${kind}_${String(++count).padStart(4, '0')}`

async function addFile(purpose: string, name: string, expiresAt: Date | null = null): Promise<string> {
  const id = newId('fil')
  await at.stores.files.create(asAda(), {
    id,
    workspaceId: ada.workspaceId,
    projectId,
    runId: null,
    purpose,
    name,
    contentType: 'application/octet-stream',
    sizeBytes: 1,
    storageKey: `${ada.workspaceId}/${id}`,
    expiresAt,
  })
  return id
}

async function addUser(): Promise<string> {
  const id = newId('vu')
  const user = { id, kind: 'virtual_user' as const, name: id, document: {}, summary: {} }
  await at.stores.designs.create(asAda(), place, user, { words: 'Created' })
  return id
}

async function addValidation(virtualUserId: string, expiresInMs: number): Promise<string> {
  const id = newId('val')
  const asked = { ...place, virtualUserId, version: 1, iterations: 1 }
  const expiresAt = new Date(Date.now() + expiresInMs)
  await at.stores.validations.create(asAda(), { ...asked, id, taskId: newId('tsk'), expiresAt })
  return id
}

test('the oldest validations that are past their time are found, but never the latest of a virtual user', async () => {
  const [one, other] = [await addUser(), await addUser()]
  const second = await addValidation(one, -1000)
  const first = await addValidation(one, -2000)
  await addValidation(one, 60_000)
  await addValidation(one, -3000)
  await addValidation(other, -4000)
  const found = await findExpiredValidations(at.database, { limit: 10 })
  expect(found).toEqual([first, second].map((id) => ({ workspaceId: ada.workspaceId, id })))
  expect(await findExpiredValidations(at.database, { limit: 1 })).toHaveLength(1)
  for (const id of [first, second]) await at.stores.validations.remove(asAda(), id)
  expect(await findExpiredValidations(at.database, { limit: 10 })).toEqual([])
})

test('a validation is removed with its files, and with no others', async () => {
  const user = await addUser()
  const [id, next] = [await addValidation(user, 1000), await addValidation(user, 1000)]
  const files = [
    await addFile('keep_validation', `${id}/a.png`),
    await addFile('keep_validation', `${id}/b.png`),
  ]
  const others = [
    await addFile('keep_validation', `${next}/a.png`),
    await addFile('keep_validation', `${id}0/a.png`),
    await addFile('store_project_file', `${id}/a.png`),
  ]
  const listed = async () => (await at.stores.validations.listFiles(asAda(), id)).map((file) => file.id)
  expect(await listed()).toEqual(files)
  await at.stores.validations.removeFiles(asAda(), id, [files[0] ?? '', others[0] ?? ''])
  expect(await listed()).toEqual(files.slice(1))
  expect(await at.stores.validations.remove(asAda(), id)).toBe(true)
  expect(await at.stores.validations.remove(asAda(), id)).toBe(false)
  for (const file of files) expect(await at.stores.files.find(asAda(), file)).toBeUndefined()
  for (const file of others) expect(await at.stores.files.find(asAda(), file)).toBeDefined()
})

const inMs = (ms: number) => new Date(Date.now() + ms)

test('prints that are past their time are found, those that have been for longest first, and nothing else is', async () => {
  const second = await addFile('print_bench_report', 'b.pdf', inMs(-1000))
  const first = await addFile('print_bench_report', 'a.pdf', inMs(-2000))
  await addFile('print_bench_report', 'c.pdf', inMs(60_000))
  await addFile('import_profile', 'cpu.pb.gz', inMs(-1000))
  const found = await findExpiredPrints(at.database, { limit: 10 })
  expect(found).toEqual([first, second].map((id) => ({ workspaceId: ada.workspaceId, id })))
  for (const id of [first, second]) await at.stores.files.remove(asAda(), id)
  expect(await findExpiredPrints(at.database, { limit: 10 })).toEqual([])
})

test('nobody removes validations of others, and who finds the old ones reads nothing else of them', async () => {
  const id = await addValidation(await addUser(), 1000)
  expect(await at.stores.validations.remove(asBob(), id)).toBe(false)
  expect(await at.stores.validations.listFiles(asBob(), id)).toEqual([])
  const viewer = testCaller(ada.userId, { [ada.workspaceId]: 'viewer' }, 'write')
  await expect(at.stores.validations.remove(viewer, id)).rejects.toThrow(NotPermitted)
  await expect(at.stores.validations.removeFiles(viewer, id, [])).rejects.toThrow(NotPermitted)
  expect(await at.stores.validations.find(asAda(), id)).toBeDefined()
  for (const what of [
    'results FROM validations',
    'index FROM validations',
    'name FROM files',
    'result FROM tasks',
  ])
    await expect(at.database.auth.query(`SELECT ${what}`)).rejects.toThrow('permission denied')
  const file = await addFile('store_project_file', 'users.csv')
  const { rows } = await at.database.auth.query('SELECT id FROM files WHERE id = $1', [file])
  expect(rows).toEqual([])
})

test('a file is forgotten by those who may write there, and by nobody else', async () => {
  const id = await addFile('import_virtual_user', 'shop.har')
  await at.stores.files.remove(asBob(), id)
  const viewer = testCaller(ada.userId, { [ada.workspaceId]: 'viewer' }, 'write')
  await expect(at.stores.files.remove(viewer, id)).rejects.toThrow(NotPermitted)
  expect(await at.stores.files.find(asAda(), id)).toBeDefined()
  await at.stores.files.remove(asAda(), id)
  expect(await at.stores.files.find(asAda(), id)).toBeUndefined()
})

test('what was given to be imported is found after a day', async () => {
  const old = await addFile('import_virtual_user', 'old.har')
  const results = await addFile('import_bench_result', 'old.jtl')
  const other = await addFile('store_project_file', 'old.csv')
  await at.admin.query(`UPDATE files SET created_at = now() - interval '25 hours' WHERE id = ANY ($1)`, [
    [old, results, other],
  ])
  await addFile('import_virtual_user', 'young.har')
  const found = await findLeftSources(at.database, { limit: 10 })
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set([old, results]))
})

/** A task of which nothing was heard for that long. */
async function addTask(kind: string, ageMinutes: number, status = 'PENDING') {
  const id = newId('tsk')
  const task = { id, workspaceId: ada.workspaceId, projectId, kind, message: '', result: null }
  await at.stores.tasks.create(asAda(), task)
  await at.admin.query(
    `UPDATE tasks SET status = $2, updated_at = now() - make_interval(mins => $3) WHERE id = $1`,
    [id, status, ageMinutes],
  )
  return { workspaceId: ada.workspaceId, id, kind }
}

test('tasks of which nothing was heard for too long are found', async () => {
  const forgotten = [
    await addTask('measure_mcp_server', 25 * 60 + 1, 'RUNNING'),
    await addTask('capture_profile', 122),
    await addTask('import_virtual_user', 121),
    await addTask('import_results', 16, 'RUNNING'),
    await addTask('validate_virtual_user', 3),
    await addTask('print_bench_report', 2),
  ]
  await addTask('print_bench_report', 0)
  await addTask('validate_virtual_user', 0)
  await addTask('validate_virtual_user', 14, 'RUNNING')
  await addTask('import_virtual_user', 119)
  await addTask('validate_virtual_user', 100, 'SUCCESS')
  await addTask('capture_profile', 119, 'RUNNING')
  await addTask('measure_mcp_server', 24 * 60 + 15)
  const endedBy: Record<string, string> = {
    measure_mcp_server: 'end_capture',
    capture_profile: 'end_capture',
  }
  expect(await findForgottenTasks(at.database)).toEqual(
    forgotten.map(({ kind, ...task }) => ({ ...task, job: endedBy[kind] ?? kind })),
  )
})

test('uploads that are waited for are found, but neither those just announced nor those that nobody waits for any more', async () => {
  await at.admin.query('DELETE FROM tasks')
  const waiting = [
    await addTask('import_results', 3),
    await addTask('import_profile', 59),
    await addTask('store_project_file', 118),
  ]
  await addTask('import_results', 1)
  await addTask('import_results', 121)
  await addTask('import_results', 10, 'RUNNING')
  await addTask('import_results', 10, 'CANCELLED')
  await addTask('validate_virtual_user', 10)
  const found = await findWaitingUploads(at.database)
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set(waiting.map(({ id }) => id)))
  expect(found[0]).toEqual({ workspaceId: ada.workspaceId, id: found[0]?.id })
})

test('of many uploads that are waited for it is others each time, and those of another workspace are among them', async () => {
  await at.admin.query('DELETE FROM tasks')
  const addMany = (workspaceId: string, prefix: string, most: number) =>
    at.admin.query(
      `INSERT INTO tasks (workspace_id, id, kind, message, created_by, updated_at)
        SELECT $1, $2 || n, 'import_results', '', 'usr_1', now() - interval '10 minutes' FROM generate_series(1, $3) AS n`,
      [workspaceId, prefix, most],
    )
  await addMany(ada.workspaceId, 'tsk_many_', 500)
  await addMany(bob.workspaceId, 'tsk_few_', 3)
  const seen = new Set<string>()
  for (let round = 0; round < 3; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- as the worker asks
    const found = await findWaitingUploads(at.database)
    expect([found.length, found.filter(({ workspaceId }) => workspaceId === bob.workspaceId).length]).toEqual(
      [100, 3],
    )
    for (const { id } of found) seen.add(id)
  }
  expect(seen.size).toBeGreaterThan(150)
})
