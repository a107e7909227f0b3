// Makes new keys for everything that the gateway and the API sign. Nobody is logged out by it: the processes go on
// with the old keys until they are started anew an hour from now, and the old keys are still believed after that.
import { rotateKeys } from '@flamegate/auth'
import { createStores, openDatabase } from '@flamegate/db'
import { ConfigError, readConfig } from '@flamegate/runtime'
import { z } from 'zod'
import { platformConfig } from './platform-config.ts'
import { urlInDataDir } from './url-in-data-dir.ts'

const settings = z.object({
  FLAMEGATE_DATABASE_AUTH_URL: z
    .url({ protocol: /^postgres(ql)?$/, hostname: /.*/ })
    .optional()
    .describe('Flamegate’s database as flamegate_auth; the one of FLAMEGATE_DATA_DIR when left out.')
    .meta({ secret: true, kind: 'a postgres:// URL' }),
  FLAMEGATE_DATA_DIR: platformConfig.shape.FLAMEGATE_DATA_DIR,
  DATABASE_URL: platformConfig.shape.DATABASE_URL,
})

/** Time to start every process once, so that all of them know the new keys before one of them uses them. */
const activeAfterMs = 3_600_000

try {
  const config = readConfig(settings, process.env)
  const authUrl =
    config.FLAMEGATE_DATABASE_AUTH_URL ?? (await urlInDataDir(config, 'auth', 'FLAMEGATE_DATABASE_AUTH_URL'))
  const database = openDatabase({ appUrl: authUrl, authUrl, poolSize: 1, log: console })
  const stores = createStores(database)
  try {
    const activeAt = new Date(Date.now() + activeAfterMs)
    await rotateKeys(stores.identity, activeAt)
    process.stdout.write(
      `There are new keys. Start every process anew before ${activeAt.toISOString()}, so that it knows them, ` +
        'and once more after that, so that it uses them.\n',
    )
  } finally {
    await stores.close()
    await database.close()
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
