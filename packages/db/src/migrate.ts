import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseError, type Client } from 'pg'
import { openConnection } from './connect.ts'

/** The migrations of this checkout, in Prisma Migrate's layout. */
export const migrationsFolder = path.resolve(import.meta.dirname, '../../../prisma/migrations')

/** The key of Prisma Migrate's advisory lock, so that its tools and ours never migrate at the same time. */
const lockKey = 72707369

/** The database cannot be brought up to date, or is not; the message says why and what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
  readonly isForOperator = true
}

export interface Migration {
  /** Name of its folder: `<time>_<name>`. */
  name: string
  sql: string
  /** Hex SHA-256 of the file, as Prisma Migrate computes it. */
  checksum: string
}

interface AppliedMigration {
  migration_name: string
  checksum: string
  finished_at: Date | null
}

/** The migrations of a folder, in the order in which they are applied. */
export async function migrationNames(folder = migrationsFolder): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
}

/** The same with what is in them. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = await migrationNames(folder)
  return Promise.all(
    names.map(async (name) => {
      const content = await readFile(path.join(folder, name, 'migration.sql'))
      return {
        name,
        sql: content.toString('utf8'),
        checksum: createHash('sha256').update(content).digest('hex'),
      }
    }),
  )
}

/**
 * Applies the migrations that the database does not have yet, each in one transaction together with its entry in
 * `_prisma_migrations`, and tells their names. That table is kept as `prisma migrate deploy` keeps it, so that
 * either tool can go on where the other stopped. Several processes may call this at once: one migrates, the
 * others wait. A database with migrations that this checkout does not know is of a newer version, and is refused: nobody
 * tried this version's code on it.
 * @param ownerUrl The database, as the role that owns it.
 * @param only Names of those to apply; all when left out.
 * @throws MigrationError when a migration failed, an applied one was edited, another tool left one half done, or the
 *   database is of a newer version.
 */
export async function migrate(
  ownerUrl: string,
  folder = migrationsFolder,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const all = await readMigrations(folder)
  const migrations = only === undefined ? all : all.filter(({ name }) => only.has(name))
  const known = new Set(all.map(({ name }) => name))
  const client = await openConnection(ownerUrl, 'flamegate migrate')
  try {
    await client.query("SET lock_timeout = '60s'")
    await client.query('SELECT pg_advisory_lock($1)', [lockKey])
    await createBookkeeping(client)
    const applied = await readApplied(client)
    refuseNewer(applied.filter((row) => !known.has(row.migration_name)))
    const pending = pendingMigrations(migrations, applied)
    for (const migration of pending) await apply(client, migration)
    return pending.map((migration) => migration.name)
  } finally {
    // Ends the session, and with it the lock.
    await client.end()
  }
}

function refuseNewer(unknown: AppliedMigration[]): void {
  if (unknown.length === 0) return
  throw new MigrationError(
    `The database is of a newer version of Flamegate than this one, which does not know ${nameSome(unknown)}. Nothing was ` +
      'changed. Start that version again, or a later one. To go back to this one, restore a backup that was made before the ' +
      'upgrade: docs/operations/upgrade.md says how.',
  )
}

function nameSome(migrations: AppliedMigration[]): string {
  const names = migrations.map((row) => row.migration_name).toSorted()
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
}

function pendingMigrations(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const unfinished = applied.find((row) => row.finished_at === null)
  if (unfinished) {
    throw new MigrationError(
      `Migration ${unfinished.migration_name} was begun by another tool and never finished. Look at the ` +
        'database, then tell Prisma what became of it with "prisma migrate resolve".',
    )
  }
  const checksums = new Map(applied.map((row) => [row.migration_name, row.checksum]))
  const edited = migrations.filter(
    ({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum,
  )
  if (edited.length > 0) {
    throw new MigrationError(
      `Edited after it was applied: ${edited.map(({ name }) => name).join(', ')}. A migration that has run ` +
        'somewhere never changes: restore the file, and write what you wanted as a new migration.',
    )
  }
  return migrations.filter(({ name }) => !checksums.has(name))
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const startedAt = new Date()
  try {
    await client.query('BEGIN')
    await client.query(migration.sql)
    await note(client, migration, startedAt, { appliedSteps: 1 })
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    const reason = describeError(error, migration.sql)
    // Rolled back, so it is tried again next time; the entry is for people who look for what happened.
    await note(client, migration, startedAt, { appliedSteps: 0, logs: reason })
    throw new MigrationError(`Migration ${migration.name} failed and left nothing behind: ${reason}`, {
      cause: error,
    })
  }
}

function note(
  client: Client,
  migration: Migration,
  startedAt: Date,
  outcome: { appliedSteps: number; logs?: string },
): Promise<unknown> {
  const endedAt = outcome.logs === undefined ? 'finished_at' : 'rolled_back_at'
  return client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, ${endedAt}, logs, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), $5, $6)`,
    [randomUUID(), migration.checksum, migration.name, startedAt, outcome.logs ?? null, outcome.appliedSteps],
  )
}

/** The message and, where the server tells it, the line of the file. */
function describeError(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError)) return String(error)
  const line = error.position === undefined ? '' : ` (line ${lineAt(sql, Number(error.position))})`
  return `${error.message}${line}`
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position - 1).split('\n').length
}

/** The table as Prisma's schema engine creates it. */
function createBookkeeping(client: Client): Promise<unknown> {
  return client.query(`
    CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id VARCHAR(36) PRIMARY KEY NOT NULL,
      checksum VARCHAR(64) NOT NULL,
      finished_at TIMESTAMPTZ,
      migration_name VARCHAR(255) NOT NULL,
      logs TEXT,
      rolled_back_at TIMESTAMPTZ,
      started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
      applied_steps_count INTEGER NOT NULL DEFAULT 0
    )`)
}

async function readApplied(client: Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  return rows
}
