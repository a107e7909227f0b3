export { adapterNames, adapters } from './adapters/index.ts'
export type { AdapterName } from './adapters/index.ts'
export * from './arithmetic.ts'
export { instruments } from './benchmark-result.ts'
export type {
  BenchmarkMetric,
  BenchmarkResult,
  BenchmarkStats,
  Environment,
  Instrument,
  Statistic,
} from './benchmark-result.ts'
export { compareBenchmarks, countVerdicts } from './compare-benchmarks.ts'
export type {
  BenchmarkComparison,
  BenchmarkRun,
  CompareOptions,
  Comparison,
  Verdict,
} from './compare-benchmarks.ts'
export { FormatError } from './format-error.ts'
export { isEmptyProfileFolder } from './codspeed/profile-folder.ts'
export { benchmarkNoise } from './history/benchmark-noise.ts'
export type { ChangePoint } from './history/change-point.ts'
export { detectNewChange } from './history/detect-new-change.ts'
export type { NewChangeOptions } from './history/detect-new-change.ts'
export { evaluateThreshold } from './history/evaluate-threshold.ts'
export type { ThresholdResult } from './history/evaluate-threshold.ts'
export { findChangePoints } from './history/find-change-points.ts'
export type { ChangePointOptions, Drift, HistoryChanges, Switching } from './history/find-change-points.ts'
export { judgeSingleRun } from './history/judge-single-run.ts'
export type { SingleRunJudgement, SingleRunOptions, SingleRunVerdict } from './history/judge-single-run.ts'
export { thresholdFault, thresholdTests } from './history/threshold.ts'
export type { Threshold, ThresholdTest } from './history/threshold.ts'
export type { JudgeOptions } from './judge-change.ts'
export { knownIssues } from './known-issues.ts'
export type { IssueCircumstances, KnownIssue, KnownIssueCode } from './known-issues.ts'
export { sizeOfChange } from './largest-change-first.ts'
export { benchmarkKey } from './pair-results.ts'
export type { BenchmarkNoise } from './run-noise.ts'
export { readBenchmarkResults } from './read-benchmark-results.ts'
export type { BenchmarkReport } from './read-benchmark-results.ts'
export { renderComparison } from './render-comparison.ts'
export type { FrontMatter } from './render-comparison.ts'
