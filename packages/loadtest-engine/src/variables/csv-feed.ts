import type { Variable } from '@flamegate/loadtest'
import type { Cursor, Feed } from './feed.ts'
import type { Rows } from './read-rows.ts'

/** Gives a row of a file each time, one value for each column. */
export function csvFeed(
  variable: Extract<Variable, { type: 'csv' }>,
  { columns, rows }: Rows,
  cursor: Cursor,
): Feed {
  // A row that is used once cannot be used again after the end.
  const isRecycled = variable.at_end === 'recycle' && variable.order !== 'unique'
  const isRandom = variable.order === 'random'
  const ends = !isRandom && !isRecycled
  return {
    renewed: variable.renewed,
    isExhausted: () => ends && cursor.peek() >= rows.length,
    next: ({ random }) => {
      const place = isRandom ? random.below(rows.length) : cursor.next()
      if (ends && place >= rows.length) return undefined
      const row = rows[place % rows.length] ?? []
      return new Map(columns.map((column, index) => [column, row[index] ?? '']))
    },
  }
}
