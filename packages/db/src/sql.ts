import { escapeIdentifier, Pool, type ClientBase, type QueryResult, type QueryResultRow } from 'pg'
import { ofStatement } from './database-errors.ts'
import { Prisma } from './generated/client.ts'
import { storableText } from './storable.ts'

/** SQL text with its values apart: sql`SELECT … WHERE id = ${id}`. Pieces nest; `nothing` is the empty piece. */
export const sql = Prisma.sql
export const nothing = Prisma.empty
export type Sql = Prisma.Sql

/** A table or column as it is named in SQL, where its name is worked out. */
export const nameOf = (name: string): Sql => Prisma.raw(escapeIdentifier(name))

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
  const { rows } = await run<Row>(connection, statement)
  return rows
}

/** The same place in each list is a row. */
export type Columns<Row> = { [Column in keyof Row]: Row[Column][] }

/**
 * The same for thousands of rows, of which all columns are named: the database sends a JSON list for each column, and the
 * driver is spared to read as many values one by one. Columns hold what JSON can say: texts, finite numbers, booleans,
 * JSON, lists of these, and null; of times and bytes there would be the texts.
 */
export async function queryColumns<Row extends object>(
  connection: ClientBase | Pool,
  columns: readonly (keyof Row & string)[],
  statement: Sql,
): Promise<Columns<Row>> {
  const names = columns.map((column) => escapeIdentifier(column))
  const aggregates = Prisma.raw(names.map((name) => `json_agg(${name}) AS ${name}`).join(', '))
  const [lists] = await queryRows<{ [Column in keyof Row]: Row[Column][] | null }>(
    connection,
    sql`SELECT ${aggregates} FROM (${statement}) AS row`,
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of no rows there are no lists
  return Object.fromEntries(columns.map((column) => [column, lists?.[column] ?? []])) as Columns<Row>
}

/** Runs a prepared statement and tells how many rows it changed. */
export async function execute(connection: ClientBase | Pool, statement: Sql): Promise<number> {
  const { rowCount } = await run(connection, statement)
  return rowCount ?? 0
}

/** @throws DatabaseUnavailable, DatabaseInterrupted where the pool has to find a connection; transactions tell so themselves */
async function run<Row extends QueryResultRow>(
  connection: ClientBase | Pool,
  statement: Sql,
): Promise<QueryResult<Row>> {
  if (!(connection instanceof Pool)) return connection.query<Row>(prepared(statement))
  try {
    return await connection.query<Row>(prepared(statement))
  } catch (error) {
    throw ofStatement(error)
  }
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
