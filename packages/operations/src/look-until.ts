/**
 * Looks again until that is seen which is waited for, or the time is over; answers what was seen last. It ends when
 * nobody waits any more, too, because a store does not begin then.
 *
 * @param seen what was seen at first
 * @param wait `seconds`: how long; `everyMs`: how soon it is noticed
 */
export async function lookUntil<T>(
  seen: T,
  look: () => Promise<T>,
  isIt: (seen: T) => boolean,
  { seconds, everyMs }: { seconds: number; everyMs: number },
): Promise<T> {
  const deadline = performance.now() + seconds * 1000
  let latest = seen
  while (!isIt(latest)) {
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) break
    // oxlint-disable no-await-in-loop -- one look after the other
    await new Promise((resolve) => setTimeout(resolve, Math.min(everyMs, leftMs)))
    latest = await look()
    // oxlint-enable no-await-in-loop
  }
  return latest
}
