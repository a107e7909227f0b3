import { createHash } from 'node:crypto'
import { newId } from '@flamegate/contract'
import type { ClientBase } from 'pg'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

/**
 * The id of the environment that has these facts, made when it is new in the project; null when nothing is known.
 * Runs on the same machine share one.
 */
export async function ensureEnvironment(
  client: ClientBase,
  place: { workspaceId: string; projectId: string },
  facts: Record<string, string>,
): Promise<string | null> {
  const sorted = Object.entries(facts)
    .map(([name, value]): [string, string] => [storableText(name), storableText(value)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return null
  const fingerprint = createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
  const known = await findEnvironment(client, place.projectId, fingerprint)
  if (known !== undefined) return known
  // Nothing is done to one that came meanwhile: as long as a row is locked, all other runs on that machine wait.
  await execute(
    client,
    sql`INSERT INTO environments (workspace_id, id, project_id, fingerprint, facts)
      VALUES (${place.workspaceId}, ${newId('environment')}, ${place.projectId}, ${fingerprint},
        ${storableJson(Object.fromEntries(sorted))})
      ON CONFLICT (project_id, fingerprint) DO NOTHING`,
  )
  return (await findEnvironment(client, place.projectId, fingerprint)) ?? null
}

async function findEnvironment(
  client: ClientBase,
  projectId: string,
  fingerprint: string,
): Promise<string | undefined> {
  const [environment] = await queryRows<{ id: string }>(
    client,
    sql`SELECT id FROM environments WHERE project_id = ${projectId} AND fingerprint = ${fingerprint}`,
  )
  return environment?.id
}
