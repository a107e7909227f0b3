/** Rows of two keys, and of each its values side by side. */
export interface Rows {
  firsts: Int32Array
  seconds: Int32Array
  values: Float64Array
  /** Values of a row. */
  width: number
}

/** Rows whose values are worked out a column at a time, so that they need not be there all at once. */
export interface ColumnRows {
  firsts: Int32Array
  seconds: Int32Array
  width: number
  /** May be the array that it gave before, with other values. */
  column: (index: number) => Float64Array
}

/** Rows with one column for each value. */
export interface SortedRows {
  firsts: Int32Array
  seconds: Int32Array
  columns: Float64Array[]
}

/**
 * Rows in the order of their keys, those of equal keys added up. Linear in their number, which may be a million, of which
 * most have a first key that few others have: they are dealt out by the first key, in one pass of writes that need not be
 * waited for, and each group is sorted in place. Keys are not negative; first keys are nodes, so there is room for a number
 * for each.
 */
export function sortedRows(rows: Rows | ColumnRows): SortedRows {
  const { firsts, seconds, width } = rows
  const { length } = firsts
  const ends = groupEnds(firsts)
  const sorted: SortedRows = {
    firsts: new Int32Array(length),
    seconds: new Int32Array(length),
    columns: Array.from({ length: width }, () => new Float64Array(length)),
  }
  const places = new Int32Array(length)
  for (let row = length - 1; row >= 0; row--) {
    const place = --ends[firsts[row]!]!
    places[row] = place
    sorted.seconds[place] = seconds[row]!
  }
  for (const [column, target] of sorted.columns.entries()) {
    const [values, start, step] =
      'column' in rows ? [rows.column(column), 0, 1] : [rows.values, column, width]
    for (let row = 0, at = start; row < length; row++, at += step) target[places[row]!] = values[at]!
  }
  // What were ends are starts by now.
  let count = 0
  for (let first = 0; first < ends.length - 1; first++) {
    const start = ends[first]!
    const end = ends[first + 1]!
    if (start === end) continue
    if (end - start > 1) sortGroup(sorted, start, end)
    count = addUpGroup(sorted, first, start, end, count)
  }
  return count === length ? sorted : shortened(sorted, count)
}

/** Of each key, the end of the rows that have it or a smaller one; and once more that of all. */
function groupEnds(keys: Int32Array): Int32Array {
  let largest = -1
  for (let row = 0; row < keys.length; row++) if (keys[row]! > largest) largest = keys[row]!
  const ends = new Int32Array(largest + 2)
  for (let row = 0; row < keys.length; row++) ends[keys[row]!]!++
  for (let key = 1; key < ends.length; key++) ends[key]! += ends[key - 1]!
  return ends
}

/** Moves the rows from `start` to before `end`, of one first key, to `count`, and gives the new count. */
function addUpGroup(
  { firsts, seconds, columns }: SortedRows,
  first: number,
  start: number,
  end: number,
  count: number,
): number {
  let last = count - 1
  for (let row = start; row < end; row++) {
    const isNew = last < count || seconds[row] !== seconds[last]
    if (isNew) {
      last++
      firsts[last] = first
      seconds[last] = seconds[row]!
    }
    for (const column of columns) column[last] = isNew ? column[row]! : column[last]! + column[row]!
  }
  return last + 1
}

/** Puts rows from `start` to before `end` into the order of their second keys. */
function sortGroup({ seconds, columns }: SortedRows, start: number, end: number): void {
  if (end - start > smallGroup) {
    const order = radixOrder(seconds.subarray(start, end))
    for (const column of [seconds, ...columns]) {
      const group = column.slice(start, end)
      for (let index = 0; index < order.length; index++) column[start + index] = group[order[index]!]!
    }
    return
  }
  for (let row = start + 1; row < end; row++) {
    for (let at = row; at > start && seconds[at - 1]! > seconds[at]!; at--) {
      swap(seconds, at)
      for (const column of columns) swap(column, at)
    }
  }
}

const smallGroup = 32

function swap(column: Int32Array | Float64Array, at: number): void {
  const value = column[at]!
  column[at] = column[at - 1]!
  column[at - 1] = value
}

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

/** The first rows. What is left over is only copied away when it is much. */
function shortened({ firsts, seconds, columns }: SortedRows, count: number): SortedRows {
  const cut = count < firsts.length * 0.75 ? 'slice' : 'subarray'
  return {
    firsts: firsts[cut](0, count),
    seconds: seconds[cut](0, count),
    columns: columns.map((column) => column[cut](0, count)),
  }
}
