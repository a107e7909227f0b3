import { ascendingOrder } from './number-order.ts'
import type { PairTable } from './pair-table.ts'

/** A call graph whose functions have small numbers. */
export interface CallGraphColumns {
  typeCount: number
  /** Per function, its index in the builder. */
  functions: Int32Array
  /** Per function and sample type. */
  self: Float64Array
  /** Per sample type, whether all self values are whole. */
  isWhole: readonly boolean[]
  /** Per function, calls of it that no function of the graph made. */
  outsideCalls: readonly number[]
  /** Of (function, line): its own values, then those of calls made there. */
  rows: PairTable
  /** Per function, what its outermost calls cost with all they called, per sample type; undefined where not known. */
  inclusive: readonly (Float64Array | undefined)[]
  /** Per function, of how many in the file `inclusive` is the sum: what these called each other for is in it again. */
  inclusiveCounts: readonly number[]
  /** Of (caller, callee): inclusive values, then the number of calls. */
  edges: PairTable
}

/** Entries of a table by one of their keys: those of `k` are `entries[starts[k]]` … `entries[starts[k + 1] - 1]`. */
export interface EntriesByKey {
  starts: Int32Array
  entries: Int32Array
}

/**
 * Entries of a table, in their order, by a key: those of a key from the lightest to the heaviest, of equal ones the first
 * before the others. They are sorted key by key, because most keys have few.
 *
 * @param weights per entry of the table
 */
export function entriesByKey(
  entries: Int32Array,
  { keys, keyCount, weights }: { keys: Int32Array; keyCount: number; weights: Float64Array },
): EntriesByKey {
  const starts = startsOf(entries, keys, keyCount)
  const filled = starts.slice()
  const sorted = new Int32Array(entries.length)
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!
    sorted[filled[keys[entry]!]!++] = entry
  }
  sortEach(starts, sorted, weights)
  return { starts, entries: sorted }
}

function startsOf(entries: Int32Array, keys: Int32Array, keyCount: number): Int32Array {
  const starts = new Int32Array(keyCount + 1)
  for (let index = 0; index < entries.length; index++) starts[keys[entries[index]!]! + 1]!++
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!
  return starts
}

const few = 32

function sortEach(starts: Int32Array, entries: Int32Array, weights: Float64Array): void {
  for (let key = 0; key < starts.length - 1; key++) {
    const start = starts[key]!
    const end = starts[key + 1]!
    if (end - start > few) sortMany(entries.subarray(start, end), weights)
    else {
      for (let index = start + 1; index < end; index++) {
        const entry = entries[index]!
        const weight = weights[entry]!
        let at = index
        for (; at > start && weights[entries[at - 1]!]! > weight; at--) entries[at] = entries[at - 1]!
        entries[at] = entry
      }
    }
  }
}

function sortMany(entries: Int32Array, weights: Float64Array): void {
  const before = entries.slice()
  const keys = new Float64Array(before.length)
  for (let index = 0; index < before.length; index++) keys[index] = weights[before[index]!]!
  const order = ascendingOrder(keys)
  for (let index = 0; index < order.length; index++) entries[index] = before[order[index]!]!
}
