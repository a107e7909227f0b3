import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dominatorTree, type EdgeLists } from './dominator-tree.ts'

/** The graph of some edges `[from, to]`, which are sorted here. */
function graphOf(nodeCount: number, edges: [number, number][]): EdgeLists {
  const sorted = edges.toSorted(([a], [b]) => a - b)
  const firstEdges = new Int32Array(nodeCount + 1)
  for (const [from] of sorted) firstEdges[from + 1]!++
  for (let node = 1; node <= nodeCount; node++) firstEdges[node]! += firstEdges[node - 1]!
  return { firstEdges, targets: Int32Array.from(sorted, ([, to]) => to) }
}

const allKeep = ({ targets }: EdgeLists) => new Uint8Array(targets.length).fill(1)

/** What can be reached from the root when one node is taken away. */
function reachable({ firstEdges, targets }: EdgeLists, without: number): Set<number> {
  const seen = new Set<number>()
  const pending = without === 0 ? [] : [0]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node) || node === without) continue
    seen.add(node)
    pending.push(...targets.subarray(firstEdges[node], firstEdges[node + 1]))
  }
  return seen
}

test('a node is dominated by the last one that all ways to it share', () => {
  //  0 → 1 → 2 → 4 → 5
  //      └→ 3 ─↗
  const graph = graphOf(6, [
    [0, 1],
    [1, 2],
    [1, 3],
    [2, 4],
    [3, 4],
    [4, 5],
  ])
  expect([...dominatorTree(graph, allKeep(graph), 0).dominators]).toEqual([-1, 0, 1, 1, 1, 4])
})

test('an edge that keeps nothing does not count', () => {
  const graph = graphOf(3, [
    [0, 1],
    [0, 2],
    [1, 2],
  ])
  expect([...dominatorTree(graph, Uint8Array.of(1, 0, 1), 0).dominators]).toEqual([-1, 0, 1])
})

test('what nothing keeps, and a ring that cannot be reached, hang below the root', () => {
  //  0 → 1   2 → 3   4 ⇄ 5
  const graph = graphOf(6, [
    [0, 1],
    [2, 3],
    [4, 5],
    [5, 4],
  ])
  expect([...dominatorTree(graph, allKeep(graph), 0).dominators]).toEqual([-1, 0, 0, 2, 0, 0])
})

test('what can be reached from a node that nothing keeps, too, is dominated by the root', () => {
  const graph = graphOf(4, [
    [0, 1],
    [1, 2],
    [3, 2],
  ])
  expect([...dominatorTree(graph, allKeep(graph), 0).dominators]).toEqual([-1, 0, 0, 0])
})

test('a dominator is what a node cannot be reached without, in any graph', () => {
  const graphs = fc.integer({ min: 1, max: 12 }).chain((nodeCount) =>
    fc
      .array(fc.tuple(fc.nat(nodeCount - 1), fc.nat(nodeCount - 1)), { maxLength: 30 })
      // Every node can be reached: how the others are treated is a matter of taste.
      .map((edges) => {
        const graph = graphOf(nodeCount, edges)
        const seen = reachable(graph, -1)
        const rest = Array.from({ length: nodeCount }, (_, node) => node).filter((node) => !seen.has(node))
        return graphOf(nodeCount, [...edges, ...rest.map((node): [number, number] => [0, node])])
      }),
  )
  fc.assert(
    fc.property(graphs, (graph) => {
      const { dominators, order } = dominatorTree(graph, allKeep(graph), 0)
      const nodes = Array.from(dominators.keys())
      const ancestors = (node: number): number[] => {
        const dominator = dominators[node]!
        return dominator === -1 ? [] : [dominator, ...ancestors(dominator)]
      }
      for (const without of nodes) {
        const seen = reachable(graph, without)
        for (const node of nodes) {
          if (node === without) continue
          expect(ancestors(node).includes(without)).toBe(!seen.has(node))
        }
      }
      expect([...order].toSorted((a, b) => a - b)).toEqual(nodes)
      const places = new Map([...order].map((node, place) => [node, place]))
      for (const node of nodes.slice(1)) expect(places.get(dominators[node]!)).toBeLessThan(places.get(node)!)
    }),
    { numRuns: 500 },
  )
})

test('a chain of a million nodes needs no stack', () => {
  const count = 1_000_000
  const graph = graphOf(
    count,
    Array.from({ length: count - 1 }, (_, node) => [node, node + 1]),
  )
  const { dominators } = dominatorTree(graph, allKeep(graph), 0)
  expect(dominators[count - 1]).toBe(count - 2)
})
