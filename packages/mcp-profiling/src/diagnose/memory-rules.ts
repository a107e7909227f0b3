import type { McpReport } from '../report.ts'
import type { Finding, RuleAnswer } from './finding.ts'
import { thresholds } from './thresholds.ts'
import { trendOf } from './trend.ts'
import type { Trend } from './trend.ts'

/** A start that allocates is no leak: this share of the samples is left out at first. */
const SETTLING_SHARE = 0.25

/**
 * Memory that only rises. What is in use after a garbage collection tells it surely; resident memory rises for other reasons
 * too, so it only counts when it also rises in the second half, and is told with less confidence.
 */
export function memoryLeak(report: McpReport): RuleAnswer {
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
  const second = trendOf(points.slice(Math.floor(points.length / 2)))
  if (!isLeak(second, 1 / 3)) return []
  return leakOf(report, points, { name: 'resident memory', isSure: false })
}

function leakOf(
  { inside, load }: McpReport,
  points: readonly { atMs: number; value: number }[],
  { name, isSure }: { name: string; isSure: boolean },
): Finding[] {
  const trend = trendOf(points)
  if (trend === undefined || !isLeak(trend, 1)) return []
  // Of three samples in order one in six orders rises: nothing can be surer.
  const isTold = trend.pValue < thresholds.leakPMax
  const largest = inside?.growth[0]
  return [
    {
      rule: 'memory_leak',
      type: 'memory',
      title: `The ${name} grew by ${megabytes(trend.growth)} in ${Math.round((points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)) / 1000} s, and did not come back.`,
      subject: largest ? (largest.place === '' ? largest.name : `${largest.name} (${largest.place})`) : null,
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
        ...(load && load.ended > 0
          ? [{ name: 'growth_per_call', value: trend.growth / load.ended, unit: 'B' }]
          : []),
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

function megabytes(bytes: number): string {
  return `${Number((bytes / 2 ** 20).toPrecision(3))} MiB`
}
