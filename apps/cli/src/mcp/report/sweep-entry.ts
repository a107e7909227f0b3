import type { McpReport } from '@flamegate/mcp-profiling'
import { mergeHistograms, percentileOf } from '@flamegate/series'
import type { MeasuredLoad } from '../load/measure-load.ts'

/** One load among several, in short. */
export function sweepEntry({ load, operations, resources }: MeasuredLoad): McpReport['sweep'][number] {
  return {
    concurrent: load.concurrent,
    targetRps: load.targetRps,
    requestsPerSecond: load.requestsPerSecond,
    p50Ms: latencyMsAt(operations, 50),
    p95Ms: latencyMsAt(operations, 95),
    p99Ms: latencyMsAt(operations, 99),
    errorRate: load.errorRate,
    cpuPercent: meanOf(resources.map(({ cpuPercent }) => cpuPercent)),
    queuedPercent: meanOf(resources.flatMap(({ queuedPercent }) => queuedPercent ?? [])) ?? undefined,
  }
}

/** Of all operations together; null without an answer. */
export function latencyMsAt(operations: McpReport['operations'], percentile: number): number | null {
  const all = mergeHistograms(
    operations.map(({ latency }) => ({
      slots: Uint16Array.from(latency.slots),
      counts: Float64Array.from(latency.counts),
    })),
  )
  const microseconds = percentileOf(all, percentile)
  return microseconds === null ? null : microseconds / 1000
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
