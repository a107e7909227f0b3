import type { QueryResultRow } from 'pg'
import type { KeyTransaction } from '../stores/oauth-keys.ts'
import type { SealedColumn } from './sealed-columns.ts'

/** Opens what is sealed, and seals it again. */
export type Reseal = (sealed: string, of: { id: string; workspaceId: string | null }) => Promise<string>

export interface Resealed {
  resealed: number
  /** What could not be opened, by its table and key; it stays as it is. */
  unreadable: string[]
}

const rowsAtOnce = 200

interface Row extends QueryResultRow {
  sealed: string
  id: string
  workspaceId: string | null
  key: string[]
}

/**
 * Seals everything of a column anew that is not sealed with a data key in use, a few rows at a time. A row that somebody changes
 * meanwhile stays as they left it.
 */
export async function resealColumn(
  transaction: KeyTransaction,
  { table, column, idColumn, workspaceColumn, primaryKey }: SealedColumn,
  reseal: Reseal,
): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unreadable: [] }
  const key = primaryKey.join(', ')
  let after: string[] | undefined
  for (;;) {
    // oxlint-disable no-await-in-loop -- one page after the other
    const rows = await transaction(async (client) => {
      const places = primaryKey.map((_, place) => `$${place + 2}`)
      const { rows: found } = await client.query<Row>(
        `SELECT ${column} AS sealed, ${idColumn} AS id, ${workspaceColumn ?? 'NULL'} AS "workspaceId",
            ARRAY[${primaryKey.map((each) => `${each}::text`).join(', ')}] AS key
          FROM ${table}
          WHERE ${column} IS NOT NULL
            AND NOT EXISTS (SELECT FROM data_keys WHERE id = split_part(${table}.${column}, '.', 1) AND retired_at IS NULL)
            ${after === undefined ? '' : `AND (${key}) > (${places.join(', ')})`}
          ORDER BY ${key} LIMIT $1`,
        [rowsAtOnce, ...(after ?? [])],
      )
      return found
    })
    const anew = await Promise.all(
      rows.map(async (row) => ({ ...row, next: await reseal(row.sealed, row).catch(() => undefined) })),
    )
    const changes = anew.filter(({ next }) => next !== undefined)
    for (const row of anew)
      if (row.next === undefined) done.unreadable.push(`${table}.${column} of ${row.key.join(' ')}`)
    const { rowCount } = await transaction((client) =>
      client.query(
        `UPDATE ${table} SET ${column} = change.next
          FROM unnest($1::text[], $2::text[], ${primaryKey.map((_, place) => `$${place + 3}::text[]`).join(', ')})
            AS change (before, next, ${primaryKey.map((each) => `${each}_of_it`).join(', ')})
          WHERE ${column} = change.before AND ${primaryKey.map((each) => `${table}.${each} = ${each}_of_it`).join(' AND ')}`,
        [
          changes.map(({ sealed }) => sealed),
          changes.map(({ next }) => next),
          ...primaryKey.map((_, place) => changes.map((each) => each.key[place])),
        ],
      ),
    )
    done.resealed += rowCount ?? 0
    // oxlint-enable no-await-in-loop
    if (rows.length < rowsAtOnce) return done
    after = rows.at(-1)?.key
  }
}
