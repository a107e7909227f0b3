import { knownIssues, type BenchmarkComparison } from '@flamegate/benchmarks'
import { operations, type InputOf, type OutputOf } from '@flamegate/contract'
import type { Reading } from '../implement.ts'
import type { Result, Run, StoredThreshold } from '../ports/index.ts'
import { runOnWire } from '../wire.ts'
import { applyingThreshold } from './applying-threshold.ts'
import { findOwnBaseline } from './baseline.ts'
import { defaultBranchOf } from './default-branch.ts'
import { comparable } from './comparable.ts'
import { compareTwoRuns, type RunComparison } from './compare-two-runs.ts'
import { comparedOnWire, worstFirst } from './compared-on-wire.ts'
import { judgeByThresholds, type ThresholdVerdict } from './judge-by-thresholds.ts'
import { regressionReport } from './regression-report.ts'

/** What fails a check, as `check_regression` takes it. */
export type CheckRules = Pick<
  InputOf<typeof operations.checkRegression>,
  'confidence' | 'threshold_percent' | 'fail_on' | 'limit'
>

interface RunCheck {
  answer: OutputOf<typeof operations.checkRegression>
  /** How many benchmarks have which verdict; undefined when there was nothing to compare with. */
  counts: RunComparison['counts'] | undefined
}

const notesMax = 5
const thresholdPercentOfNobody = 5

/** By whose thresholds a run is judged: those of its branch, and of the one that it goes into or was branched off. */
async function judgingBranches({ caller, deps }: Reading, head: Run): Promise<string[]> {
  if (head.baseBranch !== null) return [...new Set([head.branch, head.baseBranch])]
  const project = await deps.stores.projects.find(caller, head.projectId)
  if (project === undefined) return [head.branch]
  return [...new Set([head.branch, await defaultBranchOf(deps.stores, caller, project)])]
}

/** Judges a completed run as `check_regression` does when it is told nothing else. */
export async function checkByDefault(reading: Reading, head: Run, publicUrl: string): Promise<RunCheck> {
  const base = await findOwnBaseline(reading, head)
  const rules = operations.checkRegression.input.parse({ run_id: head.id })
  return checkRun(reading, { base, head }, rules, publicUrl)
}

/**
 * Judges a completed run: by the project's thresholds, and what none of them decides against another run.
 * @throws Problem `runs_not_comparable`, `not_ready`
 */
export async function checkRun(
  reading: Reading,
  { base, head }: { base: Run | undefined; head: Run },
  rules: CheckRules,
  publicUrl: string,
): Promise<RunCheck> {
  // Who names a percentage wants that one.
  const thresholds =
    rules.threshold_percent === undefined
      ? await reading.deps.stores.thresholds.list(reading.caller, head.projectId)
      : []
  const branches = await judgingBranches(reading, head)
  const byThresholds = await judgeByThresholds(reading, head, thresholds, branches)
  const comparison = await compareTwoRuns(reading, base, head, {
    confidence: rules.confidence,
    thresholdPercent: rules.threshold_percent ?? thresholdPercentOfNobody,
    thresholdPercentOf: percentages(thresholds, branches),
    byThresholds,
  })
  const failures = worstFirst(comparison.benchmarks.filter((each) => fails(each, comparison, rules)))
  const acknowledged = comparison.benchmarks.filter(
    (each) => !each.isIgnored && comparison.acknowledgedBy(each) !== undefined,
  )
  const shown = await comparedOnWire(reading, comparison, failures.slice(0, rules.limit))
  const judged = comparison.benchmarks.filter((each) => isJudged(each, rules))
  const notes = [
    ...unjudgedInWords(byThresholds, base),
    ...(base === undefined || !comparison.benchmarks.every(isInOneOnly) ? [] : [nothingInCommon(base, head)]),
  ]
  const answer = {
    passed: failures.length === 0,
    base: base === undefined ? null : runOnWire(base),
    head: runOnWire(head),
    failures: shown,
    failure_count: failures.length,
    judged_count: judged.length,
    acknowledged_count: acknowledged.length,
    ignored_count: comparison.ignoredCount,
    notes,
    report: regressionReport(comparison, {
      failures: shown,
      failureCount: failures.length,
      judgedCount: judged.length,
      acknowledged: acknowledged.map(({ name }) => name),
      knownIssues: failures.slice(0, rules.limit).map((each) => issuesOf(comparison, each)),
      notes,
      publicUrl,
    }),
  }
  return { answer, counts: base === undefined ? undefined : comparison.counts }
}

/** What is in one run only has nothing to be judged by; that it is missing may be what was asked. */
function isJudged({ isIgnored, verdict }: BenchmarkComparison, { fail_on: failOn }: CheckRules): boolean {
  if (isIgnored || verdict === 'new') return false
  return verdict !== 'missing' || failOn.includes('missing')
}

function isInOneOnly({ verdict }: BenchmarkComparison): boolean {
  return verdict === 'new' || verdict === 'missing'
}

function nothingInCommon(base: Run, head: Run): string {
  return `Nothing was judged: ${base.id} (${base.branch}) and ${head.id} have no benchmark in common. Name another run or branch to judge against (base_run_id; flamegate check --base).`
}

/** Why thresholds could not judge, each reason once, the most common ones first. */
function unjudgedInWords(verdicts: readonly ThresholdVerdict[], base: Run | undefined): string[] {
  const unjudged = verdicts.filter(
    ({ verdict, result }) => verdict === undefined && result.state === 'active',
  )
  const instead = base === undefined ? 'Nothing judges' : 'The baseline alone judges'
  return [...Map.groupBy(unjudged, ({ sentence }) => sentence)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, notesMax)
    .map(
      ([sentence, { length }]) =>
        `${instead} ${length === 1 ? 'one value' : `${length} values`}. ${sentence}`,
    )
}

/** A regression of a critical benchmark fails whatever was asked for or accepted. */
function fails(
  each: BenchmarkComparison,
  comparison: RunComparison<Run | undefined>,
  { fail_on: failOn }: CheckRules,
): boolean {
  if (each.isIgnored) return false
  if (each.verdict === 'regressed' && comparison.resultOf(each).isCritical) return true
  return failOn.some((verdict) => verdict === each.verdict) && comparison.acknowledgedBy(each) === undefined
}

/** What the project's percentage thresholds say of a benchmark, in the direction in which it gets worse. */
function percentages(
  all: readonly StoredThreshold[],
  branches: readonly string[],
): (result: Result) => number | undefined {
  const thresholds = all.filter(({ test }) => test === 'percentage')
  return (result) => {
    const threshold = applyingThreshold(thresholds, {
      branches,
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

function issuesOf(comparison: RunComparison<Run | undefined>, each: BenchmarkComparison): string[] {
  const result = comparable(comparison.resultOf(each))
  return knownIssues(result, {
    environment: comparison.head.environment,
    previousEnvironment: comparison.base?.environment,
  }).map(({ title }) => title)
}
