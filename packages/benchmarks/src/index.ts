export { adapterNames } from './benchmark-report.ts'
export type {
  AdapterName,
  BenchmarkMetric,
  BenchmarkReport,
  BenchmarkResult,
  BenchmarkStats,
  Environment,
  Statistic,
} from './benchmark-report.ts'
export { compareBenchmarks } from './compare-benchmarks.ts'
export type { BenchmarkComparison, BenchmarkRun, Comparison, Verdict } from './compare-benchmarks.ts'
export type { EnvironmentDifference } from './compare-environments.ts'
export { FormatError } from './format-error.ts'
export { formatDuration } from './format-duration.ts'
export { formatPercent } from './format-percent.ts'
export type { JudgeOptions } from './judge-change.ts'
export { readBenchmarkResults } from './read-benchmark-results.ts'
export { renderComparison } from './render-comparison.ts'
export type { FrontMatter } from './render-comparison.ts'
