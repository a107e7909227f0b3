/**
 * Indexes of numbers from the smallest to the largest, of equal ones the first before the others. A merge sort over typed
 * arrays, as sorting with a function that compares takes several times as long for tens of thousands.
 */
export function ascendingOrder(keys: Float64Array): Uint32Array {
  const { length } = keys
  let from = new Uint32Array(length)
  let to = new Uint32Array(length)
  for (let index = 0; index < length; index++) from[index] = index
  for (let width = 1; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(start + width, length)
      const end = Math.min(middle + width, length)
      let left = start
      let right = middle
      for (let at = start; at < end; at++) {
        const isLeft = right === end || (left < middle && !(keys[from[right]!]! < keys[from[left]!]!))
        to[at] = isLeft ? from[left++]! : from[right++]!
      }
    }
    const sorted = to
    to = from
    from = sorted
  }
  return from
}
