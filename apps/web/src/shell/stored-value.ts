import { useSyncExternalStore } from 'react'

/** A word that this browser remembers; pages that show it follow its changes, in other tabs too. */
export interface StoredValue {
  get(): string | undefined
  set(value: string): void
  use(): string | undefined
}

export function storedValue(key: string): StoredValue {
  const listeners = new Set<() => void>()
  // Where storage is forbidden the word lasts as long as the page.
  let inMemory: string | undefined

  const get = () => {
    try {
      return localStorage.getItem(key) ?? inMemory
    } catch {
      return inMemory
    }
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    window.addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', listener)
    }
  }

  return {
    get,
    set(value) {
      inMemory = value
      try {
        localStorage.setItem(key, value)
      } catch {
        // Remembered for this page only.
      }
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
