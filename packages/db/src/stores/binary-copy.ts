/** A field of a row; undefined is NULL. */
export type CopyField =
  | { text: string }
  | { jsonb: string }
  | { double: number }
  | { bytes: Buffer }
  | undefined

const chunkBytes = 1 << 18
// https://www.postgresql.org/docs/18/sql-copy.html, Binary Format: signature, flags, length of an extension.
const header = Buffer.from('PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const jsonbVersion = 1

/** Rows in PostgreSQL's binary COPY format, in pieces of a few hundred kilobytes. */
export function* binaryCopy<Row>(
  rows: Iterable<Row>,
  fieldsOf: (row: Row) => CopyField[],
): Generator<Buffer> {
  yield header
  let chunk = Buffer.allocUnsafe(chunkBytes)
  let end = 0
  for (const row of rows) {
    const fields = fieldsOf(row)
    const most = 2 + fields.reduce((sum, field) => sum + 4 + mostBytes(field), 0)
    if (end + most > chunk.length) {
      if (end > 0) yield chunk.subarray(0, end)
      chunk = Buffer.allocUnsafe(Math.max(chunkBytes, most))
      end = 0
    }
    end = chunk.writeInt16BE(fields.length, end)
    for (const field of fields) end = writeField(chunk, end, field)
  }
  yield chunk.subarray(0, end)
  const trailer = Buffer.alloc(2)
  trailer.writeInt16BE(-1)
  yield trailer
}

/** As UTF-8, a character of JavaScript takes three bytes at most. */
function mostBytes(field: CopyField): number {
  if (field === undefined) return 0
  if ('text' in field) return 3 * field.text.length
  if ('jsonb' in field) return 1 + 3 * field.jsonb.length
  return 'double' in field ? 8 : field.bytes.length
}

/** Length, then content. Gives the place after it. */
function writeField(chunk: Buffer, at: number, field: CopyField): number {
  const start = at + 4
  const end = field === undefined ? start : writeContent(chunk, start, field)
  chunk.writeInt32BE(field === undefined ? -1 : end - start, at)
  return end
}

function writeContent(chunk: Buffer, start: number, field: NonNullable<CopyField>): number {
  if ('text' in field) return start + chunk.write(field.text, start)
  if ('double' in field) return chunk.writeDoubleBE(field.double, start)
  if ('bytes' in field) return start + field.bytes.copy(chunk, start)
  const text = chunk.writeUInt8(jsonbVersion, start)
  return text + chunk.write(field.jsonb, text)
}
