import type { BenchmarkResult, Environment } from './benchmark-report.ts'
import { compareEnvironments } from './compare-environments.ts'
import type { EnvironmentDifference } from './compare-environments.ts'
import { judgeChange } from './judge-change.ts'
import type { Judgement, JudgeOptions } from './judge-change.ts'

/** One side of a comparison: what was measured, and where. */
export interface BenchmarkRun {
  environment: Environment
  results: BenchmarkResult[]
}

export type Verdict = Judgement['verdict'] | 'new' | 'missing'

/** One benchmark in both runs, or in one of them (`new`: head only, `missing`: base only). Values are in ns. */
export interface BenchmarkComparison extends Omit<Judgement, 'verdict' | 'baseValue' | 'headValue'> {
  uri: string
  name: string
  verdict: Verdict
  baseValue?: number
  headValue?: number
}

export interface Comparison extends JudgeOptions {
  /** First, because they put every number below in doubt. */
  environmentDifferences: EnvironmentDifference[]
  /** In the order of head, then what is missing. */
  benchmarks: BenchmarkComparison[]
  counts: Record<Verdict, number>
  /** Geometric mean of head ÷ base over all benchmarks in both runs, as a change; absent when there are none. */
  geometricMeanChangePercent?: number
}

/**
 * Compares two runs benchmark by benchmark; benchmarks are the same when their uri is. See `judgeChange` for when a
 * change counts; by default from 5 % on, at 95 % confidence. The geometric mean is used because ratios multiply (Fleming & Wallace 1986, CACM 29:218–221).
 */
export function compareBenchmarks(
  base: BenchmarkRun,
  head: BenchmarkRun,
  { thresholdPercent = 5, confidence = 0.95 }: Partial<JudgeOptions> = {},
): Comparison {
  const judgeOptions = { thresholdPercent, confidence }
  const environmentDifferences = compareEnvironments(base.environment, head.environment)
  const baseByUri = new Map(base.results.map((result) => [result.uri, result]))
  const headUris = new Set(head.results.map(({ uri }) => uri))
  const benchmarks = [
    ...head.results.map((result) =>
      compareOne(baseByUri.get(result.uri), result, judgeOptions, environmentDifferences),
    ),
    ...base.results.filter(({ uri }) => !headUris.has(uri)).map(missingBenchmark),
  ]
  return {
    ...judgeOptions,
    environmentDifferences,
    benchmarks,
    counts: countVerdicts(benchmarks),
    geometricMeanChangePercent: geometricMeanChange(benchmarks),
  }
}

function compareOne(
  base: BenchmarkResult | undefined,
  head: BenchmarkResult,
  options: JudgeOptions,
  environmentDifferences: EnvironmentDifference[],
): BenchmarkComparison {
  const { uri, name } = head
  if (!base) {
    const { value: headValue, statistic } = head
    return { uri, name, verdict: 'new', headValue, statistic, reason: 'The base run does not have it.' }
  }
  const judgement = judgeChange(base, head, options)
  const isClaim = judgement.verdict === 'improved' || judgement.verdict === 'regressed'
  const doubt = isClaim ? doubtFrom(environmentDifferences) : ''
  return { uri, name, ...judgement, reason: `${judgement.reason}${doubt}` }
}

/** A difference in environment does not hide a change, but the change may not be the code's. */
function doubtFrom(differences: EnvironmentDifference[]): string {
  if (differences.length === 0) return ''
  const keys = differences.slice(0, 5).map(({ key }) => key)
  const more = differences.length > keys.length ? ` and ${differences.length - keys.length} more` : ''
  return ` The environment differs (${keys.join(', ')}${more}), which may be the cause.`
}

function missingBenchmark({ uri, name, value, statistic }: BenchmarkResult): BenchmarkComparison {
  return {
    uri,
    name,
    verdict: 'missing',
    baseValue: value,
    statistic,
    reason: 'The head run does not have it.',
  }
}

function countVerdicts(benchmarks: BenchmarkComparison[]): Record<Verdict, number> {
  const counts = { regressed: 0, improved: 0, unchanged: 0, noisy: 0, new: 0, missing: 0, incomparable: 0 }
  for (const { verdict } of benchmarks) counts[verdict] += 1
  return counts
}

function geometricMeanChange(benchmarks: BenchmarkComparison[]): number | undefined {
  const logs = benchmarks.flatMap(({ changePercent }) =>
    changePercent === undefined ? [] : Math.log1p(changePercent / 100),
  )
  if (logs.length === 0) return undefined
  return Math.expm1(logs.reduce((sum, log) => sum + log, 0) / logs.length) * 100
}
