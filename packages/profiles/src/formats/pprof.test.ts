import { expect, test } from 'vitest'
import { FormatError } from '../format-error.ts'
import { readProfile } from '../read-profile.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { asTopRows, inOrder, parseTop } from '../testing/pprof-top.ts'
import { sample, sampleText } from '../testing/samples.ts'
import { type Field, type PprofParts, packed, protobuf, writePprof } from '../testing/write-pprof.ts'

const everything = { by: 'self', limit: Infinity } as const

test('the rows of a CPU profile are those of go tool pprof -top, exactly', () => {
  const profile = readProfile(sample('pprof/go-cpu.pb.gz'))
  const bySelf = asTopRows(topFunctions(profile, everything))
  const byTotal = asTopRows(topFunctions(profile, { ...everything, by: 'total' }))
  expect(inOrder(bySelf)).toEqual(inOrder(parseTop(sampleText('pprof/go-cpu.flat.txt'))))
  expect(inOrder(byTotal)).toEqual(inOrder(parseTop(sampleText('pprof/go-cpu.cum.txt'))))
  expect(bySelf.map(({ flat }) => flat)).toEqual(
    parseTop(sampleText('pprof/go-cpu.flat.txt')).map(({ flat }) => flat),
  )
  expect(byTotal.map(({ cum }) => cum)).toEqual(
    parseTop(sampleText('pprof/go-cpu.cum.txt')).map(({ cum }) => cum),
  )
})

test('focus and ignore choose the same stacks as those of go tool pprof', () => {
  const profile = readProfile(sample('pprof/go-cpu.pb.gz'))
  const rows = topFunctions(profile, { ...everything, focus: 'serveOrders|fib', ignore: 'sort' })
  expect(inOrder(asTopRows(rows))).toEqual(inOrder(parseTop(sampleText('pprof/go-cpu.focus.txt'))))
})

test.each(['alloc_objects', 'alloc_space', 'inuse_objects', 'inuse_space'])(
  'the rows of a heap profile are those of go tool pprof -top -sample_index=%s, exactly',
  (type) => {
    const profile = readProfile(sample('pprof/go-heap.pb.gz'))
    const sampleTypeIndex = profile.sampleTypes.findIndex((sampleType) => sampleType.type === type)
    const rows = asTopRows(topFunctions(profile, { ...everything, sampleTypeIndex }))
    const expected = parseTop(sampleText(`pprof/go-heap.${type}.txt`))
    expect(expected.length).toBeGreaterThan(5)
    expect(inOrder(rows)).toEqual(inOrder(expected))
  },
)

test('a Go profile tells its time, duration, labels and default sample type', () => {
  const cpu = readProfile(sample('pprof/go-cpu.pb.gz'))
  expect(cpu.startedAt).toMatch(/^20\d\d-\d\d-\d\dT/)
  expect(cpu.durationMs).toBeGreaterThan(2000)
  expect(cpu.sampleTypes[cpu.defaultSampleTypeIndex]).toEqual({ type: 'cpu', unit: 'nanoseconds' })
  const [endpoint] = cpu.labels
  expect(endpoint?.values.map(({ value }) => value).toSorted()).toEqual(['/fib', '/hash', '/orders'])
  const labelled = endpoint!.values.reduce((sum, { weight }) => sum + weight, 0)
  expect(labelled / cpu.selfValues[1]!.reduce((sum, value) => sum + value, 0)).toBeGreaterThan(0.9)
})

/** main calls parse, parse calls read; `hash` is inlined into `digest`. */
const small: PprofParts = {
  sampleTypes: [
    ['samples', 'count'],
    ['cpu', 'nanoseconds'],
  ],
  samples: [
    { ids: [3, 2, 1], values: [1, 10] },
    { ids: [3, 2, 1], values: [2, 20] },
    { ids: [2, 1], values: [1, 10] },
    { ids: [4, 1], values: [1, 10] },
  ],
  locations: [
    { id: 1, functions: ['main@main.go'], lines: [5] },
    { id: 2, functions: ['parse'], lines: [8] },
    { id: 3, functions: ['read'], lines: [9] },
    { id: 4, functions: ['hash', 'digest'], lines: [1, 2] },
  ],
}
const smallTree = ['main 5/0', '  parse 4/1', '    read 3/3', '  digest 1/0', '    hash 1/1']

test('stacks become a tree from the outermost frame, inlined functions below those they are inlined into', () => {
  const profile = readProfile(writePprof(small))
  expect(drawTree(profile, 0)).toEqual(smallTree)
  expect(drawTree(profile)).toEqual([
    'main 50/0',
    '  parse 40/10',
    '    read 30/30',
    '  digest 10/0',
    '    hash 10/10',
  ])
  expect(Array.from(profile.nodes.lines)).toEqual([0, 5, 8, 9, 2, 1])
  expect(profile.sampleCount).toBe(4)
})

test('numbers of a sample may be in one field or in a field each', () => {
  expect(drawTree(readProfile(writePprof({ ...small, isPacked: false })), 0)).toEqual(smallTree)
})

test('a sample may have its locations in several lists', () => {
  const split = protobuf([
    [
      2,
      [
        [1, packed(3)],
        [1, 2],
        [1, packed(1)],
        [2, 7],
        [2, packed(70)],
      ],
    ],
  ])
  const bytes = new Uint8Array([...split, ...writePprof({ ...small, samples: [] })])
  expect(drawTree(readProfile(bytes), 0)).toEqual(['main 7/0', '  parse 7/0', '    read 7/7'])
})

test('ids may be any number of 64 bits', () => {
  const ids = [2 ** 22, 2 ** 40, 0xffff_ffff_ffff_fffen, 0xffff_ffff_ffff_ffffn]
  const profile = readProfile(
    writePprof({
      ...small,
      samples: small.samples.map((s) => ({ ...s, ids: s.ids.map((id) => ids[Number(id) - 1]!) })),
      locations: small.locations.map((location, index) => ({ ...location, id: ids[index]! })),
    }),
  )
  expect(drawTree(profile, 0)).toEqual(smallTree)
})

test('values may be negative, as in the difference of two profiles', () => {
  const profile = readProfile(
    writePprof({
      samples: [
        { ids: [1], values: [-5] },
        { ids: [2, 1], values: [3] },
      ],
      locations: small.locations,
    }),
  )
  expect(drawTree(profile)).toEqual(['main -2/-5', '  parse 3/3'])
})

test('a sample without a stack counts for the whole', () => {
  const profile = readProfile(writePprof({ ...small, samples: [{ ids: [], values: [4, 40] }] }))
  expect(drawTree(profile, 0)).toEqual(['(root) 4/4'])
})

test('recursion is a path in the tree, and counts once in the total of the function', () => {
  const samples = [
    { ids: [1, 1, 1], values: [2] },
    { ids: [2, 1, 1], values: [1] },
  ]
  const profile = readProfile(writePprof({ samples, locations: small.locations }))
  expect(drawTree(profile)).toEqual(['main 3/0', '  main 3/0', '    main 2/2', '    parse 1/1'])
  expect(topFunctions(profile, { by: 'total', limit: 1 })[0]).toMatchObject({
    functionName: 'main',
    totalValue: 3,
    selfValue: 2,
  })
})

test('a location without functions is named after its binary', () => {
  const profile = readProfile(
    writePprof({
      samples: [
        { ids: [2, 1], values: [1] },
        { ids: [3], values: [1] },
      ],
      locations: [
        { id: 1, functions: ['main'] },
        { id: 2, functions: [], binary: '/usr/lib/libz.so.1' },
        { id: 3, functions: [] },
      ],
    }),
  )
  expect(drawTree(profile)).toEqual(['main 1/0', '  [libz.so.1] 1/1', '<unknown> 1/1'])
  expect(profile.functions.files).toEqual(['', '/usr/lib/libz.so.1', ''])
  expect(profile.warnings).toEqual(['2 of 3 locations have no function names.'])
})

test('the line of a node is the one with most self value', () => {
  const profile = readProfile(
    writePprof({
      samples: [
        { ids: [1], values: [1] },
        { ids: [2], values: [5] },
      ],
      locations: [
        { id: 1, functions: ['main'], lines: [10] },
        { id: 2, functions: ['main'], lines: [20] },
      ],
    }),
  )
  expect(drawTree(profile)).toEqual(['main 6/6'])
  expect(profile.nodes.lines[1]).toBe(20)
})

test('the file may name its default sample type', () => {
  expect(readProfile(writePprof({ ...small, defaultSampleType: 'samples' })).defaultSampleTypeIndex).toBe(0)
  expect(readProfile(writePprof({ ...small, defaultSampleType: 'other' })).defaultSampleTypeIndex).toBe(1)
})

test('labels are counted, with text or numbers', () => {
  const profile = readProfile(
    writePprof({
      samples: [
        { ids: [1], values: [3], labels: { thread: 'a', bytes: 512 } },
        { ids: [1], values: [4], labels: { thread: 'b', bytes: 512 } },
        { ids: [1], values: [5], labels: { thread: 'a' } },
      ],
      locations: small.locations,
    }),
  )
  expect(profile.labels).toEqual([
    {
      name: 'thread',
      valueCount: 2,
      values: [
        { value: 'a', sampleCount: 2, weight: 8 },
        { value: 'b', sampleCount: 1, weight: 4 },
      ],
    },
    { name: 'bytes', valueCount: 1, values: [{ value: '512', sampleCount: 2, weight: 7 }] },
  ])
})

test('labels count alike wherever they are in their samples, and those without any have the rest', () => {
  const stack: Field = [1, packed(1)]
  const one: Field = [
    3,
    protobuf([
      [1, 1],
      [2, 2],
    ]),
  ]
  const two: Field = [
    3,
    protobuf([
      [1, 1],
      [2, 3],
    ]),
  ]
  const profile = readProfile(
    protobuf([
      [2, [stack, [2, packed(1)], one, two]],
      [2, [one, stack, two, [2, packed(2)]]],
      [2, [one, two, [2, packed(4)], stack]],
      [2, [stack, [2, packed(8)]]],
      [
        1,
        [
          [1, 4],
          [2, 4],
        ],
      ],
      [
        4,
        [
          [1, 1],
          [4, [[1, 1]]],
        ],
      ],
      [
        5,
        [
          [1, 1],
          [2, 5],
        ],
      ],
      ...['', 'key', 'one', 'two', 'samples', 'main'].map((text): Field => [6, text]),
    ]),
  )
  const both = { sampleCount: 3, weight: 7 }
  expect(profile.labels).toEqual([
    {
      name: 'key',
      valueCount: 2,
      values: [
        { value: 'one', ...both },
        { value: 'two', ...both },
      ],
    },
  ])
  expect(profile.detail?.labelled?.values.map((column) => [...column])).toEqual([[8, 7]])
})

test('of a sample with thousands of labels, the first ones are told', () => {
  const labels = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`key ${index}`, 'value']))
  const profile = readProfile(
    writePprof({ samples: [{ ids: [1], values: [3], labels }], locations: small.locations }),
  )
  expect(profile.detail?.labelSets.at(-1)).toHaveLength(64)
  expect(profile.warnings).toEqual(['Samples with more than 64 labels: 1936 labels were not counted.'])
})

test('frames to drop are hidden with what they call, but never a whole stack', () => {
  const locations = [
    { id: 1, functions: ['main'] },
    { id: 2, functions: ['malloc'] },
    { id: 3, functions: ['grow'] },
    { id: 4, functions: ['malloc_inlined', 'copy'] },
    { id: 5, functions: ['malloc_keep'] },
  ]
  const samples = [
    { ids: [3, 2, 1], values: [1] },
    { ids: [3, 4, 1], values: [2] },
    { ids: [3, 5, 1], values: [4] },
    { ids: [1, 2], values: [8] },
  ]
  const shown = readProfile(
    writePprof({ samples, locations, dropFrames: 'malloc.*', keepFrames: 'malloc_k[a-z]+' }),
  )
  expect(drawTree(shown)).toEqual([
    'main 7/1',
    '  copy 2/2',
    '  malloc_keep 4/0',
    '    grow 4/4',
    'malloc 8/0',
    '  main 8/8',
  ])
})

test('a pattern for frames to drop that cannot be read is a warning', () => {
  const profile = readProfile(writePprof({ ...small, dropFrames: '(' }))
  expect(drawTree(profile, 0)).toEqual(smallTree)
  expect(profile.warnings).toEqual([
    'Frames matching "(" should be hidden, but not all are: Pattern, character 6: missing ")".',
  ])
})

test('a stack of 100,000 frames is read', () => {
  const profile = readProfile(
    writePprof({
      samples: [{ ids: Array.from({ length: 100_000 }, (_, depth) => 1 + (depth % 2)), values: [1] }],
      locations: small.locations,
    }),
  )
  expect(profile.nodes.parents.length).toBe(100_001)
  expect(topFunctions(profile, { by: 'total', limit: 2 }).map(({ totalValue }) => totalValue)).toEqual([1, 1])
})

test.each<[message: string, bytes: Uint8Array]>([
  ['pprof: the profile holds no samples', writePprof({ ...small, samples: [] })],
  [
    'pprof: a sample has 1 values for 2 sample types (at byte 12)',
    writePprof({ ...small, samples: [{ ids: [1], values: [1] }] }),
  ],
  [
    'pprof: a sample names location 9, which the file does not define',
    writePprof({ ...small, samples: [{ ids: [9], values: [1, 1] }] }),
  ],
  [
    'pprof: two locations have the id 1 (at byte 24)',
    writePprof({
      samples: [{ ids: [1], values: [1] }],
      locations: [
        { id: 1, functions: ['a'] },
        { id: 1, functions: ['b'] },
      ],
    }),
  ],
  [
    'pprof: a location has no id, or 0 (at byte 14)',
    writePprof({ samples: [{ ids: [0], values: [1] }], locations: [{ id: 0, functions: ['a'] }] }),
  ],
  [
    'pprof: two profiles were concatenated',
    writePprof({
      ...small,
      more: [
        [9, 1],
        [9, 1],
      ],
    }),
  ],
  ['pprof: field 9 of wire type 2 is not of a pprof file', writePprof({ ...small, more: [[9, 'x']] })],
])('%s', (message, bytes) => {
  expect(() => readProfile(bytes, { format: 'pprof' })).toThrow(FormatError)
  expect(() => readProfile(bytes, { format: 'pprof' })).toThrow(message)
})

test('a file that is cut off says where', () => {
  const bytes = writePprof(small)
  expect(() => readProfile(bytes.subarray(0, bytes.length - 12))).toThrow(/cut off.*at byte \d+/)
})

test('a name that is not UTF-8 is refused at its byte', () => {
  const bytes = writePprof(small)
  const at = bytes.findIndex(
    (_, index) => String.fromCharCode(...bytes.subarray(index, index + 5)) === 'parse',
  )
  bytes[at + 2] = 0xff
  expect(() => readProfile(bytes)).toThrow(`pprof: the text is not valid UTF-8 (at byte ${at + 2})`)
})

test('inlined frames that multiply are refused soon', () => {
  const callers = Array.from({ length: 5000 }, (_, index) => ({ id: index + 2, functions: ['caller'] }))
  const bytes = writePprof({
    samples: callers.map(({ id }) => ({ ids: [1, id], values: [1] })),
    locations: [{ id: 1, functions: Array.from({ length: 20_000 }, () => 'inlined') }, ...callers],
  })
  expect(() => readProfile(bytes)).toThrow('pprof: too many inlined frames')
})

test('more nodes than allowed are refused', () => {
  expect(() => readProfile(writePprof(small), { maxNodes: 3 })).toThrow(
    'pprof: the call tree has more than 3 nodes',
  )
})
