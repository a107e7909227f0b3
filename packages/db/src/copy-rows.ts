import { escapeLiteral, type ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Sql } from './sql.ts'

/** A column of a row as PostgreSQL has it in memory: of numbers the bytes, the highest first. */
export type Column = Buffer | null

/**
 * Runs a statement that gives rows of many bytes. Other ways, the driver gets bytes as text of twice their length, and makes bytes of
 * them again. It is planned anew each time, which only what gives megabytes makes up for.
 * @param statement its values: whole numbers, text, and lists of these
 */
export async function copyRows(client: ClientBase, statement: Sql): Promise<Column[][]> {
  const pieces: Buffer[] = []
  const stream = client.query(copyTo(`COPY (${withLiterals(statement)}) TO STDOUT (FORMAT binary)`))
  for await (const piece of stream) if (Buffer.isBuffer(piece)) pieces.push(piece)
  return rowsOf(Buffer.concat(pieces))
}

function withLiterals({ strings, values }: Sql): string {
  return strings.map((text, index) => (index === 0 ? text : literal(values[index - 1]) + text)).join('')
}

function literal(value: unknown): string {
  if (typeof value === 'string') return escapeLiteral(value)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(', ')}]`
  throw new TypeError('A value of a statement is neither a whole number nor text')
}

/** https://www.postgresql.org/docs/18/sql-copy.html, Binary Format */
function rowsOf(bytes: Buffer): Column[][] {
  const flagsAt = 11
  const extensionAt = flagsAt + 4
  let at = extensionAt + 4 + bytes.readInt32BE(extensionAt)
  const rows: Column[][] = []
  for (;;) {
    const count = bytes.readInt16BE(at)
    at += 2
    // What ends it.
    if (count < 0) return rows
    const row: Column[] = []
    for (let column = 0; column < count; column++) {
      const length = bytes.readInt32BE(at)
      at += 4
      row.push(length < 0 ? null : bytes.subarray(at, at + length))
      at += Math.max(0, length)
    }
    rows.push(row)
  }
}

/** An `integer` column. */
export function integerOf(column: Column | undefined): number {
  if (column?.length !== 4) throw new TypeError('A column is no integer')
  return column.readInt32BE(0)
}
