const tellEveryMs = 500

/** Tells how far something is until it is over. The more there is to tell, the longer it takes, and the less often it is told. */
export async function tellNowAndThen(tell: () => Promise<void>, over: AbortSignal): Promise<void> {
  let tookMs = 0
  while (!over.aborted) {
    // oxlint-disable no-await-in-loop -- one after the other
    await waited(Math.max(tellEveryMs, 10 * tookMs), over)
    if (over.aborted) return
    const startedMs = performance.now()
    // What cannot be told now is told the next time.
    await tell().catch(() => undefined)
    tookMs = performance.now() - startedMs
    // oxlint-enable no-await-in-loop
  }
}

/** So long, or until it is over. */
function waited(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    over.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
