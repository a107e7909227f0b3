import type { Reading } from '../implement.ts'

/**
 * Adds to the events of a run that has not ended.
 * @param since nothing is added where an event of the same beginning came since then: several workers may tell the same
 */
export async function tellRun(
  { caller, deps }: Reading,
  id: string,
  words: string,
  since?: { at: Date; beginning: string },
): Promise<void> {
  await deps.stores.benchRuns.change(caller, id, ({ events }, _, now) => {
    const isTold =
      since !== undefined &&
      events.some(
        (event) => event.words.startsWith(since.beginning) && Date.parse(event.at) >= since.at.getTime(),
      )
    return {
      run: {},
      shards: [],
      events: isTold ? [] : [{ at: now.toISOString(), kind: 'warning', words }],
    }
  })
}
