/** How long a page may be busy before it looks at the pointer and draws again. */
const turnMs = 8

/**
 * Does work in turns, between which the page draws and answers: each `yield` is a place to pause, and they should come every
 * millisecond or so. What is done within one turn is there at once.
 * @throws the signal's reason when it is aborted
 */
export async function inTurns<Result>(work: Iterator<void, Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    signal.throwIfAborted()
    const end = performance.now() + turnMs
    do {
      const step = work.next()
      if (step.done === true) return step.value
    } while (performance.now() < end)
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** The same without a pause, for little of it. */
export function atOnce<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
