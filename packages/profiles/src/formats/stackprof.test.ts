import { expect, test } from 'vitest'
import { FormatError, topFunctions } from '../index.ts'
import { readProfile } from '../read-profile.ts'
import { drawFunctions } from '../testing/draw-functions.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import { readText } from '../testing/text-profile.ts'

const frame = (name: string, samples: number, total: number, more: object = {}) => ({
  name,
  file: `${name}.rb`,
  line: 3,
  samples,
  total_samples: total,
  ...more,
})
const frames = {
  '11': frame('main', 0, 4, { edges: { '22': 4 }, lines: { '5': [4, 0] } }),
  '22': frame('work', 1, 4, { edges: { '33': 3 }, lines: { '7': [1, 1], '8': [3, 0] } }),
  '33': frame('sort', 3, 3, { lines: { '9': [3, 3] } }),
}
const header = {
  version: 1.2,
  mode: 'cpu',
  interval: 1000,
  samples: 4,
  gc_samples: 0,
  missed_samples: 0,
  frames,
}
const raw = [3, 11, 22, 33, 2, 2, 11, 22, 1, 3, 11, 22, 33, 1]
const read = (more: object) => readText(JSON.stringify({ ...header, ...more }))

test('raw stacks are outermost first, and samples stand for the interval', () => {
  const profile = read({ raw })
  expect(profile.format).toBe('stackprof')
  expect(profile.sampleTypes).toEqual([
    { type: 'samples', unit: 'count' },
    { type: 'cpu', unit: 'nanoseconds' },
  ])
  expect(drawTree(profile)).toEqual(['main 4000000/0', '  work 4000000/1000000', '    sort 3000000/3000000'])
  expect(drawTree(profile, 0)).toEqual(['main 4/0', '  work 4/1', '    sort 3/3'])
  expect(profile.sampleCount).toBe(4)
  expect(profile.functions).toMatchObject({
    files: ['main.rb', 'work.rb', 'sort.rb'],
    startLines: Int32Array.of(3, 3, 3),
  })
})

test('wall time is the time since the sample before, and times are the timeline', () => {
  const profile = read({ mode: 'wall', raw, raw_timestamp_deltas: [900, 1100, 5000, 1000] })
  expect(profile.sampleTypes[1]).toEqual({ type: 'wall', unit: 'nanoseconds' })
  expect(drawTree(profile)).toEqual(['main 8000000/0', '  work 8000000/5000000', '    sort 3000000/3000000'])
  expect(Array.from(profile.detail!.timeline!.timesMs)).toEqual([0, 1.1, 6.1, 7.1])
  expect(Array.from(profile.detail!.timeline!.values)).toEqual([900_000, 1_100_000, 5_000_000, 1_000_000])
  expect(profile.durationMs).toBe(7.1)
  const later = read({
    raw,
    raw_timestamp_deltas: [0, 1, 1, 1],
    raw_sample_timestamps: [500, 700, 900, 2500],
  })
  expect(Array.from(later.detail!.timeline!.timesMs)).toEqual([0, 0.2, 0.4, 2])
})

test('raw lines are lines of functions', () => {
  const profile = read({ raw, raw_lines: [3, 5, 8, 9, 2, 2, 5, 7, 1, 3, 5, 8, 9, 1] })
  const { nodes, lines, selfValues, totalValues } = profile.detail!.lines!
  const rows = Array.from(nodes, (node, row) => [node, lines[row], totalValues[0]![row], selfValues[0]![row]])
  expect(rows).toEqual([
    [1, 5, 4, 0],
    [2, 7, 1, 1],
    [2, 8, 3, 0],
    [3, 9, 3, 3],
  ])
})

test('without raw stacks, the tree is made of frames and edges', () => {
  const profile = read({})
  expect(drawTree(profile, 0)).toEqual(['main 4/0', '  work 4/1', '    sort 3/3'])
  expect(profile.sampleCount).toBe(4)
  const { nodes, lines, selfValues, totalValues } = profile.detail!.lines!
  const rows = Array.from(nodes, (node, row) => [node, lines[row], totalValues[0]![row], selfValues[0]![row]])
  expect(rows).toEqual([
    [1, 5, 4, 0],
    [2, 7, 1, 1],
    [2, 8, 3, 0],
    [3, 9, 3, 3],
  ])
})

test('allocations are samples times the interval, and other modes only count', () => {
  const objects = read({ mode: 'object', interval: 10, raw })
  expect(objects.sampleTypes[1]).toEqual({ type: 'alloc_objects', unit: 'count' })
  expect(drawTree(objects)[0]).toBe('main 40/0')
  const custom = read({ mode: 'custom', raw })
  expect(custom.sampleTypes).toEqual([{ type: 'samples', unit: 'count' }])
})

test('missed samples are said, but not those between two allocations', () => {
  expect(read({ raw, missed_samples: 7 }).warnings).toEqual([expect.stringContaining('missed 7 samples')])
  expect(read({ raw, mode: 'object', missed_samples: 7 }).warnings).toEqual([])
})

test.each<[string, object, RegExp]>([
  ['a stack that is cut off', { raw: [3, 11, 22] }, /does not end in the file \(at \$\.raw\[0\]\)/],
  ['a depth that is no number of frames', { raw: [1e15, 11, 1] }, /does not end/],
  ['a frame that is not there', { raw: [1, 99, 1] }, /no such frame \(at \$\.raw\[1\]\)/],
  ['a number of samples that is none', { raw: [1, 11, -1] }, /number of samples \(at \$\.raw\[2\]\)/],
  ['an edge to nowhere', { frames: { '11': frame('main', 1, 1, { edges: { '4': 1 } }) } }, /no such frame/],
])('%s is refused', (_, more, message) => {
  expect(() => read(more)).toThrow(FormatError)
  expect(() => read(more)).toThrow(message)
})

test('a binary dump is refused, with how to write JSON', () => {
  const bytes = Uint8Array.of(4, 8, 0x7b, 0x0e, ...new TextEncoder().encode(':\fversionf\b1.2:\tmode:\bcpu'))
  expect(() => readProfile(bytes)).toThrow(/stackprof --json file.dump > file.json/)
})

/** Functions of a sample; its script has a frame of its own for each of its two names. */
const countsOf = (path: string) =>
  topFunctions(readProfile(sample(path)), { by: 'self', limit: Infinity, sampleTypeIndex: 0 })
    .filter(({ file }) => file !== 'make-stackprof.rb')
    .map((row) => `${row.functionName} ${row.selfValue}/${row.totalValue}`)
    .toSorted()

// What the gem's own frames say (samples/make-stackprof.rb prints them): samples in a frame, and through it.
test('recordings have the samples that StackProf counted', () => {
  expect(drawFunctions(readProfile(sample('stackprof/cpu.json')), 5, 0)).toEqual([
    '(marking) 3/3',
    'Array#sort 3/3',
    'Enumerable#map 3/5',
    'Object#fib 3/3',
    'Object#sort_words 2/8',
  ])
  expect(countsOf('stackprof/wall.json')).toEqual([
    '<main> 0/24',
    'Array#sort 1/1',
    'Enumerable#map 1/2',
    'Kernel#sleep 20/20',
    'Object#fib 1/1',
    'Object#sort_words 0/3',
    'Object#work 0/4',
    'Range#each 1/2',
    'StackProf.run 0/24',
    'block in <main> 0/24',
  ])
  expect(drawFunctions(readProfile(sample('stackprof/object.json')), 1, 0)).toEqual(['Integer#to_s 30/30'])
})

test('a recording without raw stacks has the samples that StackProf counted, and what they stand for', () => {
  const profile = readProfile(sample('stackprof/wall-aggregate.json'))
  const rows = [
    ['Object#fib', 3, 3],
    ['Integer#to_s', 2, 2],
    ['Object#sort_words', 2, 5],
    ['Array#sort', 1, 1],
    ['<main>', 0, 8],
    ['<main>', 0, 8],
    ['Enumerable#map', 0, 4],
    ['Object#work', 0, 8],
    ['Range#each', 0, 4],
    ['StackProf.run', 0, 8],
    ['block in <main>', 0, 8],
  ] as const
  const intervalNs = 2_000_000
  expect(drawFunctions(profile, Infinity, 0)).toEqual(rows.map(([name, own, all]) => `${name} ${own}/${all}`))
  expect(drawFunctions(profile, Infinity, 1)).toEqual(
    rows.map(([name, own, all]) => `${name} ${own * intervalNs}/${all * intervalNs}`),
  )
})
