import { middleOf } from './middle-of.ts'
import type { Moment } from './measured-run.ts'

/** What was measured while the load was about as high. Medians of the moments. */
export interface LoadLevel {
  load: number
  ratePerSecond: number
  latencyMs: number
  /** When the load was first there. */
  second: number
  momentCount: number
}

const levelsMax = 20
/** The load fell again, or is about to: what queued up before is still being answered then. */
const nearTop = 0.95

/**
 * Moments up to the highest load, by how high it was: as many levels of equal width as the load had, twenty at most. Moments
 * without an answer are left out.
 */
export function loadLevels(moments: readonly Moment[]): LoadLevel[] {
  const loaded = moments.filter(({ load, count, p95Ms }) => load > 0 && count > 0 && p95Ms !== null)
  const top = Math.max(...loaded.map(({ load }) => load))
  const lastAtTop = loaded.findLastIndex(({ load }) => load >= nearTop * top)
  const rising = loaded.slice(0, lastAtTop + 1)
  const lowest = Math.min(...rising.map(({ load }) => load))
  const width = (top - lowest) / levelsMax
  const byLevel = Map.groupBy(rising, ({ load }) =>
    width === 0 ? 0 : Math.min(levelsMax - 1, Math.floor((load - lowest) / width)),
  )
  return [...byLevel]
    .toSorted(([a], [b]) => a - b)
    .map(([, members]) => ({
      load: middleOf(members.map(({ load }) => load)),
      ratePerSecond: middleOf(members.map(({ ratePerSecond }) => ratePerSecond)),
      latencyMs: middleOf(members.map(({ p95Ms }) => p95Ms ?? 0)),
      second: Math.min(...members.map(({ second }) => second)),
      momentCount: members.length,
    }))
}
