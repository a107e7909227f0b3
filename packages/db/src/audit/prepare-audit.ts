import type { Database } from '../database.ts'
import { queryRows, sql } from '../sql.ts'

/**
 * Adds parts of the audit log for this month and the next two, where they are missing. As often as one likes, by any process. Gives
 * the names of those that were added, or, with `isDry`, that would be.
 */
export async function prepareAudit(database: Database, { isDry }: { isDry: boolean }): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    database.auth,
    sql`SELECT flamegate_prepare_audit(${isDry}) AS name`,
  )
  return rows.map(({ name }) => name)
}
