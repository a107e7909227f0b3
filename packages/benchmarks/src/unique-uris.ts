import type { BenchmarkResult } from './benchmark-result.ts'
import { quote } from './quote.ts'
import type { WarningList } from './warning-list.ts'

/**
 * Gives the second and later benchmark of a same uri the suffix `#2`, `#3` …, and says so. Each instrument has its own: a
 * benchmark whose time and memory were both measured is one.
 */
export function makeUrisUnique(results: BenchmarkResult[], warnings: WarningList): BenchmarkResult[] {
  const seen = new Map<string, number>()
  return results.map((result) => {
    const measured = `${result.instrument} ${result.metric} ${result.uri}`
    const count = (seen.get(measured) ?? 0) + 1
    seen.set(measured, count)
    if (count === 1) return result
    warnings.add(
      result.uri,
      `${quote(result.name)} is in the file more than once; this one is called #${count}.`,
    )
    return { ...result, uri: `${result.uri}#${count}`, name: `${result.name} #${count}` }
  })
}
