import { findExpiredValidations } from '@flamegate/db'
import { plainFile, plainProject, preparePeople, testCaller, type Person } from '@flamegate/db/testing'
import { virtualUser } from '@flamegate/loadtest'
import { removeExpiredValidations, removeLeftSources, requeueForgotten } from '@flamegate/operations'
import type { JobQueue, ObjectStorage } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'

/** What the worker removes and looks after in all workspaces. */

const { at, ada, bob } = preparePeople()

const as = ({ userId, workspaceId }: Person) => testCaller(userId, { [workspaceId]: 'owner' }, 'write')

let count = 0
const newId = (kind: string) => `${kind}_${String(++count).padStart(4, '0')}`

async function addUser(person: Person): Promise<{ projectId: string; userId: string }> {
  const projectId = newId('prj')
  const { workspaceId } = person
  await at.stores.projects.create(as(person), {
    ...plainProject,
    id: projectId,
    workspaceId,
    slug: projectId,
    name: 'Shop',
  })
  const userId = newId('vu')
  const document = virtualUser.parse({ name: 'Shop', actions: [] })
  const user = { id: userId, kind: 'virtual_user' as const, name: 'Shop', document, summary: {} }
  await at.stores.designs.create(as(person), { workspaceId, projectId }, user, { words: 'Created' })
  return { projectId, userId }
}

async function addFile(
  person: Person,
  projectId: string,
  purpose: string,
  name: string,
  { isReady } = { isReady: true },
): Promise<string> {
  const id = newId('fil')
  await at.stores.files.create(as(person), {
    ...plainFile,
    id,
    workspaceId: person.workspaceId,
    projectId,
    purpose,
    name,
    sizeBytes: 1,
    storageKey: `${person.workspaceId}/${id}`,
  })
  if (isReady) await at.stores.files.markReady(as(person), id, { sizeBytes: 1, sha256: null })
  return id
}

/** A validation with its task, a picture and its exchanges. */
async function addValidation(
  person: Person,
  { projectId, userId }: { projectId: string; userId: string },
  isExpired: boolean,
): Promise<{ id: string; taskId: string; keys: string[] }> {
  const [id, taskId] = [newId('val'), newId('tsk')]
  const { workspaceId } = person
  await at.stores.tasks.create(as(person), {
    id: taskId,
    workspaceId,
    projectId,
    kind: 'validate_virtual_user',
    message: '',
    result: { validation_id: id },
  })
  await at.stores.validations.create(as(person), {
    id,
    workspaceId,
    projectId,
    virtualUserId: userId,
    version: 1,
    iterations: 1,
    taskId,
    expiresAt: new Date(Date.now() + (isExpired ? -1000 : 60_000)),
  })
  const files = [
    await addFile(person, projectId, 'keep_validation', `${id}/act_1.png`),
    await addFile(person, projectId, 'keep_validation', `${id}/exchanges.ndjson.gz`),
  ]
  await at.stores.validations.finish(as(person), id, {
    state: 'CANCELLED',
    message: '',
    passed: 0,
    failed: 0,
    skipped: 0,
    results: [],
    fileId: files[1] ?? null,
    index: { schemaVersion: 1, exchanges: [] },
  })
  return { id, taskId, keys: files.map((file) => `${workspaceId}/${file}`) }
}

function removing(): { removed: string[]; deps: Parameters<typeof removeLeftSources>[1] } {
  const removed: string[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked of it
  const storage = {
    find: async () => undefined,
    remove: async (key: string) => void removed.push(key),
  } as unknown as ObjectStorage
  return { removed, deps: { stores: at.stores, storage } }
}

const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => (a < b ? -1 : 1))

const find = (options: { limit: number }) => findExpiredValidations(at.database, options)

test('validations past their time go with files and tasks, in all workspaces, but not the latest of a virtual user', async () => {
  const gone = []
  const stay = []
  for (const person of [ada, bob]) {
    // oxlint-disable no-await-in-loop -- two
    const user = await addUser(person)
    gone.push({ person, ...(await addValidation(person, user, true)) })
    stay.push({ person, ...(await addValidation(person, user, false)) })
    gone.push({ person, ...(await addValidation(person, user, true)) })
    stay.push({ person, ...(await addValidation(person, user, true)) })
    // oxlint-enable no-await-in-loop
  }
  const { removed, deps } = removing()

  expect(await removeExpiredValidations(find, deps)).toBe(4)
  expect(sorted(removed)).toEqual(sorted(gone.flatMap(({ keys }) => keys)))
  for (const { person, id, taskId, keys } of gone) {
    // oxlint-disable no-await-in-loop -- four
    expect(await at.stores.validations.find(as(person), id)).toBeUndefined()
    expect(await at.stores.tasks.find(as(person), taskId)).toBeUndefined()
    for (const key of keys)
      expect(await at.stores.files.find(as(person), key.split('/')[1] ?? '')).toBeUndefined()
    // oxlint-enable no-await-in-loop
  }
  for (const { person, id, taskId } of stay) {
    // oxlint-disable no-await-in-loop -- four
    expect(await at.stores.validations.listFiles(as(person), id)).toHaveLength(2)
    expect(await at.stores.tasks.find(as(person), taskId)).toBeDefined()
    // oxlint-enable no-await-in-loop
  }
  expect(await removeExpiredValidations(find, deps)).toBe(0)
})

test('what was given to be imported goes, and nothing else, nor what is waited for', async () => {
  const { projectId } = await addUser(ada)
  const source = await addFile(ada, projectId, 'import_virtual_user', 'old.har')
  const other = await addFile(ada, projectId, 'store_project_file', 'users.csv')
  const awaited = await addFile(ada, projectId, 'import_virtual_user', 'young.har', { isReady: false })
  const { removed, deps } = removing()
  const found = [source, other, awaited].map((id) => ({ workspaceId: ada.workspaceId, id }))
  expect(await removeLeftSources(async () => found, deps)).toBe(1)
  expect(removed).toEqual([`${ada.workspaceId}/${source}`])
  expect(await at.stores.files.find(as(ada), source)).toBeUndefined()
  expect(await at.stores.files.find(as(ada), other)).toBeDefined()
  expect(await at.stores.files.find(as(ada), awaited)).toBeDefined()
})

test('forgotten tasks get a job of their kind', async () => {
  const queued: unknown[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked of it
  const queue = { add: async (...job: unknown[]) => void queued.push(job) } as unknown as JobQueue
  await requeueForgotten(queue, [{ workspaceId: 'ws_1', id: 'tsk_1', job: 'validate_virtual_user' }])
  expect(queued).toEqual([
    ['validate_virtual_user', { taskId: 'tsk_1', workspaceId: 'ws_1', requestId: 'forgotten_tsk_1' }],
  ])
})
