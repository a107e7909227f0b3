import { knownIssues, type BenchmarkComparison } from '@flamegate/benchmarks'
import { operations, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { Result, Run, StoredThreshold } from '../ports/index.ts'
import { getRun } from '../targets.ts'
import { runOnWire } from '../wire.ts'
import { applyingThreshold } from './applying-threshold.ts'
import { findBaseline } from './baseline.ts'
import { comparable } from './comparable.ts'
import { compareTwoRuns, requireCompleted, type RunComparison } from './compare-two-runs.ts'
import { comparedOnWire, worstFirst } from './compared-on-wire.ts'
import { regressionReport } from './regression-report.ts'

type Input = InputOf<typeof operations.checkRegression>

const failuresMax = 100
const thresholdPercentOfNobody = 5

export const checkRegression = implement(operations.checkRegression)(async (input, context) => {
  const head = await getRun(context, input.run_id, { repository: input.repository })
  requireCompleted(head)
  const base = await findBaseline(context, input.base_run_id, head)
  if (base === undefined) return withoutBaseline(head)
  const comparison = await compareTwoRuns(context, base, head, {
    confidence: input.confidence,
    thresholdPercent: input.threshold_percent ?? thresholdPercentOfNobody,
    thresholdPercentOf: input.threshold_percent === undefined ? await percentages(context, head) : undefined,
  })
  const failures = comparison.benchmarks.filter((each) => fails(each, comparison, input)).toSorted(worstFirst)
  const acknowledged = comparison.benchmarks.filter(
    (each) => !each.isIgnored && comparison.acknowledgedBy(each) !== undefined,
  )
  const shown = await comparedOnWire(context, comparison, failures.slice(0, failuresMax))
  return {
    passed: failures.length === 0,
    base: runOnWire(base),
    head: runOnWire(head),
    failures: shown,
    failure_count: failures.length,
    judged_count: comparison.benchmarks.length - comparison.ignoredCount,
    acknowledged_count: acknowledged.length,
    ignored_count: comparison.ignoredCount,
    report: regressionReport(comparison, {
      failures: shown,
      failureCount: failures.length,
      acknowledged: acknowledged.map(({ name }) => name),
      knownIssues: failures.slice(0, failuresMax).map((each) => issuesOf(comparison, each)),
      publicUrl: context.deps.publicUrl,
    }),
  }
})

function withoutBaseline(head: Run) {
  return {
    passed: true,
    base: null,
    head: runOnWire(head),
    failures: [],
    failure_count: 0,
    judged_count: 0,
    acknowledged_count: 0,
    ignored_count: 0,
    report: 'Passed: there is no earlier run to judge this one against.',
  }
}

/** A regression of a critical benchmark fails whatever was asked for or accepted. */
function fails(each: BenchmarkComparison, comparison: RunComparison, { fail_on: failOn }: Input): boolean {
  if (each.isIgnored) return false
  if (each.verdict === 'regressed' && comparison.resultOf(each).isCritical) return true
  return failOn.some((verdict) => verdict === each.verdict) && comparison.acknowledgedBy(each) === undefined
}

/** What the project's percentage thresholds say of a benchmark, in the direction in which it gets worse. */
async function percentages(
  { caller, deps }: CallContext,
  head: Run,
): Promise<(result: Result) => number | undefined> {
  const thresholds = (await deps.stores.thresholds.list(caller, head.projectId)).filter(
    ({ test }) => test === 'percentage',
  )
  return (result) => {
    const threshold = applyingThreshold(thresholds, {
      branch: head.branch,
      benchmarkId: result.benchmarkId,
      metric: result.metric,
      isMainMetric: true,
    })
    const share = threshold && worseBound(threshold, result)
    return share === undefined || share === null ? undefined : 100 * share
  }
}

function worseBound({ lowerBound, upperBound }: StoredThreshold, { betterWhen }: Result): number | null {
  return betterWhen === 'lower' ? upperBound : lowerBound
}

function issuesOf(comparison: RunComparison, each: BenchmarkComparison): string[] {
  const result = comparable(comparison.resultOf(each))
  return knownIssues(result, {
    environment: comparison.head.environment,
    previousEnvironment: comparison.base.environment,
  }).map(({ title }) => title)
}
