import type { Profile } from '../../packages/profiles/src/index.ts'

const functionCount = 15_000
const deepest = 80

/** A call tree of so many nodes, the same every time, in which every node has a value. */
export function makeTree(nodeCount: number): Profile {
  let state = 1
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % limit
  }
  const parents = new Int32Array(nodeCount)
  const functionIndexes = new Int32Array(nodeCount)
  const selfValues = new Float64Array(nodeCount)
  parents[0] = functionIndexes[0] = -1
  // In depth-first order: the next node is below the one before, or below one of those above it.
  const path = [0]
  const lastChild = new Int32Array(nodeCount)
  for (let node = 1; node < nodeCount; node++) {
    const steps = path.length > deepest || below(5) < 2 ? 1 + Math.min(below(path.length), below(12)) : 0
    path.length = Math.max(1, path.length - steps)
    const parent = path.at(-1) ?? 0
    parents[node] = parent
    // Siblings are of different functions.
    lastChild[parent] = functionIndexes[node] = (lastChild[parent]! + 1 + below(40)) % functionCount
    selfValues[node] = 1 + below(1_000)
    path.push(node)
  }
  return {
    format: 'pprof',
    sampleTypes: [{ type: 'samples', unit: 'count' }],
    defaultSampleTypeIndex: 0,
    sampleCount: nodeCount,
    functions: {
      names: Array.from(
        { length: functionCount },
        (_, index) => `example.com/shop/Order${index % 977}.run${index}`,
      ),
      files: Array.from({ length: functionCount }, (_, index) => `/src/shop/order_${index % 977}.go`),
      startLines: new Int32Array(functionCount),
    },
    nodes: { parents, functionIndexes, lines: new Int32Array(nodeCount) },
    selfValues: [selfValues],
    labels: [],
    threads: [],
    warnings: [],
  }
}
