import { posix } from 'node:path'
import type { FunctionRow } from '../index.ts'

/** What `go tool pprof -top -filefunctions` prints, and our rows in the same form: `name file` with two values. */
export interface TopRow {
  function: string
  flat: number
  cum: number
}

/** Rows of the text, which was made with a `-unit` small enough for whole numbers. */
export function parseTop(text: string): TopRow[] {
  const row =
    /^\s*(-?[\d.]+)[a-zA-Z]*\s+\S+%\s+\S+%\s+(-?[\d.]+)[a-zA-Z]*\s+\S+% {2}(.*?)(?: \((?:partial-)?inline\))?$/
  return text.split('\n').flatMap((line) => {
    const [, flat, cum, name] = row.exec(line) ?? []
    return name === undefined ? [] : [{ function: name, flat: Number(flat), cum: Number(cum) }]
  })
}

/** `go tool pprof` cleans paths. */
export function asTopRows(rows: FunctionRow[]): TopRow[] {
  return rows.map(({ functionName, file, selfValue, totalValue }) => ({
    function: file === '' ? functionName : `${functionName} ${posix.normalize(file)}`,
    flat: selfValue,
    cum: totalValue,
  }))
}

/** In an order that does not depend on how equal rows were sorted. */
export function inOrder(rows: TopRow[]): TopRow[] {
  return rows.toSorted((a, b) => (a.function < b.function ? -1 : 1))
}
