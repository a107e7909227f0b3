import {
  benchmarkKey,
  compareBenchmarks,
  largestChangeFirst,
  renderComparison,
  type BenchmarkComparison,
  type Comparison,
} from '@flamegate/benchmarks'
import { operations, Problem, type OutputOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import type { Run } from '../ports/index.ts'
import { benchmarksWithProfile } from '../profiles/of-run.ts'
import { getRun } from '../targets.ts'
import { runOnWire } from '../wire.ts'
import { getBaseline } from './baseline.ts'
import { comparable } from './comparable.ts'

type ComparedOnWire = OutputOf<typeof operations.compareRuns>['benchmarks'][number]

export const compareRuns = implement(operations.compareRuns)(async (input, context) => {
  const { caller, deps } = context
  const head = await getRun(context, input.head_run_id, { repository: input.repository })
  const base = await getBaseline(context, input.base_run_id, head)
  if (base.projectId !== head.projectId) {
    throw new Problem(
      'runs_not_comparable',
      'These runs belong to different projects. Compare runs of one project.',
    )
  }
  requireCompleted(base)
  requireCompleted(head)

  const [baseResults, headResults, baseProfiled, headProfiled] = await Promise.all([
    deps.stores.runs.listResults(caller, base.id, { withRounds: true }),
    deps.stores.runs.listResults(caller, head.id, { withRounds: true }),
    benchmarksWithProfile(context, base),
    benchmarksWithProfile(context, head),
  ])
  const comparison = compareBenchmarks(
    { environment: base.environment, results: baseResults.map(comparable) },
    { environment: head.environment, results: headResults.map(comparable) },
    { thresholdPercent: input.threshold_percent, confidence: input.confidence },
  )
  // Both runs may have it: they share the id, for one project has one benchmark per key.
  const ids = new Map(
    [...baseResults, ...headResults].map((result) => [benchmarkKey(result), result.benchmarkId]),
  )
  const shown = comparison.benchmarks.toSorted(worstFirst).slice(0, input.limit)
  const benchmarks = shown.map((each): ComparedOnWire => {
    const benchmarkId = ids.get(benchmarkKey(each)) ?? ''
    return {
      uri: each.uri,
      name: each.name,
      benchmark_id: benchmarkId,
      verdict: each.verdict,
      base_value: each.baseValue ?? null,
      head_value: each.headValue ?? null,
      unit: each.unit,
      instrument: each.instrument,
      metric: each.metric,
      better_when: each.betterWhen,
      change_percent: each.changePercent ?? null,
      interval_low_percent: each.confidenceInterval?.lowPercent ?? null,
      interval_high_percent: each.confidenceInterval?.highPercent ?? null,
      noise_percent: each.noisePercent ?? null,
      p_value: each.adjustedPValue ?? null,
      reason: each.reason,
      has_base_profile: baseProfiled.has(benchmarkId),
      has_head_profile: headProfiled.has(benchmarkId),
    }
  })
  return {
    base: runOnWire(base),
    head: runOnWire(head),
    summary: {
      ...comparison.counts,
      geometric_mean_change_percent: comparison.geometricMeanChangePercent ?? null,
    },
    environment_differences: comparison.environmentDifferences.map((difference) => ({
      name: difference.key,
      base: difference.base ?? null,
      head: difference.head ?? null,
      matters: difference.weight === 'matters',
      reason: difference.reason,
    })),
    benchmarks,
    omitted_benchmark_count: comparison.benchmarks.length - benchmarks.length,
    report: report(comparison, base, head),
  }
})

function requireCompleted(run: Run): void {
  if (run.status === 'PENDING')
    throw new Problem('not_ready', `Run ${run.id} is still being read. Try again in a second.`)
  if (run.status === 'FAILURE') {
    throw new Problem(
      'runs_not_comparable',
      `Run ${run.id} has no results: its upload could not be read (${run.warnings.join('; ')}).`,
    )
  }
}

const urgency = ['regressed', 'incomparable', 'noisy', 'missing', 'improved', 'new', 'unchanged']

function worstFirst(a: BenchmarkComparison, b: BenchmarkComparison): number {
  return urgency.indexOf(a.verdict) - urgency.indexOf(b.verdict) || largestChangeFirst(a, b)
}

function report(comparison: Comparison, base: Run, head: Run): string {
  const text = renderComparison(comparison, {
    base_run_id: base.id,
    base: `${base.branch}@${base.commitHash.slice(0, 9)}`,
    head_run_id: head.id,
    head: `${head.branch}@${head.commitHash.slice(0, 9)}`,
  })
  const next =
    comparison.counts.regressed === 0
      ? ''
      : `\n> To see why, call \`query_flamegraph\` with run_id ${base.id} and then ${head.id}, and the benchmark's uri.\n`
  return text + next
}
