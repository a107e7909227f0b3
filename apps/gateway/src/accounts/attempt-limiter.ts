import { Problem } from '@flamegate/contract'

/** So many attempts in so much time, counted in this process. */
export interface AttemptLimit {
  attempts: number
  windowMs: number
}

export interface AttemptLimiter {
  /** Counts an attempt. Throws `rate_limited`, with when to try again, if there were too many. */
  count(key: string): void
  /** Counts an attempt; false if there were too many. */
  tryCount(key: string): boolean
  /** Starts anew after a success. */
  forget(key: string): void
}

/** More keys than this and the oldest windows are dropped: a stranger cannot fill our memory. */
const maxKeys = 50_000

/** A fixed window per key, which opens with the first attempt. */
export function createAttemptLimiter(
  { attempts, windowMs }: AttemptLimit,
  now: () => number = Date.now,
): AttemptLimiter {
  // In order of opening, so that closed windows are always at the front.
  const windows = new Map<string, { count: number; closesAtMs: number }>()

  function dropClosed(): void {
    for (const [key, { closesAtMs }] of windows) {
      if (closesAtMs > now() && windows.size <= maxKeys) return
      windows.delete(key)
    }
  }

  function countIn(key: string): { count: number; closesAtMs: number } {
    dropClosed()
    const window = windows.get(key) ?? { count: 0, closesAtMs: now() + windowMs }
    window.count += 1
    windows.set(key, window)
    return window
  }

  return {
    tryCount: (key) => countIn(key).count <= attempts,
    count(key) {
      const window = countIn(key)
      if (window.count <= attempts) return
      const retryAfterSeconds = Math.ceil((window.closesAtMs - now()) / 1000)
      throw new Problem('rate_limited', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
        retryAfterSeconds,
      })
    },
    forget(key) {
      windows.delete(key)
    },
  }
}
