import { Client, escapeIdentifier } from 'pg'
import { beginStatement, type RowScope } from './row-scope.ts'

/** What is tried, and with what. */
export interface ForeignRowsOptions {
  appUrl: string
  /** As `flamegate_owner`: says which tables there are, and what the other has in them. */
  ownerUrl: string
  /** In whose name, as owner of that workspace. */
  own: { userId: string; workspaceId: string }
  othersWorkspaceId: string
  /** Of the other's rows. */
  ids: readonly string[]
  /** What may be in nothing that can be read. */
  words: readonly string[]
  /** How many statements are drawn by lot besides those for each table and column. */
  rounds: number
  pick: <Item>(items: readonly Item[]) => Item
}

/** How much was tried, and which statements reached a row of the other's. */
export interface ForeignRows {
  tables: number
  statements: number
  /** Of the other's, in all tables. */
  rows: number
  found: string[]
}

interface Column {
  table: string
  column: string
  isTenants: boolean
  isReadable: boolean
}

/**
 * SQL as the role of the operations runs it, under row-level security in the name of one workspace's owner, against another's rows:
 * every verb on every table and column, all that can be read as text, and statements drawn by lot. Each is rolled back.
 */
export async function tryForeignRows(options: ForeignRowsOptions): Promise<ForeignRows> {
  const { own, othersWorkspaceId: theirs, ids, words, pick } = options
  const [app, owner] = [new Client(options.appUrl), new Client(options.ownerUrl)]
  await app.connect()
  await owner.connect()
  const outcome: ForeignRows = { tables: 0, statements: 0, rows: 0, found: [] }
  const scope: RowScope = {
    userId: own.userId,
    readWorkspaceIds: [own.workspaceId],
    writeWorkspaceIds: [own.workspaceId],
    adminWorkspaceIds: [own.workspaceId],
    isReadOnly: false,
  }

  async function attempt(text: string, values: unknown[] = []) {
    outcome.statements += 1
    await app.query(beginStatement(scope))
    try {
      return await app.query<Record<string, unknown>>(text, values)
    } catch (error) {
      // Refused by a right, a policy or a key: each is as good.
      if (Reflect.get(Object(error), 'code') === undefined) throw error
      return { rows: [], rowCount: 0 }
    } finally {
      await app.query('ROLLBACK')
    }
  }

  async function mustReachNothing(text: string, values: unknown[]): Promise<void> {
    const { rowCount } = await attempt(text, values)
    if (rowCount !== 0) outcome.found.push(`${text} reached ${rowCount} rows`)
  }

  try {
    await owner.query("SELECT set_config('flamegate.backs_up', 'on', false)")
    const byTable = Map.groupBy(await columnsOf(owner), ({ table }) => table)
    const tenantColumns = [...byTable.values()].flat().filter(({ isTenants }) => isTenants)
    for (const [table, columns] of byTable) {
      outcome.tables += 1
      const name = escapeIdentifier(table)
      const readable = columns
        .filter(({ isReadable }) => isReadable)
        .map(({ column }) => escapeIdentifier(column))
      if (readable.length > 0) {
        const all = readable.map((column) => `${column}::text`).join(', ')
        const { rows } = await attempt(`SELECT concat_ws(' ', ${all}) AS text FROM ${name}`)
        const told = rows.map(({ text }) => String(text)).join('\n')
        for (const word of words) if (told.includes(word)) outcome.found.push(`${table} shows ${word}`)
      }
      if (columns.some(({ isTenants }) => isTenants)) await tryTable(table, columns)
    }
    for (let round = 0; round < options.rounds; round += 1) {
      const { table, column } = pick(tenantColumns)
      const [name, field] = [escapeIdentifier(table), escapeIdentifier(column)]
      const other = escapeIdentifier(pick(tenantColumns).table)
      const statement = pick([
        `SELECT 1 FROM ${name} WHERE ${field}::text = $1`,
        `SELECT 1 FROM ${other} AS a JOIN ${name} AS b ON b.${field}::text = $1`,
        `WITH x AS (SELECT ${field}::text AS it FROM ${name}) SELECT 1 FROM x WHERE it = $1`,
        `UPDATE ${name} SET ${field} = ${field} WHERE ${field}::text = $1 RETURNING 1`,
        `DELETE FROM ${name} WHERE ${field}::text = $1 RETURNING 1`,
      ])
      await mustReachNothing(statement, [pick(ids)])
    }
    return outcome
  } finally {
    await app.end()
    await owner.end()
  }

  async function tryTable(table: string, columns: readonly Column[]): Promise<void> {
    const name = escapeIdentifier(table)
    const key = table === 'workspaces' ? 'id' : 'workspace_id'
    const { rows } = await owner.query<Record<string, unknown>>(`SELECT * FROM ${name} WHERE ${key} = $1`, [
      theirs,
    ])
    outcome.rows += rows.length
    await mustReachNothing(`SELECT ${key} FROM ${name} WHERE ${key} = $1`, [theirs])
    await mustReachNothing(`SELECT ${key} FROM ${name} WHERE ${key} = $1 FOR UPDATE`, [theirs])
    await mustReachNothing(`DELETE FROM ${name} WHERE ${key} = $1`, [theirs])
    await mustReachNothing(`UPDATE ${name} SET ${key} = $1 WHERE ${key} = $2`, [theirs, own.workspaceId])
    for (const { column } of columns) {
      const field = escapeIdentifier(column)
      await mustReachNothing(`UPDATE ${name} SET ${field} = ${field} WHERE ${key} = $1`, [theirs])
    }
    const [row] = rows
    if (row === undefined) return
    const names = Object.keys(row).map(escapeIdentifier)
    const places = names.map((_, index) => `$${index + 1}`)
    await mustReachNothing(
      `INSERT INTO ${name} (${names.join(', ')}) VALUES (${places.join(', ')}) ON CONFLICT DO NOTHING`,
      Object.values(row).map(written),
    )
  }
}

async function columnsOf(owner: Client): Promise<Column[]> {
  const { rows } = await owner.query<Column>(
    `SELECT relname AS table, attname AS column,
      relname = 'workspaces' OR EXISTS (
        SELECT FROM pg_attribute AS a WHERE a.attrelid = pg_class.oid AND a.attname = 'workspace_id'
      ) AS "isTenants",
      has_column_privilege('flamegate_app', pg_class.oid, attnum, 'SELECT') AS "isReadable"
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY relname, attnum`,
  )
  return rows
}

/** As a parameter: what JSON columns hold comes as objects. */
function written(value: unknown): unknown {
  const isJson =
    typeof value === 'object' && value !== null && !(value instanceof Date) && !Buffer.isBuffer(value)
  return isJson ? JSON.stringify(value) : value
}
