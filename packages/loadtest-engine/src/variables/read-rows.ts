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
    const isWindows = variable.encoding === 'latin1' && !hasMark(bytes)
    const chunks = isWindows ? windowsTexts(bytes) : chunksOf(bytes)
    for await (const row of Readable.from(chunks).pipe(parserFor(variable))) {
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
    encoding: encoding === 'utf-16le' ? 'utf16le' : 'utf-8',
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

/** UTF-8 and UTF-16 may say what they are by a mark, which counts for more than what a variable says. */
function hasMark(bytes: Uint8Array): boolean {
  return /^(?:\xEF\xBB\xBF|\xFF\xFE)/.test(Buffer.from(bytes.subarray(0, 3)).toString('latin1'))
}

/** What windows-1252 has in place of control characters, which nobody writes: browsers take latin1 for it, too. */
const fromByte80 =
  '\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F' +
  '\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178'

/** In UTF-8, which the parser reads. The TextDecoder of some versions of Node.js has control characters there. */
function* windowsTexts(bytes: Uint8Array): Generator<Buffer> {
  for (const chunk of chunksOf(bytes))
    yield Buffer.from(
      chunk
        .toString('latin1')
        .replaceAll(/[\x80-\x9F]/g, (control) => fromByte80.charAt(control.charCodeAt(0) - 0x80)),
    )
}
