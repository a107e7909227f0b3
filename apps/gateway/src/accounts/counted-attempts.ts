import { Problem } from '@flamegate/contract'
import type { AttemptLimit, AttemptStore } from '@flamegate/operations/ports'

/** Attempts of one kind, counted for all gateways together. Each one too many is followed by a longer wait. */
export interface CountedAttempts {
  /**
   * Counts an attempt, before it is known what comes of it; gives how many there were lately.
   * @throws Problem `rate_limited` when it comes too early
   */
  count(key: string): Promise<number>
  /** Counts an attempt; false if it comes too early. */
  tryCount(key: string): Promise<boolean>
  /** Starts anew after a success. */
  forget(key: string): Promise<void>
}

/** So many in so much time, and then one whenever one is forgiven. */
export function rate(attempts: number, withinMs: number): AttemptLimit {
  const waitMs = withinMs / attempts
  return { attempts, firstWaitMs: waitMs, longestWaitMs: waitMs }
}

export function countAttempts(store: AttemptStore, kind: string, limit: AttemptLimit): CountedAttempts {
  return {
    async count(key) {
      const { count, waitMs } = await store.count(`${kind} ${key}`, limit)
      if (waitMs === 0) return count
      const retryAfterSeconds = Math.ceil(waitMs / 1000)
      const seconds = retryAfterSeconds === 1 ? 'second' : 'seconds'
      throw new Problem('rate_limited', `Too many attempts. Try again in ${retryAfterSeconds} ${seconds}.`, {
        retryAfterSeconds,
      })
    },
    tryCount: async (key) => (await store.count(`${kind} ${key}`, limit)).waitMs === 0,
    forget: (key) => store.forget(`${kind} ${key}`),
  }
}
