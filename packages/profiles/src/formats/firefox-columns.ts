import type { JsonObject, JsonReader } from './json.ts'

/** A table of objects of equally long lists, or of rows with a schema, read column by column. */
export type Cells = readonly unknown[]

/** Indexes into a table of `limit` rows; -1 for what is null or missing. */
export function indexColumn(json: JsonReader, cells: Cells, limit: number, path: string): Int32Array {
  const column = new Int32Array(cells.length)
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row] ?? -1
    if (typeof cell !== 'number' || !Number.isInteger(cell) || cell < -1 || cell >= limit)
      json.fail('no such row', `${path}[${row}]`)
    column[row] = cell
  }
  return column
}

/** Numbers; 0 for what is null or missing. */
export function numberColumn(json: JsonReader, cells: Cells, path: string): Float64Array {
  const column = new Float64Array(cells.length)
  for (let row = 0; row < cells.length; row++)
    if (cells[row] !== null && cells[row] !== undefined)
      column[row] = json.number(cells[row], `${path}[${row}]`)
  return column
}

/** A column of a table that has rows and a schema: `{ schema: { stack: 0, time: 1 }, data: [[…], …] }`. */
export function schemaColumn(
  json: JsonReader,
  table: JsonObject,
  name: string,
  path: string,
): Cells | undefined {
  const place = json.object(table.schema, `${path}.schema`)[name]
  if (typeof place !== 'number') return undefined
  return json.array(table.data, `${path}.data`).map((row) => (Array.isArray(row) ? row[place] : undefined))
}
