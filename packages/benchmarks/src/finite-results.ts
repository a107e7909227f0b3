import type { BenchmarkResult } from './benchmark-result.ts'
import { quote } from './quote.ts'
import type { WarningList } from './warning-list.ts'

/** Leaves out, and tells, what is no number any more in our units or statistics: 1e308 s are not a number of ns. */
export function finiteResults(results: BenchmarkResult[], warnings: WarningList): BenchmarkResult[] {
  return results.filter((result) => {
    const areFinite = [numbersOf(result), result.roundValues ?? []].every((numbers) =>
      numbers.every((number) => number === undefined || Number.isFinite(number)),
    )
    if (!areFinite) warnings.add(result.uri, `the numbers of ${quote(result.name)} are too large, ignored.`)
    return areFinite
  })
}

function numbersOf({ value, stats, metrics }: BenchmarkResult): (number | undefined)[] {
  return [
    value,
    ...Object.values(stats),
    ...metrics.flatMap((metric) => [metric.value, metric.stdev, metric.low, metric.high]),
  ]
}
