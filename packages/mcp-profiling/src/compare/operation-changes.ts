import { countOf, deviationOf, meanOf, percentileOf } from '@flamegate/series'
import type { Histogram } from '@flamegate/series'
import { failedCalls } from '../operation-key.ts'
import { histogramOf } from '../report-histogram.ts'
import type { McpOperation } from '../report.ts'
import type { Effect, Quantile } from './effect.ts'
import { equalFailuresP } from './error-change.ts'
import type { Failed } from './error-change.ts'
import type { MeasuredChange } from './measured-change.ts'
import { percentileLevel } from './percentile-level.ts'
import { levelsEffect, sessionEffect } from './session-effect.ts'
import { logsOf, varianceOfMean } from './series-level.ts'
import { effectByReference, type References } from './references.ts'
import { turnsEffect } from './turns-effect.ts'

export interface ChangeCircumstances {
  quantile: Quantile
  isInterleaved: boolean
  /** Of sessions that ran at different times, where they have them. */
  references: References | undefined
}

/** Standard deviations of ln(value) between two sessions of the same build on an idle machine, which are assumed: tails differ more. */
const ASSUMED_STDEV = 0.02
const percentiles = [
  { metric: 'p50_ms', percent: 50, assumedStdev: ASSUMED_STDEV },
  { metric: 'p95_ms', percent: 95, assumedStdev: 0.05 },
  { metric: 'p99_ms', percent: 99, assumedStdev: 0.1 },
] as const

/** Everything that is compared of one operation that is in both reports. */
export function operationChanges(
  base: McpOperation,
  head: McpOperation,
  circumstances: ChangeCircumstances,
): MeasuredChange[] {
  const effect = meanEffect(base.blockMeansMs, head.blockMeansMs, circumstances)
  const [failedOfBase, failedOfHead] = [failuresOf(base), failuresOf(head)]
  return [
    timed('mean_ms', meanMs(base), meanMs(head), effect),
    ...percentileChanges(base, head, circumstances),
    {
      metric: 'error_rate',
      base: shareOf(failedOfBase),
      head: shareOf(failedOfHead),
      isCounted: true,
      kind: 'errors',
      failedOfBase,
      failedOfHead,
      pValue: equalFailuresP(failedOfBase, failedOfHead),
    },
    {
      metric: 'result_bytes',
      base: base.resultBytes.mean,
      head: head.resultBytes.mean,
      isCounted: false,
      kind: 'bare',
    },
    {
      metric: 'result_tokens',
      base: base.resultTokens?.mean ?? null,
      head: head.resultTokens?.mean ?? null,
      isCounted: false,
      kind: 'bare',
    },
  ]
}

function meanEffect(
  before: McpOperation['blockMeansMs'],
  after: McpOperation['blockMeansMs'],
  { quantile, isInterleaved, references }: ChangeCircumstances,
): Effect | undefined {
  if (isInterleaved) return turnsEffect(before, after, quantile)
  if (references === undefined) return sessionEffect(before, after, ASSUMED_STDEV, quantile)
  const { base, head } = references
  return effectByReference(
    { values: before, reference: base.blockMeansMs },
    { values: after, reference: head.blockMeansMs },
    quantile,
  )
}

function percentileChanges(
  base: McpOperation,
  head: McpOperation,
  { quantile, isInterleaved, references }: ChangeCircumstances,
): MeasuredChange[] {
  const [ofBase, ofHead] = [histogramOf(base.latency), histogramOf(head.latency)]
  const designEffect = designEffectOf(base, head, isInterleaved)
  return percentiles.map(({ metric, percent, assumedStdev }) => {
    const values = [inMs(percentileOf(ofBase, percent)), inMs(percentileOf(ofHead, percent))] as const
    if (designEffect === undefined || references !== undefined) return timed(metric, ...values, undefined)
    const [before, after] = [ofBase, ofHead].map((histogram) =>
      percentileLevel(histogram, percent, designEffect),
    )
    const method = `ranks of ${countOf(ofBase)} and ${countOf(ofHead)} calls, each worth ${Number((1 / designEffect).toPrecision(2))} independent ones${isInterleaved ? '' : `, and an assumed ${100 * assumedStdev} % between sessions`}`
    const effect =
      before && after
        ? levelsEffect(before, after, isInterleaved ? 0 : assumedStdev, { quantile, method })
        : undefined
    return timed(metric, ...values, effect)
  })
}

/**
 * How much less a call tells than an independent one would, as variances (Kish's design effect): by how much the means of
 * blocks differ more than those of independent calls. Nothing is trimmed here, for slow blocks are in the percentiles too.
 */
function designEffectOf(base: McpOperation, head: McpOperation, isInterleaved: boolean): number | undefined {
  const independent = [base, head]
    .map(({ serviceTime }) => relativeVarianceOfMean(histogramOf(serviceTime)))
    .reduce((sum, variance) => sum + variance, 0)
  const seen = isInterleaved
    ? varianceOfMean(pairedLogs(base.blockMeansMs, head.blockMeansMs))
    : sumOf(varianceOfMean(logsOf(base.blockMeansMs)), varianceOfMean(logsOf(head.blockMeansMs)))
  if (seen === undefined) return undefined
  return independent === 0 ? 1 : Math.max(1, seen / independent)
}

function pairedLogs(base: McpOperation['blockMeansMs'], head: McpOperation['blockMeansMs']): number[] {
  return base.flatMap((before, at) => {
    const after = head[at] ?? null
    return before !== null && after !== null && before > 0 && after > 0 ? [Math.log(after / before)] : []
  })
}

function sumOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other
}

function relativeVarianceOfMean(histogram: Histogram): number {
  const [mean, deviation] = [meanOf(histogram), deviationOf(histogram)]
  return mean === null || deviation === null || mean === 0 ? 0 : (deviation / mean) ** 2 / countOf(histogram)
}

function timed(
  metric: 'mean_ms' | 'p50_ms' | 'p95_ms' | 'p99_ms',
  base: number | null,
  head: number | null,
  effect: Effect | undefined,
): MeasuredChange {
  const shared = { metric, base, head, isCounted: true }
  return effect
    ? { ...shared, kind: 'tested', effect }
    : {
        ...shared,
        kind: 'unknown',
        method: 'too few blocks or calls to tell: five blocks, and ten calls beyond a percentile',
      }
}

function meanMs({ serviceTime }: McpOperation): number | null {
  return inMs(meanOf(histogramOf(serviceTime)))
}

function inMs(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / 1000
}

function failuresOf(operation: McpOperation): Failed {
  return { calls: operation.calls, failed: failedCalls(operation) }
}

function shareOf({ calls, failed }: Failed): number | null {
  return calls === 0 ? null : failed / calls
}
