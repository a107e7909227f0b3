/** What a program in Go tells of its memory at the end of a heap profile as text: runtime.MemStats. */
export interface GoMemoryStats {
  heapBytes: number
  collections: number
  /** Of the last collections, up to 256, by number from 1 on: how long all of the program stood still. */
  pauseMs: (collection: number) => number
}

/** Pauses are kept in a ring. */
const ringLength = 256

/** @throws Error when it is none */
export function readMemoryStats(text: string): GoMemoryStats {
  const numberOf = (name: string): number => {
    const found = new RegExp(String.raw`^# ${name} = (\d+)`, 'm').exec(text)?.[1]
    if (found === undefined) throw new Error(`The heap profile does not tell ${name}.`)
    return Number(found)
  }
  const ring = (/^# PauseNs = \[([\d ]*)\]/m.exec(text)?.[1] ?? '').split(' ').map(Number)
  return {
    heapBytes: numberOf('HeapAlloc'),
    collections: numberOf('NumGC'),
    pauseMs: (collection) => (ring[(collection + ringLength - 1) % ringLength] ?? 0) / 1e6,
  }
}
