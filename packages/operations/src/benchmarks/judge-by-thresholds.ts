import {
  benchmarkKey,
  countVerdicts,
  evaluateThreshold,
  type BenchmarkComparison,
  type Comparison,
} from '@flamegate/benchmarks'
import type { Reading } from '../implement.ts'
import type { BenchmarkSeries, Result, Run, StoredThreshold } from '../ports/index.ts'
import { applyingThreshold } from './applying-threshold.ts'
import { defaultBranchOf } from './default-branch.ts'
import { findingVerdict, thresholdOf } from './judge-series.ts'

/** One value of a run, which a threshold of the project is for. */
export interface ThresholdVerdict {
  result: Result
  /** The main metric of the result, or a further one. */
  measured: Measured
  /** Undefined where the threshold could not judge it: with too little history, or values that its test cannot take. */
  verdict: 'regressed' | 'improved' | 'unchanged' | undefined
  /** Mean or median of the history, as the test has it. */
  baseline: number | undefined
  /** What the threshold found, with its limits, or why it could not judge. */
  sentence: string
}

interface Measured {
  metric: string
  value: number
  unit: string
  /** Undefined where neither the tool nor the unit tells: then to leave the limits is bad either way. */
  betterWhen: 'lower' | 'higher' | undefined
}

type JudgingThreshold = StoredThreshold & { test: Exclude<StoredThreshold['test'], 'change_point'> }

/** Histories that are read at once: a few megabytes. */
const benchmarksPerQuery = 500

/**
 * Holds the values of a run against the project's thresholds for the branches that it is judged by, as they stand: fixed
 * limits, and limits that a test makes of the default branch's runs before it. Left to the comparison with the baseline are lasting changes of
 * level, which one run cannot show; percentages of main metrics; thresholds without a limit on the worse side; and
 * benchmarks that have a percentage of their own.
 */
export async function judgeByThresholds(
  { caller, deps }: Reading,
  head: Run,
  thresholds: readonly StoredThreshold[],
  branches: readonly string[],
): Promise<ThresholdVerdict[]> {
  if (thresholds.every(({ test, metric }) => test === 'change_point' || (test === 'percentage' && !metric))) {
    return []
  }
  const results = await deps.stores.runs.listResults(caller, head.id, {
    withMetrics: thresholds.some(({ metric }) => metric !== null),
  })
  const metrics = new Set(thresholds.flatMap(({ metric }) => metric ?? []))
  const judging = results.flatMap((result) =>
    measuredOf(result, metrics).flatMap((measured) => {
      const threshold = judgingThreshold(thresholds, branches, result, measured)
      return threshold === undefined ? [] : { result, measured, threshold }
    }),
  )
  const project = await deps.stores.projects.find(caller, head.projectId)
  if (judging.length === 0 || project === undefined) return []

  const branch = await defaultBranchOf(deps.stores, caller, project)
  const runs = Math.max(...judging.map(({ threshold }) => threshold.windowRuns)) + 1
  const verdicts: ThresholdVerdict[] = []
  const byMetric = Map.groupBy(judging, ({ result, measured }) =>
    measured.metric === result.metric ? undefined : measured.metric,
  )
  for (const [metric, all] of byMetric) {
    const window = { upTo: head, branch, runs, ...(metric === undefined ? {} : { metric }) }
    for (let start = 0; start < all.length; start += benchmarksPerQuery) {
      const part = all.slice(start, start + benchmarksPerQuery)
      const ids = part.flatMap(({ result, threshold }) =>
        threshold.test === 'static' ? [] : result.benchmarkId,
      )
      // oxlint-disable-next-line no-await-in-loop -- so that few histories are held at a time
      const series = ids.length === 0 ? nothing : await deps.stores.benchmarks.series(caller, ids, window)
      for (const { result, measured, threshold } of part) {
        const history = historyBefore(series, result.benchmarkId, measured.unit, head.id)
        verdicts.push({ result, measured, ...verdictOf(measured, threshold, history) })
      }
    }
  }
  return verdicts
}

const nothing: BenchmarkSeries = { runIds: [], ofBenchmark: new Map() }

function measuredOf(result: Result, metrics: ReadonlySet<string>): Measured[] {
  const further = result.metrics.filter(({ name }) => name !== result.metric && metrics.has(name))
  return [
    result,
    ...further.map(({ name, value, unit, betterWhen }) => ({ metric: name, value, unit, betterWhen })),
  ]
}

function judgingThreshold(
  thresholds: readonly StoredThreshold[],
  branches: readonly string[],
  { benchmarkId, metric: mainMetric, thresholdPercent }: Result,
  { metric, betterWhen }: Measured,
): JudgingThreshold | undefined {
  const isMainMetric = metric === mainMetric
  const threshold = applyingThreshold(thresholds, { branches, benchmarkId, metric, isMainMetric })
  if (threshold === undefined || !isOfValues(threshold)) return undefined
  if (isMainMetric && (threshold.test === 'percentage' || thresholdPercent !== null)) return undefined
  const worseBound = betterWhen === 'higher' ? threshold.lowerBound : threshold.upperBound
  return worseBound === null && betterWhen !== undefined ? undefined : threshold
}

function isOfValues(threshold: StoredThreshold): threshold is JudgingThreshold {
  return threshold.test !== 'change_point'
}

/** The values that a benchmark had before a run, which may be among them, in one unit. */
function historyBefore(
  { runIds, ofBenchmark }: BenchmarkSeries,
  benchmarkId: string,
  unit: string,
  runId: string,
): number[] {
  const series = ofBenchmark.get(benchmarkId)
  if (series?.unit !== unit) return []
  return series.values.filter((_value, at) => runIds[series.places[at] ?? -1] !== runId)
}

function verdictOf(
  { value, unit, betterWhen }: Measured,
  threshold: JudgingThreshold,
  history: readonly number[],
): Pick<ThresholdVerdict, 'verdict' | 'baseline' | 'sentence'> {
  const { isEvaluated, crossed, baseline, sentence } = evaluateThreshold(history, value, {
    ...thresholdOf(threshold),
    unit,
  })
  if (!isEvaluated) return { verdict: undefined, baseline, sentence }
  if (crossed === undefined) return { verdict: 'unchanged', baseline, sentence }
  const direction = crossed === 'upper' ? 'up' : 'down'
  return { verdict: findingVerdict(threshold, { direction }, betterWhen), baseline, sentence }
}

/** A comparison in which the thresholds have the last word, with further metrics that they found to be past a limit. */
export function judgedByThresholds(
  comparison: Comparison,
  verdicts: readonly ThresholdVerdict[],
): Comparison {
  if (verdicts.length === 0) return comparison
  const ofMain = new Map(
    verdicts.flatMap((each) => (isOfMainMetric(each) ? [[benchmarkKey(each.result), each]] : [])),
  )
  const benchmarks = comparison.benchmarks.map((each) => {
    const verdict = each.verdict === 'missing' ? undefined : ofMain.get(benchmarkKey(each))
    return verdict === undefined ? each : underThreshold(each, verdict)
  })
  const further = verdicts.flatMap((each) => (isOfMainMetric(each) ? [] : (furtherComparison(each) ?? [])))
  const all = [...benchmarks, ...further]
  return {
    ...comparison,
    benchmarks: all,
    counts: countVerdicts(all.filter(({ isIgnored }) => !isIgnored)),
    ignoredCount: all.filter(({ isIgnored }) => isIgnored).length,
  }
}

function isOfMainMetric({ result, measured }: ThresholdVerdict): boolean {
  return measured.metric === result.metric
}

function underThreshold(
  compared: BenchmarkComparison,
  { verdict, sentence }: ThresholdVerdict,
): BenchmarkComparison {
  if (verdict === undefined) {
    return { ...compared, reason: `${compared.reason} Its threshold says nothing. ${sentence}` }
  }
  // Within the limits it may still have become better.
  if (verdict === 'unchanged' && compared.verdict === 'improved') return compared
  // The interval and the probability are those of another question.
  const { confidenceInterval: _interval, pValue: _own, adjustedPValue: _adjusted, ...rest } = compared
  return { ...rest, verdict, reason: `By its threshold: ${sentence}` }
}

/** A further metric as something of its own, held against the level of its history; undefined where nothing was said. */
function furtherComparison(each: ThresholdVerdict): BenchmarkComparison | undefined {
  const { result, measured, verdict, baseline, sentence } = each
  if (verdict === undefined) return undefined
  return {
    uri: result.uri,
    name: result.name,
    instrument: result.instrument,
    metric: measured.metric,
    unit: measured.unit,
    betterWhen: measured.betterWhen ?? 'lower',
    statistic: 'single',
    isIgnored: result.state !== 'active',
    verdict,
    ...(baseline === undefined ? {} : { baseValue: baseline }),
    headValue: measured.value,
    ...(baseline ? { changePercent: 100 * ((measured.value - baseline) / Math.abs(baseline)) } : {}),
    reason: `By its threshold: ${sentence}`,
  }
}
