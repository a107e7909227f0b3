import type { MemoryEvent } from './memory-events.ts'

/** What a program did with its heap. */
export interface MemoryUse {
  /** The most bytes that were in use at the same time. */
  peakBytes: number
  endBytes: number
  /** Over all allocations, whether given back or not. */
  allocatedBytes: number
  allocations: number
}

const ALLOCATING = new Set(['Malloc', 'Calloc', 'AlignedAlloc', 'Realloc'])

/**
 * Follows the live blocks through the events of one or more processes, in their order. The heap starts empty: blocks from
 * before the first event are not known, and giving them back counts for nothing. `Mmap` and `Brk` are how the allocator
 * itself gets memory, so they are not added to what it hands out.
 */
export function measureMemory(events: Iterable<MemoryEvent>): MemoryUse {
  /** By process, then by address. */
  const live = new Map<number, Map<number, number>>()
  const use: MemoryUse = { peakBytes: 0, endBytes: 0, allocatedBytes: 0, allocations: 0 }
  const blocksOf = (pid: number): Map<number, number> => {
    const blocks = live.get(pid) ?? new Map<number, number>()
    live.set(pid, blocks)
    return blocks
  }
  const release = (pid: number, address: number): void => {
    const blocks = blocksOf(pid)
    use.endBytes -= blocks.get(address) ?? 0
    blocks.delete(address)
  }
  for (const { pid, type, address, size = 0, oldAddress } of events) {
    if (type === 'Free') release(pid, address)
    if (!ALLOCATING.has(type)) continue
    if (oldAddress !== undefined) release(pid, oldAddress)
    // Also what an old version does not tell: a block that grew in its place, or one whose end was missed.
    release(pid, address)
    blocksOf(pid).set(address, size)
    use.endBytes += size
    use.allocatedBytes += size
    use.allocations += 1
    use.peakBytes = Math.max(use.peakBytes, use.endBytes)
  }
  return use
}
