import { queryRows, sql, type Sql } from '../sql.ts'
import type { KeyTransaction } from '../stores/oauth-keys.ts'

/** Seals what lies in the clear. */
export type Seal = (plain: string, of: { id: string; workspaceId: string }) => Promise<string>

/** Where addresses lay before they were sealed. */
interface Place {
  table: Sql
  plain: Sql
  /** Leaves it there no more. */
  clear: Sql
}

const places: readonly Place[] = [
  { table: sql`webhooks`, plain: sql`url`, clear: sql`url = NULL` },
  { table: sql`notifications`, plain: sql`target ->> 'url'`, clear: sql`target = target - 'url'` },
]

interface Row {
  workspaceId: string
  id: string
  plain: string
}

const rowsAtOnce = 200

/**
 * Seals addresses that lie there in the clear, of webhooks and of notifications by http from before they were sealed. One that is changed
 * meanwhile stays as it was left.
 * @returns how many
 */
export async function sealAddresses(transaction: KeyTransaction, seal: Seal): Promise<number> {
  let count = 0
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const place of places) count += await sealPlace(transaction, seal, place)
  return count
}

/** A few rows at a time. */
async function sealPlace(
  transaction: KeyTransaction,
  seal: Seal,
  { table, plain, clear }: Place,
): Promise<number> {
  let count = 0
  let after = { workspaceId: '', id: '' }
  for (;;) {
    const { workspaceId, id } = after
    // oxlint-disable no-await-in-loop -- one page after the other
    const rows = await transaction((client) =>
      queryRows<Row>(
        client,
        sql`SELECT workspace_id AS "workspaceId", id, ${plain} AS plain FROM ${table}
          WHERE ${plain} IS NOT NULL AND (workspace_id, id) > (${workspaceId}, ${id})
          ORDER BY workspace_id, id LIMIT ${rowsAtOnce}`,
      ),
    )
    const sealed = await Promise.all(rows.map((row) => seal(row.plain, row)))
    const done = await transaction((client) =>
      queryRows(
        client,
        sql`UPDATE ${table} SET sealed_url = change.sealed, ${clear}
          FROM unnest(${rows.map((row) => row.workspaceId)}::text[], ${rows.map((row) => row.id)}::text[],
            ${rows.map((row) => row.plain)}::text[], ${sealed}::text[]) AS change (of_workspace, of_id, was, sealed)
          WHERE workspace_id = of_workspace AND id = of_id AND ${plain} = was RETURNING id`,
      ),
    )
    // oxlint-enable no-await-in-loop
    count += done.length
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return count
    after = last
  }
}
