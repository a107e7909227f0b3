import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawRows } from '../testing/draw-rows.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { functionRows } from '../testing/function-rows.ts'
import { sample } from '../testing/samples.ts'

const readText = (text: string) => readProfile(new TextEncoder().encode(text))
const read = (document: object) => readText(JSON.stringify(document))
const event = (ph: string, name: string, ts: number, rest: object = {}) => ({
  pid: 1,
  tid: 2,
  ph,
  name,
  ts,
  ...rest,
})

test('slices are calls, and time that is in no slice within is their own', () => {
  const profile = read([
    event('B', 'serve', 10),
    event('X', 'parse', 12, { dur: 3 }),
    event('X', 'parse', 16, { tdur: 2 }),
    event('E', 'serve', 20),
  ])
  expect(profile.sampleTypes).toEqual([{ type: 'wall', unit: 'nanoseconds' }])
  expect(drawTree(profile)).toEqual(['serve 10000/5000', '  parse 5000/5000'])
  expect(Array.from(profile.nodes.calls!)).toEqual([0, 1, 2])
  expect(profile).toMatchObject({ sampleCount: 3, durationMs: 0.01, warnings: [] })
  const { timesMs, nodes, values } = profile.detail!.timeline!
  expect(Array.from(timesMs, (time, row) => [time, nodes[row], values[row]])).toEqual([
    [0, 1, 2000],
    [0.002, 2, 3000],
    [0.005, 1, 1000],
    [0.006, 2, 2000],
    [0.008, 1, 2000],
  ])
})

test('what dotnet-trace says of the innermost method is its own time, and no call', () => {
  const profile = read([
    event('B', 'Main', 10),
    event('B', 'CPU_TIME', 10),
    event('E', 'CPU_TIME', 13),
    event('B', 'Read', 13),
    event('B', 'UNMANAGED_CODE_TIME', 13),
    event('E', 'UNMANAGED_CODE_TIME', 20),
    event('E', 'Read', 20),
    event('E', 'Main', 20),
  ])
  expect(drawTree(profile)).toEqual(['Main 10000/3000', '  Read 7000/7000'])
  expect(profile.nodes.calls).toBeUndefined()
})

test('processes and threads are labels, by name and id', () => {
  const profile = read({
    traceEvents: [
      event('X', 'parse', 0, { dur: 1 }),
      event('X', 'read', 0, { dur: 2, tid: 3 }),
      event('X', 'write', 0, { dur: 3, pid: 'worker', tid: 2 }),
      event('M', 'process_name', 0, { args: { name: 'server' } }),
      event('M', 'thread_name', 0, { args: { name: 'main' } }),
    ],
  })
  expect(profile.threads).toEqual([
    { name: 'server 1 / main 2', totals: [1000] },
    { name: 'server 1 / 3', totals: [2000] },
    { name: 'worker / 2', totals: [3000] },
  ])
  expect(drawTree(profile)).toEqual(['parse 1000/1000', 'read 2000/2000', 'write 3000/3000'])
})

test('events may be in any order, and numbers may be texts', () => {
  const profile = read([
    event('E', 'serve', 20),
    event('X', 'parse', 12, { ts: '12', dur: '3' }),
    event('B', 'serve', 10),
  ])
  expect(drawTree(profile)).toEqual(['serve 10000/7000', '  parse 3000/3000'])
})

test('of ends at one time, that of the innermost slice comes first: by arguments, or by name', () => {
  const nested = [
    event('B', 'a', 0),
    event('B', 'f', 1, { args: { id: 1 } }),
    event('B', 'f', 2, { args: { id: 2 } }),
  ]
  const ends = [
    event('E', 'a', 9),
    event('E', 'f', 9, { args: { id: 1 } }),
    event('E', 'f', 9, { args: { id: 2 } }),
  ]
  const profile = read([...nested, ...ends])
  expect(drawTree(profile)).toEqual(['a 9000/1000', '  f 8000/1000', '    f 7000/7000'])
  expect(profile.warnings).toEqual([])
})

test('a slice that ends when the next one of its name begins is not its caller', () => {
  const profile = read([event('B', 'f', 0), event('E', 'f', 5), event('B', 'f', 5), event('E', 'f', 9)])
  expect(drawTree(profile)).toEqual(['f 9000/9000'])
  const whole = read([event('X', 'f', 0, { dur: 5 }), event('X', 'f', 5, { dur: 4 })])
  expect(drawTree(whole)).toEqual(['f 9000/9000'])
})

test('a slice of no duration begins before it ends', () => {
  const profile = read([
    event('X', 'a', 0, { dur: 5 }),
    event('B', 'f', 2),
    event('E', 'f', 2),
    event('X', 'g', 3),
  ])
  expect(drawTree(profile)).toEqual(['a 5000/5000', '  f 0/0', '  g 0/0'])
  expect(profile.warnings).toEqual([])
})

test('an end without a name ends the innermost slice; one of another name is ignored', () => {
  const { name, ...unnamed } = event('E', 'f', 3)
  expect(name).toBe('f')
  const profile = read([
    event('B', 'a', 0),
    event('B', 'f', 1),
    event('E', 'b', 2),
    unnamed,
    event('E', 'a', 4),
  ])
  expect(drawTree(profile)).toEqual(['a 4000/2000', '  f 2000/2000'])
  expect(profile.warnings).toEqual([
    '1 ends of slices were ignored: they do not fit the innermost open slice.',
  ])
})

test('a slice that is rounded to less than what it called ends with that', () => {
  const profile = read([
    // 1.1 + 2.2 is more than 3.3.
    event('X', 'parse', 0, { dur: 3.3 }),
    event('X', 'read', 1.1, { dur: 2.2 }),
    event('X', 'build', 99, { dur: 5 }),
    event('X', 'compile', 100, { dur: 5 }),
    event('X', 'link', 200, { dur: 10 }),
  ])
  expect(drawTree(profile).map((line) => line.replace(/ [\d.]+\/.*/, ''))).toEqual([
    'parse',
    '  read',
    'build',
    '  compile',
    'link',
  ])
  expect(drawTree(profile)[2]).toBe('build 6000/1000')
  expect(profile.warnings).toEqual([
    '2 slices end before one that is within them; they are as long as that one.',
  ])
})

test('slices that overlap end with the last of them', () => {
  const profile = read([
    event('X', 'a', 0, { dur: 10 }),
    event('X', 'b', 5, { dur: 10 }),
    event('X', 'c', 12, { dur: 10 }),
    event('X', 'd', 30, { dur: 10 }),
  ])
  expect(drawTree(profile)).toEqual(['a 22000/5000', '  b 17000/7000', '    c 10000/10000', 'd 10000/10000'])
})

test('what is open at the end ends with its thread', () => {
  const profile = read([event('B', 'a', 0), event('X', 'f', 1, { dur: 2 })])
  expect(drawTree(profile)).toEqual(['a 3000/1000', '  f 2000/2000'])
  expect(profile.warnings).toEqual(['1 slices were never ended; they end with their threads.'])
})

test('many slices that end at once are read in time', () => {
  const count = 20_000
  const starts = Array.from({ length: count }, (_, index) =>
    event('B', `f${index % 50}`, 0, { args: { index } }),
  )
  const profile = read([...starts, ...starts.map((start) => ({ ...start, ph: 'E', ts: 1 }))])
  expect(profile.sampleCount).toBe(count)
  expect(profile.warnings).toEqual([])
})

test('events that are no stacks are counted', () => {
  const profile = read([
    event('X', 'a', 0, { dur: 1 }),
    event('b', 'load', 0, { id: 1 }),
    event('e', 'load', 1, { id: 1 }),
    event('C', 'memory', 1),
    event('I', 'mark', 1),
    {},
  ])
  expect(profile.warnings).toEqual([
    'Left out, because they are no stacks: 2 async events, 1 counters, 1 instants and marks, 1 entries without a phase.',
  ])
})

test.each([
  ['the bracket may be missing', '', []],
  ['a comma may be the last', ',\n', []],
  ['an event may be cut', ',{"name":"rea', ['The file is cut off: it was read up to its last whole event.']],
  [
    'a string may be cut',
    ',{"name":"]}\\"',
    ['The file is cut off: it was read up to its last whole event.'],
  ],
])('a list may be cut off: %s', (_, end, warnings) => {
  const text = JSON.stringify([
    event('X', 'a', 0, { dur: 3, args: { text: '"]}' } }),
    event('X', 'b', 5, { dur: 1 }),
  ])
  const profile = readText(text.slice(0, -1) + end)
  expect(drawTree(profile)).toEqual(['a 3000/3000', 'b 1000/1000'])
  expect(profile.warnings).toEqual(warnings)
})

test('an object of events may be cut off, too', () => {
  const profile = readText(
    `{"displayTimeUnit":"ns","traceEvents":[${JSON.stringify(event('X', 'a', 0, { dur: 3 }))},{"na`,
  )
  expect(drawTree(profile)).toEqual(['a 3000/3000'])
  expect(profile.warnings).toHaveLength(1)
})

test('a trace that is damaged in its middle is refused', () => {
  const good = JSON.stringify(event('X', 'a', 0, { dur: 3 }))
  expect(() => readText(`[${good},{"ph":},${good}`)).toThrow(
    'the file looks like JSON but is not, or is cut off',
  )
})

const frames = {
  '1': { name: '[root]', category: 'root' },
  '2': { name: 'serve(app.js:30:5)', category: 'JavaScript', line: '30', funcLine: '28', parent: 1 },
  '3': { name: 'parse(app.js:12:3)', category: 'JavaScript', line: '12', funcLine: '10', parent: 2 },
}
const taken = (ts: number, sf: unknown, rest: object = {}) => ({
  pid: 1,
  tid: '2',
  ts: String(ts),
  weight: '1',
  sf,
  ...rest,
})

test("Hermes' samples have stack frames, and last until the next one of their thread", () => {
  const profile = read({
    traceEvents: [event('X', 'mqt_js', 0, { dur: 0 })],
    samples: [taken(100, 3), taken(130, 2), taken(110, 1, { tid: '9' }), taken(150, 3)],
    stackFrames: frames,
  })
  expect(profile.sampleTypes).toEqual([
    { type: 'samples', unit: 'count' },
    { type: 'wall', unit: 'nanoseconds' },
  ])
  expect(drawTree(profile)).toEqual(['[root] 50000/0', '  serve 50000/20000', '    parse 30000/30000'])
  expect(drawTree(profile, 0)).toEqual(['[root] 4/1', '  serve 3/1', '    parse 2/2'])
  expect(profile.functions).toMatchObject({
    files: ['', 'app.js', 'app.js'],
    startLines: Int32Array.of(0, 28, 10),
  })
  expect(profile).toMatchObject({ sampleCount: 4, durationMs: 0.05 })
})

test('samples may be among the events, and slices with a duration are told beside them', () => {
  const profile = read({
    traceEvents: [
      event('P', 'cpu', 100, { sf: 2 }),
      event('P', 'cpu', 130, { sf: 3 }),
      event('X', 'task', 100, { dur: 80 }),
    ],
    stackFrames: frames,
  })
  expect(profile.sampleTypes.map(({ type }) => type)).toEqual(['samples', 'wall', 'slices'])
  expect(drawTree(profile, 2)).toContain('task 80000/80000')
  expect(profile.sampleCount).toBe(2)
  expect(profile.detail?.timeline?.timesMs).toHaveLength(2)
  expect(profile.nodes.calls).toBeUndefined()
})

const frame = (functionName: string, lineNumber = -1, url = '') => ({
  functionName,
  lineNumber,
  url,
  scriptId: '1',
})
const profileEvents = (id: string, tid: number, startTime: number) => [
  event('P', 'Profile', startTime, { id, tid, args: { data: { startTime } } }),
  event('P', 'ProfileChunk', startTime + 5, {
    id,
    tid: 77,
    args: {
      data: {
        cpuProfile: {
          nodes: [
            { id: 1, callFrame: frame('(root)') },
            { id: 2, parent: 1, callFrame: frame('serve', 4, 'app.js') },
            { id: 3, parent: 1, callFrame: frame('(idle)') },
          ],
          samples: [2, 3],
        },
        timeDeltas: [10, 20],
        lines: [6, 0],
      },
    },
  }),
  event('P', 'ProfileChunk', startTime + 9, {
    id,
    tid: 77,
    args: {
      data: {
        cpuProfile: { nodes: [{ id: 4, parent: 2, callFrame: frame('parse', 9, 'app.js') }], samples: [4] },
        timeDeltas: [30],
        endTime: startTime + 100,
      },
    },
  }),
]

test("DevTools' CPU samples are the profile, a thread each, and its slices are told beside", () => {
  const [begin, first, second] = profileEvents('0x1', 5, 1000)
  const profile = read({
    // Chunks may be out of order.
    traceEvents: [
      second!,
      begin!,
      first!,
      ...profileEvents('0x2', 6, 2000),
      event('X', 'RunTask', 1000, { dur: 500, tid: 5 }),
      event('M', 'thread_name', 0, { tid: 5, args: { name: 'CrRendererMain' } }),
    ],
    metadata: { source: 'DevTools', startTime: '2026-11-21T10:00:00.000Z' },
  })
  expect(profile.sampleTypes.map(({ type }) => type)).toEqual(['samples', 'wall', 'cpu', 'slices'])
  expect(profile.defaultSampleTypeIndex).toBe(2)
  expect(drawTree(profile)).toEqual([
    'serve 120000/40000',
    '  parse 80000/80000',
    '(idle) 0/0',
    'RunTask 0/0',
  ])
  expect(drawTree(profile, 1)).toContain('(idle) 60000/60000')
  expect(drawTree(profile, 3)).toContain('RunTask 500000/500000')
  expect(profile.threads).toEqual([
    { name: '1 / CrRendererMain 5', totals: [3, 90_000, 60_000, 500_000] },
    { name: '1 / 6', totals: [3, 90_000, 60_000, 0] },
  ])
  expect(profile).toMatchObject({ sampleCount: 6, durationMs: 1.1, startedAt: '2026-11-21T10:00:00.000Z' })
  expect(Array.from(profile.detail!.timeline!.timesMs)).toEqual([0.01, 0.03, 0.06, 1.01, 1.03, 1.06])
  expect(Array.from(profile.detail!.lines!.lines)).toEqual([6])
  expect(profile.warnings).toEqual(['Idle time counts as wall time, not as CPU time.'])
})

test('samples of both kinds may be in a trace', () => {
  const both = [
    ...profileEvents('0x1', 5, 1000),
    event('P', 'cpu', 1000, { sf: 2 }),
    event('P', 'cpu', 1030, { sf: 2 }),
  ]
  const profile = read({ traceEvents: both, stackFrames: frames })
  expect(drawTree(profile)).toEqual([
    '[root] 30000/0',
    '  serve 30000/30000',
    'serve 60000/20000',
    '  parse 40000/40000',
    '(idle) 0/0',
  ])
  expect(profile.sampleCount).toBe(5)
})

test('of two profilers in one thread at once, the one with more samples is kept', () => {
  const [begin, first] = profileEvents('0x2', 5, 1010)
  const profile = read([...profileEvents('0x1', 5, 1000), begin!, first!])
  expect(profile.sampleCount).toBe(3)
  expect(profile.warnings).toContain(
    '1 CPU profiles were left out: another profiler ran in their threads, too.',
  )
})

test('one profiler after the other is two parts of a thread', () => {
  expect(read([...profileEvents('0x1', 5, 1000), ...profileEvents('0x2', 5, 1100)]).sampleCount).toBe(6)
})

test('parts of a profile whose beginning is missing are counted', () => {
  const profile = read([...profileEvents('0x1', 5, 1000), ...profileEvents('0x2', 5, 1100).slice(1)])
  expect(profile.sampleCount).toBe(3)
  expect(profile.warnings).toContain('2 parts of CPU profiles were left out: their beginnings are missing.')
})

test('what a lost part of a profile would have called begins at the root, and is said so', () => {
  const [begin, , second] = profileEvents('0x1', 5, 1000)
  const lostSamples = event('P', 'ProfileChunk', 1020, {
    id: '0x1',
    args: { data: { cpuProfile: { samples: [2] }, timeDeltas: [10] } },
  })
  const profile = read([begin!, second!, lostSamples])
  expect(drawTree(profile, 0)).toEqual(['(root) 2/1', 'parse 1/1'])
  expect(profile.sampleCount).toBe(2)
  expect(profile.warnings).toContain(
    'Parts of CPU profiles are missing: 2 functions and samples whose callers were in them begin at the root.',
  )
})

test('before Chrome 67, a profile was one event', () => {
  const cpuProfile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2] },
      { id: 2, callFrame: frame('serve', 4, 'app.js') },
    ],
    samples: [2, 2],
    timeDeltas: [10, 20],
    startTime: 1000,
    endTime: 1050,
  }
  const profile = read([event('I', 'CpuProfile', 999, { args: { data: { cpuProfile } } })])
  expect(drawTree(profile)).toEqual(['serve 40000/40000'])
})

test.each<[message: string, document: object]>([
  ['expected a number (at $[0].ts)', [event('B', 'a', NaN)]],
  ['expected a number (at $[0].dur)', [event('X', 'a', 1, { dur: {} })]],
  ['no such stack frame (at $.samples[0].sf)', { traceEvents: [event('i', '', 1)], samples: [taken(1, 8)] }],
  [
    'a stack frame is its own caller (at $.stackFrames.1)',
    {
      traceEvents: [event('i', '', 1)],
      samples: [taken(1, 1)],
      stackFrames: { 1: { name: 'a', parent: 2 }, 2: { name: 'b', parent: 1 } },
    },
  ],
  [
    '1 times for 2 samples (at $[0].args.data.timeDeltas)',
    [
      event('P', 'Profile', 1, {
        args: {
          data: {
            startTime: 1,
            nodes: [{ id: 1, callFrame: frame('(root)') }],
            samples: [1, 1],
            timeDeltas: [1],
          },
        },
      }),
    ],
  ],
  ['the trace holds neither samples nor slices (at $)', [event('I', 'a', 1)]],
])('%s', (message, document) => {
  expect(() => read(document)).toThrow(`trace_event: ${message}`)
})

// python3 samples/count-by-function.py cpu|slices samples/trace_event/FILE
test.each<[path: string, type: string, rows: string[]]>([
  [
    'trace_event/chrome-devtools.json.gz',
    'wall',
    [
      '73428 78004 renderRows',
      '31247 31247 (program)',
      '11276 11276 (garbage collector)',
      '6598 6598 tinySort',
    ],
  ],
  [
    'trace_event/chrome-devtools.json.gz',
    'slices',
    [
      '56874 56874 Layout',
      '45605 172400 RunTask',
      '12844 12844 UpdateLayoutTree',
      '9790 46180 EvaluateScript',
    ],
  ],
  [
    'trace_event/node-trace.json.gz',
    'wall',
    ['91021 100890 tinySort', '78222 260057 serve', '61116 61116 (idle)', '44528 44702 update'],
  ],
  [
    'trace_event/node-trace.json.gz',
    'slices',
    [
      '29638 29638 V8.GCScavenger',
      '3189 32827 MinorGC',
      '3175 3175 V8.DeserializeContext',
      '57 174 CheckImmediate',
    ],
  ],
])('%s has the %s of an independent count', (path, type, rows) => {
  const profile = readProfile(sample(path))
  expect(profile.format).toBe('trace_event')
  expect(functionRows(profile, { type, per: 1000 })).toEqual(expect.arrayContaining(rows))
})

test("samples in Hermes' form have the wall time of the cpuprofile that they were made from", () => {
  const rows = drawRows('trace_event/node-hermes.json.gz', { sampleTypeIndex: 1 })
  const wallTime = drawRows('cpuprofile/node.cpuprofile', { sampleTypeIndex: 1 })
  expect(rows).toEqual(wallTime.filter((row) => !row.endsWith(' 0/0')))
})
