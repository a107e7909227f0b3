import type { McpInside } from '@flamegate/mcp-profiling'
import { topFunctions, type FunctionRow, type Profile } from '@flamegate/profiles'

/** Of rows in a report. */
const rowsMax = 50

/** The functions with most self time. */
export function hotFunctionsIn(cpuProfile: Profile): McpInside['hotFunctions'] {
  return rowsOf(cpuProfile).map((row) => ({
    name: row.functionName,
    place: placeOf(row),
    selfShare: row.selfPercent / 100,
    totalShare: row.totalPercent / 100,
    selfMs: row.selfValue / 1e6,
  }))
}

/** The functions that allocated most by themselves. */
export function allocationsIn(heapProfile: Profile): NonNullable<McpInside['allocations']> {
  return rowsOf(heapProfile).map((row) => ({
    name: row.functionName,
    place: placeOf(row),
    bytes: row.selfValue,
    share: row.selfPercent / 100,
  }))
}

/** The functions of which most is kept that they allocated. */
export function growthIn(heapProfile: Profile): McpInside['growth'] {
  return allocationsIn(heapProfile).map(({ name, place, bytes }) => ({ name, place, bytes, count: 0 }))
}

function rowsOf(profile: Profile): FunctionRow[] {
  return topFunctions(profile, { by: 'self', limit: rowsMax }).filter(({ selfValue }) => selfValue > 0)
}

function placeOf({ file, line }: FunctionRow): string {
  if (file === '') return ''
  return line === 0 ? file : `${file}:${line}`
}
