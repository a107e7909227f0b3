import { pipeline } from 'node:stream/promises'
import { escapeIdentifier, type Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openConnection } from '../connect.ts'
import { migrate, migrationsFolder, readMigrations } from '../migrate.ts'
import { queryRows, sql } from '../sql.ts'
import { columnList, readTables, type BackupTable } from './snapshot.ts'

/** Why nothing was restored; the message says what to do. */
export class RestoreError extends Error {
  override name = 'RestoreError'
  readonly isForOperator = true
}

/** What a database is made of again. */
export interface DatabaseContent {
  migrations: readonly { name: string; checksum: string }[]
  tables: readonly BackupTable[]
  /** In the text format of COPY. */
  rows(table: BackupTable): AsyncIterable<Buffer>
}

/**
 * Looks whether `restoreDatabase` would refuse, and touches nothing.
 * @throws RestoreError as it
 */
export async function checkRestore(
  ownerUrl: string,
  content: Pick<DatabaseContent, 'migrations'>,
  options: { replaces: boolean },
): Promise<void> {
  await checkMigrations(content, migrationsFolder)
  const client = await openConnection(ownerUrl, 'flamegate restore')
  try {
    await checkDatabase(client, options)
  } finally {
    await client.end()
  }
}

/**
 * Makes a database what it was when the backup was taken, and then brings it up to date. Everything that is in it goes. The rows
 * come in one transaction, with all foreign keys checked at its end; triggers do not fire, because what they did is in the backup.
 * @param ownerUrl The database, as the role that owns it; with the other roles there (`bootstrapRoles`).
 * @param options.replaces Whether a database that somebody has used may be replaced.
 * @returns The migrations that were applied after it.
 * @throws RestoreError when the backup is from a newer version, the database is in use, or it is not empty.
 */
export async function restoreDatabase(
  ownerUrl: string,
  content: DatabaseContent,
  options: { replaces: boolean },
  folder = migrationsFolder,
): Promise<string[]> {
  const names = content.migrations.map(({ name }) => name)
  await checkMigrations(content, folder)
  const client = await openConnection(ownerUrl, 'flamegate restore')
  try {
    await checkDatabase(client, options)
    await client.query('DROP SCHEMA public CASCADE')
    await client.query('CREATE SCHEMA public')
    await migrate(ownerUrl, folder, new Set(names))
    await fill(client, content)
  } finally {
    await client.end()
  }
  return migrate(ownerUrl, folder)
}

/** A backup is of this version or of one before: its migrations are the first of ours. */
async function checkMigrations(
  { migrations }: Pick<DatabaseContent, 'migrations'>,
  folder: string,
): Promise<void> {
  const ours = new Map((await readMigrations(folder)).map(({ name, checksum }) => [name, checksum]))
  const strange = migrations.filter(({ name, checksum }) => ours.get(name) !== checksum)
  if (strange.length > 0) {
    throw new RestoreError(
      `The backup is from a newer version of Flamegate, which has ${strange.map(({ name }) => name).join(', ')}. ` +
        'Restore it with that version.',
    )
  }
}

async function checkDatabase(client: Client, { replaces }: { replaces: boolean }): Promise<void> {
  await checkUnused(client)
  if (!replaces && (await hasPeople(client))) {
    throw new RestoreError(
      'There are accounts in that database already. Restore into an empty one, or say --replace to lose what is there.',
    )
  }
}

async function checkUnused(client: Client): Promise<void> {
  const users = await queryRows<{ name: string }>(
    client,
    sql`SELECT DISTINCT usename::text AS name FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  if (users.length > 0) {
    throw new RestoreError(
      `The database is in use by ${users.map(({ name }) => name).join(', ')}. Stop every process of Flamegate first.`,
    )
  }
}

async function hasPeople(client: Client): Promise<boolean> {
  const [there] = await queryRows<{ has: boolean }>(
    client,
    sql`SELECT to_regclass('public.users') IS NOT NULL AS has`,
  )
  if (there?.has !== true) return false
  await client.query('BEGIN')
  // Whatever policies that version has.
  await client.query('ALTER TABLE users NO FORCE ROW LEVEL SECURITY')
  const [found] = await queryRows<{ has: boolean }>(client, sql`SELECT EXISTS (SELECT FROM users) AS has`)
  await client.query('ROLLBACK')
  return found?.has === true
}

async function fill(client: Client, content: DatabaseContent): Promise<void> {
  const tables = (await readTables(client)).map(({ name }) => escapeIdentifier(name))
  // What is done to a table with parts is not done to the triggers and policies of these.
  const parts = await queryRows<{ name: string }>(
    client,
    sql`SELECT quote_ident(relname) AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relispartition`,
  )
  const closed = [...tables, ...parts.map(({ name }) => name)]
  const keys = await queryRows<{ table: string; name: string; definition: string }>(
    client,
    sql`SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  )
  await client.query('BEGIN')
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const table of closed) {
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER, NO FORCE ROW LEVEL SECURITY`)
  }
  // Migrations may have put rows there.
  for (const table of tables) await client.query(`TRUNCATE ${table}`)
  for (const table of content.tables) {
    const into = client.query(
      copyFrom(`COPY ${escapeIdentifier(table.name)} (${columnList(table)}) FROM STDIN`),
    )
    await pipeline(content.rows(table), into)
  }
  for (const table of closed) {
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER, FORCE ROW LEVEL SECURITY`)
  }
  for (const { table, name, definition } of keys) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  }
  await client.query('COMMIT')
  // So that the first questions are not planned for empty tables.
  await client.query('ANALYZE')
}
