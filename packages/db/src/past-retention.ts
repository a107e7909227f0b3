import type { RetainedKind } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/**
 * What in all workspaces is older than the plan of its workspace keeps it, the oldest of each first; baselines are not among it.
 * @param options.daysMax what the installation keeps, where that is less
 */
export function findPastRetention(
  database: Database,
  kind: RetainedKind,
  { limit, daysMax = null }: { limit: number; daysMax?: number | null | undefined },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id
      FROM flamegate_past_retention(${kind}, ${daysMax}::integer, ${limit}::integer)`,
  )
}

/** Which of these keys no file has. */
export async function findUnknownObjects(database: Database, keys: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ key: string }>(
    database.auth,
    sql`SELECT flamegate_unknown_objects(${[...keys]}::text[]) AS key`,
  )
  return rows.map(({ key }) => key)
}

/** Notes what all workspaces have stored now among their usage of today. */
export async function meterStorage(database: Database): Promise<void> {
  await queryRows(database.auth, sql`SELECT flamegate_meter_storage()`)
}
