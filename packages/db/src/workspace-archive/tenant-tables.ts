import type { ClientBase } from 'pg'
import { queryRows, sql } from '../sql.ts'

/** A table with rows of workspaces, as operations see it. */
export interface TenantTable {
  name: string
  /** Without those that the database works out by itself. */
  columns: string[]
  keyColumns: string[]
  hasBytes: boolean
  mayInsert: boolean
  mayDelete: boolean
  references: { table: string; columns: string[]; isOptional: boolean }[]
}

/** All tables whose rows operations see whole, those that others refer to first. */
export async function readTenantTables(client: ClientBase): Promise<TenantTable[]> {
  const rows = await queryRows<TenantTable>(
    client,
    sql`SELECT relname AS name,
        has_table_privilege(oid, 'INSERT') AS "mayInsert", has_table_privilege(oid, 'DELETE') AS "mayDelete",
        EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND atttypid = 'bytea'::regtype) AS "hasBytes",
        ARRAY(SELECT attname::text FROM pg_attribute
          WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
          ORDER BY attnum) AS columns,
        ARRAY(SELECT attname::text FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
          WHERE indrelid = pg_class.oid AND indisprimary) AS "keyColumns",
        coalesce((SELECT json_agg(json_build_object('table', target.relname, 'columns', named.columns,
            'isOptional', named."isOptional"))
          FROM pg_constraint JOIN pg_class AS target ON target.oid = confrelid,
            LATERAL (SELECT json_agg(attname) AS columns, bool_and(NOT attnotnull) AS "isOptional" FROM pg_attribute
              WHERE attrelid = conrelid AND attnum = ANY (conkey) AND attname <> 'workspace_id') AS named
          WHERE conrelid = pg_class.oid AND contype = 'f' AND named.columns IS NOT NULL), '[]') AS references
      FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND has_table_privilege(oid, 'SELECT')
        AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'workspace_id')
      ORDER BY relname`,
  )
  const left = new Map(rows.map((table) => [table.name, table]))
  const ordered: TenantTable[] = []
  while (left.size > 0) {
    // What can be missing does not have to be there first.
    const referredTo = new Set(
      [...left.values()].flatMap(({ name, references }) =>
        references.filter(({ table, isOptional }) => !isOptional && table !== name).map(({ table }) => table),
      ),
    )
    const free = [...left.values()].filter(({ name }) => !referredTo.has(name))
    for (const table of free.length > 0 ? free : [...left.values()]) {
      ordered.unshift(table)
      left.delete(table.name)
    }
  }
  return ordered
}
