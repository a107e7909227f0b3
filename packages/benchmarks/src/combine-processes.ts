import type { BenchmarkMetric, BenchmarkResult, BenchmarkStats } from './benchmark-result.ts'
import { benchmarkKey } from './pair-results.ts'
import { describeRounds, median } from './statistics/describe-rounds.ts'
import type { WarningList } from './warning-list.ts'

/**
 * What several processes measured as the results of one run, in the order in which benchmarks are first met. The value of
 * a benchmark is the median of its processes, so that one process that was disturbed does not move it. What some
 * processes lack is told, and kept as far as it is there.
 * @param processes the results of each, in the order in which they ran; each benchmark once
 */
export function combineProcesses(
  processes: readonly (readonly BenchmarkResult[])[],
  warnings: WarningList,
): BenchmarkResult[] {
  const ofBenchmark = new Map<string, (BenchmarkResult | undefined)[]>()
  for (const [index, results] of processes.entries()) {
    for (const result of results) {
      const key = benchmarkKey(result)
      const own = ofBenchmark.get(key) ?? Array.from<undefined>({ length: processes.length })
      const first = own.find((each) => each !== undefined)
      if (first !== undefined && (first.unit !== result.unit || first.betterWhen !== result.betterWhen)) {
        warnings.add(result.uri, `process ${index + 1} measures it in another way, which is ignored.`)
        continue
      }
      own[index] = result
      ofBenchmark.set(key, own)
    }
  }
  return [...ofBenchmark.values()].flatMap((own) => {
    const there = own.filter((each) => each !== undefined)
    const [first] = there
    if (first === undefined) return []
    if (there.length < own.length) {
      warnings.add(first.uri, `only ${there.length} of ${own.length} processes measured it.`)
    }
    return { ...combine(first, there), processValues: own.map((each) => each?.value ?? null) }
  })
}

/** @param results all of one benchmark, of which `first` is one */
function combine(first: BenchmarkResult, results: readonly BenchmarkResult[]): BenchmarkResult {
  const rounds = results.map(roundsOf)
  const areKnown = rounds.every((each) => each !== undefined)
  const all = rounds.flatMap((each) => each ?? [])
  return {
    ...first,
    value: median(results.map(({ value }) => value)),
    statistic: results.length === 1 ? first.statistic : 'median',
    stats: {
      ...(areKnown ? describeRounds(all) : pooled(results.map(({ stats }) => stats))),
      ...furtherStats(results.map(({ stats }) => stats)),
    },
    roundValues: areKnown && all.length > 1 ? all : undefined,
    metrics: combineMetrics(results.map(({ metrics }) => metrics)),
  }
}

function roundsOf({ roundValues, statistic, value }: BenchmarkResult): readonly number[] | undefined {
  return roundValues ?? (statistic === 'single' ? [value] : undefined)
}

/**
 * Of rounds that are not there: their mean and deviation by those of the parts (the sum of squares within them and
 * between them). Quartiles and bounds of parts say nothing of the whole, and are left out.
 */
function pooled(parts: readonly BenchmarkStats[]): BenchmarkStats {
  const [mins, maxs, means, rounds] = (['min', 'max', 'mean', 'rounds'] as const).map((name) =>
    told(parts, name),
  )
  const count = rounds && sum(rounds)
  const mean =
    means && rounds && count && sum(means.map((each, index) => each * (rounds[index] ?? 0))) / count
  const squares = parts.map(({ mean: own, stdev, rounds: many }) =>
    own === undefined || many === undefined || mean === undefined || (stdev === undefined && many > 1)
      ? NaN
      : (many - 1) * (stdev ?? 0) ** 2 + many * (own - mean) ** 2,
  )
  const variance = count !== undefined && count > 1 ? sum(squares) / (count - 1) : NaN
  return {
    ...(mins && { min: Math.min(...mins) }),
    ...(maxs && { max: Math.max(...maxs) }),
    ...(mean !== undefined && { mean }),
    ...(Number.isFinite(variance) && { stdev: Math.sqrt(variance) }),
    ...(count !== undefined && { rounds: count }),
  }
}

/** What the rounds do not tell. */
function furtherStats(parts: readonly BenchmarkStats[]): BenchmarkStats {
  const [warmups, iterations, outliers, times] = (
    ['warmupIterations', 'iterationsPerRound', 'outlierRounds', 'totalTimeMs'] as const
  ).map((name) => told(parts, name))
  return {
    ...(warmups && { warmupIterations: median(warmups) }),
    ...(iterations && { iterationsPerRound: median(iterations) }),
    ...(outliers && { outlierRounds: sum(outliers) }),
    ...(times && { totalTimeMs: sum(times) }),
  }
}

/** One statistic of all parts; undefined where some do not tell it. */
function told(parts: readonly BenchmarkStats[], name: keyof BenchmarkStats): number[] | undefined {
  const values = parts.flatMap((part) => part[name] ?? [])
  return values.length === parts.length ? values : undefined
}

/** The median of the processes, and how far they differ. */
function combineMetrics(ofProcesses: readonly (readonly BenchmarkMetric[])[]): BenchmarkMetric[] {
  const byName = Map.groupBy(ofProcesses.flat(), ({ name, unit }) => `${name} ${unit}`)
  return [...byName.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? []
    const { name, unit, betterWhen } = first
    const values = [first, ...others].map(({ value }) => value)
    const { stdev } = describeRounds(values)
    return {
      name,
      value: median(values),
      unit,
      ...(betterWhen && { betterWhen }),
      ...(stdev !== undefined && { stdev }),
    }
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
