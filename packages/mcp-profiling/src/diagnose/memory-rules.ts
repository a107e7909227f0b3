import { median } from '@flamegate/benchmarks/arithmetic'
import { operationTitle } from '../operation-key.ts'
import type { McpOperation, McpReport } from '../report.ts'
import type { Finding, RuleAnswer } from './finding.ts'
import { thresholds } from './thresholds.ts'
import { trendOf } from './trend.ts'
import type { Trend } from './trend.ts'

/** A start that allocates is no leak: this share of the samples is left out at first. */
const SETTLING_SHARE = 0.25

/**
 * Memory that only rises. What is in use after a garbage collection tells it surely, and where operations were called by
 * themselves also which one keeps it; resident memory rises for other reasons too, so it only counts when it also rises in the
 * second half, and is told with less confidence.
 */
export function memoryLeak(report: McpReport): RuleAnswer {
  const keeping = report.operations.flatMap((operation) => leakOfOperation(report, operation))
  if (keeping.length > 0) return keeping
  const { inside, resources, load } = report
  const afterGc = (inside?.heap ?? []).filter(({ isAfterGc }) => isAfterGc)
  if (afterGc.length >= thresholds.leakHeapSamplesMin) {
    const points = afterGc.map(({ atMs, heapUsedBytes }) => ({ atMs, value: heapUsedBytes }))
    return leakOf(report, points, { name: 'heap after garbage collections', isSure: true })
  }
  const underLoad = resources.filter(({ atMs }) => atMs >= 0 && atMs <= (load?.durationMs ?? Infinity))
  const settled = underLoad.slice(Math.floor(SETTLING_SHARE * underLoad.length))
  if (settled.length < thresholds.leakSamplesMin)
    return { notAsked: `memory was seen ${settled.length} times; ${thresholds.leakSamplesMin} are needed` }
  const points = settled.map(({ atMs, rssBytes }) => ({ atMs, value: rssBytes }))
  const spanMs = (points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)
  // A heap takes its room in the first seconds of a load, whether anything is kept or not.
  if (spanMs < thresholds.leakResidentMsMin) {
    return {
      notAsked: `resident memory was watched for ${Math.round(spanMs / 1000)} s under load; ${thresholds.leakResidentMsMin / 1000} are needed`,
    }
  }
  const second = trendOf(points.slice(Math.floor(points.length / 2)))
  if (!isLeak(second, 1 / 3)) return []
  return leakOf(report, points, { name: 'resident memory', isSure: false })
}

/** An operation that keeps more in each round: what it keeps once, in the first, is none. */
function leakOfOperation({ inside }: McpReport, operation: McpOperation): Finding[] {
  const rounds = (operation.byItself ?? []).flatMap(({ calls, keptBytes }) =>
    keptBytes === null || calls === 0 ? [] : [{ calls, keptBytes }],
  )
  if (rounds.length < thresholds.leakRoundsMin) return []
  const later = rounds.slice(1)
  const perCall = median(later.map(({ calls, keptBytes }) => keptBytes / calls))
  // Not what they kept together: where few calls fit into the first round, a cache gets full in one of the others.
  const keptBytes = perCall * later.reduce((sum, { calls }) => sum + calls, 0)
  const others = later.filter((round) => round.keptBytes / round.calls < thresholds.leakSteadyShare * perCall)
  // Once in a while a collection also takes away a megabyte of code that was not called for long.
  const isSteady = others.length <= Math.floor(later.length / thresholds.leakRoundsForOneOff)
  if (perCall <= 0 || !isSteady || keptBytes < thresholds.leakOperationBytesMin) return []
  // What one round leaves to be collected, and the next operation's collection takes away, is kept by nobody.
  const grown = grownAfterGc(inside)
  if (grown !== undefined && grown < thresholds.leakStayedShare * keptBytes) return []
  const title = operationTitle(operation)
  const largest = inside?.growth[0]
  return [
    {
      rule: 'memory_leak',
      type: 'memory',
      title: `${title} keeps about ${Math.round(perCall).toLocaleString('en-US')} bytes of the heap with each call.`,
      subject: title,
      evidence: [
        { name: 'kept_per_call', value: perCall, unit: 'B' },
        { name: 'kept', value: keptBytes, unit: 'B' },
        { name: 'threshold_kept', value: thresholds.leakOperationBytesMin, unit: 'B' },
        { name: 'rounds', value: rounds.length, unit: '' },
        { name: 'calls', value: rounds.reduce((sum, { calls }) => sum + calls, 0), unit: '' },
        ...(largest ? [{ name: 'grew_most', value: placed(largest), unit: '' }] : []),
      ],
      confidence: rounds.length > thresholds.leakRoundsMin ? 'high' : 'medium',
      priority: 'high',
      suggestion: `Look what ${title} puts into a map or list that is only added to, or which listeners it never removes. A cache that is not full yet looks the same: see whether it has a limit.`,
    },
  ]
}

/** Bytes from the first garbage collection to the last one; undefined where there are none. */
function grownAfterGc(inside: McpReport['inside']): number | undefined {
  const afterGc = (inside?.heap ?? []).filter(({ isAfterGc }) => isAfterGc)
  const [first, last] = [afterGc[0], afterGc.at(-1)]
  return first === undefined || last === undefined || afterGc.length < 2
    ? undefined
    : last.heapUsedBytes - first.heapUsedBytes
}

function leakOf(
  { inside, load, operations }: McpReport,
  points: readonly { atMs: number; value: number }[],
  { name, isSure }: { name: string; isSure: boolean },
): Finding[] {
  const trend = trendOf(points)
  if (trend === undefined || !isLeak(trend, 1)) return []
  // Of three samples in order one in six orders rises: nothing can be surer.
  const isTold = trend.pValue < thresholds.leakPMax
  const largest = inside?.growth[0]
  const byThemselves = operations.flatMap(({ byItself = [] }) => byItself.map(({ calls }) => calls))
  const calls =
    isSure && byThemselves.length > 0 ? byThemselves.reduce((sum, each) => sum + each, 0) : (load?.ended ?? 0)
  return [
    {
      rule: 'memory_leak',
      type: 'memory',
      title: `The ${name} grew by ${megabytes(trend.growth)} in ${Math.round((points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)) / 1000} s, and did not come back.`,
      subject: largest ? placed(largest) : null,
      evidence: [
        { name: 'growth', value: trend.growth, unit: 'B' },
        {
          name: 'threshold_growth',
          value: Math.max(thresholds.leakBytesMin, thresholds.leakShareMin * trend.start),
          unit: 'B',
        },
        { name: 'slope', value: trend.slope * 60_000, unit: 'B/min' },
        { name: 'samples', value: points.length, unit: '' },
        { name: 'p_value', value: trend.pValue, unit: '' },
        ...(calls > 0 ? [{ name: 'growth_per_call', value: trend.growth / calls, unit: 'B' }] : []),
        ...(largest ? [{ name: 'growth_of_subject', value: largest.bytes, unit: 'B' }] : []),
      ],
      confidence:
        isSure && isTold && points.length >= thresholds.leakSamplesMin
          ? 'high'
          : isSure && isTold
            ? 'medium'
            : 'low',
      priority: 'high',
      suggestion: largest
        ? `Look who keeps ${largest.name}: a map or list that is only added to, listeners that are never removed.`
        : 'Compare heap snapshots (mcp-profiler heap-analysis --compare) to see what is kept: mostly a map or list that is only added to.',
    },
  ]
}

/** @param part of the thresholds, for a part of the time */
function isLeak(trend: Trend | undefined, part: number): boolean {
  if (trend === undefined) return false
  const floor = Math.max(thresholds.leakBytesMin, thresholds.leakShareMin * trend.start)
  // A heap that goes up and down is none; so few samples that no test can tell have to rise one after the other.
  return trend.growth >= part * floor && (trend.pValue < thresholds.leakPMax || trend.tau === 1)
}

function placed({ name, place }: { name: string; place: string }): string {
  return place === '' ? name : `${name} (${place})`
}

function megabytes(bytes: number): string {
  return `${Number((bytes / 2 ** 20).toPrecision(3))} MiB`
}
