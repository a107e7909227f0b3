import { joinLive } from '@flamegate/series'
import type { LiveSumming, LiveSums, LiveTick, SeriesChunk } from '@flamegate/series'

/** Of a tick in the database: what is stored under it stays as it is until it is sealed. */
export interface TickKey {
  second: number
  agent: number
  sequence: number
}

export interface StoredTick extends LiveTick, TickKey {}

interface Remembered {
  sums: LiveSums
  /** The ticks that are in them. */
  keys: readonly TickKey[]
}

interface ReadParts {
  chunks: SeriesChunk[]
  /** Those that were not known. */
  live: readonly StoredTick[]
  /** Those that were known, and are live. */
  stillLive: readonly TickKey[]
}

/** So many sums of live ticks are remembered, of the runs that were asked for last: each takes some megabytes at most. */
const rememberedMax = 16

/**
 * What live ticks of runs were found to be in all. Pages ask every few seconds: then only what came since is read. Nothing is
 * answered of it but to whom the database has just shown the very same ticks.
 */
export class RememberedSums {
  readonly #sums = new Map<string, Remembered>()

  /**
   * Sums of all live ticks of a run.
   * @param read chunks and live ticks of one moment, the latter without what is known
   * @param sumUp gives the sums of ticks
   */
  async add(
    run: string,
    summing: LiveSumming,
    read: (known: readonly TickKey[]) => Promise<ReadParts>,
    sumUp: (ticks: readonly LiveTick[]) => Promise<LiveSums[]>,
  ): Promise<{ chunks: SeriesChunk[]; liveSums: LiveSums }> {
    const name = `${run} ${summing.rowsOf} ${summing.bucketSeconds}`
    let before = this.#sums.get(name)
    let parts = await read(before?.keys ?? [])
    if (parts.stillLive.length < (before?.keys.length ?? 0)) {
      // Some were sealed, or removed: what is left is added up anew.
      before = undefined
      parts = await read([])
    }
    const { chunks, live } = parts
    const sums =
      before && live.length === 0
        ? before.sums
        : joinLive(summing, [...(before ? [before.sums] : []), ...(await sumUp(live))])
    const keys = [
      ...(before?.keys ?? []),
      ...live.map(({ second, agent, sequence }) => ({ second, agent, sequence })),
    ]
    this.#sums.delete(name)
    if (keys.length > 0) this.#sums.set(name, { sums, keys })
    const [oldest] = this.#sums.keys()
    if (this.#sums.size > rememberedMax && oldest !== undefined) this.#sums.delete(oldest)
    return { chunks, liveSums: sums }
  }
}
