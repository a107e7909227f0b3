import type { BenchmarkResult } from './benchmark-result.ts'

/** The results of one benchmark in two runs; at least one of them is there. */
export interface ResultPair {
  base: BenchmarkResult | undefined
  head: BenchmarkResult | undefined
  /** Of head, or of base when it is missing there. */
  either: BenchmarkResult
}

type Measured = Pick<BenchmarkResult, 'uri' | 'instrument' | 'metric'>

/** What makes results of several runs those of one benchmark. */
export function benchmarkKey({ uri, instrument, metric }: Measured): string {
  return `${instrument} ${metric} ${uri}`
}

/**
 * Pairs the results of two runs by uri, instrument and metric, in the order of head, then what only base has. Results
 * that remain on both sides under one uri are paired too: that benchmark is measured in another way now.
 */
export function pairResults(
  base: readonly BenchmarkResult[],
  head: readonly BenchmarkResult[],
): ResultPair[] {
  const unpaired = Map.groupBy(base, ({ uri }) => uri)
  const pairs = head.map((result): ResultPair => {
    const sameUri = unpaired.get(result.uri) ?? []
    const at = sameUri.findIndex((other) => isSameMeasure(other, result))
    const [same] = at === -1 ? [] : sameUri.splice(at, 1)
    return { base: same, head: result, either: result }
  })
  for (const pair of pairs) pair.base ??= unpaired.get(pair.either.uri)?.shift()
  const missing = [...unpaired.values()].flat()
  return [...pairs, ...missing.map((result) => ({ base: result, head: undefined, either: result }))]
}

function isSameMeasure(a: Measured, b: Measured): boolean {
  return a.instrument === b.instrument && a.metric === b.metric
}
