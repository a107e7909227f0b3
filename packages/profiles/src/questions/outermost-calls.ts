import { endsOf, keptWith } from './kept-columns.ts'

/** The nodes of each function in order; those of function `i` are from `starts[i]` up to, and without, `starts[i + 1]`. */
const nodesByFunction = keptWith((functionIndexes: Int32Array) => {
  let functionCount = 0
  for (let node = 0; node < functionIndexes.length; node++)
    if (functionIndexes[node]! >= functionCount) functionCount = functionIndexes[node]! + 1
  const starts = new Int32Array(functionCount + 2)
  for (let node = 0; node < functionIndexes.length; node++) starts[functionIndexes[node]! + 2]!++
  for (let index = 1; index < starts.length; index++) starts[index]! += starts[index - 1]!
  // While it is filled, the start of a function is one further on; node 0, of no function, comes before all others.
  const nodes = new Int32Array(functionIndexes.length)
  for (let node = 0; node < functionIndexes.length; node++)
    nodes[starts[functionIndexes[node]! + 1]!++] = node
  return { starts, nodes }
})

/** All calls of some functions, in order. */
export function callsOf(functionIndexes: Int32Array, wanted: readonly number[]): Int32Array {
  const { starts, nodes } = nodesByFunction(functionIndexes)
  // Functions after the last one that is called have no start.
  const startOf = (index: number) => starts[index] ?? nodes.length
  const calls = wanted.map((index) => nodes.subarray(startOf(index), startOf(index + 1)))
  return calls.length === 1 ? calls[0]! : Int32Array.from(calls.flatMap((each) => [...each])).toSorted()
}

/** Those of the calls that are not within another of them. */
export function outermostOf(calls: Int32Array, parents: Int32Array): Int32Array {
  const ends = endsOf(parents)
  let end = 0
  return calls.filter((node) => {
    if (node < end) return false
    end = ends[node]!
    return true
  })
}
