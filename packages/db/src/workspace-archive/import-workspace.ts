import { randomBytes } from 'node:crypto'
import type { ObjectStorage } from '@flamegate/operations/ports'
import { escapeIdentifier, type ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'
import {
  manifestName,
  manifestSchema,
  notExported,
  notImported,
  type ArchiveManifest,
} from './archive-format.ts'
import { scopeOfWorkspace } from './export-workspace.ts'
import { withNewIds } from './new-ids.ts'
import { ArchiveError, readTar, type TarEntry } from './tar.ts'
import { readTenantTables, type TenantTable } from './tenant-tables.ts'
import { UnfinishedRows, type Row } from './unfinished-rows.ts'

/** What came of an import. */
export interface ImportedWorkspace {
  workspaceId: string
  name: string
  rows: number
  files: number
  /** Tables of the archive that were left out because they have to be set up anew, with how many rows they have. */
  leftOut: Map<string, number>
}

/** Of a file that is read whole. */
const partBytesMax = 1_000_000_000

/**
 * Makes a new workspace of an archive, with new ids, of which somebody is the owner. For operators: rows are taken as they
 * are, in the scope of that workspace alone. When it fails, what was begun is removed by the next sweep.
 * @throws ArchiveError when the archive cannot be read here
 */
export async function importWorkspace(
  to: { database: Database; storage: Pick<ObjectStorage, 'write'> },
  archive: AsyncIterable<Uint8Array>,
  ownerId: string,
): Promise<ImportedWorkspace> {
  const entries = readTar(archive)
  const first = await entries.next()
  if (first.done === true || first.value.name !== manifestName) {
    throw new ArchiveError('This is no archive of a workspace.')
  }
  const manifest = readManifest(await textOf(first.value))
  const secret = randomBytes(16).toString('hex')
  const workspaceId = withNewIds(manifest.workspace.id, secret)
  await addWorkspace(to.database, ownerId, { ...manifest.workspace, id: workspaceId })
  try {
    return await fill(to, entries, { manifest, secret, workspaceId })
  } catch (error) {
    await to.database.asPerson(ownerId, (client) =>
      execute(
        client,
        sql`UPDATE workspaces SET deletes_at = now(), deletion_asked_by = ${ownerId} WHERE id = ${workspaceId}`,
      ),
    )
    throw error
  }
}

function readManifest(text: string): ArchiveManifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new ArchiveError('The manifest of the archive is no JSON.', { cause })
  }
  const read = manifestSchema.safeParse(json)
  if (!read.success) throw new ArchiveError('The archive is of another version of Flamegate.')
  return read.data
}

async function addWorkspace(
  database: Database,
  ownerId: string,
  { id, slug, name }: ArchiveManifest['workspace'],
): Promise<void> {
  await database.asPerson(ownerId, async (client) => {
    const taken = await queryRows(client, sql`SELECT FROM workspaces WHERE slug = ${slug}`)
    const free = taken.length === 0 ? slug : `${slug.slice(0, 50)}-${id.slice(-8)}`
    await execute(client, sql`INSERT INTO workspaces (id, slug, name) VALUES (${id}, ${free}, ${name})`)
    await execute(
      client,
      sql`INSERT INTO memberships (workspace_id, user_id, role) VALUES (${id}, ${ownerId}, 'owner')`,
    )
  })
}

interface Import {
  manifest: ArchiveManifest
  secret: string
  workspaceId: string
}

async function fill(
  { database, storage }: Parameters<typeof importWorkspace>[0],
  entries: AsyncIterable<TarEntry>,
  { manifest, secret, workspaceId }: Import,
): Promise<ImportedWorkspace> {
  const inWorkspace = <T>(work: (client: ClientBase) => Promise<T>) =>
    database.inScope(scopeOfWorkspace(workspaceId, false), work)
  const tables = await inWorkspace(readTenantTables)
  checkColumns(manifest, tables)
  const targets = restorable(tables)
  const outcome: ImportedWorkspace = {
    workspaceId,
    name: manifest.workspace.name,
    rows: 0,
    files: 0,
    leftOut: new Map(),
  }
  const later: { table: TenantTable; columns: string[]; rows: Row[] }[] = []
  const storageKeys = new Set<string>()
  const unfinished = new UnfinishedRows()
  for await (const entry of entries) {
    const [kind, name = ''] = entry.name.split('/')
    if (kind === 'files') {
      const key = withNewIds(entry.name.slice('files/'.length), secret)
      // Only what a row of this workspace tells of.
      if (!storageKeys.has(key)) continue
      const bytes = await bytesOf(entry)
      await storage.write(key, bytes, { contentType: 'application/octet-stream' })
      outcome.files++
      continue
    }
    const lines = withNewIds(await textOf(entry), secret)
      .trimEnd()
      .split('\n')
    const target = targets.get(name)
    if (target === undefined) {
      outcome.leftOut.set(name, (outcome.leftOut.get(name) ?? 0) + lines.length)
      continue
    }
    const rows = unfinished.leaveOut(target.table, lines.map(readRow))
    if (name === 'files') for (const row of rows) storageKeys.add(keyOf(row, workspaceId))
    const columns = manifest.tables[name] ?? []
    for (const optional of target.optionalLater) {
      const set = rows.filter((row) => optional.some((column) => row[column] !== null))
      if (set.length > 0)
        later.push({ table: target.table, columns: optional, rows: set.map((row) => ({ ...row })) })
    }
    for (const row of rows) for (const column of target.emptied) row[column] = null
    outcome.rows += await inWorkspace((client) => insert(client, target.table, columns, rows))
  }
  for (const { table, columns, rows } of later) {
    for (const row of rows) unfinished.clear(table, row)
    await inWorkspace((client) => fillIn(client, table, columns, rows))
  }
  return outcome
}

function readRow(line: string): Row {
  const row: unknown = JSON.parse(line)
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new ArchiveError('A row of the archive is no object.')
  }
  return { ...row }
}

/** Rows of a file name the object that is read for them: it is one of this workspace. */
function keyOf(row: Row, workspaceId: string): string {
  const key = row['storage_key']
  if (typeof key !== 'string' || !key.startsWith(`${workspaceId}/`)) {
    throw new ArchiveError('A file of the archive is stored with another workspace.')
  }
  return key
}

/** An archive of a version that knows more than this one would lose that. */
function checkColumns(manifest: ArchiveManifest, tables: readonly TenantTable[]): void {
  const known = new Map(tables.map(({ name, columns }) => [name, new Set(columns)]))
  for (const [name, columns] of Object.entries(manifest.tables)) {
    if (notImported.has(name)) continue
    const strange = columns.find((column) => known.get(name)?.has(column) !== true)
    if (strange !== undefined) {
      throw new ArchiveError(
        `The archive has ${name}.${strange}, which is not known here. Update Flamegate first.`,
      )
    }
  }
}

interface Target {
  table: TenantTable
  /** Columns that refer to what is not imported, or only later. */
  emptied: string[]
  /** Of these, what is filled in at the end. */
  optionalLater: string[][]
}

/** Tables that can be filled, by name. One that needs what is not imported is not either. */
export function restorable(tables: readonly TenantTable[]): Map<string, Target> {
  const wanted = new Map(
    tables
      .filter(({ name, mayInsert }) => mayInsert && !notImported.has(name) && !notExported.has(name))
      .map((table) => [table.name, table]),
  )
  const isThere = (table: string) => wanted.has(table) || table === 'workspaces'
  for (let size = -1; size !== wanted.size;) {
    size = wanted.size
    for (const { name, references } of wanted.values()) {
      if (references.some(({ table, isOptional }) => !isOptional && !isThere(table))) wanted.delete(name)
    }
  }
  const before = new Set<string>()
  const targets = new Map<string, Target>()
  for (const table of wanted.values()) {
    const target: Target = { table, emptied: [], optionalLater: [] }
    for (const { table: other, columns, isOptional } of table.references) {
      if (!isOptional || before.has(other)) continue
      target.emptied.push(...columns)
      if (wanted.has(other)) target.optionalLater.push(columns)
    }
    targets.set(table.name, target)
    before.add(table.name)
  }
  return targets
}

async function insert(
  client: ClientBase,
  table: TenantTable,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<number> {
  const name = escapeIdentifier(table.name)
  const list = columns.map((column) => escapeIdentifier(column)).join(', ')
  // What triggers made of other rows is there already.
  const { rowCount } = await client.query(
    `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, $1)
      ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  )
  return rowCount ?? 0
}

/** Sets what could not be there yet when the rows came. */
async function fillIn(
  client: ClientBase,
  table: TenantTable,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const name = escapeIdentifier(table.name)
  const same = table.keyColumns.map(
    (column) => `${name}.${escapeIdentifier(column)} = v.${escapeIdentifier(column)}`,
  )
  const values = columns.map((column) => `${escapeIdentifier(column)} = v.${escapeIdentifier(column)}`)
  await client.query(
    `UPDATE ${name} SET ${values.join(', ')} FROM json_populate_recordset(NULL::${name}, $1) AS v
      WHERE ${same.join(' AND ')}`,
    [JSON.stringify(rows)],
  )
}

async function bytesOf({ name, sizeBytes, body }: TarEntry): Promise<Buffer> {
  if (sizeBytes > partBytesMax) throw new ArchiveError(`${name} is larger than ${partBytesMax} bytes.`)
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function textOf(entry: TarEntry): Promise<string> {
  return (await bytesOf(entry)).toString('utf8')
}
