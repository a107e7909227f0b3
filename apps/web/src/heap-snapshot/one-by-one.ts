/** Does one piece of work after the other. One that nobody waits for any more, when its turn comes, is not begun. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve()

  /** @throws the signal's reason when it is aborted before its turn, and whatever the work throws */
  take<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const result = this.#last.then(() => {
      signal.throwIfAborted()
      return work()
    })
    this.#last = result.catch(() => undefined)
    return result
  }
}
