import type { BenchmarkMetric } from './benchmark-result.ts'
import { FormatError } from './format-error.ts'

const NS_PER_SECOND = 1e9

/** The time of one iteration, by how many there are in a second. */
export function nsPerIteration(iterationsPerSecond: number, place: number | string): number {
  const ns = NS_PER_SECOND / iterationsPerSecond
  if (!Number.isFinite(ns)) throw new FormatError('Expected a rate above zero', place)
  return ns
}

/** Iterations per second, kept beside the time of one. */
export function throughput(iterationsPerSecond: number): BenchmarkMetric {
  return { name: 'throughput', value: iterationsPerSecond, unit: 'ops/s', betterWhen: 'higher' }
}
