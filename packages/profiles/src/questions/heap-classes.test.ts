import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { sample } from '../testing/samples.ts'
import { heapSnapshot, toBytes, type HeapNode } from '../testing/write-heap-snapshot.ts'
import { compareHeapClasses, heapClasses } from './heap-classes.ts'

const graphOf = (nodes: HeapNode[]) => readProfile(toBytes(heapSnapshot(nodes))).heapGraph!

const plain = (id: number, property: string) => ({
  is: `object Object ${id} 10`,
  edges: [`property ${property} 3`],
})

test('what an object keeps through another of its class counts once', () => {
  const graph = graphOf([
    { is: 'synthetic  1 0', edges: ['element 1 3', 'element 2 5'] },
    { is: 'object Node 3 10', edges: ['property child 7'] },
    { is: 'object Node 5 20' },
    { is: 'object Leaf 7 40', edges: ['property child 9'] },
    { is: 'object Node 9 80' },
  ])
  expect(heapClasses(graph).map((row) => Object.values(row).join(' '))).toEqual([
    'Node 3 110 150 0',
    'Leaf 1 40 120 0',
  ])
})

test('objects are told apart by their ids: what came, what went, and what stayed', () => {
  const before = graphOf([
    { is: 'synthetic  1 0', edges: ['element 1 5', 'element 2 7', 'element 3 9'] },
    { is: 'object Item 5 10' },
    { is: 'object Item 7 20' },
    { is: 'object Gone 9 40' },
  ])
  const after = graphOf([
    { is: 'synthetic  1 0', edges: ['element 1 5', 'element 2 11', 'element 3 13', 'element 4 15'] },
    { is: 'object Item 5 10' },
    { is: 'object Item 11 30' },
    { is: 'object Item 13 50' },
    { is: 'object New 15 60' },
  ])
  expect(compareHeapClasses(after, before)).toEqual([
    {
      name: 'Item',
      objectCount: 3,
      shallowSize: 90,
      retainedSize: 90,
      detachedCount: 0,
      baseline: { objectCount: 2, shallowSize: 30, retainedSize: 30 },
      addedCount: 2,
      addedSize: 80,
      removedCount: 1,
      removedSize: 20,
    },
    {
      name: 'New',
      objectCount: 1,
      shallowSize: 60,
      retainedSize: 60,
      detachedCount: 0,
      baseline: { objectCount: 0, shallowSize: 0, retainedSize: 0 },
      addedCount: 1,
      addedSize: 60,
      removedCount: 0,
      removedSize: 0,
    },
    {
      name: 'Gone',
      objectCount: 0,
      shallowSize: 0,
      retainedSize: 0,
      detachedCount: 0,
      baseline: { objectCount: 1, shallowSize: 40, retainedSize: 40 },
      addedCount: 0,
      addedSize: 0,
      removedCount: 1,
      removedSize: 40,
    },
  ])
})

test('a shape that becomes common is compared with the same objects of before', () => {
  const before = graphOf([
    { is: 'synthetic  1 0', edges: ['element 1 5'] },
    { is: 'number n 3 0' },
    plain(5, 'total'),
  ])
  const after = graphOf([
    { is: 'synthetic  1 0', edges: ['element 1 5', 'element 2 7'] },
    { is: 'number n 3 0' },
    plain(5, 'total'),
    plain(7, 'total'),
  ])
  expect(compareHeapClasses(after, before)).toMatchObject([
    { name: '{total}', objectCount: 2, baseline: { objectCount: 1 }, addedCount: 1, removedCount: 0 },
  ])
})

test('between two snapshots of a real program, the cache has grown and the orders are gone', () => {
  const [before, after] = ['before', 'after'].map(
    (name) => readProfile(sample(`heapsnapshot/node-${name}.heapsnapshot.gz`)).heapGraph!,
  )
  const changes = new Map(compareHeapClasses(after!, before!).map((row) => [row.name, row]))
  expect(changes.get('Session')).toMatchObject({ objectCount: 250, addedCount: 200, removedCount: 0 })
  expect(changes.get('Listener')).toMatchObject({ objectCount: 25, addedCount: 20, removedCount: 0 })
  // 50 plain objects of one shape, of which the later snapshot has none, so that it does not know the shape.
  expect(changes.get('Object')).toMatchObject({ objectCount: 0, removedCount: 50 })
})
