import type { OpenMasterKeys } from '@flamegate/auth'
import {
  bootstrapRoles,
  checkConnections,
  migrate,
  openDatabase,
  roleUrl,
  type Database,
} from '@flamegate/db'
import type { Logger } from '@flamegate/runtime'
import type { PlatformConfig } from './platform-config.ts'
import { startPlatformPostgres } from './embedded-postgres.ts'
import { bringKeysUpToDate } from './keys/bring-keys-up-to-date.ts'
import { loadSecrets } from './secrets.ts'

export interface PlatformDatabase {
  database: Database
  /** Connection strings by role, for the worker's process and the queue. */
  urls: Record<'app' | 'auth' | 'queue', string>
  close(): Promise<void>
}

/**
 * The database, ready for use: the built-in server or the one of `DATABASE_URL`, with roles and all migrations.
 * The passwords of the roles are ours, so that the administrator's credential is not used after this.
 */
export async function openPlatformDatabase(
  config: PlatformConfig,
  masterKeys: OpenMasterKeys,
  log: Logger,
): Promise<PlatformDatabase> {
  const dataDir = config.FLAMEGATE_DATA_DIR
  await checkConnections({ DATABASE_URL: config.DATABASE_URL }, { mayBeAdministrator: true })
  const server = config.DATABASE_URL === undefined ? await startPlatformPostgres(dataDir, log) : undefined
  try {
    const adminUrl = config.DATABASE_URL ?? server?.url('postgres') ?? ''
    const { databasePasswords } = await loadSecrets(dataDir)
    await bootstrapRoles(adminUrl, databasePasswords)
    const ownerUrl = roleUrl(adminUrl, 'owner', databasePasswords.owner)
    const applied = await migrate(ownerUrl)
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrated')
    await bringKeysUpToDate(ownerUrl, masterKeys, log)
    const urls = {
      app: roleUrl(adminUrl, 'app', databasePasswords.app),
      auth: roleUrl(adminUrl, 'auth', databasePasswords.auth),
      queue: roleUrl(adminUrl, 'queue', databasePasswords.queue),
    }
    const database = openDatabase({ appUrl: urls.app, authUrl: urls.auth, poolSize: 10, log })
    return {
      database,
      urls,
      async close() {
        await database.close()
        await server?.stop()
      },
    }
  } catch (error) {
    await server?.stop()
    throw error
  }
}
