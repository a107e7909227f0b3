/** What a file tells about the machine and the build, e.g. `{ cpu: 'AMD EPYC', goos: 'linux' }`. */
export type Environment = Record<string, string>

/**
 * How a result came about: by the clock, by a simulated processor, by counting allocations, or in a way that only whoever
 * sent it knows (`custom`).
 */
export const instruments = ['walltime', 'simulation', 'memory', 'custom'] as const

export type Instrument = (typeof instruments)[number]

/**
 * One benchmark, per iteration. Units are normalised: times are `ns`, sizes `B`, and what only counts is named by what it
 * counts (`instructions`, `cycles`, `allocations`). `custom` keeps the unit it was sent with.
 */
export interface BenchmarkResult {
  /** `path/to/file::suite::name`: the same benchmark has the same uri in every run. Unique within a report and instrument. */
  uri: string
  name: string
  instrument: Instrument
  /** What `value` is: `time`, `instructions`, `estimated_cycles`, `peak_memory`, or a name of the sender's. */
  metric: string
  value: number
  unit: string
  betterWhen: 'lower' | 'higher'
  /** Which statistic `value` is; `single` when the file has one measurement only. */
  statistic: Statistic
  /** In `unit`. */
  stats: BenchmarkStats
  /** The value of each round, when the file has them. Order as in the file (some tools sort them). */
  roundValues?: number[]
  /**
   * The value of each process, where the benchmark was measured in several: in the order in which they ran, null for one
   * that lacks it. `value` is their median then, and the rounds are those of all.
   */
  processValues?: (number | null)[]
  /** What else was measured of the same benchmark. */
  metrics: BenchmarkMetric[]
}

export type Statistic = 'median' | 'mean' | 'single'

/** How the rounds spread, in the unit of their result. What the tool did not tell is absent. */
export interface BenchmarkStats {
  min?: number
  max?: number
  mean?: number
  median?: number
  q1?: number
  q3?: number
  /** Sample standard deviation (n − 1). */
  stdev?: number
  /** Bounds that the tool itself states for the value, such as a confidence interval. */
  low?: number
  high?: number
  rounds?: number
  warmupIterations?: number
  /** Rounds farther than 1.5 quartile distances from the quartiles, as the tool counted them. */
  outlierRounds?: number
  iterationsPerRound?: number
  totalTimeMs?: number
}

/** A further number of a benchmark. `betterWhen` is absent where neither the tool nor the unit tells. */
export interface BenchmarkMetric {
  name: string
  value: number
  unit: string
  betterWhen?: 'lower' | 'higher'
  stdev?: number
  /** Bounds that the tool itself states. */
  low?: number
  high?: number
}
