import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '@flamegate/contract'
import type { ObjectStorage } from '@flamegate/operations/ports'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { inSequence, plainFile, plainRun, preparePeople, testCaller } from '../testing.ts'
import { notExported, notImported } from './archive-format.ts'
import { exportWorkspace, scopeOfWorkspace } from './export-workspace.ts'
import { importWorkspace, restorable } from './import-workspace.ts'
import { withNewIds } from './new-ids.ts'
import { readTar, writeTar } from './tar.ts'
import { readTenantTables, type TenantTable } from './tenant-tables.ts'
import { UnfinishedRows } from './unfinished-rows.ts'

const { at, ada, bob, asAda, createProject } = preparePeople({ access: 'admin' })
let runId = ''

const objects = new Map<string, Uint8Array>()
const storage: Pick<ObjectStorage, 'find' | 'open' | 'write'> = {
  async find(key) {
    const bytes = objects.get(key)
    return bytes && { sizeBytes: bytes.length }
  },
  async open(key) {
    const bytes = objects.get(key)
    return bytes && inOne(bytes)
  },
  async write(key, bytes) {
    objects.set(key, bytes)
    return { sizeBytes: bytes.length }
  },
}

async function* inOne(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

beforeAll(async () => {
  const projectId = await createProject({ slug: 'api', name: 'Schöne "API"\t\\' })
  const place = { workspaceId: ada.workspaceId, projectId }
  runId = newId('run')
  await at.stores.runs.create(asAda(), { ...plainRun, ...place, id: runId })
  await at.stores.runs.complete(asAda(), runId, {
    adapter: 'custom',
    warnings: [],
    environment: { cpu: 'quick' },
    results: [
      {
        uri: 'a.go::BenchmarkA',
        name: 'BenchmarkA',
        instrument: 'walltime',
        metric: 'time',
        betterWhen: 'lower',
        value: 2.5,
        unit: 'ns',
        stats: {},
        metrics: [],
        roundValues: [2, 3.000000000000001],
      },
    ],
  })
  await at.stores.projects.update(asAda(), place.projectId, {
    baselineRunId: runId,
    keylessUploadsBy: ada.userId,
  })
  const { id, storageKey } = await addFile(place, 'import_results')
  objects.set(storageKey, Buffer.from('bytes'))
  await at.stores.files.markReady(asAda(), id, { sizeBytes: 5, sha256: null })
})

/** A file that is still to be uploaded. */
async function addFile(place: { workspaceId: string; projectId: string }, purpose: string) {
  const id = newId('file')
  const storageKey = `${place.workspaceId}/${id}`
  await at.stores.files.create(asAda(), {
    ...plainFile,
    ...place,
    id,
    runId,
    purpose,
    storageKey,
  })
  return { id, storageKey }
}

async function exported(from: Partial<Parameters<typeof exportWorkspace>[0]> = {}): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await exportWorkspace({ database: at.database, storage, ...from }, ada.workspaceId, async (archive) => {
    for await (const piece of archive) pieces.push(piece)
  })
  return Buffer.concat(pieces)
}

async function countsOf(workspaceId: string): Promise<Record<string, number>> {
  const tables = [
    'projects',
    'runs',
    'benchmarks',
    'benchmark_results',
    'environments',
    'files',
    'search_words',
  ]
  const counts = await inSequence(tables, async (table) => {
    const { rows } = await at.admin.query(`SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = $1`, [
      workspaceId,
    ])
    return [table, rows[0].n] as const
  })
  return Object.fromEntries(counts)
}

async function columnOf(workspaceId: string, table: string, column: string): Promise<unknown[]> {
  const text = `SELECT ${column} AS value FROM ${table} WHERE workspace_id = $1`
  const { rows } = await at.admin.query<{ value: unknown }>(text, [workspaceId])
  return rows.map(({ value }) => value)
}

describe('a workspace that was exported', () => {
  test('is made anew beside the old one, with other ids and everything that is in it', async () => {
    const archive = await exported()
    const before = await countsOf(ada.workspaceId)
    expect(before).toMatchObject({ projects: 1, runs: 1, benchmarks: 1, benchmark_results: 1, files: 1 })
    const made = await importWorkspace({ database: at.database, storage }, inOne(archive), bob.userId)
    expect(made).toMatchObject({ files: 1, name: 'Workspace of ada' })
    expect(await countsOf(made.workspaceId)).toEqual(before)
    expect(await countsOf(ada.workspaceId)).toEqual(before)
    expect(made.leftOut.get('memberships')).toBe(1)

    const asBob = testCaller(bob.userId, { [made.workspaceId]: 'owner' })
    expect((await at.stores.memberships.rolesOf(bob.userId)).get(made.workspaceId)).toBe('owner')
    const [project] = await at.stores.projects.list(asBob, made.workspaceId, { limit: 10 })
    expect(project).toMatchObject({ name: 'Schöne "API"\t\\', keylessUploadsBy: null })
    expect(project?.baselineRunId).not.toBe(runId)
    const run = await at.stores.runs.find(asBob, project?.baselineRunId ?? '')
    expect(run).toMatchObject({ workspaceId: made.workspaceId, projectId: project?.id, resultCount: 1 })
    const { rows } = await at.admin.query(
      'SELECT value, process_values, rounds FROM benchmark_results WHERE workspace_id = ANY ($1) ORDER BY workspace_id',
      [[ada.workspaceId, made.workspaceId]],
    )
    expect(rows[0]).toEqual(rows[1])
    const stored = [...objects].filter(([key]) => key.startsWith(`${made.workspaceId}/`))
    expect(stored.map(([, bytes]) => Buffer.from(bytes).toString())).toEqual(['bytes'])
  })

  test('comes with what is never deleted by itself, such as virtual users and their versions', async () => {
    const projectId = await createProject()
    const place = { workspaceId: ada.workspaceId, projectId }
    const virtualUserId = newId('virtualUser')
    const scenarioId = newId('scenario')
    const words = { words: 'Created' }
    await at.stores.designs.create(
      asAda(),
      place,
      { id: virtualUserId, kind: 'virtual_user', name: 'Buyer', document: { name: 'Buyer' }, summary: {} },
      words,
    )
    const document = { profiles: [{ virtual_user_id: virtualUserId }] }
    await at.stores.designs.create(
      asAda(),
      place,
      { id: scenarioId, kind: 'scenario', name: 'Nightly', document, summary: {} },
      words,
    )
    const made = await importWorkspace(
      { database: at.database, storage },
      inOne(await exported()),
      bob.userId,
    )
    const asBob = testCaller(bob.userId, { [made.workspaceId]: 'owner' })
    const [project] = await at.stores.projects.list(asBob, made.workspaceId, { limit: 1 })
    const named = (kind: 'virtual_user' | 'scenario', name: string) =>
      at.stores.designs.findNamed(asBob, project?.id ?? '', kind, name)
    const [user, scenario] = [await named('virtual_user', 'Buyer'), await named('scenario', 'Nightly')]
    expect(scenario?.document).toEqual({ profiles: [{ virtual_user_id: user?.id }] })
    expect(user?.id).not.toBe(virtualUserId)
    expect(await at.stores.designs.findVersion(asBob, user?.id ?? '', 1)).toMatchObject({
      document: { name: 'Buyer' },
    })
  })

  test('comes with all tables but those that are named to be left out', async () => {
    const tables = await at.database.inScope(scopeOfWorkspace(ada.workspaceId, false), readTenantTables)
    const names = tables.map(({ name }) => name)
    const left = [...notExported, ...notImported]
    expect([...restorable(tables).keys(), ...left.filter((name) => names.includes(name))].toSorted()).toEqual(
      names.toSorted(),
    )
  })

  test('is refused where it is cut off, and what was begun is on its way out', async () => {
    const archive = await exported()
    const { rows: before } = await at.admin.query('SELECT id FROM workspaces')
    const half = importWorkspace(
      { database: at.database, storage },
      inOne(archive.subarray(0, archive.length - 1_600)),
      bob.userId,
    )
    await expect(half).rejects.toThrow('cut off')
    const { rows } = await at.admin.query('SELECT id FROM workspaces WHERE deletes_at <= now()')
    expect(rows).toHaveLength(1)
    expect(before.map(({ id }) => id)).not.toContain(rows[0].id)
    await expect(
      importWorkspace({ database: at.database, storage }, inOne(Buffer.alloc(600, 'x')), bob.userId),
    ).rejects.toThrow('damaged')
  })

  test('comes without uploads that were not finished, and without what was to be made of these', async () => {
    const projectId = await createProject({ slug: 'uploads' })
    const place = { workspaceId: ada.workspaceId, projectId }
    const profile = { ...place, runId: null, benchmarkId: null, name: 'Checkout', type: 'cpu', tags: [] }
    const [whole, half] = [await addFile(place, 'import_profile'), await addFile(place, 'import_profile')]
    objects.set(whole.storageKey, Buffer.from('whole'))
    await at.stores.files.markReady(asAda(), whole.id, { sizeBytes: 5, sha256: null })
    for (const { id } of [whole, half]) {
      const profileId = newId('profile')
      await at.stores.profiles.create(asAda(), { ...profile, id: profileId, fileId: id })
      await at.admin.query(
        'INSERT INTO profile_parts (workspace_id, profile_id, part, bytes) VALUES ($1, $2, $3, $4)',
        [ada.workspaceId, profileId, 'tree', Buffer.from('tree')],
      )
    }

    const made = await importWorkspace(
      { database: at.database, storage },
      inOne(await exported()),
      bob.userId,
    )
    expect(await columnOf(made.workspaceId, 'profiles', 'name')).toEqual(['Checkout'])
    expect(await columnOf(made.workspaceId, 'profile_parts', 'part')).toEqual(['tree'])
    expect(await columnOf(made.workspaceId, 'files', 'status')).toEqual(['READY', 'READY'])
  })
})

test('an export may take longer to read a file than a transaction may rest', async () => {
  const impatient: Database = {
    ...at.database,
    inScope: (scope, work) =>
      at.database.inScope(scope, async (client) => {
        await client.query("SET LOCAL idle_in_transaction_session_timeout = '100ms'")
        return work(client)
      }),
  }
  const slow: typeof storage = {
    ...storage,
    async open(key) {
      await pause(500)
      return storage.open(key)
    },
  }
  expect((await exported({ database: impatient, storage: slow })).length).toBeGreaterThan(0)
})

/** A table that refers to another one. */
const referring = (name: string, table: string, isOptional: boolean): TenantTable => ({
  name,
  columns: [],
  keyColumns: [],
  hasBytes: false,
  mayInsert: true,
  mayDelete: true,
  references: [{ table, columns: ['of'], isOptional, isHolding: false }],
})

test('rows that need an unfinished one are left out with it, and those that can do without name it no more', () => {
  const unfinished = new UnfinishedRows()
  const files = [
    { id: 'half', status: 'PENDING' },
    { id: 'whole', status: 'READY' },
  ]
  expect(unfinished.leaveOut(referring('files', 'projects', false), files)).toEqual([files[1]])
  const rows = () => files.map(({ id }) => ({ id: `of ${id}`, of: id }))
  expect(unfinished.leaveOut(referring('needing', 'files', false), rows())).toEqual([rows()[1]])
  expect(unfinished.leaveOut(referring('naming', 'files', true), rows())).toEqual([
    { id: 'of half', of: null },
    rows()[1],
  ])
  const next = files.map(({ id }) => ({ id: `next of ${id}`, of: `of ${id}` }))
  expect(unfinished.leaveOut(referring('next', 'needing', false), next)).toEqual([next[1]])
})

test('withNewIds() changes every id but those of people, the same way each time', () => {
  const [run, user] = [newId('run'), newId('user')]
  const changed = withNewIds(`{"a":"${run}","b":"x/${run}","c":"${user}","d":"run_short"}`, 'secret')
  const [, other = ''] = /"a":"(\w+)"/.exec(changed) ?? []
  expect(other).not.toBe(run)
  expect(other.slice(0, 14)).toBe(run.slice(0, 14))
  expect(changed).toBe(`{"a":"${other}","b":"x/${other}","c":"${user}","d":"run_short"}`)
  expect(withNewIds(run, 'another secret')).not.toBe(other)
})

test('readTar() reads what writeTar() wrote, however it comes, and what nobody read is passed over', async () => {
  const entries = [
    { name: 'a/b', text: 'x'.repeat(513) },
    { name: 'empty', text: '' },
    { name: 'last', text: 'end' },
  ]
  const written: Uint8Array[] = []
  const source = (async function* () {
    for (const { name, text } of entries)
      yield { name, sizeBytes: text.length, body: inOne(Buffer.from(text)) }
  })()
  for await (const piece of writeTar(source)) written.push(piece)
  const whole = Buffer.concat(written)
  const bits = (async function* () {
    for (let start = 0; start < whole.length; start += 7) yield whole.subarray(start, start + 7)
  })()
  const read: string[] = []
  for await (const { name, sizeBytes, body } of readTar(bits)) {
    if (name === 'a/b') read.push(`${name} ${sizeBytes}`)
    else {
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      read.push(`${name} ${Buffer.concat(pieces).toString()}`)
    }
  }
  expect(read).toEqual(['a/b 513', 'empty ', 'last end'])
})
