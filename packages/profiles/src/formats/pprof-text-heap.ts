import { hiddenFrames } from './pprof-text-hidden.ts'
import type { LineCursor } from './pprof-text-lines.ts'
import { AddressProfile } from './pprof-text-profile.ts'
import { readRows } from './pprof-text-rows.ts'
import { quote } from './text.ts'

const headerPattern =
  /^\s{0,20}heap profile: *(\d{1,19}): *(\d{1,19}) *\[ *(\d{1,19}): *(\d{1,19}) *\] *@ *(growthz?|fragmentationz?|heap[_a-z0-9]{0,20})\/?(\d{0,18})/
const rowPattern = /^(-?\d{1,19}): *(-?\d{1,19}) *\[ *(\d{1,19}): *(\d{1,19}) *\] @([ x0-9a-f]*)/

export function isHeapText(head: string): boolean {
  return headerPattern.test(head)
}

interface Sampling {
  hasAllocations: boolean
  /** Mean bytes between two samples, where each was taken with a probability by its size; absent when all is there. */
  rate: number | undefined
}

/**
 * `heap profile: 13: 1595680 [47130736: 2584596557304] @ heap/1048576` and rows of what is in use and what was allocated,
 * by Go (`debug=1`) and tcmalloc. What was sampled is scaled up, as google/pprof does.
 */
export function readHeap(cursor: LineCursor): AddressProfile {
  const { hasAllocations, rate } = readHeader(cursor)
  const profile = new AddressProfile(
    hasAllocations
      ? [
          { type: 'alloc_objects', unit: 'count' },
          { type: 'alloc_space', unit: 'bytes' },
          { type: 'inuse_objects', unit: 'count' },
          { type: 'inuse_space', unit: 'bytes' },
        ]
      : [
          { type: 'objects', unit: 'count' },
          { type: 'space', unit: 'bytes' },
        ],
    hiddenFrames.allocations,
  )
  const scaled = (count: number, size: number) =>
    rate === undefined ? [count, size] : scaledSample(count, size, rate)
  readRows(cursor, profile, (text) => {
    const row = rowPattern.exec(text)
    if (row === null) throw cursor.refuse(`expected a row of a heap profile, found ${quote(text)}`)
    const inuseCount = Number(row[1])
    const inuseSize = Number(row[2])
    const allocCount = Number(row[3])
    const allocSize = Number(row[4])
    if ((inuseCount === 0 && inuseSize !== 0) || (hasAllocations && allocCount === 0 && allocSize !== 0))
      throw cursor.refuse('a row has bytes of no objects')
    // That of what is in use, or was.
    const [count, size] =
      inuseCount === 0 && hasAllocations ? [allocCount, allocSize] : [inuseCount, inuseSize]
    return {
      stack: cursor.addresses(row[5]!).map((address) => profile.locationOf(address, { isReturn: true })),
      values: [...(hasAllocations ? scaled(allocCount, allocSize) : []), ...scaled(inuseCount, inuseSize)],
      labels: [['bytes', String(count === 0 ? 0 : Math.trunc(size / count))]],
    }
  })
  return profile
}

function readHeader(cursor: LineCursor): Sampling {
  const [, inuseCount, inuseSize, allocCount, allocSize, kind = '', period = ''] =
    headerPattern.exec(cursor.line ?? '') ?? []
  const isScaled = kind === 'heap' || kind === 'heap_v2' || kind === 'heapz_v2'
  const isHeap = isScaled || kind === 'heapprofile'
  if (!isHeap && !/^(growth|fragmentation)/.test(kind))
    throw cursor.refuse(`heap profiles of the kind ${quote(kind)} are not known`)
  cursor.next()
  // Of growth, both pairs say the same.
  const hasAllocations =
    isHeap &&
    ((allocCount !== inuseCount && allocCount !== '0') || (allocSize !== inuseSize && allocSize !== '0'))
  // Go says twice its rate.
  return { hasAllocations, rate: isScaled ? Math.trunc(Number(period) / (kind === 'heap' ? 2 : 1)) : 0 }
}

/**
 * How much there was when so much was sampled: an object of S bytes is sampled with the probability 1 - exp(-S / rate).
 * Rounded down, as google/pprof does.
 */
export function scaledSample(count: number, size: number, rate: number): [count: number, size: number] {
  if (count === 0 || size === 0) return [0, 0]
  if (rate <= 1) return [count, size]
  const scale = 1 / (1 - Math.exp(-size / count / rate))
  return [Math.trunc(count * scale), Math.trunc(size * scale)]
}
