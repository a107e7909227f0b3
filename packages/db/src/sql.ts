import { escapeIdentifier, type ClientBase, type Pool, type QueryResultRow } from 'pg'
import { Prisma } from './generated/client.ts'
import { storableText } from './storable.ts'

/** SQL text with its values apart: sql`SELECT … WHERE id = ${id}`. Pieces nest; `nothing` is the empty piece. */
export const sql = Prisma.sql
export const nothing = Prisma.empty
export type Sql = Prisma.Sql

const statementNames = new Map<string, string>()
// Texts are made of fixed pieces, so there are few; a bug that puts values into one must not eat the memory.
const mostStatementNames = 2_000

/** A name for a statement's text, under which each connection parses and plans it once. */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= mostStatementNames) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/** Runs a prepared statement and gives its rows. */
export async function queryRows<Row extends QueryResultRow>(
  connection: ClientBase | Pool,
  statement: Sql,
): Promise<Row[]> {
  const { rows } = await connection.query<Row>(prepared(statement))
  return rows
}

/** Not all at once, because of the longest text that a row can have. */
const rowsPerPart = 10_000

/**
 * The same for thousands of rows, of which all columns are named: the database sends a JSON list for each column, and the
 * driver is spared to read as many values one by one. Columns hold what JSON can say: texts, finite numbers, booleans,
 * JSON, lists of these, and null; of times and bytes there would be the texts.
 */
export async function queryManyRows<Row extends object>(
  connection: ClientBase | Pool,
  columns: readonly (keyof Row & string)[],
  statement: Sql,
): Promise<Row[]> {
  const names = columns.map((column) => escapeIdentifier(column))
  const lists = Prisma.raw(names.map((name) => `json_agg(${name}) AS ${name}`).join(', '))
  const parts = await queryRows<Record<string, unknown[]>>(
    connection,
    sql`SELECT ${lists} FROM (
        SELECT *, (row_number() OVER () - 1) / ${rowsPerPart}::integer AS part FROM (${statement}) AS row
      ) AS numbered GROUP BY part ORDER BY part`,
  )
  return parts.flatMap((part) => rowsOf<Row>(columns, part))
}

function rowsOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  part: Record<string, unknown[]>,
): Row[] {
  const lists = columns.map((column) => part[column] ?? [])
  return Array.from({ length: lists[0]?.length ?? 0 }, (_, at) => {
    const row: Record<string, unknown> = {}
    for (const [index, column] of columns.entries()) row[column] = lists[index]?.[at]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as of every query, whoever asks says what comes
    return row as Row
  })
}

/** Runs a prepared statement and tells how many rows it changed. */
export async function execute(connection: ClientBase | Pool, statement: Sql): Promise<number> {
  const { rowCount } = await connection.query(prepared(statement))
  return rowCount ?? 0
}

function prepared(statement: Sql): { name: string | undefined; text: string; values: unknown[] } {
  const { text } = statement
  return { name: statementName(text), text, values: statement.values.map(storableValue) }
}

/** An id or a word to look for comes from anywhere: one with a zero character is not found, instead of an error. */
function storableValue(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? storableText(value) : value
}

/** The part of a WHERE clause that starts a page after a row: newest first, ids break ties. */
export function startAfter(after: { createdAt: Date; id: string } | undefined, columns: Sql): Sql {
  return after ? sql`AND (${columns}) < (${after.createdAt}, ${after.id})` : nothing
}

/** A LIKE pattern that finds the text anywhere. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
