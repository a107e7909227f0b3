import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere, writeOwnerOnly } from './owner-only-file.ts'

const secretsSchema = z.object({
  /** Of the built-in database's superuser. */
  postgresPassword: z.string().min(16),
  /** Of our roles, by what they are for. */
  databasePasswords: z.object({
    owner: z.string().min(16),
    app: z.string().min(16),
    auth: z.string().min(16),
    queue: z.string().min(16),
  }),
})

/** Random, made on the first start, kept in the data directory, never shown. */
export type PlatformSecrets = z.output<typeof secretsSchema>

/** The data directory's secrets cannot be used. The message says what to do. */
export class SecretsError extends Error {
  override name = 'SecretsError'
  readonly isForOperator = true
}

/** Reads `<dataDir>/secrets.json` (mode 0600), or makes it when it is not there. @throws SecretsError */
export async function loadSecrets(dataDir: string): Promise<PlatformSecrets> {
  const path = join(dataDir, 'secrets.json')
  const text = await readIfThere(path)
  if (text === undefined) {
    const secrets = newSecrets()
    await writeOwnerOnly(path, secrets)
    return secrets
  }
  const result = secretsSchema.safeParse(jsonOrUndefined(text))
  if (!result.success) {
    throw new SecretsError(
      `${path} is damaged. Put back a copy of it, or move the data directory away to begin with an empty one.`,
    )
  }
  return result.data
}

function newSecrets(): PlatformSecrets {
  return {
    postgresPassword: newPassword(),
    databasePasswords: {
      owner: newPassword(),
      app: newPassword(),
      auth: newPassword(),
      queue: newPassword(),
    },
  }
}

function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
