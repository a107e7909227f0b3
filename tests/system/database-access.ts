import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openMasterKeys } from '@flamegate/auth'
import { createStores, openDatabase, roleUrl, type Database, type DatabaseRole } from '@flamegate/db'
import { platform } from './person.ts'

/** Connection string of one of the platform's own database roles. */
export async function urlOfRole(role: DatabaseRole): Promise<string> {
  const { dataDir } = platform()
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))
  const { port } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))
  return roleUrl(`postgresql://postgres@127.0.0.1:${port}/postgres`, role, secrets.databasePasswords[role])
}

/** The platform's database as its own processes see it. */
export async function openPlatformDatabase(): Promise<Database & ReturnType<typeof createStores>> {
  const database = openDatabase({
    appUrl: await urlOfRole('app'),
    authUrl: await urlOfRole('auth'),
    poolSize: 2,
    log: { info: () => {}, error: () => {} },
  })
  const data = createStores(
    database,
    await openMasterKeys({
      FLAMEGATE_KEY_PROVIDER: 'file',
      FLAMEGATE_MASTER_KEY_FILE: join(platform().dataDir, 'master-keys'),
      FLAMEGATE_VAULT_KEY: '',
    }),
  )
  return {
    ...database,
    ...data,
    async close() {
      await data.close()
      await database.close()
    },
  }
}
