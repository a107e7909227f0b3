import { useSyncExternalStore } from 'react'

// Whether the event stream of the page at hand is open: one page is, and it has one at most.
let isTold = false
const listeners = new Set<() => void>()

export function setTold(now: boolean): void {
  isTold = now
  for (const listener of listeners) listener()
}

/** Whether events tell when there is something new, so that nobody need ask all the time. */
export function useIsTold(): boolean {
  return useSyncExternalStore(subscribe, () => isTold)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
