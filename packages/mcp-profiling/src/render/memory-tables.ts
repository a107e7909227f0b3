import type { McpReport } from '../report.ts'
import { formatBytes, formatNumber } from './format.ts'
import type { Table } from './table.ts'

const rowsMax = 15

/** What of the memory a report has from within the server. */
export function memoryTables({ inside }: McpReport): Table[] {
  if (inside === null) return []
  const classes = inside.classes ?? []
  const moments = inside.heap.filter(({ isAfterGc }) => isAfterGc)
  return [
    {
      title: 'Heap after garbage collections',
      columns: ['at second', 'in use'],
      rows: evenly(moments).map(({ atMs, heapUsedBytes }) => [
        (atMs / 1000).toFixed(1),
        formatBytes(heapUsedBytes),
      ]),
    },
    {
      title: 'What grew',
      columns: ['name', 'more bytes', 'more objects', 'where'],
      rows: inside.growth
        .slice(0, rowsMax)
        .map(({ name, bytes, count, place }) => [
          name,
          formatBytes(bytes),
          count === 0 ? '–' : formatNumber(count),
          place,
        ]),
    },
    {
      title: 'Classes of the heap, from the first snapshot to the last',
      columns: ['class', 'objects', 'their own size', 'with what they keep'],
      rows: classes
        .slice(0, rowsMax)
        .map(({ name, objects, shallowBytes, retainedBytes }) => [
          name,
          fromTo(objects, formatNumber),
          fromTo(shallowBytes, formatBytes),
          fromTo(retainedBytes, formatBytes),
        ]),
    },
  ]
}

/** All of few rows, and as many of very many, with the first and the last. */
function evenly<T>(rows: readonly T[]): readonly T[] {
  if (rows.length <= rowsMax) return rows
  return Array.from({ length: rowsMax }, (_, at) =>
    Math.round((at * (rows.length - 1)) / (rowsMax - 1)),
  ).flatMap((at) => rows[at] ?? [])
}

function fromTo(values: readonly number[], format: (value: number) => string): string {
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return '–'
  return values.length === 1 ? format(last) : `${format(first)} → ${format(last)}`
}
