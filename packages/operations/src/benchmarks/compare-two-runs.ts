import {
  benchmarkKey,
  compareBenchmarks,
  type BenchmarkComparison,
  type BenchmarkRun,
  type CompareOptions,
  type Comparison,
} from '@flamegate/benchmarks'
import { Problem } from '@flamegate/contract'
import type { Reading } from '../implement.ts'
import type { Alert, Result, Run } from '../ports/index.ts'
import { comparable } from './comparable.ts'
import { defaultBranchOf } from './default-branch.ts'
import { judgedByThresholds, type ThresholdVerdict } from './judge-by-thresholds.ts'
import { needingRounds } from './needing-rounds.ts'

/** Two runs compared, with what the project knows of their benchmarks. Without a base all of head are new. */
export interface RunComparison<Base extends Run | undefined = Run> extends Comparison {
  base: Base
  head: Run
  /** The stored result of what was compared: of head, or of base for a missing one. */
  resultOf: (benchmark: BenchmarkComparison) => Result
  /** The alert by which somebody accepted this regression, or muted it. */
  acknowledgedBy: (benchmark: BenchmarkComparison) => Alert | undefined
}

interface Options extends Pick<CompareOptions, 'thresholdPercent' | 'confidence'> {
  /** What goes before `thresholdPercent` for a benchmark that has no own threshold. */
  thresholdPercentOf?: (result: Result) => number | undefined
  /** What goes before the comparison, where a threshold could judge. */
  byThresholds?: readonly ThresholdVerdict[]
}

/**
 * Compares two completed runs of one project: with each benchmark's own threshold and noise, and those that are ignored or
 * archived apart.
 * @throws Problem `runs_not_comparable`, `not_ready`
 */
export async function compareTwoRuns<Base extends Run | undefined>(
  context: Reading,
  base: Base,
  head: Run,
  { thresholdPercentOf = () => undefined, byThresholds = [], ...options }: Options,
): Promise<RunComparison<Base>> {
  if (base !== undefined) requireComparable(base, head)
  const { caller, deps } = context
  const [headResults = [], baseResults = []] = await deps.stores.runs.listResultsOf(
    caller,
    base === undefined ? [head.id] : [head.id, base.id],
  )
  const results = new Map<string, Result>()
  for (const result of baseResults) results.set(benchmarkKey(result), result)
  for (const result of headResults) results.set(benchmarkKey(result), result)
  const traits = traitsOf(results, thresholdPercentOf)
  const ids = needingRounds(baseResults, headResults, { ...options, ...traits })
  const [baseRounds, headRounds] = await Promise.all(
    [base, head].map((run) => run && deps.stores.runs.readRounds(caller, run.id, ids)),
  )
  const comparison = judgedByThresholds(
    compareBenchmarks(
      measuredRun(base ?? head, baseResults, baseRounds),
      measuredRun(head, headResults, headRounds),
      { ...options, ...traits },
    ),
    byThresholds,
  )
  const ofThresholds = new Set<string>()
  for (const { result, measured, verdict } of byThresholds) {
    const key = benchmarkKey({ ...result, metric: measured.metric })
    results.set(key, result)
    if (verdict !== undefined) ofThresholds.add(key)
  }
  const resultOf = (benchmark: BenchmarkComparison): Result => {
    const result = results.get(benchmarkKey(benchmark))
    if (result === undefined) throw new Error(`${benchmark.uri} is in neither run`)
    return result
  }
  const regressed = comparison.benchmarks.filter(({ verdict }) => verdict === 'regressed')
  const alerts = await acceptedAlerts(
    context,
    head,
    regressed.map((benchmark) => resultOf(benchmark).benchmarkId),
  )
  return {
    ...comparison,
    base,
    head,
    resultOf,
    acknowledgedBy: (benchmark) => {
      if (benchmark.verdict !== 'regressed') return undefined
      const { benchmarkId, thresholdPercent } = resultOf(benchmark)
      // A limit may have been left long before base; a change from base began after it.
      const isByThreshold = ofThresholds.has(benchmarkKey(benchmark))
      const tolerated = 1 + (thresholdPercent ?? comparison.thresholdPercent) / 100
      return alerts.find(
        (alert) =>
          alert.benchmarkId === benchmarkId &&
          alert.metric === benchmark.metric &&
          (isByThreshold || base === undefined || alert.runCreatedAt > base.createdAt) &&
          isNoWorse(benchmark, alert.value, tolerated),
      )
    },
  }
}

function measuredRun(
  { environment, measurementId }: Run,
  results: readonly Result[],
  rounds: ReadonlyMap<string, number[]> | undefined,
): BenchmarkRun {
  return {
    environment,
    results: results.map((each) => comparable(each, rounds)),
    measurementId: measurementId ?? undefined,
  }
}

/** A change was accepted as large as it was then; what came on top of it was not. */
function isNoWorse(
  { betterWhen, headValue = NaN }: BenchmarkComparison,
  accepted: number,
  tolerated: number,
): boolean {
  const size = Math.abs(accepted)
  return betterWhen === 'lower'
    ? headValue <= accepted + size * (tolerated - 1)
    : headValue >= accepted - size * (1 - 1 / tolerated)
}

function traitsOf(
  results: ReadonlyMap<string, Result>,
  thresholdPercentOf: (result: Result) => number | undefined,
): Pick<CompareOptions, 'thresholdPercents' | 'noise' | 'ignored'> {
  const thresholdPercents = new Map<string, number>()
  const noise = new Map<string, { relativeStdev: number; runs: number }>()
  const ignored = new Set<string>()
  for (const [key, result] of results) {
    const own = result.thresholdPercent ?? thresholdPercentOf(result)
    if (own !== undefined) thresholdPercents.set(key, own)
    if (result.noisePercent !== null) {
      noise.set(key, { relativeStdev: result.noisePercent / 100, runs: result.noiseRuns })
    }
    if (result.state !== 'active') ignored.add(key)
  }
  return { thresholdPercents, noise, ignored }
}

/** Of regressions that began up to head, on head's branch or the default branch. */
async function acceptedAlerts(
  { caller, deps }: Reading,
  head: Run,
  benchmarkIds: readonly string[],
): Promise<Alert[]> {
  if (benchmarkIds.length === 0) return []
  const project = await deps.stores.projects.find(caller, head.projectId)
  if (project === undefined) return []
  const [defaultBranch, alerts] = await Promise.all([
    defaultBranchOf(deps.stores, caller, project),
    deps.stores.alerts.listOfBenchmarks(caller, head.projectId, benchmarkIds),
  ])
  return alerts.filter(
    ({ state, verdict, branch, runCreatedAt }) =>
      (state === 'acknowledged' || state === 'muted') &&
      verdict === 'regressed' &&
      (branch === head.branch || branch === defaultBranch) &&
      runCreatedAt <= head.createdAt,
  )
}

function requireComparable(base: Run, head: Run): void {
  if (base.projectId !== head.projectId) {
    throw new Problem(
      'runs_not_comparable',
      'These runs belong to different projects. Compare runs of one project.',
    )
  }
  requireCompleted(base)
  requireCompleted(head)
}

/** @throws Problem `not_ready`, `runs_not_comparable` */
export function requireCompleted(run: Run): void {
  if (run.status === 'PENDING')
    throw new Problem('not_ready', `Run ${run.id} is still being read. Try again in a second.`)
  requireNotFailed(run)
}

/** For what may still be read. @throws Problem `runs_not_comparable` */
export function requireNotFailed(run: Run): void {
  if (run.status === 'FAILURE') {
    throw new Problem(
      'runs_not_comparable',
      `Run ${run.id} has no results: its upload could not be read (${run.warnings.join('; ')}).`,
    )
  }
}
