import { renderComparison } from '@flamegate/benchmarks'
import { cell, operations, type OutputOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getRun } from '../targets.ts'
import { runOnWire } from '../wire.ts'
import { getBaseline } from './baseline.ts'
import { compareTwoRuns, type RunComparison } from './compare-two-runs.ts'
import { comparedOnWire, worstFirst } from './compared-on-wire.ts'
import { flameGraphLinks } from './flame-graph-links.ts'

export const compareRuns = implement(operations.compareRuns)(async (input, context) => {
  const head = await getRun(context, input.head_run_id, { repository: input.repository })
  const base = await getBaseline(context, input.base_run_id, head)
  const comparison = await compareTwoRuns(context, base, head, {
    thresholdPercent: input.threshold_percent,
    confidence: input.confidence,
  })
  const shown = worstFirst(comparison.benchmarks).slice(0, input.limit)
  const benchmarks = await comparedOnWire(context, comparison, shown)
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
    benchmarks,
    omitted_benchmark_count: comparison.benchmarks.length - shown.length,
    report: report(comparison, benchmarks, context.deps.publicUrl),
  }
})

function countAcknowledged({ benchmarks, acknowledgedBy }: RunComparison): number {
  return benchmarks.filter((each) => !each.isIgnored && acknowledgedBy(each) !== undefined).length
}

function report(
  comparison: RunComparison,
  benchmarks: OutputOf<typeof operations.compareRuns>['benchmarks'],
  publicUrl: string,
): string {
  const { base, head } = comparison
  const text = renderComparison(comparison, {
    base_run_id: base.id,
    base: `${base.branch}@${base.commitHash.slice(0, 9)}`,
    head_run_id: head.id,
    head: `${head.branch}@${head.commitHash.slice(0, 9)}`,
  })
  if (comparison.counts.regressed === 0) return text
  const regressed = benchmarks.filter(({ verdict, is_ignored }) => verdict === 'regressed' && !is_ignored)
  return [
    text,
    ...flameGraphLinks(
      comparison,
      regressed,
      ({ name }) => cell(name).replaceAll(/[[\]]/g, ''),
      publicUrl,
    ).map((links) => `> ${links}\n>`),
    `> To see why, call \`explain_regression\` with the benchmark's uri, base_run_id ${base.id} and head_run_id ${head.id}, or \`query_flamegraph\` with either run.\n`,
  ].join('\n')
}
