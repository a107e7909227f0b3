import type { McpReport } from '@flamegate/mcp-profiling'
import { latencyMsAt } from '../report/sweep-entry.ts'

/** Whether nobody answered: the process has ended, or nothing listens there any more. */
export function isGone({ load, operations }: McpReport): boolean {
  const failures = operations.flatMap((operation) => operation.failures)
  const lost = failures
    .filter(({ kind }) => kind === 'ended' || kind === 'transport')
    .reduce((sum, { count }) => sum + count, 0)
  return load !== null && lost > 0 && load.ended === 0
}

/** `2026-11-23T05:00:00Z  20 calls, p50 3.1 ms, p95 4.0 ms, 0.0 % failed, 3 % of a processor, 82 MB` */
export function sampleLine({ startedAt, load, operations, resources }: McpReport): string {
  const last = resources.at(-1)
  const busy = resources.reduce((sum, { cpuPercent }) => sum + cpuPercent, 0) / Math.max(1, resources.length)
  return [
    `${startedAt}  ${load?.started ?? 0} calls`,
    ...[50, 95].flatMap((percentile) => {
      const ms = latencyMsAt(operations, percentile)
      return ms === null ? [] : [`p${percentile} ${ms.toFixed(1)} ms`]
    }),
    `${(100 * (load?.errorRate ?? 0)).toFixed(1)} % failed`,
    ...(last === undefined
      ? []
      : [`${busy.toFixed(0)} % of a processor`, `${(last.rssBytes / 1e6).toFixed(0)} MB`]),
  ].join(', ')
}
