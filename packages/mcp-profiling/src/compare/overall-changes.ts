import type { McpReport } from '../report.ts'
import type { Effect } from './effect.ts'
import type { MeasuredChange } from './measured-change.ts'
import type { ChangeCircumstances } from './operation-changes.ts'
import { effectByReference } from './references.ts'
import { sessionEffect } from './session-effect.ts'
import { turnsEffect } from './turns-effect.ts'

/** As many as keep each of them long. */
const BLOCKS_MAX = 12
/** Assumed between sessions, as standard deviations of ln(value): see docs/mcp-profiler.md. */
const ASSUMED_STDEV = { requests_per_second: 0.02, cpu_ms_per_call: 0.05, rss_bytes: 0.1 }

/** A server that answers many more calls in the same time has more garbage at any moment, which says nothing of what it keeps. */
const CALLS_RATIO_MAX = 1.5

type Turn = NonNullable<McpReport['turns']>[number]
type ValueOf = (report: McpReport) => number | null

/** What is compared of the server as a whole. */
export function overallChanges(
  base: McpReport,
  head: McpReport,
  { quantile, isInterleaved, references }: ChangeCircumstances,
): MeasuredChange[] {
  const measured = (
    metric: keyof typeof ASSUMED_STDEV,
    effect: Effect | undefined,
    valueOf: ValueOf,
  ): MeasuredChange => {
    const shared = { metric, base: valueOf(base), head: valueOf(head), isCounted: true }
    const callsRatio = metric === 'rss_bytes' ? callsRatioOf(base, head) : 1
    if (callsRatio > CALLS_RATIO_MAX) {
      const method = `one answered ${callsRatio.toFixed(1)} times as many calls meanwhile, and more calls leave more garbage`
      return { ...shared, kind: 'unknown', method }
    }
    return effect
      ? { ...shared, kind: 'tested', effect }
      : { ...shared, kind: 'unknown', method: 'too little was measured to tell' }
  }
  const inTurns = (metric: keyof typeof ASSUMED_STDEV, of: (turn: Turn) => number | null): MeasuredChange => {
    return measured(metric, turnsEffect(turnsOf(base, of), turnsOf(head, of), quantile), meanOfTurns(of))
  }
  const inSessions = (
    metric: keyof typeof ASSUMED_STDEV,
    valuesOf: (report: McpReport) => number[],
    valueOf: ValueOf = (report) => meanOf(valuesOf(report)),
  ): MeasuredChange => {
    const [before, after] = [blocksOf(valuesOf(base)), blocksOf(valuesOf(head))]
    const areComplete = [...before, ...after].every((value) => value > 0)
    const effect = areComplete ? sessionEffect(before, after, ASSUMED_STDEV[metric], quantile) : undefined
    return measured(metric, effect, valueOf)
  }
  return [
    ...(isInterleaved
      ? [
          inTurns('requests_per_second', ({ ended, durationMs }) => positive((1000 * ended) / durationMs)),
          inTurns('cpu_ms_per_call', cpuMsPerCall),
          inTurns('rss_bytes', memory),
        ]
      : references
        ? [
            measured('requests_per_second', undefined, ({ load }) => load?.requestsPerSecond ?? null),
            measured(
              'cpu_ms_per_call',
              effectByReference(
                { values: turnsOf(base, cpuMsPerCall), reference: references.base.cpuMsPerCall },
                { values: turnsOf(head, cpuMsPerCall), reference: references.head.cpuMsPerCall },
                quantile,
              ),
              meanOfTurns(cpuMsPerCall),
            ),
            inSessions('rss_bytes', (report) => turnsOf(report, memory).flatMap((value) => value ?? [])),
          ]
        : [
            inSessions('requests_per_second', wholeSeconds, ({ load }) => load?.requestsPerSecond ?? null),
            inSessions('cpu_ms_per_call', cpuPerCallMs),
            inSessions('rss_bytes', settledRss),
          ]),
    {
      metric: 'tools_list_tokens',
      base: base.connection.toolsListTokens,
      head: head.connection.toolsListTokens,
      isCounted: false,
      kind: 'bare',
    },
  ]
}

/** How many times as many calls the one answered as the other, in the same time; 1 where it was not counted. */
function callsRatioOf(base: McpReport, head: McpReport): number {
  const [before, after] = [callRateOf(base), callRateOf(head)]
  return before > 0 && after > 0 ? Math.max(before / after, after / before) : 1
}

function callRateOf({ turns = [], load }: McpReport): number {
  if (turns.length === 0) return load?.requestsPerSecond ?? 0
  const sum = (of: (turn: Turn) => number) => turns.reduce((total, turn) => total + of(turn), 0)
  return sum(({ ended }) => ended) / sum(({ durationMs }) => durationMs)
}

function turnsOf({ turns = [] }: McpReport, of: (turn: Turn) => number | null): (number | null)[] {
  return turns.map(of)
}

function meanOfTurns(of: (turn: Turn) => number | null): ValueOf {
  return (report) => meanOf(turnsOf(report, of).flatMap((value) => value ?? []))
}

function cpuMsPerCall({ cpuMs, ended }: Turn): number | null {
  return positive((cpuMs ?? 0) / ended)
}

function memory({ rssBytes }: Turn): number | null {
  return rssBytes
}

/** Null where it is nothing, or nothing was counted. */
function positive(value: number): number | null {
  return value > 0 && Number.isFinite(value) ? value : null
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
