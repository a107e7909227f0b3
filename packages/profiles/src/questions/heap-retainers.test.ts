import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { sample } from '../testing/samples.ts'
import { heapSnapshot, toBytes, type HeapNode } from '../testing/write-heap-snapshot.ts'
import { largestOfClass, nodeOfId, retainingPaths, type RetainingPath } from './heap-retainers.ts'

const graphOf = (nodes: HeapNode[]) => readProfile(toBytes(heapSnapshot(nodes))).heapGraph!

const draw = ({ steps, leftOutCount }: RetainingPath) =>
  steps.map(({ edgeType, edgeName, holder }) => `${edgeType} ${edgeName} of ${holder.name}`).join(', ') +
  (leftOutCount === 0 ? '' : ` and ${leftOutCount} more`)

const small = graphOf([
  { is: 'synthetic  1 0', edges: ['shortcut window 3', 'element 1 2'] },
  { is: 'synthetic (GC_roots) 2 0', edges: ['element 1 9'] },
  { is: 'object Window 3 1', edges: ['property app 5'] },
  { is: 'object App 5 1', edges: ['property cache 7'] },
  { is: 'object Cache 7 1', edges: ['element 12 9', 'weak hint 11', 'context held 13'] },
  { is: 'object Item 9 10', edges: ['property owner 11'] },
  { is: 'object Item 11 20', edges: ['property back 9'] },
  { is: 'string text 13 5', edges: [] },
])

test('the ways from a root to an object are named reference by reference, the shortest first', () => {
  const [item] = retainingPaths(small, [nodeOfId(small, 9)!], 3)
  expect(item).toMatchObject({ id: 9, name: 'Item', className: 'Item', shallowSize: 10, retainedSize: 30 })
  expect(item!.paths.map(draw)).toEqual([
    'element 12 of Cache, property cache of App, property app of Window',
    'element 1 of (GC roots)',
  ])
})

test('a way through the object itself, a weak reference and the root are no reason', () => {
  const [item] = retainingPaths(small, [nodeOfId(small, 11)!], 3)
  expect(item!.paths.map(draw)).toEqual([
    'property owner of Item, element 12 of Cache, property cache of App, property app of Window',
  ])
  expect(retainingPaths(small, [nodeOfId(small, 3)!], 3)[0]!.paths).toEqual([])
})

test('of a class come the objects that keep most', () => {
  const nodes = largestOfClass(small, 'Item', 5)
  expect(nodes.map((node) => small.nodes.ids[node])).toEqual([9, 11])
  expect(largestOfClass(small, 'Item', 1)).toHaveLength(1)
  expect(largestOfClass(small, 'Nothing', 5)).toEqual([])
  expect(nodeOfId(small, 4)).toBeUndefined()
})

test('of a very long way the middle is left out', () => {
  const chain = Array.from({ length: 100 }, (_, index) => ({
    is: `object Link ${index * 2 + 3} 1`,
    edges: index === 99 ? [] : [`property next ${index * 2 + 5}`],
  }))
  const graph = graphOf([{ is: 'synthetic  1 0', edges: ['shortcut window 3'] }, ...chain])
  const [last] = retainingPaths(graph, [nodeOfId(graph, 201)!], 1)
  const [path] = last!.paths
  expect(path).toMatchObject({ leftOutCount: 74, leftOutAfter: 20 })
  expect(path!.steps.map(({ holder }) => holder.id)).toEqual([
    ...Array.from({ length: 20 }, (_, index) => 199 - index * 2),
    11,
    9,
    7,
    5,
    3,
  ])
})

test('why the sessions of a real program live: the map, and of every tenth the closure of its listener', () => {
  const graph = readProfile(sample('heapsnapshot/node-after.heapsnapshot.gz')).heapGraph!
  const sessions = retainingPaths(graph, largestOfClass(graph, 'Session', 250), 2)
  const counts = new Map<string, number>()
  for (const way of sessions.flatMap(({ paths }) => paths.map(draw))) {
    const kind = way.replaceAll(/(?<=internal |element )\d+/g, 'n')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  expect([...counts].toSorted(([, a], [, b]) => b - a)).toEqual([
    ['internal n of , internal table of Map, property cache of Demo, property demo of global', 250],
    [
      'context session of system / Context, internal context of , property onClose of Listener, ' +
        'element n of Array, property listeners of Demo, property demo of global',
      25,
    ],
  ])
})
