/** Calls that have begun and are not over, whoever still waits for their answer. */
export interface CallsAtWork {
  /** Counts the call among them until it is over; hands it back. */
  note<T>(call: Promise<T>): Promise<T>
  /** When none is left. */
  done(): Promise<void>
}

/** A call goes on when whoever asked hangs up: what it writes, its audit event too, needs stores that are still open. */
export function callsAtWork(): CallsAtWork {
  const all = new Set<Promise<unknown>>()
  return {
    note(call) {
      const over = () => all.delete(call)
      all.add(call)
      call.then(over, over)
      return call
    },
    async done() {
      // oxlint-disable-next-line no-await-in-loop -- others may have begun meanwhile
      while (all.size > 0) await Promise.allSettled(all)
    },
  }
}
