import type { McpReport } from '../report.ts'
import type { MeasuredChange } from './measured-change.ts'
import type { ChangeCircumstances } from './operation-changes.ts'
import { sessionEffect } from './session-effect.ts'

/** As many as keep each of them long. */
const BLOCKS_MAX = 12
/** Assumed between sessions, as standard deviations of ln(value): see docs/mcp-profiler.md. */
const ASSUMED_STDEV = { requests_per_second: 0.02, cpu_ms_per_call: 0.05, rss_bytes: 0.1 }

/** What is compared of the server as a whole. */
export function overallChanges(
  base: McpReport,
  head: McpReport,
  { quantile, isInterleaved }: ChangeCircumstances,
): MeasuredChange[] {
  const tested = (
    metric: keyof typeof ASSUMED_STDEV,
    valuesOf: (report: McpReport) => number[],
    valueOf: (report: McpReport) => number | null,
  ): MeasuredChange => {
    const [before, after] = [blocksOf(valuesOf(base)), blocksOf(valuesOf(head))]
    const areComplete = [...before, ...after].every((value) => value > 0)
    const effect = areComplete ? sessionEffect(before, after, ASSUMED_STDEV[metric], quantile) : undefined
    const shared = { metric, base: valueOf(base), head: valueOf(head), isCounted: true }
    return effect
      ? { ...shared, kind: 'tested', effect }
      : { ...shared, kind: 'unknown', method: 'too little was measured to tell' }
  }
  return [
    isInterleaved
      ? {
          metric: 'requests_per_second',
          base: base.load?.requestsPerSecond ?? null,
          head: head.load?.requestsPerSecond ?? null,
          isCounted: false,
          kind: 'unknown',
          method: 'blocks that run in turns are compared by the times of their calls',
        }
      : tested('requests_per_second', wholeSeconds, ({ load }) => load?.requestsPerSecond ?? null),
    tested('cpu_ms_per_call', cpuPerCallMs, (report) => meanOf(cpuPerCallMs(report))),
    tested('rss_bytes', settledRss, (report) => meanOf(settledRss(report))),
    {
      metric: 'tools_list_tokens',
      base: base.connection.toolsListTokens,
      head: head.connection.toolsListTokens,
      isCounted: false,
      kind: 'bare',
    },
  ]
}

/** Without the last second, which may be a part of one. */
function wholeSeconds({ load }: McpReport): number[] {
  return load === null ? [] : load.perSecond.slice(0, -1)
}

/** Milliseconds of processor time that the tree of processes took for each call that came to an answer. */
function cpuPerCallMs({ load, resources }: McpReport): number[] {
  if (load === null || load.requestsPerSecond === 0) return []
  const { durationMs, requestsPerSecond } = load
  return resources
    .filter(({ atMs }) => atMs > 0 && atMs <= durationMs)
    .map(({ cpuPercent }) => (10 * cpuPercent) / requestsPerSecond)
}

/** Of the second half of the load, when memory has settled. */
function settledRss({ load, resources }: McpReport): number[] {
  if (load === null) return []
  const { durationMs } = load
  return resources
    .filter(({ atMs }) => atMs >= durationMs / 2 && atMs <= durationMs)
    .map(({ rssBytes }) => rssBytes)
}

/** Means of equally many neighbours; what is left over at the end is left out. */
function blocksOf(values: readonly number[]): number[] {
  const size = Math.max(1, Math.floor(values.length / BLOCKS_MAX))
  return Array.from(
    { length: Math.floor(values.length / size) },
    (_, at) => meanOf(values.slice(at * size, (at + 1) * size)) ?? 0,
  )
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
