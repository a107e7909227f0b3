import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newId } from '@flamegate/contract'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { migrationsFolder, readMigrations } from '../migrate.ts'
import { emptyDatabase, plainFile, plainRun, preparePeople } from '../testing.ts'
import { restoreDatabase, type DatabaseContent } from './restore-database.ts'
import { RowDigest, type RowSum } from './row-digest.ts'
import { openSnapshot } from './snapshot.ts'

const { at, ada, asAda, createProject } = preparePeople({ access: 'admin' })
let storageKey = ''
/** Of the database of `at`, with rows that COPY has to escape. */
let content: DatabaseContent

beforeAll(async () => {
  const projectId = await createProject({ slug: 'api', name: 'API\twith \\ and\nmore' })
  const place = { workspaceId: ada.workspaceId, projectId }
  const runId = newId('run')
  await at.stores.runs.create(asAda(), { ...plainRun, ...place, id: runId, commitHash: 'abcdef1' })
  const fileId = newId('file')
  storageKey = `${ada.workspaceId}/${fileId}`
  await at.stores.files.create(asAda(), {
    ...plainFile,
    ...place,
    id: fileId,
    runId,
    storageKey,
  })
  // Whose events are in parts of a table.
  const from = { requestId: 'req_1', ip: '::1', userAgent: null }
  await at.identity.securityLog.record({
    action: 'log_in',
    userId: ada.userId,
    outcome: 'ok',
    status: 200,
    ...from,
  })
  content = await contentOf(at.urls.ownerUrl)
})

/** A backup that is kept in memory. */
async function contentOf(ownerUrl: string): Promise<DatabaseContent> {
  const snapshot = await openSnapshot(ownerUrl)
  const rows = new Map<string, Buffer[]>()
  for (const table of snapshot.tables) rows.set(table.name, await allOf(snapshot.rows(table)))
  await snapshot.close()
  const { migrations, tables } = snapshot
  return { migrations, tables, rows: (table) => piecesOf(rows.get(table.name) ?? []) }
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

async function* piecesOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

async function sumsOf(of: DatabaseContent): Promise<Record<string, RowSum>> {
  const sums: Record<string, RowSum> = {}
  for (const table of of.tables) {
    const digest = new RowDigest()
    for await (const piece of of.rows(table)) digest.add(piece)
    sums[table.name] = digest.sum()
  }
  return sums
}

/** What of a database is not rows: columns, keys, policies, triggers, rights. */
async function shapeOf(adminUrl: string): Promise<unknown[]> {
  const client = new Client(adminUrl)
  await client.connect()
  const questions = [
    `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
      WHERE table_schema = 'public' ORDER BY 1, 2`,
    `SELECT conrelid::regclass::text, conname, convalidated, pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    `SELECT relname, relrowsecurity, relforcerowsecurity, relacl::text FROM pg_class
      WHERE relnamespace = 'public'::regnamespace ORDER BY 1`,
    `SELECT tablename, policyname, roles::text, cmd, qual, with_check FROM pg_policies ORDER BY 1, 2`,
    `SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
    `SELECT proname, prosecdef, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1, 3`,
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
  ]
  const answers: unknown[] = []
  for (const question of questions) answers.push((await client.query(question)).rows)
  await client.end()
  return answers
}

test('what comes back is what was there: each row, each rule, and the people can go on', async () => {
  const { ownerUrl, adminUrl } = await emptyDatabase()
  expect(await restoreDatabase(ownerUrl, content, { replaces: false })).toEqual([])
  const back = await contentOf(ownerUrl)
  expect(await sumsOf(back)).toEqual(await sumsOf(content))
  expect((await sumsOf(back))['users']?.rows).toBe(2)
  expect((await sumsOf(back))['audit_events']?.rows).toBe(1)
  expect((await sumsOf(back))['search_words']?.rows).toBeGreaterThan(0)
  expect(await shapeOf(adminUrl)).toEqual(await shapeOf(at.urls.adminUrl))
})

test('a snapshot sees one moment, and the keys of its files', async () => {
  const snapshot = await openSnapshot(at.urls.ownerUrl)
  await at.signUp('late')
  const users = snapshot.tables.find(({ name }) => name === 'users')
  const digest = new RowDigest()
  if (users !== undefined) for await (const piece of snapshot.rows(users)) digest.add(piece)
  expect(digest.sum().rows).toBe(2)
  expect(await allOf(snapshot.storageKeys())).toEqual([storageKey])
  await snapshot.close()
})

test('a database that somebody has used is replaced only when that is said, and one in use never', async () => {
  const { ownerUrl } = await emptyDatabase()
  await restoreDatabase(ownerUrl, content, { replaces: false })
  await expect(restoreDatabase(ownerUrl, content, { replaces: false })).rejects.toThrow(/--replace/)
  const other = new Client(ownerUrl)
  await other.connect()
  await expect(restoreDatabase(ownerUrl, content, { replaces: true })).rejects.toThrow(
    /in use by flamegate_owner/,
  )
  await other.end()
  await restoreDatabase(ownerUrl, content, { replaces: true })
  expect(await sumsOf(await contentOf(ownerUrl))).toEqual(await sumsOf(content))
})

test('a backup of an older version is brought up to date, and one of a newer version refused', async () => {
  const names = (await readMigrations()).map(({ name }) => name)
  const newest = names.at(-1) ?? ''
  const older = await mkdtemp(path.join(tmpdir(), 'flamegate-older-'))
  await cp(migrationsFolder, older, { recursive: true })
  await rm(path.join(older, newest), { recursive: true })
  const target = await emptyDatabase()
  const added = await readFile(path.join(migrationsFolder, newest, 'migration.sql'), 'utf8')
  const ofOld: DatabaseContent = {
    ...content,
    tables: content.tables.filter(({ name }) => !added.includes(`CREATE TABLE ${name} (`)),
    migrations: content.migrations.filter(({ name }) => name !== newest),
  }
  expect(await restoreDatabase(target.ownerUrl, ofOld, { replaces: false })).toEqual([newest])
  await expect(restoreDatabase(target.ownerUrl, content, { replaces: true }, older)).rejects.toThrow(
    `newer version of Flamegate, which has ${newest}`,
  )
  await rm(older, { recursive: true })
})

test('rows are summed up alike in whatever order and pieces they come', () => {
  const sum = sumOf('a\tb\nc\td\n')
  expect(sum.rows).toBe(2)
  expect(sumOf('c\td', '\na', '\tb\n')).toEqual(sum)
  expect(sumOf('a\tb\nc\tD\n').digest).not.toBe(sum.digest)
})

function sumOf(...pieces: string[]): RowSum {
  const digest = new RowDigest()
  for (const piece of pieces) digest.add(Buffer.from(piece))
  return digest.sum()
}
