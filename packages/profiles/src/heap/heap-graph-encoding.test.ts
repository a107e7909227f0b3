import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { FormatError } from '../format-error.ts'
import { heapClasses } from '../questions/heap-classes.ts'
import { largestOfClass, retainingPaths } from '../questions/heap-retainers.ts'
import { readProfile } from '../read-profile.ts'
import { sample } from '../testing/samples.ts'
import { decodeHeapGraph, encodeHeapGraph } from './heap-graph-encoding.ts'

const graph = readProfile(sample('heapsnapshot/node-before.heapsnapshot.gz')).heapGraph!

test('the objects of a snapshot are the same after they were stored', () => {
  expect(decodeHeapGraph(encodeHeapGraph(graph))).toEqual(graph)
})

function isReadOrRefused(bytes: Uint8Array): boolean {
  try {
    const decoded = decodeHeapGraph(bytes)
    heapClasses(decoded)
    retainingPaths(decoded, largestOfClass(decoded, 'Session', 3), 3)
    return true
  } catch (error) {
    return error instanceof FormatError
  }
}

test('damaged stored objects are decoded or refused, and can be asked about', () => {
  const stored = encodeHeapGraph(graph)
  const damages = fc.array(fc.tuple(fc.nat(stored.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(damages, (bytes) => {
      const copy = stored.slice()
      for (const [position, value] of bytes) copy[position] = value
      expect(isReadOrRefused(copy)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

/** The zlib stream has a checksum, so what is changed behind it is what a writer of ours would have to get wrong. */
test.each<[what: string, change: (copy: typeof graph) => void]>([
  ['an edge to nowhere', (copy) => (copy.edges.targets[0] = 1e6)],
  ['a name that is not there', (copy) => (copy.nodes.names[1] = 1e6)],
  ['a class that is not there', (copy) => (copy.classes.indexes[1] = 1e6)],
  ['two roots', (copy) => (copy.dominators[5] = -1)],
  ['a root below another node', (copy) => (copy.dominators[copy.root] = 3)],
  ['a type that is not there', (copy) => (copy.nodes.types[1] = 200)],
])('%s is refused', (_what, change) => {
  const copy = structuredClone(graph)
  change(copy)
  expect(() => decodeHeapGraph(encodeHeapGraph(copy))).toThrow('the stored profile is damaged')
})
