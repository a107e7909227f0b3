import type { Evidence } from '../insight.ts'

/** A number of a run, that a chart of a metric shows, or another type of item. */
export function evidence(
  runId: string | null,
  shownBy: string,
  name: string,
  value: number,
  unit: string,
  second: number | null = null,
): Evidence {
  return { name, value, unit, runId, second, shownBy }
}
