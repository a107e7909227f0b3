import { newId, type Caller } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purgeDeletedWorkspaces } from './purge-workspaces.ts'
import { discoverTables, insertion, type TenantTable } from './tenant-tables.ts'
import { inSequence, plainFile, plainProject, plainRun, preparePeople, testCaller } from './testing.ts'

// What was done and what was used stays known.
const staying = new Set(['audit_events', 'usage_days'])

const { at, ada, bob, asAda } = preparePeople({ access: 'admin' })
let admin: Client
let tables: TenantTable[]

beforeAll(async () => {
  admin = new Client(at.urls.adminUrl)
  await admin.connect()
  tables = (await discoverTables(admin)).filter(({ name }) => name !== 'workspaces' && name !== 'memberships')
  // Rows in every table, without regard to what they refer to.
  await admin.query('SET session_replication_role = replica')
  for (const { workspaceId } of [ada, bob]) {
    await inSequence(tables, (table) => admin.query(...insertion(table, workspaceId, 'first')))
  }
})
afterAll(() => admin?.end())

/** Names of the tables that have a row of it. */
async function tablesWith(workspaceId: string): Promise<string[]> {
  const found = await inSequence(tables, async ({ name }) => {
    const { rows } = await admin.query(`SELECT FROM ${name} WHERE workspace_id = $1`, [workspaceId])
    return rows.length > 0 ? [name] : []
  })
  return found.flat()
}

/**
 * Those whose rows go with what they refer to, up to the workspace. Of these the rows here, which refer to nothing that is
 * there, may be left; real ones are not.
 */
async function tablesThatGoWithWorkspaces(): Promise<Set<string>> {
  const { rows } = await admin.query<{ name: string }>(`
    WITH RECURSIVE going (oid) AS (
      SELECT 'workspaces'::regclass::oid
      UNION SELECT conrelid FROM pg_constraint JOIN going ON confrelid = going.oid
        WHERE contype = 'f' AND confdeltype = 'c'
    ) SELECT relname AS name FROM going JOIN pg_class USING (oid)`)
  return new Set(rows.map(({ name }) => name))
}

test('a workspace whose time has come goes from every table and from storage, and no other does', async () => {
  const removed: string[] = []
  const purge = () => purgeDeletedWorkspaces(at.database, async (key) => void removed.push(key))
  const deletion = (at_: Date) => at.stores.workspaces.setDeletion(asAda(), ada.workspaceId, at_)
  await deletion(new Date(Date.now() + 60_000))
  expect(await purge()).toBe(0)
  expect((await tablesWith(ada.workspaceId)).length).toBe(tables.length)

  await deletion(new Date(Date.now() - 1_000))
  expect(
    await purgeDeletedWorkspaces(at.database, () => Promise.reject(new Error('dry')), { isDry: true }),
  ).toBe(1)
  expect(await purge()).toBe(1)
  const cascading = await tablesThatGoWithWorkspaces()
  const left = (await tablesWith(ada.workspaceId)).filter(
    (name) => !staying.has(name) && !cascading.has(name),
  )
  expect(left).toEqual([])
  expect(removed).toEqual([`first storage_key of ${ada.workspaceId}`])
  expect((await tablesWith(bob.workspaceId)).length).toBe(tables.length)
  expect(await at.stores.memberships.rolesOf(ada.userId)).toEqual(new Map())
  expect(await purge()).toBe(0)
})

/** A workspace whose time has come, with a profile of a run, and what is stored for it. */
async function addDeleted(
  name: string,
): Promise<{ workspaceId: string; storageKey: string; caller: Caller }> {
  const { userId, workspaceId } = await at.signUp(name)
  const caller = testCaller(userId, { [workspaceId]: 'owner' })
  const [projectId, runId, fileId] = [newId('project'), newId('run'), newId('file')]
  const place = { workspaceId, projectId }
  await at.stores.projects.create(caller, { ...plainProject, id: projectId, workspaceId, slug: name, name })
  await at.stores.runs.create(caller, { ...plainRun, ...place, id: runId })
  const environment = { cpu: 'quick' }
  await at.stores.runs.complete(caller, runId, { adapter: 'custom', warnings: [], environment, results: [] })
  const storageKey = `${workspaceId}/${fileId}`
  await at.stores.files.create(caller, {
    ...plainFile,
    ...place,
    id: fileId,
    runId,
    purpose: 'import_profile',
    name: 'cpu.pb.gz',
    sizeBytes: 5,
    storageKey,
  })
  await at.stores.profiles.create(caller, {
    ...place,
    id: newId('profile'),
    runId,
    benchmarkId: null,
    fileId,
    name: 'Checkout',
    type: 'cpu',
    tags: [],
  })
  await at.stores.workspaces.setDeletion(caller, workspaceId, new Date(Date.now() - 1_000))
  return { workspaceId, storageKey, caller }
}

test('what holds others, as a profile its file and a run its environment, goes before these', async () => {
  const { workspaceId, storageKey } = await addDeleted('cara')
  expect(await tablesWith(workspaceId)).toEqual(
    expect.arrayContaining(['environments', 'files', 'profiles', 'runs']),
  )
  const removed: string[] = []
  expect(await purgeDeletedWorkspaces(at.database, async (key) => void removed.push(key))).toBe(1)
  expect((await tablesWith(workspaceId)).filter((name) => !staying.has(name))).toEqual([])
  expect(removed).toEqual([storageKey])
})

test('one that cannot be removed keeps no other, is told of, and goes the next time', async () => {
  const [first, second] = [await addDeleted('dana'), await addDeleted('eli')]
  const failure = new Error('storage is away')
  const told: unknown[] = []
  const log = {
    info: () => undefined,
    error: (fields: object, message: string) => told.push([fields, message]),
  }
  const purge = purgeDeletedWorkspaces({ ...at.database, log }, async (key) => {
    if (key === first.storageKey) throw failure
  })
  await expect(purge).rejects.toBe(failure)
  expect(told).toEqual([[{ err: failure }, `deleted workspace ${first.workspaceId} could not be removed`]])
  expect(await tablesWith(first.workspaceId)).toContain('files')
  expect(await tablesWith(second.workspaceId)).not.toContain('files')
  expect(await purgeDeletedWorkspaces(at.database, async () => undefined)).toBe(1)
})

test('one whose time is over is not restored any more', async () => {
  const { caller, workspaceId } = await addDeleted('hugo')
  for (const deletesAt of [null, new Date(Date.now() + 60_000)])
    await expect(at.stores.workspaces.setDeletion(caller, workspaceId, deletesAt)).rejects.toThrow(
      NotPermitted,
    )
  expect(await purgeDeletedWorkspaces(at.database, async () => undefined)).toBe(1)
})

test('one that is not due any more when another has gone keeps everything', async () => {
  const [first, second] = [await addDeleted('finn'), await addDeleted('greta')]
  const before = await tablesWith(second.workspaceId)
  const removed: string[] = []
  const purge = purgeDeletedWorkspaces(at.database, async (key) => {
    removed.push(key)
    await admin.query('UPDATE workspaces SET deletes_at = NULL, deletion_asked_by = NULL WHERE id = $1', [
      second.workspaceId,
    ])
  })
  expect(await purge).toBe(1)
  expect(removed).toEqual([first.storageKey])
  expect(await tablesWith(second.workspaceId)).toEqual(before)
})
