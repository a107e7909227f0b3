import type { NewResult } from '@flamegate/operations/ports'

/** What tells benchmarks of a project apart. */
export type BenchmarkKey = Pick<NewResult, 'uri' | 'instrument' | 'metric'>

/**
 * A map by uri, instrument and metric. Of the last two there are few, so that only uris are hashed: a hundred thousand
 * keys of all three would have to be put together first, which takes as long as to ask the database for them.
 */
export class ByBenchmark<Value> {
  readonly #byMetric = new Map<string, Map<string, Map<string, Value>>>()

  set({ uri, instrument, metric }: BenchmarkKey, value: Value): void {
    this.ofMetric(instrument, metric).set(uri, value)
  }

  get size(): number {
    let size = 0
    for (const byMetric of this.#byMetric.values()) for (const byUri of byMetric.values()) size += byUri.size
    return size
  }

  delete({ uri, instrument, metric }: BenchmarkKey): void {
    this.#byMetric.get(instrument)?.get(metric)?.delete(uri)
  }

  clear(): void {
    this.#byMetric.clear()
  }

  /** By uri. */
  ofMetric(instrument: string, metric: string): Map<string, Value> {
    let byMetric = this.#byMetric.get(instrument)
    if (byMetric === undefined) this.#byMetric.set(instrument, (byMetric = new Map()))
    let byUri = byMetric.get(metric)
    if (byUri === undefined) byMetric.set(metric, (byUri = new Map()))
    return byUri
  }

  /** Those of one instrument and metric in the order in which their keys were first set. */
  values(): Value[] {
    const values: Value[] = []
    for (const byMetric of this.#byMetric.values()) {
      for (const byUri of byMetric.values()) for (const value of byUri.values()) values.push(value)
    }
    return values
  }
}
