import { subtreeEnds } from '../profile.ts'

/**
 * What follows from something that never changes, such as a column of a profile: worked out when it is asked for first, and
 * kept for as long as that is there. Several questions are asked about a profile in a row, and most begin with the same passes.
 */
export function keptWith<Key extends object, Value>(workOut: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    const kept = known.get(key)
    if (kept !== undefined) return kept.value
    const value = workOut(key)
    known.set(key, { value })
    return value
  }
}

/** Per node, the index after the last node of its subtree. */
export const endsOf = keptWith((parents: Int32Array) => subtreeEnds(parents))

/** Depth of each node; 0 for node 0. */
export const depthsOf = keptWith((parents: Int32Array) => {
  const depths = new Int32Array(parents.length)
  for (let node = 1; node < parents.length; node++) depths[node] = depths[parents[node]!]! + 1
  return depths
})

export const sumOf = keptWith((values: Float64Array) => {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index]!
  return sum
})
