import { once } from 'node:events'
import { getHeapSnapshot, getHeapStatistics } from 'node:v8'
import { HeapClassCounter } from './heap-classes.ts'
import type { HeapClass } from './heap-classes.ts'

/** Bytes. */
export interface MemoryUsage {
  heapUsed: number
  heapTotal: number
  /** What the heap may grow to. */
  heapLimit: number
  external: number
  arrayBuffers: number
  /** Resident memory of the process. */
  rss: number
}

export interface MemorySnapshot {
  /** UTC, ISO 8601. */
  at: string
  /** Before the snapshot was taken, which collects all garbage. */
  usage: MemoryUsage
  /** What is reachable, by class; largest first. */
  classes: HeapClass[]
}

/** A class of which more is kept than before. */
export interface LeakedObjects {
  name: string
  /** More than before. */
  count: number
  /** More than before; of the objects themselves, without what they hold. */
  bytes: number
  countAfter: number
  bytesAfter: number
}

export interface MemoryComparison {
  /** Classes that grew in number and in bytes, the largest growth first: what is not given back, or was not yet. */
  leakedObjects: LeakedObjects[]
  /** Of all that is reachable: bytes after less bytes before. */
  reachableGrowth: number
}

/** Tells what this program keeps in its heap, and what it keeps more and more of. */
export class MemoryProfiler {
  getCurrentUsage(): MemoryUsage {
    const { heapUsed, heapTotal, external, arrayBuffers, rss } = process.memoryUsage()
    return {
      heapUsed,
      heapTotal,
      heapLimit: getHeapStatistics().heap_size_limit,
      external,
      arrayBuffers,
      rss,
    }
  }

  /**
   * Counts what is reachable, by class. The program stands still while V8 makes the snapshot, about a second for each 100 MB of heap,
   * and needs as much memory again.
   */
  async takeSnapshot(): Promise<MemorySnapshot> {
    const at = new Date().toISOString()
    const usage = this.getCurrentUsage()
    const counter = new HeapClassCounter()
    const snapshot = getHeapSnapshot()
    snapshot.on('data', (chunk: Buffer | string) =>
      counter.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
    )
    await once(snapshot, 'end')
    return { at, usage, classes: counter.read() }
  }

  compareSnapshots(before: MemorySnapshot, after: MemorySnapshot): MemoryComparison {
    const known = new Map(before.classes.map((each) => [each.name, each]))
    const total = ({ classes }: MemorySnapshot) => classes.reduce((sum, { bytes }) => sum + bytes, 0)
    const leakedObjects = after.classes
      .map(({ name, count, bytes }) => {
        const old = known.get(name)
        return {
          name,
          count: count - (old?.count ?? 0),
          bytes: bytes - (old?.bytes ?? 0),
          countAfter: count,
          bytesAfter: bytes,
        }
      })
      .filter(({ count, bytes }) => count > 0 && bytes > 0)
      .toSorted((a, b) => b.bytes - a.bytes)
    return { leakedObjects, reachableGrowth: total(after) - total(before) }
  }
}
