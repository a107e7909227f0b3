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
  references: Reference[]
}

/** Columns of a table by which its rows refer to those of another one. */
export interface Reference {
  table: string
  columns: string[]
  isOptional: boolean
  /** What it refers to cannot be deleted while it does. */
  isHolding: boolean
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
            'isOptional', named."isOptional", 'isHolding', confdeltype IN ('a', 'r')))
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
  // What can be missing does not have to be there first.
  return inOrder(rows, ({ isOptional }) => !isOptional)
}

/** The same tables in the order in which their rows can be deleted, those that refer to others first. */
export function inOrderOfRemoval(tables: readonly TenantTable[]): TenantTable[] {
  return inOrder(tables, ({ isOptional, isHolding }) => isHolding || !isOptional).toReversed()
}

/** Those that others refer to first, by the references that count. */
function inOrder(tables: readonly TenantTable[], counts: (reference: Reference) => boolean): TenantTable[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: TenantTable[] = []
  while (left.size > 0) {
    const referredTo = new Set(
      [...left.values()].flatMap(({ name, references }) =>
        references.filter((each) => counts(each) && each.table !== name).map(({ table }) => table),
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
