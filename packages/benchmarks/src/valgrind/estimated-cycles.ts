/** How often each level of a simulated memory answered: the first cache, the last one, and the memory behind them. */
export interface CacheHits {
  l1Hits: number
  llHits: number
  ramHits: number
}

/**
 * One cycle for the first cache, 5 for the last one, 35 for memory: the estimate of iai and gungraun, after Itamar
 * Turner-Trauring. It is not the time that CodSpeed shows, whose model is its own.
 * @see https://pythonspeed.com/articles/consistent-benchmarking-in-ci/
 */
export function estimatedCycles({ l1Hits, llHits, ramHits }: CacheHits): number {
  return l1Hits + 5 * llHits + 35 * ramHits
}
