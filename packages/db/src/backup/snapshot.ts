import { escapeIdentifier, type Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { openConnection } from '../connect.ts'
import { queryRows, sql } from '../sql.ts'

/** A table and its columns, without those that the database works out by itself. */
export interface BackupTable {
  name: string
  columns: readonly string[]
}

/** Everything in the database at one moment, while others go on to change it. */
export interface Snapshot {
  /** Those that were applied, in order. */
  migrations: readonly { name: string; checksum: string }[]
  tables: readonly BackupTable[]
  /** The rows of a table, in the text format of COPY. One table at a time. */
  rows(table: BackupTable): AsyncIterable<Buffer>
  /** Under which keys the files of that moment are stored. */
  storageKeys(): AsyncIterable<string>
  /** Names of the master keys that wrapped the keys. */
  masterKeys: readonly string[]
  close(): Promise<void>
}

/**
 * Opens a snapshot: one transaction that sees one moment, and blocks nobody.
 * @param ownerUrl The database as `flamegate_owner`, who reads everything for as long as `flamegate.backs_up` is on (see the
 *   migration `backups`).
 */
export async function openSnapshot(ownerUrl: string): Promise<Snapshot> {
  const client = await openConnection(ownerUrl, 'flamegate backup')
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query("SELECT set_config('flamegate.backs_up', 'on', true)")
    return {
      migrations: await queryRows(
        client,
        sql`SELECT migration_name AS name, checksum FROM _prisma_migrations
          WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
      ),
      tables: await readTables(client),
      masterKeys: await readMasterKeyNames(client),
      // Of a table by its name COPY gives no row of its parts.
      rows: (table) => copyOut(client, `(SELECT ${columnList(table)} FROM ${escapeIdentifier(table.name)})`),
      storageKeys: () => keysIn(copyOut(client, '(SELECT storage_key FROM files)')),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** As they stand in SELECT, and between the parentheses of COPY. */
export function columnList({ columns }: BackupTable): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ')
}

/** All our tables but the one that the migrations keep, each as a whole where it has parts. */
export function readTables(client: Client): Promise<BackupTable[]> {
  return queryRows<BackupTable>(
    client,
    sql`SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname <> '_prisma_migrations'
        AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      GROUP BY relname ORDER BY relname`,
  )
}

/** As `masterKeyOf` of @flamegate/auth gives them. What lies there as it is needs none. */
async function readMasterKeyNames(client: Client): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    client,
    sql`SELECT DISTINCT split_part(wrapped, '.', 1) || '.' || split_part(wrapped, '.', 2) AS name
      FROM (
        SELECT wrapped FROM data_keys
        UNION ALL SELECT secret->>'wrapped' FROM oauth_keys
      ) AS keys WHERE wrapped NOT LIKE 'clear.%' ORDER BY name`,
  )
  return rows.map(({ name }) => name)
}

async function* copyOut(client: Client, what: string): AsyncGenerator<Buffer> {
  for await (const piece of client.query(copyTo(`COPY ${what} TO STDOUT`))) {
    if (Buffer.isBuffer(piece)) yield piece
  }
}

/** Keys have no characters that COPY would escape. */
async function* keysIn(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
