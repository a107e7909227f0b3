import { operations } from '@flamegate/contract'

/** The answers that a change of a benchmark outdates. */
export const outdatedByBenchmark = [
  operations.getBenchmarkHistory,
  operations.getBenchmarkResult,
  operations.listBenchmarks,
  operations.compareRuns,
  operations.checkRegression,
  operations.getRun,
] as const
