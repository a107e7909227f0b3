import { useSyncExternalStore } from 'react'

const tickMs = 30_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs)
  return () => clearInterval(timer)
}

/**
 * When the half minute began that it is, in Unix milliseconds: the same for all that is drawn in it. Never kept, or pages without an age
 * would leave an old one behind.
 */
export function halfMinute(): number {
  const nowMs = Date.now()
  return nowMs - (nowMs % tickMs)
}

/** Unix milliseconds; a component that uses it is drawn again every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, halfMinute)
}
