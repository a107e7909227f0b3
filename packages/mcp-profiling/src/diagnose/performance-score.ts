import { mergeHistograms, percentileOf } from '@flamegate/series'
import { histogramOf } from '../report-histogram.ts'
import type { McpReport } from '../report.ts'
import { errorShareOf } from './error-rules.ts'
import type { Diagnosis, Finding } from './finding.ts'

/** The latency that costs nothing, and what each tenfold of it costs. */
const FREE_MS = 100
const POINTS_PER_TENFOLD = 15
const LATENCY_MAX = 30
/** One failed call in ten costs all that failures can. */
const POINTS_PER_ERROR_SHARE = 400
const ERRORS_MAX = 40
const findingPoints = { high: 10, medium: 5, low: 2 }
const FINDINGS_MAX = 40

/**
 * 100 − latency − errors − findings, and no less than 0: latency is 15 × log10(p95 ÷ 100 ms) of all calls, 0 to 30; errors are
 * 400 × the share of failed calls, at most 40; findings are 10, 5 or 2 by priority, at most 40, without those about errors and
 * slow operations, which count already. A number to compare a server with itself; it says nothing of how two servers compare.
 */
export function performanceScore(
  report: McpReport,
  findings: readonly Finding[],
): Pick<Diagnosis, 'performanceScore' | 'scoreParts'> {
  const errorShare = errorShareOf(report)
  const p95 = percentileOf(mergeHistograms(report.operations.map(({ latency }) => histogramOf(latency))), 95)
  if (errorShare === null || p95 === null) return { performanceScore: null, scoreParts: [] }
  const p95Ms = p95 / 1000
  const others = findings.filter(({ rule }) => rule !== 'errors' && rule !== 'slow_operation')
  const parts = [
    {
      name: `p95 of ${Number(p95Ms.toPrecision(3))} ms`,
      points: between(POINTS_PER_TENFOLD * Math.log10(p95Ms / FREE_MS), LATENCY_MAX),
    },
    {
      name: `${Number((100 * errorShare).toPrecision(3))} % of calls failed`,
      points: between(POINTS_PER_ERROR_SHARE * errorShare, ERRORS_MAX),
    },
    {
      name: others.length === 1 ? '1 finding' : `${others.length} findings`,
      points: between(
        others.reduce((sum, { priority }) => sum + findingPoints[priority], 0),
        FINDINGS_MAX,
      ),
    },
  ].filter(({ points }) => points > 0)
  const lost = parts.reduce((sum, { points }) => sum + points, 0)
  return { performanceScore: Math.max(0, Math.round(100 - lost)), scoreParts: parts }
}

function between(points: number, most: number): number {
  return Math.round(10 * Math.min(most, Math.max(0, points))) / 10
}
