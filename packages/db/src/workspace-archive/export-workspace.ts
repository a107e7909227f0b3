import type { ObjectStorage } from '@flamegate/operations/ports'
import { escapeIdentifier, type ClientBase } from 'pg'
import type { Database } from '../database.ts'
import type { RowScope } from '../row-scope.ts'
import { queryRows, sql } from '../sql.ts'
import { archiveFormat, manifestName, notExported, type ArchiveManifest } from './archive-format.ts'
import { writeTar, type TarEntry } from './tar.ts'
import { readTenantTables, type TenantTable } from './tenant-tables.ts'

const rowsAtATime = 500
/** A part of the archive is written when it has so many characters. */
const partLength = 1_000_000

/** Everything of one workspace, as its owner sees it. */
export function scopeOfWorkspace(workspaceId: string, isReadOnly: boolean): RowScope {
  const only = [workspaceId]
  return {
    userId: 'usr_worker',
    readWorkspaceIds: only,
    writeWorkspaceIds: isReadOnly ? [] : only,
    adminWorkspaceIds: only,
    isReadOnly,
  }
}

/**
 * Gives the bytes of an archive with everything of a workspace at one moment to `take`: rows and files. Files that are removed
 * meanwhile are left out. Secrets are in it as they are sealed, and other installations cannot open them.
 */
export async function exportWorkspace(
  { database, storage }: { database: Database; storage: Pick<ObjectStorage, 'find' | 'open'> },
  workspaceId: string,
  take: (archive: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<ArchiveManifest> {
  return database.inScope(scopeOfWorkspace(workspaceId, true), async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    // While files are read and sent, which may take hours, nothing is asked of the database. It ends with what takes the archive.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    const [workspace] = await queryRows<ArchiveManifest['workspace']>(
      client,
      sql`SELECT id, slug, name FROM workspaces WHERE id = ${workspaceId}`,
    )
    if (workspace === undefined) throw new RangeError(`There is no workspace ${workspaceId}.`)
    const tables = (await readTenantTables(client)).filter(({ name }) => !notExported.has(name))
    const manifest: ArchiveManifest = {
      format: archiveFormat,
      created_at: new Date().toISOString(),
      workspace,
      tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
    }
    await take(writeTar(entriesOf(client, manifest, tables, storage)))
    return manifest
  })
}

async function* entriesOf(
  client: ClientBase,
  manifest: ArchiveManifest,
  tables: readonly TenantTable[],
  storage: Pick<ObjectStorage, 'find' | 'open'>,
): AsyncGenerator<TarEntry> {
  yield entry(manifestName, JSON.stringify(manifest, null, 2))
  const { id } = manifest.workspace
  for (const { name, columns, hasBytes } of tables) {
    const list = columns.map((column) => escapeIdentifier(column)).join(', ')
    // Archives that were made before are in none.
    const condition = name === 'files' ? "AND purpose <> 'export_workspace'" : ''
    let part = 0
    for await (const lines of inCursor(
      client,
      `SELECT row_to_json(t)::text AS line FROM
        (SELECT ${list} FROM ${escapeIdentifier(name)} WHERE workspace_id = $1 ${condition}) AS t`,
      id,
      // One of these may have megabytes.
      hasBytes ? 1 : rowsAtATime,
    )) {
      part++
      yield entry(`rows/${name}/${String(part).padStart(6, '0')}.jsonl`, `${lines.join('\n')}\n`)
    }
  }
  for await (const keys of inCursor(
    client,
    "SELECT storage_key AS line FROM files WHERE workspace_id = $1 AND status = 'READY' AND purpose <> 'export_workspace'",
    id,
    rowsAtATime,
  )) {
    for (const key of keys) {
      const stored = await storage.find(key)
      const body = stored && (await storage.open(key))
      if (stored !== undefined && body !== undefined)
        yield { name: `files/${key}`, sizeBytes: stored.sizeBytes, body }
    }
  }
}

async function* inCursor(
  client: ClientBase,
  query: string,
  workspaceId: string,
  atATime: number,
): AsyncGenerator<string[]> {
  await client.query(`DECLARE exported NO SCROLL CURSOR FOR ${query}`, [workspaceId])
  let lines: string[] = []
  let length = 0
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`FETCH ${atATime} FROM exported`)
    for (const { line } of rows) {
      lines.push(line)
      length += line.length
    }
    const isOver = rows.length < atATime
    if (lines.length > 0 && (isOver || length > partLength)) {
      yield lines
      lines = []
      length = 0
    }
    if (isOver) break
  }
  await client.query('CLOSE exported')
}

function entry(name: string, text: string): TarEntry {
  const bytes = Buffer.from(text)
  return { name, sizeBytes: bytes.length, body: inOne(bytes) }
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
