import { useSyncExternalStore } from 'react'

const tickMs = 30_000
let nowMs = Date.now()

function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    nowMs = Date.now()
    listener()
  }, tickMs)
  return () => clearInterval(timer)
}

/** Unix milliseconds; a component that uses it is drawn again every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}
