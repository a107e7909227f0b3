import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@flamegate/embedded-postgres'
import type { EmbeddedPostgres } from '@flamegate/embedded-postgres'
import type { Logger } from '@flamegate/runtime'
import { z } from 'zod'
import { readIfThere, writeOwnerOnly } from './owner-only-file.ts'
import { SecretsError, loadSecrets } from './secrets.ts'

export const portFileSchema = z.object({ port: z.number().int().min(1).max(65_535) })

/**
 * The platform's own PostgreSQL in `<dataDir>/postgres`, on the port of last time if that is free. Hold the data
 * directory's lock: whatever a killed process left running there is stopped.
 * @throws PostgresStartError | SecretsError
 */
export async function startPlatformPostgres(dataDir: string, log: Logger): Promise<EmbeddedPostgres> {
  const postgresDir = join(dataDir, 'postgres')
  await refuseLostSecrets(dataDir, postgresDir)
  const { postgresPassword } = await loadSecrets(dataDir)
  const portFile = join(dataDir, 'postgres.json')
  const server = await startEmbeddedPostgres({
    dataDir: postgresDir,
    password: postgresPassword,
    preferredPort: readPort(await readIfThere(portFile)),
    onLog: (line) => log.debug({ line }, 'postgres'),
  })
  await writeOwnerOnly(portFile, { port: server.port })
  log.info({ port: server.port, isNew: server.isNew }, 'database is up')
  return server
}

/** New passwords would not open an old database, and saying so beats a failed login later. */
async function refuseLostSecrets(dataDir: string, postgresDir: string): Promise<void> {
  const hasDatabase = await stat(join(postgresDir, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  if (hasDatabase && (await readIfThere(join(dataDir, 'secrets.json'))) === undefined) {
    throw new SecretsError(
      `${join(dataDir, 'secrets.json')} is gone, and with it the passwords of the database next to it. ` +
        'Put back a copy of it, or move the data directory away to begin with an empty one.',
    )
  }
}

function readPort(text: string | undefined): number | undefined {
  try {
    return portFileSchema.parse(JSON.parse(text ?? '')).port
  } catch {
    return undefined
  }
}
