import { studentTQuantile } from './student-t-distribution.ts'

/**
 * The sample standard deviation behind a 95 % margin of error of a mean of `count` rounds, which is what Benchmark.js
 * and tinybench print: margin = t(0.975, count − 1) × stdev ÷ √count. Undefined for fewer than two rounds.
 */
export function stdevFromMargin(margin: number, count: number): number | undefined {
  if (count < 2) return undefined
  return (margin * Math.sqrt(count)) / studentTQuantile(0.975, count - 1)
}
