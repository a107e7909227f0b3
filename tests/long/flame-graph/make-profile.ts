import { exportProfile, type Profile } from '@flamegate/profiles'

const functionCount = 12_000
const deepest = 70
const nanosPerSample = 10_000_000

const words = (
  'accept account batch block buffer cache chunk client codec commit config cursor decode digest encode entry event filter ' +
  'flush frame graph handler header index journal ledger limit lock merge metric order packet page parse plan price query ' +
  'queue reader record region request response retry route row schema segment session shard signal span store stream table ' +
  'task tenant token trace tree value vector worker writer'
).split(' ')

/** A gzipped pprof file whose call tree has so many nodes. The same arguments give the same bytes. */
export function makePprof(nodeCount: number, seed: number): Uint8Array {
  const random = mulberry32(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const word = () => words[below(words.length)] ?? ''
  const capital = () => word().replace(/^./, (letter) => letter.toUpperCase())

  const parents = new Int32Array(nodeCount)
  const functionIndexes = new Int32Array(nodeCount)
  const childCounts = new Int32Array(nodeCount)
  const self = new Float64Array(nodeCount)
  const weights = new Float64Array(nodeCount)
  // From the root to the node before, in depth-first order.
  const path = [0]
  parents[0] = -1
  weights[0] = 1000
  functionIndexes[0] = -1
  for (let node = 1; node < nodeCount; node++) {
    // On from where it just was, or back by some frames: the deeper, the likelier. The outermost frames are few.
    let depth = path.length
    if (random() < 0.12 + 0.0075 * depth) depth -= 1 + Math.floor(random() ** 3 * 10)
    if (random() < 0.001) depth = 1 + below(12)
    const outermost = random() < 0.0002 ? 1 : Math.min(path.length, 5)
    depth = Math.max(outermost, Math.min(depth, deepest))
    path.length = Math.min(path.length, depth)
    const parent = path.at(-1) ?? 0
    parents[node] = parent
    // Callees of a node are of different functions.
    const nth = (childCounts[parent] = (childCounts[parent] ?? 0) + 1)
    const caller = Math.imul((functionIndexes[parent] ?? 0) + 2, 0x9e3779b1) >>> 8
    functionIndexes[node] = (caller + nth * 17) % functionCount
    path.push(node)
    // What is below one callee takes many times what is below another.
    weights[node] = (weights[parent] ?? 0) * (0.05 + 2 * random() ** 2)
  }
  for (let node = 1; node < nodeCount; node++) {
    const isLeaf = childCounts[node] === 0
    if (isLeaf || random() < 0.1)
      self[node] = (1 + Math.floor(Math.min(5000, (weights[node] ?? 0) * random() ** 4))) * nanosPerSample
  }
  const folders = Array.from({ length: functionCount }, () => `example.com/${word()}/${word()}${word()}`)
  const profile: Profile = {
    format: 'pprof',
    sampleTypes: [{ type: 'cpu', unit: 'nanoseconds' }],
    defaultSampleTypeIndex: 0,
    sampleCount: nodeCount,
    functions: {
      names: folders.map((folder, index) => `${folder}.(*${capital()}${capital()}).${capital()}${index}`),
      files: folders.map((folder) =>
        random() < 0.5 ? `/src/${folder}.go` : `/root/go/pkg/mod/${folder}@v1.${below(9)}.0/${word()}.go`,
      ),
      startLines: Int32Array.from(folders, () => 1 + below(900)),
    },
    nodes: { parents, functionIndexes, lines: new Int32Array(nodeCount) },
    selfValues: [self],
    labels: [],
    threads: [],
    warnings: [],
  }
  return exportProfile(profile, undefined, 'pprof', { name: 'million' }).bytes
}

/** Numbers from 0 to below 1. */
function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
