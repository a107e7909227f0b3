import { escapeIdentifier, type Client } from 'pg'

// For tests: rows of a workspace in any table.

/** A table as the catalogue describes it. */
export interface TenantTable {
  name: string
  /** The column that says whose a row is. */
  workspaceColumn: 'workspace_id' | 'id'
  columns: { name: string; type: string; words: string[] }[]
}

/** Every table with a workspace_id, and the workspaces themselves. */
export async function discoverTables(admin: Client): Promise<TenantTable[]> {
  const { rows } = await admin.query<{ table: string; column: string; type: string; checks: string | null }>(
    `SELECT relname AS table, attname AS column, format_type(atttypid, -1) AS type,
      (SELECT string_agg(pg_get_constraintdef(oid), ' ') FROM pg_constraint
        WHERE conrelid = attrelid AND contype = 'c' AND attnum = ANY (conkey)) AS checks
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND (relname = 'workspaces' OR EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'workspace_id'
      ))
    ORDER BY relname, attnum`,
  )
  const byName = Map.groupBy(rows, (row) => row.table)
  return [...byName].map(([name, columns]) => ({
    name,
    workspaceColumn: name === 'workspaces' ? 'id' : 'workspace_id',
    columns: columns.map(({ column, type, checks }) => ({
      name: column,
      type,
      // The words that a check allows: CHECK ((status = ANY (ARRAY['PENDING'::text, …])))
      words: [...(checks ?? '').matchAll(/'(\w+)'::text/g)].map(([, word = '']) => word),
    })),
  }))
}

/** A row of a workspace with something in every column. A table that this cannot fill fails the tests. */
export function insertion(
  table: TenantTable,
  workspaceId: string,
  which: string,
): [text: string, values: unknown[]] {
  const names = table.columns.map(({ name }) => escapeIdentifier(name))
  const places = table.columns.map((_, index) => `$${index + 1}`)
  const values = table.columns.map(({ name, type, words }) => {
    if (name === table.workspaceColumn) return workspaceId
    if (name === 'user_id') return `user of ${workspaceId}`
    // A link is of one thing.
    if (table.name === 'share_links' && name === 'bench_report_id') return null
    if (type === 'text') return words[0] ?? `${which} ${name} of ${workspaceId}`
    if (type === 'text[]') return ['word']
    if (type === 'double precision[]') return [1]
    if (type === 'jsonb') return '{}'
    if (type === 'bytea') return Buffer.from('bytes')
    if (type === 'timestamp with time zone') return new Date(0)
    return 1
  })
  return [`INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${places.join(', ')})`, values]
}
