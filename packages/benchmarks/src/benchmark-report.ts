/** The tools whose output can be read, named as `submit_benchmark_results` takes them. */
export const adapterNames = ['google_benchmark', 'go_bench', 'hyperfine', 'vitest_bench'] as const

export type AdapterName = (typeof adapterNames)[number]

/** What a file tells about the machine and the build, e.g. `{ cpu: 'AMD EPYC', goos: 'linux' }`. */
export type Environment = Record<string, string>

/** One reading of a benchmark file. Everything that was left out of `results` is named in `warnings`. */
export interface BenchmarkReport {
  adapter: AdapterName
  environment: Environment
  results: BenchmarkResult[]
  /** Sentences that name what was ignored and where (line or JSON path). At most 100, then a count. */
  warnings: string[]
}

/** One benchmark. All times are per iteration, in nanoseconds. */
export interface BenchmarkResult {
  /** `path/to/file::suite::name`: the same benchmark has the same uri in every run. Unique within a report. */
  uri: string
  name: string
  instrument: 'walltime'
  value: number
  unit: 'ns'
  /** Which statistic `value` is; `single` when the file has one measurement only. */
  statistic: Statistic
  stats: BenchmarkStats
  /** Time per iteration of each round, when the file has them. Order as in the file (some tools sort them). */
  roundsNs?: number[]
  metrics: BenchmarkMetric[]
}

export type Statistic = 'median' | 'mean' | 'single'

export interface BenchmarkStats {
  minNs?: number
  maxNs?: number
  meanNs?: number
  medianNs?: number
  q1Ns?: number
  q3Ns?: number
  /** Sample standard deviation (n − 1). */
  stdevNs?: number
  rounds?: number
  iterationsPerRound?: number
  totalTimeMs?: number
}

/** A further number of a benchmark. `betterWhen` is absent where neither the tool nor the unit tells. */
export interface BenchmarkMetric {
  name: string
  value: number
  unit: string
  betterWhen?: 'lower' | 'higher'
}
