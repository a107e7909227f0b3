/**
 * Questions want a few of the largest of millions of values. Sorting all of them is most of the time such a question takes, so
 * these look at 16 bits at a time, which is linear: numbers that are not negative are in the order of their bits (IEEE 754).
 */
const digitCount = 4
const digitValues = 2 ** 16
/** Of fewer, sorting is faster than tables of digits. */
const few = 4096

/** The value that is at that place when the largest comes first, from 1; Infinity for place 0. None is negative. */
export function largestAt(place: number, values: Float64Array): number {
  if (place === 0) return Infinity
  let left = values
  let above = place
  for (let digit = digitCount - 1; digit >= 0 && left.length > few; digit--) {
    const digits = digitsOf(left)
    const counts = new Uint32Array(digitValues)
    for (let at = digit; at < digits.length; at += digitCount) counts[digits[at]!]!++
    let wanted = digitValues - 1
    while (counts[wanted]! < above) above -= counts[wanted--]!
    if (counts[wanted] === left.length) continue
    const having = new Float64Array(counts[wanted]!)
    let filled = 0
    for (let index = 0; index < left.length; index++)
      if (digits[index * digitCount + digit] === wanted) having[filled++] = left[index]!
    left = having
  }
  return left.toSorted()[left.length - above]!
}

/** The indexes of all values but 0, the largest first whatever their sign; of equal ones the first. */
export function indexesBySize(values: Float64Array): Int32Array {
  let count = 0
  for (let index = 0; index < values.length; index++) if (values[index] !== 0) count++
  const indexes = new Int32Array(count)
  let filled = 0
  for (let index = 0; index < values.length; index++) if (values[index] !== 0) indexes[filled++] = index
  return orderedBySize(indexes, values)
}

/** The same for some indexes, which rise. */
export function orderedBySize(indexes: Int32Array, values: Float64Array): Int32Array {
  if (indexes.length <= few)
    return indexes.toSorted((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!) || a - b)
  const sizes = new Float64Array(indexes.length)
  for (let place = 0; place < sizes.length; place++) sizes[place] = Math.abs(values[indexes[place]!]!)
  return placesBySize(sizes).map((place) => indexes[place]!)
}

/** A radix sort from the last digit on; digits that all have in common are left out. */
function placesBySize(sizes: Float64Array): Int32Array {
  const digits = digitsOf(sizes)
  let places: Int32Array = new Int32Array(sizes.length)
  for (let place = 0; place < places.length; place++) places[place] = place
  for (let digit = 0; digit < digitCount; digit++) {
    const starts = new Uint32Array(digitValues)
    for (let at = digit; at < digits.length; at += digitCount) starts[digits[at]!]!++
    if (starts[digits[digit]!] === sizes.length) continue
    let start = 0
    for (let value = digitValues - 1; value >= 0; value--) {
      const having = starts[value]!
      starts[value] = start
      start += having
    }
    const next = new Int32Array(places.length)
    for (let index = 0; index < places.length; index++) {
      const place = places[index]!
      next[starts[digits[place * digitCount + digit]!]!++] = place
    }
    places = next
  }
  return places
}

/** The last 16 bits of each number first, as the processors that this runs on have them. */
function digitsOf(values: Float64Array): Uint16Array {
  return new Uint16Array(values.buffer, values.byteOffset, values.length * digitCount)
}
