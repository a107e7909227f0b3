import { expect, test } from 'vitest'
import type { Profile } from '../profile.ts'
import { readProfile } from '../read-profile.ts'
import { sample, samplePaths } from '../testing/samples.ts'
import { profileOf } from '../testing/stacks.ts'
import { flameGraphTree, toD3, type FlameGraphTree } from './flame-graph-tree.ts'

const profile = profileOf(`
  main;parse;read 2
  main;load;read 1
  main;load 3
  main;parse 4
`)
const draw = ({ names, nodes }: FlameGraphTree) =>
  nodes.parent.map(
    (_, node) =>
      `${'  '.repeat(nodes.depth[node]!)}${names[nodes.nameIndex[node]!]} ${nodes.total[node]}/${nodes.self[node]}`,
  )

test('the tree as flat arrays, depth first, each name once', () => {
  const tree = flameGraphTree(profile)
  expect(draw(tree)).toEqual([
    'root 10/0',
    '  main 10/0',
    '    parse 6/4',
    '      read 2/2',
    '    load 4/3',
    '      read 1/1',
  ])
  expect(tree.names).toEqual(['root', 'main', 'parse', 'read', 'load'])
  expect(tree).toMatchObject({ unit: 'count', totalValue: 10, truncated: false, omittedNodes: 0 })
  expect(tree.nodes.parent).toEqual([-1, 0, 1, 2, 1, 4])
})

test('only the largest nodes stay, with all their callers', () => {
  const tree = flameGraphTree(profile, { maxNodes: 4 })
  expect(draw(tree)).toEqual(['root 10/0', '  main 10/0', '    parse 6/4', '    load 4/3'])
  expect(tree).toMatchObject({ truncated: true, omittedNodes: 2 })
  expect(draw(flameGraphTree(profile, { minPercent: 50 }))).toEqual([
    'root 10/0',
    '  main 10/0',
    '    parse 6/4',
  ])
})

test('a root function is the first node', () => {
  expect(draw(flameGraphTree(profile, { rootFunctionName: 'load' }))).toEqual(['load 4/3', '  read 1/1'])
})

test('inverted, callers are below what they called', () => {
  expect(draw(flameGraphTree(profile, { inverted: true }))).toEqual([
    'root 10/0',
    '  parse 4/0',
    '    main 4/4',
    '  load 3/0',
    '    main 3/3',
    '  read 3/0',
    '    parse 2/0',
    '      main 2/2',
    '    load 1/0',
    '      main 1/1',
  ])
})

test.each(samplePaths())('both ways round, %s has the same total', (path) => {
  const real = readProfile(sample(path))
  const callees = flameGraphTree(real)
  const callers = flameGraphTree(real, { inverted: true })
  expect(callers.totalValue).toBeCloseTo(callees.totalValue, 3)
  for (const { nodes, totalValue } of [callees, callers]) {
    expect(nodes.self.reduce((sum, value) => sum + value, 0)).toBeCloseTo(totalValue, 3)
  }
})

test('the stacks of deep recursion are cut where callers are shown, and that is said', () => {
  const deepStack = `${'f;g;'.repeat(5000)}leaf 1`
  const inverted = flameGraphTree(profileOf(`${deepStack}\n${'f;'.repeat(63)}flat 3`), { inverted: true })
  expect(Math.max(...inverted.nodes.depth)).toBe(64)
  expect(inverted.note).toBe(
    'Of deep stacks, the inner 64 frames are shown: 1 (25.00%) has callers further out.',
  )
  const d3 = toD3(flameGraphTree(profileOf(deepStack)))
  expect(JSON.stringify(d3).match(/"name"/g)).toHaveLength(501)
})

test('what an inverted tree has no room for is left at its root, and said', () => {
  // Thirty thousand functions that are called by the same forty: upside down, each has these callers.
  const [depth, leaves] = [40, 30_000]
  const count = depth + leaves
  const names = Array.from({ length: count }, (_, node) => `f${node}`)
  const wide: Profile = {
    ...profileOf('a 1'),
    functions: {
      names: names.slice(1),
      files: names.slice(1).fill(''),
      startLines: new Int32Array(count - 1),
    },
    nodes: {
      parents: Int32Array.from(names, (_, node) => Math.min(node, depth) - 1),
      functionIndexes: Int32Array.from(names, (_, node) => node - 1),
      lines: new Int32Array(count),
    },
    selfValues: [Float64Array.from(names, (_, node) => (node < depth ? 0 : 1))],
  }
  const { note, totalValue, nodes } = flameGraphTree(wide, { inverted: true, maxNodes: 9 })
  expect([totalValue, nodes.self[0]]).toEqual([leaves, leaves - Math.ceil((2 ** 20 - 1) / depth)])
  expect(note).toBe(
    'Callers below callees there is room for 1,048,576 frames: what did not fit, 3,785 (12.62%), has none. Look below a function, or at fewer samples.',
  )
  expect(flameGraphTree(wide).note).toBeNull()
})

test('d3 gets nested nodes with totals', () => {
  expect(toD3(flameGraphTree(profile, { rootFunctionName: 'parse' }))).toEqual({
    name: 'parse',
    value: 6,
    children: [{ name: 'read', value: 2, children: [] }],
  })
})
