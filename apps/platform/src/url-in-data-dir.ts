import { join } from 'node:path'
import { roleUrl, type DatabaseRole } from '@flamegate/db'
import { ConfigError } from '@flamegate/runtime'
import { portFileSchema } from './embedded-postgres.ts'
import { readIfThere } from './owner-only-file.ts'
import type { PlatformConfig } from './platform-config.ts'
import { loadSecrets } from './secrets.ts'

/**
 * The database of `npm start`, which has to be running, as one of our roles.
 * @param setting names where the URL could be said instead
 * @throws ConfigError when there is none
 */
export async function urlInDataDir(
  config: Pick<PlatformConfig, 'FLAMEGATE_DATA_DIR' | 'DATABASE_URL'>,
  role: DatabaseRole,
  setting: string,
): Promise<string> {
  const dataDir = config.FLAMEGATE_DATA_DIR
  const ports = await readIfThere(join(dataDir, 'postgres.json'))
  const secrets = await readIfThere(join(dataDir, 'secrets.json'))
  if (secrets === undefined || (config.DATABASE_URL === undefined && ports === undefined)) {
    throw new ConfigError(
      `There is no database in ${dataDir}. Say where it is with FLAMEGATE_DATA_DIR or ${setting}.`,
    )
  }
  const serverUrl =
    config.DATABASE_URL ??
    `postgresql://127.0.0.1:${portFileSchema.parse(JSON.parse(ports ?? '')).port}/postgres`
  return roleUrl(serverUrl, role, (await loadSecrets(dataDir)).databasePasswords[role])
}
