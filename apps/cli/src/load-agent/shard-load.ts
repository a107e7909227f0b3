import type { DealtShare } from '@flamegate/loadtest-engine'
import type { Tick } from '@flamegate/series'
import type { Share } from './load-plan.ts'
import type { LoadThreads } from './load-threads.ts'
import { TickMerger } from './merge-ticks.ts'
import type { OtherEngines } from './other-engines/other-engines.ts'

/** All load of a shard: what our threads make, and what engines make that others made, told as one. */
export class ShardLoad {
  /** When all of it can begin; rejects with why it cannot. */
  readonly ready: Promise<void>
  /** When all has ended, and all was told; rejects where a part fails. */
  readonly done: Promise<{ words: readonly string[] }>
  readonly #threads: LoadThreads
  readonly #engines: OtherEngines
  readonly #parts: { of: LoadThreads | OtherEngines; hasEnded: boolean }[]
  readonly #merger: TickMerger

  constructor(threads: LoadThreads, engines: OtherEngines) {
    this.#threads = threads
    this.#engines = engines
    this.#parts = [threads, engines].map((of) => ({ of, hasEnded: false }))
    this.#merger = new TickMerger(this.#parts.length)
    this.ready = Promise.all([threads.ready, engines.ready]).then(() => undefined)
    this.done = Promise.all(
      this.#parts.map(async (part) => {
        const { words } = await part.of.done
        part.hasEnded = true
        return words
      }),
    ).then((words) => ({ words: words.flat() }))
    for (const promise of [this.ready, this.done]) promise.catch(() => {})
  }

  /** `startAt`: milliseconds since 1970; `dealt`: the shares by which values of each variable are dealt out. */
  begin(startAt: number, share: Share, dealt: readonly DealtShare[]): void {
    this.#threads.begin(startAt, share, dealt)
    this.#engines.begin(startAt, share)
  }

  /** Another share, from a moment of the run on; engines that others made go on with theirs. */
  setShare(share: Share, elapsedMs: number): void {
    this.#threads.setShare(share, elapsedMs)
  }

  stop(): void {
    for (const { of } of this.#parts) of.stop()
  }

  /** Whole seconds that were not taken yet. */
  takeTicks(): Tick[] {
    return this.#parts.flatMap(({ of, hasEnded }, place) => [
      ...of.takeTicks().flatMap((tick) => this.#merger.add(place, tick)),
      ...(hasEnded ? this.#merger.end(place) : []),
    ])
  }

  /** Also in the middle of it. */
  async end(): Promise<void> {
    await Promise.all(this.#parts.map(({ of }) => of.end()))
  }
}
