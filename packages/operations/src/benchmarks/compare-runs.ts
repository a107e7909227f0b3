import { renderComparison } from '@flamegate/benchmarks'
import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getRun } from '../targets.ts'
import { runOnWire } from '../wire.ts'
import { getBaseline } from './baseline.ts'
import { compareTwoRuns, type RunComparison } from './compare-two-runs.ts'
import { comparedOnWire, worstFirst } from './compared-on-wire.ts'

export const compareRuns = implement(operations.compareRuns)(async (input, context) => {
  const head = await getRun(context, input.head_run_id, { repository: input.repository })
  const base = await getBaseline(context, input.base_run_id, head)
  const comparison = await compareTwoRuns(context, base, head, {
    thresholdPercent: input.threshold_percent,
    confidence: input.confidence,
  })
  const shown = worstFirst(comparison.benchmarks).slice(0, input.limit)
  return {
    base: runOnWire(base),
    head: runOnWire(head),
    summary: {
      ...comparison.counts,
      ignored: comparison.ignoredCount,
      acknowledged: countAcknowledged(comparison),
      geometric_mean_change_percent: comparison.geometricMeanChangePercent ?? null,
    },
    environment_differences: comparison.environmentDifferences.map((difference) => ({
      name: difference.key,
      base: difference.base,
      head: difference.head,
      matters: difference.weight === 'matters',
      reason: difference.reason,
    })),
    benchmarks: await comparedOnWire(context, comparison, shown),
    omitted_benchmark_count: comparison.benchmarks.length - shown.length,
    report: report(comparison),
  }
})

function countAcknowledged({ benchmarks, acknowledgedBy }: RunComparison): number {
  return benchmarks.filter((each) => !each.isIgnored && acknowledgedBy(each) !== undefined).length
}

function report(comparison: RunComparison): string {
  const { base, head } = comparison
  const text = renderComparison(comparison, {
    base_run_id: base.id,
    base: `${base.branch}@${base.commitHash.slice(0, 9)}`,
    head_run_id: head.id,
    head: `${head.branch}@${head.commitHash.slice(0, 9)}`,
  })
  const next =
    comparison.counts.regressed === 0
      ? ''
      : `\n> To see why, call \`explain_regression\` with the benchmark's uri, base_run_id ${base.id} and head_run_id ${head.id}, or \`query_flamegraph\` with either run.\n`
  return text + next
}
