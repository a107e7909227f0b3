import type { BenchmarkComparison } from './compare-benchmarks.ts'

/** The order in which people look at changes of one verdict. */
export function largestChangeFirst(a: BenchmarkComparison, b: BenchmarkComparison): number {
  const sizeOfA = sizeOfChange(a)
  const sizeOfB = sizeOfChange(b)
  return sizeOfA === sizeOfB ? 0 : sizeOfB - sizeOfA
}

/** As a ratio, because −50 % and +100 % are equally far; from zero to something is as far as it goes. */
export function sizeOfChange({ changePercent, verdict }: BenchmarkComparison): number {
  if (changePercent === undefined) return verdict === 'regressed' || verdict === 'improved' ? Infinity : 0
  return Math.abs(Math.log1p(changePercent / 100))
}
