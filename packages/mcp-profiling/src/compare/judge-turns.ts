import type { McpReport } from '../report.ts'
import { blocksNeeded, compareReports } from './compare-reports.ts'
import type { McpComparison } from './comparison.ts'

/** What has been measured in turns so far, and whether that is enough. */
export interface TurnsJudgement {
  comparison: McpComparison
  /** More pairs would change nothing any more. */
  isDecided: boolean
}

/** It is looked at for the first time after so many pairs of blocks, and then after every so many more. */
export const turnsLooks = { first: 10, every: 5 } as const

/**
 * Who looks often is deceived more often: all looks but the last ask for 99.9 %, the last one for 98 %, so that all of
 * them together are hardly less sure than that (Haybittle 1971, British Journal of Radiology 44:793–797).
 */
const CONFIDENCE_BEFORE_LAST = 0.999

/** Judges two reports of blocks that ran in turns. */
export function judgeTurns(
  base: McpReport,
  head: McpReport,
  { thresholdPercent, isLast }: { thresholdPercent: number; isLast: boolean },
): TurnsJudgement {
  const pairs = base.turns?.length ?? 0
  const comparison = compareReports(base, head, {
    thresholdPercent,
    isInterleaved: true,
    ...(isLast ? {} : { confidence: CONFIDENCE_BEFORE_LAST }),
  })
  // With another number of calls at a time only the throughput is judged.
  const asked =
    base.load?.concurrent === head.load?.concurrent
      ? comparison.operations.flatMap(({ metrics }) => metrics.filter(({ metric }) => metric === 'mean_ms'))
      : comparison.overall.filter(({ metric }) => metric === 'requests_per_second')
  const isDecided =
    comparison.regressions.length > 0 ||
    (asked.length > 0 && asked.every(({ verdict }) => verdict === 'same' || verdict === 'better'))
  return {
    comparison: { ...comparison, notes: [pairsNote(comparison, pairs, isDecided), ...comparison.notes] },
    isDecided,
  }
}

function pairsNote(comparison: McpComparison, pairs: number, isDecided: boolean): string {
  const measured = `Measured in ${pairs} pairs of blocks, in turns.`
  if (isDecided) return `${measured} More would change nothing.`
  const needed = blocksNeeded(comparison, pairs)
  return needed === null || needed <= pairs
    ? measured
    : `${measured} As noisy as it was, about ${needed} would tell a change of ${comparison.thresholdPercent} % from none.`
}
