import type { Reading } from '../implement.ts'
import type { BenchResult } from '../ports/index.ts'

/** Asks the agents of a run to stop; what has ended, or was asked to already, stays as it is. */
export function stopRun(
  { caller, deps }: Reading,
  id: string,
  words: string,
): Promise<BenchResult | undefined> {
  return deps.stores.benchRuns.change(caller, id, ({ state, stopAskedAt }, _, now) => {
    if (stopAskedAt !== null) return { run: {}, shards: [], events: [] }
    return {
      run: { stopAskedAt: now, message: words, ...(state === 'RUNNING' ? { state: 'STOPPING' } : {}) },
      shards: [],
      events: [{ at: now.toISOString(), kind: 'state', words }],
    }
  })
}
