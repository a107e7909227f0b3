import { expect, test } from 'vitest'
import { heapClasses } from '../questions/heap-classes.ts'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import {
  heapSnapshot,
  toBytes,
  type HeapNode,
  type HeapSnapshotDocument,
} from '../testing/write-heap-snapshot.ts'

/**
 *     (root) ─→ (GC roots) ─→ App ─→ Cache ─┬→ Item 7 ─→ text
 *                              │            └→ Item 8 ─→ text
 *                              └────────────────────────↗
 */
const small: HeapNode[] = [
  { is: 'synthetic  1 0', edges: ['element 1 2'] },
  { is: 'synthetic (GC_roots) 2 0', edges: ['element 1 3'] },
  { is: 'object App 3 16', edges: ['property cache 5', 'property last 8'] },
  { is: 'object Cache 5 24', edges: ['element 0 7', 'element 1 8'] },
  { is: 'object Item 7 100', edges: ['property text 9', 'property owner 3'] },
  { is: 'object Item 8 200', edges: ['property text 10'] },
  { is: 'string hello 9 30' },
  { is: 'string world 10 40' },
]

const draw = (nodes: HeapNode[], options?: Parameters<typeof heapSnapshot>[1]) =>
  drawTree(readProfile(toBytes(heapSnapshot(nodes, options))))

test('the tree is what keeps what: totals are retained sizes, self values shallow ones', () => {
  expect(draw(small)).toEqual([
    '(GC roots) 410/0',
    '  App 410/16',
    '    Cache 154/24',
    '      Item 130/100',
    '        (string) 30/30',
    '    Item 240/200',
    '      (string) 40/40',
  ])
  const profile = readProfile(toBytes(heapSnapshot(small)))
  expect(profile.sampleTypes).toEqual([
    { type: 'inuse_objects', unit: 'count' },
    { type: 'inuse_space', unit: 'bytes' },
  ])
  expect(profile).toMatchObject({ defaultSampleTypeIndex: 1, sampleCount: 6, warnings: [] })
  expect(drawTree(profile, 0)[3]).toBe('      Item 2/1')
})

test('objects of one class below the same one are one node, and so is a list of them', () => {
  expect(
    draw([
      { is: 'synthetic  1 0', edges: ['element 1 3'] },
      { is: 'object App 3 16', edges: ['property a 5', 'property b 7'] },
      { is: 'object Link 5 10', edges: ['property next 9'] },
      { is: 'object Link 7 20' },
      { is: 'object Link 9 40', edges: ['property next 11'] },
      { is: 'object Link 11 80', edges: ['property text 13'] },
      { is: 'string x 13 5' },
    ]),
  ).toEqual(['App 171/16', '  Link 155/150', '    (string) 5/5'])
})

test('a weak reference keeps nothing', () => {
  const nodes = structuredClone(small)
  nodes[2]!.edges = ['property cache 5', 'weak last 8']
  expect(draw(nodes).at(-2)).toBe('      Item 370/300')
})

test('a value in a WeakMap is kept by its key, not by the map', () => {
  const name = '2_/_part_of_key_(Key_@5)_->_value_(Value_@9)_pair_in_WeakMap_(table_@7)'
  expect(
    draw([
      { is: 'synthetic  1 0', edges: ['element 1 3'] },
      { is: 'object App 3 1', edges: ['property key 5', 'property map 7'] },
      { is: 'object Key 5 10', edges: [`internal ${name} 9`] },
      { is: 'object Table 7 20', edges: [`internal ${name} 9`] },
      { is: 'object Value 9 40' },
    ]),
  ).toEqual(['App 71/1', '  Key 50/10', '    Value 40/40', '  Table 20/20'])
})

test('what only one object uses counts to it: the elements of an array are its own', () => {
  expect(
    draw([
      { is: 'synthetic  1 0', edges: ['shortcut global 3'] },
      { is: 'object App 3 1', edges: ['property list 5', 'property other 9'] },
      { is: 'object Array 5 16', edges: ['internal elements 7'] },
      { is: 'array  7 800', edges: ['element 0 9'] },
      { is: 'object Item 9 10' },
    ]),
  ).toEqual(['App 827/1', '  Array 816/816', '  Item 10/10'])
})

const order = (id: number) => ({
  is: `object Object ${id} 10`,
  edges: ['property id 3', 'property total 3'],
})

test('plain objects of one shape are a class, and named after their properties', () => {
  expect(
    draw([
      { is: 'synthetic  1 0', edges: ['element 1 5', 'element 2 7', 'element 3 9', 'element 4 11'] },
      { is: 'number smi 3 4' },
      order(5),
      order(7),
      { is: 'object Object 9 20', edges: ['property a,b 3'] },
      {
        is: 'object Object 11 40',
        edges: ['property more 3', 'property total 3', 'property id 3'],
      },
    ]),
  ).toEqual(['{id, total} 60/60', '(number) 4/4', 'Object 20/20'])
})

test('nodes that are in no document any more are named so, with all that only they refer to', () => {
  expect(
    draw([
      { is: 'synthetic  1 0', edges: ['element 1 3', 'element 2 5'] },
      { is: 'native <body> 3 10', edges: ['element 1 7'], detachedness: 1 },
      { is: 'native <div_id="a"> 5 20', edges: ['element 1 7', 'element 2 9'], detachedness: 2 },
      { is: 'native <p> 7 30' },
      { is: 'native <p> 9 40' },
    ]),
  ).toEqual(['<body> 10/10', '<p> 30/30', 'Detached <div> 60/20', '  Detached <p> 40/40'])
})

test('the lists of fields of older and newer V8 are read', () => {
  const expected = draw(small)
  const fields = ['type', 'name', 'id', 'self_size', 'edge_count']
  expect(draw(small, { nodeFields: fields })).toEqual(expected)
  expect(draw(small, { nodeFields: [...fields, 'trace_node_id', 'detachedness'] })).toEqual(expected)
})

test('what the file holds besides objects is said not to be read', () => {
  const document = heapSnapshot(small, { more: { trace_function_count: 2, extra_native_bytes: 4096 } })
  expect(readProfile(toBytes({ ...document, samples: [1000, 7] })).warnings).toEqual([
    '4096 bytes more were in use that are of no object of the heap.',
    'The stacks of allocations in the file were not read.',
    'The times of allocations in the file were not read.',
  ])
})

test('a chain too deep for a tree is counted to what keeps it', () => {
  const length = 2000
  const chain = Array.from({ length }, (_, index) => ({
    is: `object ${index % 2 === 0 ? 'Even' : 'Odd'} ${index * 2 + 3} 1`,
    edges: index === length - 1 ? [] : [`property next ${index * 2 + 5}`],
  }))
  const profile = readProfile(
    toBytes(heapSnapshot([{ is: 'synthetic  1 0', edges: ['element 1 3'] }, ...chain])),
  )
  expect(profile.nodes.parents.length).toBe(501)
  expect(drawTree(profile)[0]).toBe('Even 2000/1')
  expect(profile.warnings).toEqual([
    '1500 objects, deep down, are counted to what keeps them, since the tree is too large.',
  ])
})

test.each<[what: string, change: (document: HeapSnapshotDocument) => unknown, message: string]>([
  ['a node without a name', ({ nodes }) => (nodes[7] = 99), 'the name of a node is not there (at $.strings)'],
  ['a type that is not there', ({ nodes }) => (nodes[6] = 99), 'there is no such type of node (at byte '],
  ['an edge to nowhere', ({ edges }) => (edges[2] = 7), 'an edge leads to no node (at byte '],
  ['too few nodes', ({ nodes }) => nodes.splice(-6), '7 nodes where 8 were announced'],
  ['half a node', ({ nodes }) => nodes.pop(), 'expected numbers in groups of 6'],
  ['too many edges', ({ edges }) => edges.push(1, 1, 0), 'more edges than the 9 that were announced'],
  [
    'edges that no node has',
    ({ snapshot, edges }) => (snapshot.edge_count = edges.push(1, 1, 0) / 3),
    'the nodes have 9 edges, not 10',
  ],
  [
    'nodes without their edges',
    ({ snapshot, edges }) => (edges.splice(-3), snapshot.edge_count--),
    'the nodes have more than 8 edges',
  ],
  ['a number below zero', ({ nodes }) => (nodes[3] = -1), 'expected a whole number (at byte '],
  ['half a byte', ({ nodes }) => (nodes[3] = 0.5), 'expected a whole number (at byte '],
  [
    'a field that is missing',
    ({ snapshot }) => snapshot.meta.node_fields.splice(3, 1, 'size'),
    'expected a field self_size (at $.snapshot.meta.node_fields)',
  ],
  ['strings that are none', ({ strings }) => (strings[1] = 5), 'expected a string (at byte '],
  [
    'more objects than are read',
    ({ snapshot }) => (snapshot.node_count = 1e9),
    'more than 8388608 are not read (at $.snapshot.node_count)',
  ],
])('%s is refused', (_what, change, message) => {
  const document = heapSnapshot(small)
  change(document)
  expect(() => readProfile(toBytes(document))).toThrow(`heapsnapshot: ${message}`)
})

test('a file that is cut off anywhere is refused, and says where', () => {
  const bytes = toBytes(heapSnapshot(small))
  const header = bytes.indexOf(0x5d)
  for (let length = header; length < bytes.length; length += 7) {
    expect(() => readProfile(bytes.subarray(0, length), { format: 'heapsnapshot' })).toThrow(
      /^heapsnapshot: (the file is cut off|this is not JSON) \(at byte \d+\)$/,
    )
  }
})

/**
 * The program that made the samples kept 250 sessions of 1024 bytes in a map, and of every tenth a closure, which DevTools
 * would show with these numbers, too: see `make-heapsnapshot.mjs`.
 */
test('what a real program kept is found, down to the byte', () => {
  const classes = new Map(
    heapClasses(readProfile(sample('heapsnapshot/node-after.heapsnapshot.gz')).heapGraph!).map((row) => [
      row.name,
      row,
    ]),
  )
  expect(classes.get('Session')).toMatchObject({ objectCount: 250 })
  expect(classes.get('Listener')).toMatchObject({ objectCount: 25 })
  expect(classes.get('system / JSArrayBufferData')).toMatchObject({
    objectCount: 250,
    shallowSize: 250 * 1024,
    retainedSize: 250 * 1024,
  })
  const perSession = classes.get('Session')!.retainedSize / 250
  expect(perSession).toBeGreaterThan(1024)
  expect(perSession).toBeLessThan(1024 + 250)
  // A listener is not the only one that keeps its session: it frees nothing but itself and its closure.
  expect(classes.get('Listener')!.retainedSize / 25).toBeLessThan(200)
  expect(classes.get('Demo')!.retainedSize).toBeGreaterThan(250 * 1024)
})
