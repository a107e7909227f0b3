import { Readable } from 'node:stream'
import type { Variable } from '@flamegate/loadtest'
import { parse } from 'csv-parse'
import { ActionFailure, wordsOf } from '../action-failure.ts'

/** Bytes of a file that are read for its rows, at most. */
const fileBytesMax = 100_000_000
/** Bytes that are parsed before others get their turn. */
const chunkBytes = 1_000_000

/** What a CSV file holds, with the names of its columns. */
export interface Rows {
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

type CsvVariable = Extract<Variable, { type: 'csv' }>

/**
 * @param rowsMax No more of them are read
 * @throws ActionFailure where the file is missing, is no CSV, or holds no rows
 */
export async function readRows(
  variable: CsvVariable,
  openFile: (path: string) => Promise<Uint8Array | undefined>,
  rowsMax = Infinity,
): Promise<Rows> {
  const place = `The file ${variable.path} of the variable ${variable.name}`
  const bytes = await openFile(variable.path)
  if (bytes === undefined) throw new ActionFailure(`${place} does not exist in this project.`)
  if (bytes.length > fileBytesMax)
    throw new ActionFailure(`${place} is larger than ${fileBytesMax / 1e6} MB.`)
  const rows: string[][] = []
  try {
    for await (const row of Readable.from(chunksOf(bytes)).pipe(parserFor(variable))) {
      rows.push(row)
      // The first one may name the columns.
      if (rows.length > rowsMax) break
    }
  } catch (error) {
    throw new ActionFailure(`${place} cannot be read: ${wordsOf(error)}`, { cause: error })
  }
  const columns = variable.columns.length === 0 ? (rows.shift() ?? []) : variable.columns
  if (rows.length === 0) throw new ActionFailure(`${place} has no rows.`)
  return { columns: columns.map((column) => column.trim()), rows }
}

function parserFor({ delimiter, quote, encoding, skip_lines }: CsvVariable) {
  return parse({
    bom: true,
    delimiter,
    quote: quote ?? false,
    escape: quote ?? '"',
    encoding: encoding === 'utf-16le' ? 'utf16le' : encoding,
    from_line: skip_lines + 1,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
}

function* chunksOf(bytes: Uint8Array): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(chunkBytes, bytes.length - start))
  }
}
