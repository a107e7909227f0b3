import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { functionRows } from '../testing/function-rows.ts'
import { sample } from '../testing/samples.ts'

const read = (document: object) => readProfile(new TextEncoder().encode(JSON.stringify(document)))

/** (root), main, parse, a native address, and a label. */
const geckoThread = {
  name: 'GeckoMain',
  processType: 'tab',
  processName: 'Web Content',
  tid: 12,
  pid: 10,
  stringTable: [
    '(root)',
    'main (https://example.org/app.js:1:1)[0]',
    'parse (resource://a.js -> https://example.org/app.js:5:10)',
    '0x7f0000000010',
    'script parsing',
  ],
  frameTable: {
    schema: { location: 0, relevantForJS: 1, line: 2 },
    data: [[0], [1, true, 20], [2, true, 6], [3], [4], [2, true, 7]],
  },
  stackTable: {
    schema: { prefix: 0, frame: 1 },
    data: [
      [null, 0],
      [0, 1],
      [1, 2],
      [2, 3],
      [1, 5],
      [0, 4],
    ],
  },
  samples: {
    schema: { stack: 0, time: 1, eventDelay: 2, threadCPUDelta: 3 },
    data: [
      [1, 100, 0, null],
      [2, 101, 0, 900_000],
      [3, 102.5, 0, 400_000],
      [4, 104, 0, 1_000_000],
      [5, 105],
    ],
  },
  markers: {
    schema: { name: 0, startTime: 1, endTime: 2, phase: 3, category: 4, data: 5 },
    data: [[4, 100, 101, 1, 0]],
  },
}
const gecko = {
  meta: {
    version: 34,
    interval: 1,
    startTime: 1_600_000_000_000,
    processType: 0,
    sampleUnits: { threadCPUDelta: 'ns' },
  },
  libs: [
    { start: 4096, end: 8192, name: 'firefox', path: '/usr/bin/firefox' },
    { start: 0x7f0000000000, end: 0x7f0000001000, name: 'libxul.so', path: '/usr/lib/libxul.so' },
  ],
  threads: [geckoThread],
  processes: [],
}

test('what Firefox writes: CPU time since the sample before, and wall time until the next one', () => {
  const profile = read(gecko)
  expect(profile.sampleTypes).toEqual([
    { type: 'samples', unit: 'count' },
    { type: 'wall', unit: 'nanoseconds' },
    { type: 'cpu', unit: 'nanoseconds' },
  ])
  expect(drawTree(profile)).toEqual([
    'main 2300000/0',
    '  parse 2300000/1900000',
    '    [libxul.so] 400000/400000',
    'script parsing 0/0',
  ])
  expect(drawTree(profile, 1)).toEqual([
    'main 5000000/1000000',
    '  parse 4000000/2500000',
    '    [libxul.so] 1500000/1500000',
    'script parsing 1000000/1000000',
  ])
  expect(profile.functions).toEqual({
    names: ['main', 'parse', '[libxul.so]', 'script parsing'],
    files: ['https://example.org/app.js', 'https://example.org/app.js', '/usr/lib/libxul.so', ''],
    startLines: Int32Array.of(1, 5, 0, 0),
  })
  expect(profile.threads.map(({ name }) => name)).toEqual(['Web Content 10 / GeckoMain 12'])
  expect(profile).toMatchObject({ durationMs: 6, startedAt: '2020-09-13T12:26:40.100Z', sampleCount: 5 })
  expect(profile.warnings).toEqual(['1 markers were left out: they have no stacks.'])
})

test('lines of frames have what was called from there', () => {
  const { lines } = read(gecko).detail!
  const rows = Array.from(lines!.nodes, (node, row) => [
    node,
    lines!.lines[row],
    lines!.selfValues[0]![row],
    lines!.totalValues[0]![row],
  ])
  expect(rows).toEqual([
    [1, 20, 1, 4],
    [2, 6, 1, 2],
    [2, 7, 1, 1],
  ])
})

test('subprocesses are on the clock of the first one', () => {
  const profile = read({
    ...gecko,
    processes: [
      {
        ...gecko,
        meta: { ...gecko.meta, startTime: gecko.meta.startTime + 3 },
        threads: [{ ...geckoThread, processName: 'WebExtensions', pid: 20, tid: 20 }],
      },
    ],
  })
  expect(profile.threads.map(({ name }) => name)).toEqual([
    'Web Content 10 / GeckoMain 12',
    'WebExtensions 20 / GeckoMain 20',
  ])
  expect(Array.from(profile.detail!.timeline!.timesMs)).toEqual([0, 1, 2.5, 3, 4, 4, 5, 5.5, 7, 8])
})

test('subprocesses that are a text of JSON, as Firefox wrote them until 2016, are counted in a warning', () => {
  const old = JSON.stringify({ ...gecko, meta: { ...gecko.meta, version: 3 } })
  const profile = read({ ...gecko, threads: [geckoThread, old, old] })
  expect(profile.threads).toHaveLength(1)
  expect(profile.warnings).toContain(
    '2 subprocesses are written as texts, as Firefox did until 2016: they were left out.',
  )
})

const stackOf = (stack: number) => ({ samples: { schema: { stack: 0, time: 1 }, data: [[stack, 100]] } })

test('allocations are sample types of their own', () => {
  const markers = [
    [4, 100, 0, 0, 0, { type: 'JS allocation', size: 64, stack: stackOf(2) }],
    [4, 101, 0, 0, 0, { type: 'Native allocation', size: 100, stack: stackOf(1) }],
    [4, 102, 0, 0, 0, { type: 'Native allocation', size: -30, stack: stackOf(1) }],
  ]
  const profile = read({
    ...gecko,
    threads: [{ ...geckoThread, markers: { ...geckoThread.markers, data: markers } }],
  })
  expect(profile.sampleTypes.slice(3)).toEqual([
    { type: 'js_allocations', unit: 'bytes' },
    { type: 'native_allocations', unit: 'bytes' },
    { type: 'native_deallocations', unit: 'bytes' },
  ])
  expect(drawTree(profile, 3)).toContain('  parse 64/64')
  expect(drawTree(profile, 4)[0]).toBe('main 100/100')
  expect(drawTree(profile, 5)[0]).toBe('main 30/30')
  expect(profile).toMatchObject({ sampleCount: 5, warnings: [] })
})

test('DevTools wraps a profile, and old ones tell no CPU time', () => {
  const { threadCPUDelta, ...schema } = geckoThread.samples.schema
  expect(threadCPUDelta).toBe(3)
  const samples = { schema, data: geckoThread.samples.data.map((row) => row.slice(0, 3)) }
  const profile = read({
    label: 'old',
    duration: 6,
    profile: { ...gecko, threads: [{ ...geckoThread, samples }] },
  })
  expect(profile.sampleTypes.map(({ type }) => type)).toEqual(['samples', 'wall'])
  expect(profile.defaultSampleTypeIndex).toBe(1)
})

const tables = {
  stackTable: { frame: [0, 1, 2], prefix: [null, 0, 1], length: 3 },
  frameTable: { func: [0, 1, 2], line: [20, 6, null], address: [-1, -1, 16], length: 3 },
  funcTable: {
    name: [0, 1, 2],
    fileName: [3, 3, null],
    lineNumber: [1, 5, null],
    resource: [-1, -1, 0],
    isJS: [true, true, false],
    length: 3,
  },
  resourceTable: { lib: [0], name: [4], host: [null], type: [1], length: 1 },
}
const stringArray = ['main', 'parse', '0x10', 'https://example.org/app.js', 'libxul.so']
const libs = [{ name: 'libxul.so', path: '/usr/lib/libxul.so' }]
const samples = { stack: [0, 1, 2, null], time: [0, 1, 3, 4], weight: null, weightType: 'samples', length: 4 }
const markers = { name: [], data: [], length: 0 }
const meta = { version: 30, preprocessedProfileVersion: 55, interval: 1, startTime: 0 }
const thread = { name: 'GeckoMain', processType: 'tab', pid: '10', tid: 12, samples, markers }
const readSaved = (changes: object, metaChanges: object = {}) =>
  read({
    meta: { ...meta, ...metaChanges },
    libs,
    threads: [{ ...thread, ...tables, stringArray, ...changes }],
  })
const tree = ['main 4000000/1000000', '  parse 3000000/2000000', '    [libxul.so] 1000000/1000000']

test('what the Firefox profiler saves, with tables in every thread', () => {
  const profile = readSaved({})
  expect(drawTree(profile)).toEqual(tree)
  expect(profile.functions).toMatchObject({ files: [stringArray[3], stringArray[3], '/usr/lib/libxul.so'] })
  expect(profile.warnings).toEqual(['1 samples have no stack; they were left out.'])
  expect(profile.startedAt).toBeUndefined()
})

test('shared tables, offsets of stacks, deltas of times, sources and libraries of frames, of later versions', () => {
  const { fileName, resource, ...funcTable } = tables.funcTable
  expect([fileName.length, resource.length]).toEqual([3, 3])
  const shared = {
    stringArray,
    stackTable: { frame: [0, 1, 2], prefixOffset: [0, 1, 1], length: 3 },
    frameTable: { ...tables.frameTable, lib: [-1, -1, 0], originalLocation: [null, 0, null] },
    funcTable: { ...funcTable, source: [0, 0, null], originalLocation: [null, 1, null] },
    sources: { id: [null, null], filename: [3, 4], length: 2 },
    sourceLocationTable: { source: [1, 1], line: [66, 55], column: [1, 1], length: 2 },
  }
  const { time, ...rest } = samples
  expect(time).toHaveLength(4)
  const threads = [1, 2].map((tid) => ({ ...thread, tid, samples: { ...rest, timeDeltas: [0, 1, 2, 1] } }))
  const profile = read({ meta: { ...meta, preprocessedProfileVersion: 70 }, libs, shared, threads })
  expect(drawTree(profile)).toEqual([
    'main 8000000/2000000',
    '  parse 6000000/4000000',
    '    [libxul.so] 2000000/2000000',
  ])
  expect(profile.functions).toMatchObject({
    files: ['https://example.org/app.js', 'libxul.so', '/usr/lib/libxul.so'],
    startLines: Int32Array.of(1, 55, 0),
  })
  expect(Array.from(profile.detail!.lines!.lines)).toEqual([20, 66])
})

test.each([
  ['samples', 0, 'main 9/2'],
  ['tracing-ms', 1, 'main 9000000/2000000'],
  ['bytes', 1, 'main 9/2'],
])('weights may be %s', (weightType, sampleTypeIndex, root) => {
  const profile = readSaved({ samples: { ...samples, weight: [2, 3, 4, 1], weightType } })
  expect(profile.defaultSampleTypeIndex).toBe(1)
  expect(profile.sampleTypes[1]!.type).toBe(weightType === 'bytes' ? 'space' : 'wall')
  expect(drawTree(profile, sampleTypeIndex)[0]).toBe(root)
})

test.each([
  ['µs', { type: 'cpu', unit: 'nanoseconds' }, 'main 3000/0'],
  ['variable CPU cycles', { type: 'cpu_cycles', unit: 'count' }, 'main 3/0'],
])('CPU time may be in %s', (threadCPUDelta, sampleType, root) => {
  const profile = readSaved(
    { samples: { ...samples, threadCPUDelta: [9, 1, 2, 0] } },
    { sampleUnits: { threadCPUDelta } },
  )
  expect(profile.sampleTypes[2]).toEqual(sampleType)
  expect(drawTree(profile)[0]).toBe(root)
})

test.each<[message: string, thread: object]>([
  ['no such row (at $.threads[0].samples.stack[1])', { samples: { ...samples, stack: [0, 3, 2, null] } }],
  [
    'no such row (at $.threads[0].stackTable.prefix[2])',
    { stackTable: { frame: [0, 1, 2], prefix: [null, 0, 9] } },
  ],
  ['a stack is its own caller (at stack', { stackTable: { frame: [0, 1, 2], prefix: [2, 0, 1] } }],
  ['expected an index (at $.threads[0].frameTable.func[1])', { frameTable: { func: [0, null, 2] } }],
  ['3 rows of timesMs for 4 stacks (at thread 0)', { samples: { ...samples, time: [1, 2, 3] } }],
  [
    '1 prefixes for 3 stacks (at $.threads[0].stackTable)',
    { stackTable: { frame: [0, 1, 2], prefix: [null] } },
  ],
  ['the profile holds no samples', { samples: { ...samples, stack: [null, null, null, null] } }],
  ['expected an object (at $.threads[0].funcTable)', { funcTable: 7 }],
])('%s', (message, changes) => {
  expect(() => readSaved(changes)).toThrow(`firefox: ${message}`)
})

test('a real profile has the rows of an independent count', () => {
  const profile = readProfile(sample('firefox/firefox-gecko.json.gz'))
  expect(profile.format).toBe('firefox')
  // python3 samples/count-by-function.py firefox samples/firefox/firefox-gecko.json.gz
  expect(functionRows(profile, { type: 'samples' })).toEqual(
    expect.arrayContaining([
      '126 155 [libc.so.6]',
      '25 155 [libxul.so]',
      '3 155 [firefox-esr]',
      '1 2 tinySort',
      '0 155 [unknown]',
      '0 89 XRE_InitChildProcess',
      '0 75 js::RunScript',
    ]),
  )
  expect(profile.threads.map(({ name }) => name.replaceAll(/\d+/g, 'N'))).toEqual([
    'Parent Process N / GeckoMain N',
    'file:// Content N / GeckoMain N',
  ])
})
