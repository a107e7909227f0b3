/** Rows of two keys, and of each its values side by side. */
export interface Rows {
  firsts: Int32Array
  seconds: Int32Array
  values: Float64Array
  /** Values of a row. */
  width: number
}

/**
 * Rows in the order of their keys, those of equal keys added up, one column for each value. Linear in their number, which
 * may be a million, of which most have a first key that few others have: a radix sort by the first key, then each group
 * by the second one. Keys are not negative.
 */
export function sortedRows({ firsts, seconds, values, width }: Rows): {
  firsts: Int32Array
  seconds: Int32Array
  columns: Float64Array[]
} {
  const order = radixOrder(firsts)
  const sorted = {
    firsts: new Int32Array(order.length),
    seconds: new Int32Array(order.length),
    columns: Array.from({ length: width }, () => new Float64Array(order.length)),
  }
  let count = 0
  for (let start = 0; start < order.length;) {
    const first = firsts[order[start]!]!
    let end = start + 1
    while (end < order.length && firsts[order[end]!] === first) end++
    if (end - start > 1) sortGroup(order, start, end, seconds)
    for (let index = start; index < end; index++) {
      const row = order[index]!
      if (index === start || seconds[row] !== sorted.seconds[count - 1]) {
        sorted.firsts[count] = first
        sorted.seconds[count] = seconds[row]!
        count++
      }
      for (let column = 0; column < width; column++) {
        sorted.columns[column]![count - 1]! += values[row * width + column]!
      }
    }
    start = end
  }
  if (count === order.length) return sorted
  return {
    firsts: sorted.firsts.slice(0, count),
    seconds: sorted.seconds.slice(0, count),
    columns: sorted.columns.map((column) => column.slice(0, count)),
  }
}

/** Puts rows from `start` to before `end` into the order of their keys. */
function sortGroup(order: Uint32Array, start: number, end: number, keys: Int32Array): void {
  if (end - start > smallGroup) {
    const group = order.slice(start, end)
    const places = radixOrder(Int32Array.from(group, (row) => keys[row]!))
    for (const [index, place] of places.entries()) order[start + index] = group[place]!
    return
  }
  for (let index = start + 1; index < end; index++) {
    const row = order[index]!
    let at = index
    for (; at > start && keys[order[at - 1]!]! > keys[row]!; at--) order[at] = order[at - 1]!
    order[at] = row
  }
}

const smallGroup = 32

/** The order of rows by a key. */
function radixOrder(keys: Int32Array): Uint32Array {
  const { length } = keys
  let order: Uint32Array = new Uint32Array(length)
  let largest = 0
  for (let row = 0; row < length; row++) {
    order[row] = row
    if (keys[row]! > largest) largest = keys[row]!
  }
  // As few passes as there can be with tables that fit a cache, and are not larger than what is sorted.
  const bits = 32 - Math.clz32(largest)
  const passes = Math.ceil(bits / Math.max(8, Math.min(19, Math.ceil(Math.log2(length + 1)) + 1)))
  const width = Math.ceil(bits / passes)
  const mask = 2 ** width - 1
  for (let shift = 0; shift < bits; shift += width) {
    const starts = new Uint32Array(2 ** width + 1)
    for (let row = 0; row < length; row++) starts[((keys[row]! >>> shift) & mask) + 1]!++
    for (let digit = 1; digit < starts.length; digit++) starts[digit]! += starts[digit - 1]!
    const next = new Uint32Array(length)
    for (let index = 0; index < length; index++) {
      const row = order[index]!
      next[starts[(keys[row]! >>> shift) & mask]!++] = row
    }
    order = next
  }
  return order
}
