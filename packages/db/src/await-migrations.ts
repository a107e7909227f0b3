import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'
import { MigrationError, migrationNames, migrationsFolder } from './migrate.ts'

export interface AwaitMigrationsOptions {
  log: { warn(fields: object, message: string): void }
  /** How long the preparation of this version may still take; five minutes when left out. */
  waitMs?: number
  folder?: string
}

const lookEveryMs = 1_000

/** The table, or the right to read it, comes with a migration. */
const olderStates = new Set(['42P01', '42501'])

/**
 * Comes back once the database has all migrations of this version, so that processes may be started beside the preparation that
 * brings it up to date. A database that is newer is used all the same, with a warning: it is so while a newer version is rolled
 * out, and each version leaves the one before it working.
 * @throws MigrationError when the database is still older after that time
 */
export async function awaitMigrations(auth: Pool, options: AwaitMigrationsOptions): Promise<void> {
  const { log, waitMs = 300_000, folder = migrationsFolder } = options
  const ours = await migrationNames(folder)
  const deadline = performance.now() + waitMs
  for (let isFirstLook = true; ; isFirstLook = false) {
    const applied = await appliedNames(auth)
    const missing = ours.filter((name) => !applied.has(name))
    if (missing.length === 0) {
      const unknown = [...applied].filter((name) => !ours.includes(name))
      if (unknown.length > 0)
        log.warn({ migrations: unknown }, 'the database is of a newer version than this process')
      return
    }
    if (performance.now() >= deadline) throw tooOld(missing)
    if (isFirstLook) log.warn({ migrations: missing }, 'waiting for the database to be brought up to date')
    await pause(lookEveryMs)
  }
}

async function appliedNames(auth: Pool): Promise<Set<string>> {
  try {
    const { rows } = await auth.query<{ name: string }>(
      `SELECT migration_name AS name FROM _prisma_migrations
        WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    )
    return new Set(rows.map(({ name }) => name))
  } catch (error) {
    if (error instanceof DatabaseError && olderStates.has(error.code ?? '')) return new Set()
    throw error
  }
}

function tooOld(missing: string[]): MigrationError {
  return new MigrationError(
    `The database is of an older version of Flamegate than this one: it lacks ${missing.length} migrations, the last of them ` +
      `${missing.at(-1)}. Run apps/platform/src/prepare-database.ts of this version, which brings it up to date.`,
  )
}
