import type { McpReport } from '../report.ts'

/** Of the time, from which on what a clock says of single moments is the machine's. */
const starvedPercent = 50

/**
 * How much of the time server and profiler were ready to run while others had the processors, in percent of one processor, where
 * that was so much that little was seen; null where it was less, or the system does not tell.
 */
export function starvedOf(resources: McpReport['resources']): number | null {
  const queued = resources.flatMap(({ queuedPercent }) => queuedPercent ?? [])
  const mean = queued.reduce((sum, percent) => sum + percent, 0) / Math.max(1, queued.length)
  return mean < starvedPercent ? null : mean
}
