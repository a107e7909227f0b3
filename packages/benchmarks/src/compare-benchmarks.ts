import type { BenchmarkResult, Environment } from './benchmark-result.ts'
import { compareEnvironments } from './compare-environments.ts'
import type { EnvironmentDifference } from './compare-environments.ts'
import { judgeTogether } from './judge-change-together.ts'
import type { Judgement, JudgeOptions } from './judge-change.ts'
import { benchmarkKey, pairResults } from './pair-results.ts'
import type { ResultPair } from './pair-results.ts'
import type { BenchmarkNoise } from './run-noise.ts'

/** One side of a comparison: what was measured, and where. */
export interface BenchmarkRun {
  environment: Environment
  results: BenchmarkResult[]
  /** Runs of one measurement ran process by process in turns. */
  measurementId?: string | undefined
}

export type Verdict = Judgement['verdict'] | 'new' | 'missing'

/** One benchmark in both runs, or in one of them (`new`: head only, `missing`: base only). Values are in `unit`. */
export interface BenchmarkComparison
  extends
    Omit<Judgement, 'verdict' | 'baseValue' | 'headValue'>,
    Pick<BenchmarkResult, 'uri' | 'name' | 'instrument' | 'metric' | 'unit' | 'betterWhen'> {
  verdict: Verdict
  baseValue?: number
  headValue?: number
  /** Compared, but by the caller's wish not counted. */
  isIgnored: boolean
}

export interface Comparison extends JudgeOptions {
  /** First, because those that matter put every number below in doubt. */
  environmentDifferences: EnvironmentDifference[]
  /** In the order of head, then what is missing; ignored ones last. */
  benchmarks: BenchmarkComparison[]
  /** Without the ignored. */
  counts: Record<Verdict, number>
  ignoredCount: number
  /**
   * Geometric mean over all benchmarks in both runs of head ÷ base (base ÷ head where higher is better), as a change:
   * positive is worse. Absent when there are none.
   */
  geometricMeanChangePercent?: number
}

export interface CompareOptions extends Partial<JudgeOptions> {
  /** What goes before `thresholdPercent` for single benchmarks, by `benchmarkKey`. */
  thresholdPercents?: ReadonlyMap<string, number>
  /** The noise between runs that the history of a benchmark shows, by `benchmarkKey`. */
  noise?: ReadonlyMap<string, BenchmarkNoise>
  /** Benchmarks that are compared and listed last, but not counted, by `benchmarkKey`. */
  ignored?: ReadonlySet<string>
}

/**
 * Compares two runs benchmark by benchmark; benchmarks are the same when uri, instrument and metric are. See
 * `judgeChange` for when a change counts; by default from 5 % on, at 95 % confidence. The geometric mean is used because
 * ratios multiply (Fleming & Wallace 1986, CACM 29:218–221).
 */
export function compareBenchmarks(
  base: BenchmarkRun,
  head: BenchmarkRun,
  {
    thresholdPercent = 5,
    confidence = 0.95,
    thresholdPercents = new Map(),
    noise = new Map(),
    ignored = new Set(),
  }: CompareOptions = {},
): Comparison {
  const options = { thresholdPercent, confidence }
  const environmentDifferences = compareEnvironments(base.environment, head.environment)
  const areTakenTogether = base.measurementId !== undefined && base.measurementId === head.measurementId
  const pairs = pairResults(base.results, head.results)
  // Apart, because each benchmark that is judged makes it harder to be sure of the others.
  const [counted, uncounted] = [false, true].map((isIgnored) => {
    const own = pairs.filter(({ either }) => ignored.has(benchmarkKey(either)) === isIgnored)
    const judgements = judgeTogether(own, {
      ...options,
      thresholdPercents,
      noise,
      environmentDifferences,
      areTakenTogether,
    })
    return own.map((pair, index) => comparisonOf(pair, judgements[index], isIgnored))
  })
  return {
    ...options,
    environmentDifferences,
    benchmarks: [...(counted ?? []), ...(uncounted ?? [])],
    counts: countVerdicts(counted ?? []),
    ignoredCount: uncounted?.length ?? 0,
    geometricMeanChangePercent: geometricMeanChange(counted ?? []),
  }
}

function comparisonOf(
  { base, head, either }: ResultPair,
  judgement: Judgement | undefined,
  isIgnored: boolean,
): BenchmarkComparison {
  const { uri, name, instrument, metric, unit, betterWhen, statistic } = either
  const benchmark = { uri, name, instrument, metric, unit, betterWhen, isIgnored }
  if (judgement) return { ...benchmark, ...judgement }
  return head
    ? {
        ...benchmark,
        verdict: 'new',
        headValue: head.value,
        statistic,
        reason: 'The base run does not have it.',
      }
    : {
        ...benchmark,
        verdict: 'missing',
        baseValue: base?.value,
        statistic,
        reason: 'The head run does not have it.',
      }
}

/** How many of the benchmarks have which verdict. */
export function countVerdicts(benchmarks: readonly BenchmarkComparison[]): Record<Verdict, number> {
  const counts = { regressed: 0, improved: 0, unchanged: 0, noisy: 0, new: 0, missing: 0, incomparable: 0 }
  for (const { verdict } of benchmarks) counts[verdict] += 1
  return counts
}

function geometricMeanChange(benchmarks: BenchmarkComparison[]): number | undefined {
  const logs = benchmarks.flatMap(({ changePercent, betterWhen }) => {
    // A fall to zero has no logarithm.
    if (changePercent === undefined || changePercent <= -100) return []
    return Math.log1p(changePercent / 100) * (betterWhen === 'lower' ? 1 : -1)
  })
  if (logs.length === 0) return undefined
  return Math.expm1(logs.reduce((sum, log) => sum + log, 0) / logs.length) * 100
}
