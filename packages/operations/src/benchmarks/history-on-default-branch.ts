import type { BenchmarkSeries } from '../ports/index.ts'

/** What a value is judged by, and the value itself as the last one. */
interface History {
  values: number[]
  /** Of each value, where in `runIds` its run is. */
  places: number[]
  runIds: readonly string[]
}

/**
 * The default branch's history of a benchmark, and after it a value that another branch measured: that is how limits hold
 * such a value, because most branches have no history of their own.
 */
export function historyOnDefaultBranch(
  { runIds, ofBenchmark }: BenchmarkSeries,
  benchmarkId: string,
  own: { value: number; unit: string; runId: string },
): History {
  const found = ofBenchmark.get(benchmarkId)
  const before = found?.unit === own.unit ? found : { values: [], places: [] }
  return {
    values: [...before.values, own.value],
    places: [...before.places, runIds.length],
    runIds: [...runIds, own.runId],
  }
}
