import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample, sampleText } from '../testing/samples.ts'

const frame = (functionName: string) => ({
  functionName,
  url: `${functionName}.js`,
  lineNumber: 4,
  columnNumber: 0,
  scriptId: '1',
})
const engineFrame = (functionName: string) => ({
  functionName,
  url: '',
  lineNumber: -1,
  columnNumber: -1,
  scriptId: '0',
})

/** (root) ─┬─ main ── work, (idle) */
const small = {
  nodes: [
    { id: 1, callFrame: engineFrame('(root)'), children: [2, 4] },
    { id: 2, callFrame: frame('main'), children: [3] },
    {
      id: 3,
      callFrame: frame('work'),
      positionTicks: [
        { line: 6, ticks: 1 },
        { line: 9, ticks: 4 },
      ],
    },
    { id: 4, callFrame: engineFrame('(idle)') },
  ],
  startTime: 1000,
  endTime: 1100,
  samples: [2, 3, 4, 3],
  timeDeltas: [10, 20, 30, 5],
}
const read = (document: object) => readProfile(new TextEncoder().encode(JSON.stringify(document)))

test('a sample lasts until the next one, the last until the end', () => {
  const profile = read(small)
  expect(drawTree(profile, 1)).toEqual(['main 85000/20000', '  work 65000/65000', '(idle) 5000/5000'])
  expect(profile.durationMs).toBe(0.1)
})

test('idle time counts as wall time, not as CPU time, and CPU time is the default', () => {
  const profile = read(small)
  expect(profile.sampleTypes[profile.defaultSampleTypeIndex]).toEqual({ type: 'cpu', unit: 'nanoseconds' })
  expect(drawTree(profile)).toEqual(['main 85000/20000', '  work 65000/65000', '(idle) 0/0'])
  expect(drawTree(profile, 0)).toEqual(['main 3/1', '  work 2/2', '(idle) 1/1'])
})

test('functions have 1-based start lines; nodes have the line with most ticks', () => {
  const profile = read(small)
  expect(profile.functions).toEqual({
    names: ['main', '(idle)', 'work'],
    files: ['main.js', '', 'work.js'],
    startLines: Int32Array.of(5, 0, 5),
  })
  expect(Array.from(profile.nodes.lines)).toEqual([0, 0, 9, 0])
})

test('when the clock of V8 goes back, ours stands still', () => {
  const profile = read({ ...small, samples: [2, 3, 2], timeDeltas: [10, -5, 20], endTime: 1030 })
  expect(drawTree(profile, 1)).toEqual(['main 20000/5000', '  work 15000/15000', '(idle) 0/0'])
})

test('nodes may name their parent, not their children', () => {
  const nodes = small.nodes.map(({ children: _children, ...node }) => ({
    ...node,
    parent: { 2: 1, 3: 2, 4: 1 }[node.id],
  }))
  expect(drawTree(read({ ...small, nodes }))).toEqual(drawTree(read(small)))
})

test('the nested form of old Node versions is read', () => {
  const head = {
    ...engineFrame('(root)'),
    id: 1,
    children: [{ ...frame('main'), id: 2, children: [{ ...frame('work'), id: 3, children: [] }] }],
  }
  const profile = read({
    head,
    startTime: 1,
    endTime: 2,
    samples: [2, 3, 3],
    timestamps: [100, 110, 140, 150],
  })
  expect(drawTree(profile)).toEqual(
    ['main 40/10', '  work 30/30'].map((line) => line.replaceAll('0', '0000')),
  )
})

test('hit counts alone share the duration', () => {
  const { samples: _samples, timeDeltas: _timeDeltas, ...rest } = small
  const nodes = small.nodes.map((node) => ({ ...node, hitCount: node.id === 3 ? 3 : node.id === 2 ? 1 : 0 }))
  expect(drawTree(read({ ...rest, nodes }))).toEqual([
    'main 100000/25000',
    '  work 75000/75000',
    '(idle) 0/0',
  ])
})

/** The same question, asked the plain way: a map of objects and recursion. */
function naiveTotals(text: string): Map<string, { self: number; total: number }> {
  const { nodes, samples, timeDeltas, startTime, endTime }: typeof small = JSON.parse(text)
  const selfById = new Map<number, number>()
  let clock = startTime
  const times = timeDeltas.map((delta) => (clock += delta))
  for (const [index, id] of samples.entries()) {
    const latest = Math.max(...times.slice(0, index + 1))
    const next = index + 1 < times.length ? Math.max(...times.slice(0, index + 2)) : Math.max(endTime, latest)
    selfById.set(id, (selfById.get(id) ?? 0) + (next - latest) * 1000)
  }
  const rows = new Map<string, { self: number; total: number }>()
  const visit = (id: number, open: string[]): number => {
    const { callFrame, children = [] } = nodes.find((node) => node.id === id)!
    const name = `${callFrame.functionName || '(anonymous)'} ${callFrame.url} ${callFrame.lineNumber + 1}`
    const self = callFrame.functionName === '(idle)' ? 0 : (selfById.get(id) ?? 0)
    const total = children.reduce((sum, child) => sum + visit(child, [...open, name]), self)
    const row = rows.get(name) ?? { self: 0, total: 0 }
    rows.set(name, { self: row.self + self, total: row.total + (open.includes(name) ? 0 : total) })
    return total
  }
  visit(nodes[0]!.id, [])
  return rows
}

test('the rows of a real profile are those of a plain recursive reader', () => {
  const profile = readProfile(sample('cpuprofile/node.cpuprofile'))
  const rows = topFunctions(profile, { by: 'self', limit: Infinity })
  expect(rows.length).toBeGreaterThan(20)
  const expected = naiveTotals(sampleText('cpuprofile/node.cpuprofile'))
  for (const row of rows) {
    const line =
      profile.functions.startLines[
        profile.functions.names.findIndex(
          (name, index) =>
            name === row.functionName &&
            profile.functions.files[index] === row.file &&
            (profile.functions.startLines[index] === row.line || profile.functions.startLines[index] === 0),
        )
      ]
    expect({ self: row.selfValue, total: row.totalValue }).toEqual(
      expected.get(`${row.functionName} ${row.file} ${line}`),
    )
  }
  const sumOfSelf = [...expected]
    .filter(([name]) => !name.startsWith('(root)'))
    .reduce((sum, [, row]) => sum + row.self, 0)
  expect(rows.reduce((sum, row) => sum + row.selfValue, 0)).toBe(sumOfSelf)
})

test('the program spends its time where it was written to', () => {
  const profile = readProfile(sample('cpuprofile/node.cpuprofile'))
  const names = topFunctions(profile, { by: 'total', limit: 12 }).map(({ functionName }) => functionName)
  expect(names).toEqual(expect.arrayContaining(['serve', 'tinySort']))
})

test.each<[message: string, document: object]>([
  [
    'node 2 has two parents (at $.nodes[2].children[0])',
    { ...small, nodes: [...small.nodes.slice(0, 2), { ...small.nodes[2], children: [2] }, small.nodes[3]] },
  ],
  [
    'node 7 is its own caller: the nodes form a cycle (at $.nodes[4])',
    {
      ...small,
      nodes: [
        ...small.nodes,
        { id: 7, callFrame: frame('a'), children: [8] },
        { id: 8, callFrame: frame('b'), children: [7] },
      ],
    },
  ],
  [
    'no node has the id 99 (at $.nodes[0].children[0])',
    { ...small, nodes: [{ ...small.nodes[0], children: [99] }] },
  ],
  ['node id 1 is there twice (at $.nodes[1].id)', { ...small, nodes: [small.nodes[0], small.nodes[0]] }],
  ['sample of an unknown node 12 (at $.samples[1])', { ...small, samples: [2, 12, 3, 3] }],
  ['3 times for 4 samples (at $.timeDeltas)', { ...small, timeDeltas: [1, 2, 3] }],
  ['expected a number (at $.timeDeltas[2])', { ...small, timeDeltas: [1, 2, '3', 4] }],
  [
    'expected a string (at $.nodes[1].callFrame.functionName)',
    { ...small, nodes: [small.nodes[0], { id: 2, callFrame: {} }, small.nodes[2], small.nodes[3]] },
  ],
  ['the profile holds no samples (at $.samples)', { ...small, samples: [], timeDeltas: [] }],
])('%s', (message, document) => {
  expect(() => read(document)).toThrow(`cpuprofile: ${message}`)
})
