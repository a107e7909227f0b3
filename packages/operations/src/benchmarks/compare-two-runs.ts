import {
  benchmarkKey,
  compareBenchmarks,
  type BenchmarkComparison,
  type CompareOptions,
  type Comparison,
} from '@flamegate/benchmarks'
import { Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Alert, Result, Run } from '../ports/index.ts'
import { comparable } from './comparable.ts'
import { defaultBranchOf } from './default-branch.ts'
import { needingRounds } from './needing-rounds.ts'

/** Two runs compared, with what the project knows of their benchmarks. */
export interface RunComparison extends Comparison {
  base: Run
  head: Run
  /** The stored result of what was compared: of head, or of base for a missing one. */
  resultOf: (benchmark: BenchmarkComparison) => Result
  /** The alert by which somebody accepted this regression, or muted it. */
  acknowledgedBy: (benchmark: BenchmarkComparison) => Alert | undefined
}

interface Options extends Pick<CompareOptions, 'thresholdPercent' | 'confidence'> {
  /** What goes before `thresholdPercent` for a benchmark that has no own threshold. */
  thresholdPercentOf?: (result: Result) => number | undefined
}

/**
 * Compares two completed runs of one project: with each benchmark's own threshold and noise, and those that are ignored or
 * archived apart.
 * @throws Problem `runs_not_comparable`, `not_ready`
 */
export async function compareTwoRuns(
  context: CallContext,
  base: Run,
  head: Run,
  { thresholdPercentOf = () => undefined, ...options }: Options,
): Promise<RunComparison> {
  requireComparable(base, head)
  const { caller, deps } = context
  const [baseResults = [], headResults = []] = await Promise.all(
    [base, head].map((run) => deps.stores.runs.listResults(caller, run.id)),
  )
  const results = new Map([...baseResults, ...headResults].map((result) => [benchmarkKey(result), result]))
  const traits = traitsOf(results, thresholdPercentOf)
  const ids = needingRounds(baseResults, headResults, { ...options, ...traits })
  const [baseRounds, headRounds] = await Promise.all(
    [base, head].map((run) => deps.stores.runs.readRounds(caller, run.id, ids)),
  )
  const comparison = compareBenchmarks(
    { environment: base.environment, results: baseResults.map((each) => comparable(each, baseRounds)) },
    { environment: head.environment, results: headResults.map((each) => comparable(each, headRounds)) },
    { ...options, ...traits },
  )
  const resultOf = (benchmark: BenchmarkComparison): Result => {
    const result = results.get(benchmarkKey(benchmark))
    if (result === undefined) throw new Error(`${benchmark.uri} is in neither run`)
    return result
  }
  const regressed = comparison.benchmarks.filter(({ verdict }) => verdict === 'regressed')
  const alerts = await acceptedAlerts(
    context,
    base,
    head,
    regressed.map((benchmark) => resultOf(benchmark).benchmarkId),
  )
  return {
    ...comparison,
    base,
    head,
    resultOf,
    acknowledgedBy: (benchmark) => {
      const { benchmarkId, metric, thresholdPercent } = resultOf(benchmark)
      const tolerated = 1 + (thresholdPercent ?? comparison.thresholdPercent) / 100
      return benchmark.verdict === 'regressed'
        ? alerts.find(
            (alert) =>
              alert.benchmarkId === benchmarkId &&
              alert.metric === metric &&
              isNoWorse(benchmark, alert.value, tolerated),
          )
        : undefined
    },
  }
}

/** A change was accepted as large as it was then; what came on top of it was not. */
function isNoWorse(
  { betterWhen, headValue = NaN }: BenchmarkComparison,
  accepted: number,
  tolerated: number,
): boolean {
  return betterWhen === 'lower' ? headValue <= accepted * tolerated : headValue >= accepted / tolerated
}

function traitsOf(
  results: ReadonlyMap<string, Result>,
  thresholdPercentOf: (result: Result) => number | undefined,
): Pick<CompareOptions, 'thresholdPercents' | 'noise' | 'ignoredUris'> {
  const thresholdPercents = new Map<string, number>()
  const noise = new Map<string, { relativeStdev: number; runs: number }>()
  const ignoredUris = new Set<string>()
  for (const [key, result] of results) {
    const own = result.thresholdPercent ?? thresholdPercentOf(result)
    if (own !== undefined) thresholdPercents.set(key, own)
    if (result.noisePercent !== null) {
      noise.set(key, { relativeStdev: result.noisePercent / 100, runs: result.noiseRuns })
    }
    if (result.state !== 'active') ignoredUris.add(result.uri)
  }
  return { thresholdPercents, noise, ignoredUris }
}

/** Of regressions that began after base, up to head, on head's branch or the default branch. */
async function acceptedAlerts(
  { caller, deps }: CallContext,
  base: Run,
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
      runCreatedAt > base.createdAt &&
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
  if (run.status === 'FAILURE') {
    throw new Problem(
      'runs_not_comparable',
      `Run ${run.id} has no results: its upload could not be read (${run.warnings.join('; ')}).`,
    )
  }
}
