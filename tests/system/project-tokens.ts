import { newTokenSecret } from '@flamegate/auth'
import { newId, operations, type Scope } from '@flamegate/contract'
import { openPlatformDatabase } from './database-access.ts'
import type { Person } from './person.ts'

/**
 * An API token that is held to one project, as a job without a secret gets one; of more scopes than those have. The project has a
 * repository.
 */
export async function tokenOfProject(person: Person, projectId: string, scopes: Scope[]): Promise<string> {
  await person.client.call(operations.updateProject, { project_id: projectId, keyless_uploads: true })
  const { secret, hash } = newTokenSecret()
  const database = await openPlatformDatabase()
  try {
    await database.asAuth((client) =>
      client.query(
        `INSERT INTO api_tokens (workspace_id, id, user_id, project_id, name, prefix, token_hash, scopes, expires_at)
          VALUES ($1, $2, $3, $4, 'of a project', $5, $6, $7, now() + interval '1 day')`,
        [person.workspaceId, newId('apiToken'), person.userId, projectId, secret.slice(0, 8), hash, scopes],
      ),
    )
  } finally {
    await database.close()
  }
  return secret
}
