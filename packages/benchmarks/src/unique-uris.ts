import type { BenchmarkResult } from './benchmark-report.ts'
import { quote } from './quote.ts'
import type { WarningList } from './warning-list.ts'

/** Gives the second and later benchmark of a same uri the suffix `#2`, `#3` …, and says so. */
export function makeUrisUnique(results: BenchmarkResult[], warnings: WarningList): BenchmarkResult[] {
  const seen = new Map<string, number>()
  return results.map((result) => {
    const count = (seen.get(result.uri) ?? 0) + 1
    seen.set(result.uri, count)
    if (count === 1) return result
    warnings.add(
      result.uri,
      `${quote(result.name)} is in the file more than once; this one is called #${count}.`,
    )
    return { ...result, uri: `${result.uri}#${count}`, name: `${result.name} #${count}` }
  })
}
