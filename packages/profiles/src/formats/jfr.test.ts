import { expect, test } from 'vitest'
import { FormatError } from '../format-error.ts'
import { filterProfile } from '../questions/filter-profile.ts'
import { readProfile } from '../read-profile.ts'
import { selfValuesOf, type ImportedProfile } from '../profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample, sampleText } from '../testing/samples.ts'
import { integer, jfrClassId, utf8, writeJfr, type JfrParts, type JfrValue } from '../testing/write-jfr.ts'

const orders = () => readProfile(sample('jfr/orders.jfr.gz'))

const typeIndex = (profile: ImportedProfile, type: string) =>
  profile.sampleTypes.findIndex((sampleType) => sampleType.type === type)
const total = (profile: ImportedProfile, type: string) =>
  selfValuesOf(profile, typeIndex(profile, type)).reduce((sum, value) => sum + value, 0)
const totals = (profile: ImportedProfile) =>
  Object.fromEntries(profile.sampleTypes.map(({ type }) => [type, total(profile, type)]))
const tree = (profile: ImportedProfile, type = 'samples') => drawTree(profile, typeIndex(profile, type))

/** Stacks that `jfr print` prints, without lines, with how many events have them and what they add up to. */
function printed(event: string): { stack: string; count: number; value: number }[] {
  const rows = new Map<string, { stack: string; count: number; value: number }>()
  for (const line of sampleText('jfr/orders.txt').trimEnd().split('\n')) {
    const [, frames = '', count, value] = /^(.*) (\d+) (\d+)$/.exec(line) ?? []
    const [type, ...stack] = frames.split(';').map((frame) => frame.replace(/:\d+$/, ''))
    if (type !== event) continue
    const row = rows.get(stack.join(';')) ?? { stack: stack.join(';'), count: 0, value: 0 }
    rows.set(row.stack, row)
    row.count += Number(count)
    row.value += Number(value)
  }
  return [...rows.values()].toSorted((a, b) => (a.stack < b.stack ? -1 : 1))
}

/** The stacks of a profile in that form. */
function stacksOf(
  profile: ImportedProfile,
  countType: string,
  valueType: string,
): ReturnType<typeof printed> {
  const { parents, functionIndexes } = profile.nodes
  const paths: string[][] = [[]]
  for (let node = 1; node < parents.length; node++)
    paths[node] = [...paths[parents[node]!]!, profile.functions.names[functionIndexes[node]!]!]
  const counts = selfValuesOf(profile, typeIndex(profile, countType))
  const values = selfValuesOf(profile, typeIndex(profile, valueType))
  return paths
    .map((path, node) => ({ stack: path.join(';'), count: counts[node]!, value: values[node]! }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => (a.stack < b.stack ? -1 : 1))
}

// orders.txt is what `jfr print --json` prints about the recording, added up by samples/make-jfr.py.
test.each([
  ['jdk.ObjectAllocationSample', 'alloc_objects', 'alloc_space'],
  ['jdk.JavaMonitorEnter', 'lock_count', 'lock_delay'],
  ['jdk.ThreadSleep', 'sleep_count', 'sleep_delay'],
  ['jdk.FileWrite', 'file_count', 'file_bytes'],
])(
  'events %s have the stacks that jfr print prints, and add up to the same',
  (event, countType, valueType) => {
    const expected = printed(event)
    expect(expected.length).toBeGreaterThan(0)
    expect(stacksOf(orders(), countType, valueType)).toEqual(expected)
  },
)

test('samples have the stacks that jfr print prints, and stand for the time of the settings', () => {
  const profile = orders()
  const expected = printed('jdk.ExecutionSample').map((row) => ({ ...row, value: row.count * 10_000_000 }))
  expect(expected.length).toBeGreaterThan(5)
  expect(stacksOf(profile, 'samples', 'cpu')).toEqual(expected)
  expect(profile.sampleTypes[profile.defaultSampleTypeIndex]).toEqual({ type: 'cpu', unit: 'nanoseconds' })
})

test('collections are frames below (GC), with the pauses that jfr print prints', () => {
  const profile = orders()
  const { count, value } = printed('jdk.GarbageCollection')[0]!
  expect(tree(profile, 'gc_count').filter((line) => !line.endsWith(' 0/0'))).toEqual([
    `(GC) ${count}/0`,
    `  G1New (G1 Evacuation Pause) ${count}/${count}`,
  ])
  expect(total(profile, 'gc_pause')).toBe(value)
})

test('lines of frames have what jfr print prints for them', () => {
  const profile = orders()
  const { nodes, lines, totalValues: values } = profile.detail!.lines!
  const type = typeIndex(profile, 'samples')
  const ours = new Map<string, number>()
  for (let row = 0; row < nodes.length; row++) {
    const name = profile.functions.names[profile.nodes.functionIndexes[nodes[row]!]!]!
    if (/^com\.example\..*(run|countWords|isPrime)$/.test(name) && values[type]![row]! > 0)
      ours.set(`${name}:${lines[row]}`, (ours.get(`${name}:${lines[row]}`) ?? 0) + values[type]![row]!)
  }
  const expected = new Map<string, number>()
  for (const line of sampleText('jfr/orders.txt').split('\n')) {
    const [, frames = '', count] = /^jdk\.ExecutionSample;(.*) (\d+) \d+$/.exec(line) ?? []
    for (const frame of frames.split(';')) {
      if (/^com\.example\..*(run|countWords|isPrime):/.test(frame))
        expected.set(frame, (expected.get(frame) ?? 0) + Number(count))
    }
  }
  expect(expected.size).toBeGreaterThan(4)
  expect(ours).toEqual(expected)
})

test('a recording tells its start and duration; its samples their threads, classes and times', () => {
  const profile = orders()
  expect(profile.startedAt).toMatch(/^2026-\d\d-\d\dT/)
  expect(profile.durationMs).toBeGreaterThan(1500)
  const labels = new Map(profile.labels.map(({ name, values }) => [name, values.map(({ value }) => value)]))
  expect(labels.get('thread')).toEqual(
    expect.arrayContaining(['pricing', 'importer', 'warehouse-1', 'warehouse-2', 'main']),
  )
  expect(labels.get('thread_group')).toContain('main')
  expect(labels.get('class')).toEqual(expect.arrayContaining(['byte[]', 'java.lang.Object']))
  const { timesMs } = profile.detail!.timeline!
  expect(timesMs.length).toBe(total(profile, 'samples'))
  expect(timesMs.at(0)).toBeGreaterThan(0)
  expect(timesMs.at(-1)).toBeLessThan(profile.durationMs!)

  const pricing = filterProfile(profile, profile.detail, { labels: new Map([['thread', 'pricing']]) })
  const names = new Set(
    drawTree(pricing)
      .filter((line) => !line.endsWith(' 0/0'))
      .map((line) => line.trim().split(' ')[0]),
  )
  expect(names).toContain('com.example.Orders$Pricing.isPrime')
  expect(names).not.toContain('com.example.Orders$Importer.run')
})

test('functions of Java are in the file of their outermost class', () => {
  const { names, files } = orders().functions
  expect(files[names.indexOf('com.example.Orders$Pricing.isPrime')]).toBe('com/example/Orders.java')
  expect(files[names.indexOf('java.lang.Thread.run')]).toBe('java/lang/Thread.java')
})

test('events with stacks that are not read are named', () => {
  expect(orders().warnings).toEqual([
    expect.stringMatching(/^Events with stacks that are no part of the profile: jdk\.ClassDefine \(\d+\)\.$/),
  ])
})

/** main calls parse, parse calls read; the names are symbols 1 to 9. */
const symbols = {
  1: ['com/example/Main'],
  2: ['main'],
  3: ['parse'],
  4: ['read'],
  5: ['java/lang/String'],
  6: ['[B'],
}
const threads = {
  1: ['main', 11, 'main', 1, 1, false],
  2: ['GC Thread#0', 12, null, 0, 0, false],
  3: [null, 0, '', 77, 1, true],
}
const states = { 0: ['STATE_DEFAULT'], 1: ['STATE_RUNNABLE'], 2: ['STATE_SLEEPING'] }
const frame = (method: number, line: number, type = 1): JfrValue => [method, line, 0, type]
/** Innermost frame first. */
const stacks = {
  1: [false, [frame(3, 30), frame(2, 20), frame(1, 10)]],
  2: [false, [frame(2, 21), frame(1, 10)]],
  3: [true, [frame(3, 31)]],
}
const constants = {
  'jdk.types.StackTrace': stacks,
  'jdk.types.Method': { 1: [1, 2, 0, 1, false], 2: [1, 3, 0, 1, false], 3: [1, 4, 0, 1, false] },
  'java.lang.Class': { 1: [0, 1], 2: [0, 5], 3: [0, 6] },
  'jdk.types.Symbol': symbols,
  'jdk.types.FrameType': { 1: ['JIT compiled'], 2: ['Native'] },
  'jdk.types.ThreadState': states,
  'jdk.types.ThreadGroup': { 1: [0, 'system'] },
  'java.lang.Thread': threads,
}
/** Of a thread with a stack, at a time in nanoseconds. */
const executionSample = (time: number, stack: number, thread = 1, state = 1): [string, ...JfrValue[]] => [
  'jdk.ExecutionSample',
  time,
  thread,
  stack,
  state,
]
const setting = (name: string, value: string, id = 0): [string, ...JfrValue[]] => [
  'jdk.ActiveSetting',
  0,
  id,
  name,
  value,
]
const small: JfrParts = {
  constants: [constants],
  events: [executionSample(1e6, 1), executionSample(2e6, 1), executionSample(3e6, 2, 2)],
}
const read = (...chunks: JfrParts[]) => readProfile(Buffer.concat(chunks.map((parts) => writeJfr(parts))))
const smallTree = [
  'com.example.Main.main 3/0',
  '  com.example.Main.parse 3/1',
  '    com.example.Main.read 2/2',
]

test('stacks become a tree from the outermost frame', () => {
  const profile = read(small)
  expect(tree(profile)).toEqual(smallTree)
  expect(profile).toMatchObject({ format: 'jfr', sampleCount: 3, durationMs: 10_000, warnings: [] })
  expect(profile.startedAt).toBe('2023-11-14T22:13:20.000Z')
  expect(profile.detail?.lines?.lines).toEqual(Int32Array.of(10, 20, 21, 30))
  expect(profile.detail?.timeline).toMatchObject({
    timesMs: Float64Array.of(1, 2, 3),
    values: Float64Array.of(1, 1, 1),
  })
})

test('threads have the names of Java, else those of the system, and virtual ones are together', () => {
  const { detail } = read({ ...small, events: [1, 2, 3].map((thread) => executionSample(1, 1, thread)) })
  expect(detail?.labelSets).toEqual([
    [],
    [
      ['thread', 'main'],
      ['thread_group', 'system'],
    ],
    [['thread', 'GC Thread#0']],
    [
      ['thread', '(unnamed virtual threads)'],
      ['thread_group', 'system'],
      ['thread_kind', 'virtual'],
    ],
  ])
})

test('chunks become one tree, although their ids differ', () => {
  const renumbered = {
    ...constants,
    'jdk.types.Method': { 7: [1, 2, 0, 1, false], 1: [1, 3, 0, 1, false] },
    'jdk.types.StackTrace': { 1: [false, [frame(1, 22), frame(7, 11)]] },
  }
  const later = {
    constants: [renumbered],
    events: [executionSample(5000, 1)],
    startNanos: 1_700_000_002_000_000_000n,
    startTicks: 3000,
    ticksPerSecond: 1000,
  }
  const profile = read(small, later)
  expect(tree(profile)).toEqual([
    'com.example.Main.main 4/0',
    '  com.example.Main.parse 4/2',
    '    com.example.Main.read 2/2',
  ])
  expect(profile.detail?.timeline?.timesMs).toEqual(Float64Array.of(1, 2, 3, 4000))
  expect(profile.durationMs).toBe(12_000)
})

test('constants may be in several checkpoints, and ids any number of 64 bits', () => {
  const [first, second] = ['9223372036854775809', '18446744073709551614']
  const { 'jdk.types.StackTrace': _, ...others } = constants
  const profile = read({
    constants: [
      { 'jdk.types.StackTrace': { [first]: stacks[1] } },
      others,
      { 'jdk.types.StackTrace': { [second]: stacks[2] } },
    ],
    events: [
      ['jdk.ExecutionSample', 0, 1, BigInt(first), 1],
      ['jdk.ExecutionSample', 0, 1, BigInt(second), 1],
    ],
  })
  expect(tree(profile)).toEqual([
    'com.example.Main.main 2/0',
    '  com.example.Main.parse 2/1',
    '    com.example.Main.read 1/1',
  ])
})

test('methods are told apart by all 64 bits of their ids', () => {
  const ids = [3, 2 ** 31 + 3, 2 ** 32 + 3, 2 ** 62]
  const profile = read({
    constants: [
      {
        ...constants,
        'jdk.types.Method': Object.fromEntries(
          ids.map((id, index) => [BigInt(id), [0, index + 1, 0, 1, false]]),
        ),
        'jdk.types.Symbol': Object.fromEntries(ids.map((_, index) => [index + 1, [`method${index}`]])),
        'jdk.types.StackTrace': { 1: [false, ids.map((id) => frame(id, 5))] },
      },
    ],
    events: [executionSample(0, 1), executionSample(0, 1)],
  })
  expect(tree(profile)).toEqual(['method3 2/0', '  method2 2/0', '    method1 2/0', '      method0 2/2'])
})

test('strings may be null, empty, UTF-8, UTF-16, Latin-1, or constants', () => {
  const names: JfrValue[] = [
    null,
    '',
    { bytes: utf8('größe') },
    { bytes: [4, 2, ...integer(0x61), ...integer(0x20ac)] },
    { bytes: [5, 2, 0x61, 0xe9] },
    { bytes: [2, 1] },
  ]
  const profile = read({
    constants: [
      {
        ...constants,
        'java.lang.String': { 1: ['pooled'] },
        'jdk.types.Symbol': {
          1: ['A'],
          ...Object.fromEntries(names.map((name, index) => [index + 2, [name]])),
        },
        'jdk.types.Method': Object.fromEntries(
          names.map((_, index) => [index + 1, [1, index + 2, 0, 1, false]]),
        ),
        'jdk.types.StackTrace': { 1: [false, names.map((_, index) => frame(index + 1, 1))] },
      },
    ],
    events: [executionSample(0, 1)],
  })
  expect(profile.functions.names).toEqual(['A.<unknown>', 'A.größe', 'A.a€', 'A.aé', 'A.pooled'])
})

test('the numbers of classes that the JVM makes up are left out', () => {
  const classes = [
    'com/example/Main$$Lambda$14/0x0000000800c03000',
    'com/example/Main$$Lambda+0x00007f8177090218/543846639',
    'java.lang.invoke.LambdaForm$MH+0x00007f0b74009400.742953941',
    'jdk/internal/reflect/GeneratedMethodAccessor31',
    'com/example/Step2',
    'com/example/Outer$1',
  ]
  const profile = read({
    constants: [
      {
        ...constants,
        'jdk.types.Symbol': {
          1: ['run'],
          ...Object.fromEntries(classes.map((name, index) => [index + 2, [name]])),
        },
        'java.lang.Class': Object.fromEntries(classes.map((_, index) => [index + 1, [0, index + 2]])),
        'jdk.types.Method': Object.fromEntries(
          classes.map((_, index) => [index + 1, [index + 1, 1, 0, 0, false]]),
        ),
        'jdk.types.StackTrace': { 1: [false, classes.map((_, index) => frame(index + 1, 1))] },
      },
    ],
    events: [executionSample(0, 1)],
  })
  expect(profile.functions).toMatchObject({
    names: [
      'com.example.Main$$Lambda.run',
      'java.lang.invoke.LambdaForm$MH.run',
      'jdk.internal.reflect.GeneratedMethodAccessor.run',
      'com.example.Step2.run',
      'com.example.Outer$1.run',
    ],
    files: [
      'com/example/Main.java',
      'java/lang/invoke/LambdaForm.java',
      'jdk/internal/reflect/GeneratedMethodAccessor.java',
      'com/example/Step2.java',
      'com/example/Outer.java',
    ],
  })
})

test('async-profiler knows frames of libraries and of the kernel', () => {
  const asyncProfiler = {
    ...constants,
    'jdk.types.FrameType': { 1: ['JIT compiled'], 2: ['Native'], 3: ['Kernel'], 4: ['C++'] },
    'jdk.types.Symbol': { ...symbols, 7: ['libc.so.6'], 8: ['vdso'], 9: [''], 10: ['kernel'] },
    'java.lang.Class': { 1: [0, 1], 2: [0, 7], 3: [0, 8], 4: [0, 9], 5: [0, 10] },
    'jdk.types.Method': {
      1: [1, 2, 0, 0, false],
      2: [2, 3, 0, 0, false],
      3: [3, 4, 0, 0, false],
      4: [4, 2, 0, 0, false],
      5: [5, 3, 0, 0, false],
    },
    'jdk.types.StackTrace': {
      1: [false, [frame(1, 1), frame(2, 0, 2), frame(3, 0, 2), frame(4, 0, 4), frame(5, 0, 3)]],
    },
  }
  const { names, files } = read({ constants: [asyncProfiler], events: [executionSample(0, 1)] }).functions
  expect(names.map((name, index) => `${name} in ${files[index]}`)).toEqual([
    'com.example.Main.main in com/example/Main.java',
    'parse in libc.so.6',
    'read in [vdso]',
    'main in ',
    'parse in [kernel.kallsyms]',
  ])
})

test('a native method of Java is in its class', () => {
  const nativeFrames = { 1: [false, [frame(1, 0, 2)]] }
  const profile = read({ ...small, constants: [{ ...constants, 'jdk.types.StackTrace': nativeFrames }] })
  expect(profile.functions.names).toEqual(['com.example.Main.main'])
})

const executionSampleId = jfrClassId('jdk.ExecutionSample')

test.each<[string, ReturnType<typeof setting>[], Record<string, number>]>([
  ['the period of the JDK', [setting('period', '20 ms', executionSampleId)], { samples: 3, cpu: 60e6 }],
  ['a period of another event', [setting('period', '20 ms', 7)], { samples: 3 }],
  ['a period that is none', [setting('period', 'everyChunk', executionSampleId)], { samples: 3 }],
  [
    'the interval of async-profiler',
    [setting('event', 'cpu'), setting('interval', '5000000')],
    { samples: 3, cpu: 15e6 },
  ],
  ['its default', [setting('event', 'itimer'), setting('interval', '0')], { samples: 3, cpu: 30e6 }],
  [
    'an interval of something else than time',
    [setting('event', 'cache-misses'), setting('interval', '1000')],
    { samples: 3 },
  ],
])('samples stand for time by %s', (_, settings, expected) => {
  expect(totals(read({ ...small, events: [...settings, ...small.events!] }))).toEqual(expected)
})

const wallClock = {
  classes: {
    'profiler.WallClockSample': {
      startTime: 'long',
      sampledThread: 'java.lang.Thread*',
      stackTrace: 'jdk.types.StackTrace*',
      state: 'jdk.types.ThreadState*',
      samples: 'int',
    },
  },
  constants: [constants],
}

test('samples of a wall clock know whether the thread slept, and those that ran count as time on a processor', () => {
  const profile = read({
    ...wallClock,
    events: [
      setting('event', 'wall'),
      setting('interval', '10000000'),
      ['profiler.WallClockSample', 0, 1, 1, 1, 2],
      ['profiler.WallClockSample', 0, 2, 2, 2, 40],
    ],
  })
  expect(totals(profile)).toEqual({ samples: 2, cpu: 20e6, wall_samples: 42, wall: 420e6 })
  expect(profile.sampleCount).toBe(42)
  const ofState = profile.labels.find(({ name }) => name === 'state')
  expect(ofState?.values.map(({ value }) => value)).toEqual(['RUNNABLE', 'SLEEPING'])
})

test('with a wall clock beside the processor, the state tells whose a sample is', () => {
  const profile = read({
    ...wallClock,
    events: [
      setting('event', 'cpu'),
      setting('interval', '10000000'),
      setting('wall', '50000000'),
      executionSample(0, 1, 1, 0),
      executionSample(0, 1, 1, 1),
      ['profiler.WallClockSample', 0, 2, 2, 2, 3],
    ],
  })
  expect(totals(profile)).toEqual({ samples: 1, cpu: 10e6, wall_samples: 4, wall: 200e6 })
})

const allocation = {
  startTime: 'long',
  eventThread: 'java.lang.Thread*',
  stackTrace: 'jdk.types.StackTrace*',
  objectClass: 'java.lang.Class*',
}
const allocations: JfrParts = {
  classes: {
    'jdk.ObjectAllocationInNewTLAB': { ...allocation, allocationSize: 'long', tlabSize: 'long' },
    'jdk.ObjectAllocationOutsideTLAB': { ...allocation, allocationSize: 'long' },
    'jdk.ObjectAllocationSample': { ...allocation, weight: 'long' },
    'profiler.LiveObject': { ...allocation, allocationSize: 'long' },
  },
  constants: [constants],
}

test('allocations have bytes and the class of the object', () => {
  const profile = read({
    ...allocations,
    events: [
      ['jdk.ObjectAllocationInNewTLAB', 0, 1, 1, 3, 24, 1000],
      ['jdk.ObjectAllocationOutsideTLAB', 0, 1, 2, 2, 5000],
      ['profiler.LiveObject', 0, 1, 1, 3, 24],
    ],
  })
  expect(totals(profile)).toEqual({ alloc_objects: 2, alloc_space: 6000, inuse_objects: 1, inuse_space: 24 })
  expect(profile.sampleTypes[profile.defaultSampleTypeIndex]!.type).toBe('alloc_space')
  const classes = profile.labels.find(({ name }) => name === 'class')
  expect(classes?.values.map(({ value }) => value).toSorted()).toEqual(['byte[]', 'java.lang.String'])
})

test('an allocation does not count twice', () => {
  const profile = read({
    ...allocations,
    events: [
      ['jdk.ObjectAllocationInNewTLAB', 0, 1, 1, 3, 24, 1000],
      ['jdk.ObjectAllocationSample', 0, 1, 1, 3, 1000],
    ],
  })
  expect(totals(profile)).toEqual({ alloc_objects: 1, alloc_space: 1000 })
  expect(profile.warnings).toEqual([
    'jdk.ObjectAllocationSample (1) was left out, because jdk.ObjectAllocationInNewTLAB tells the same.',
  ])
})

test('more classes than labels may be leave the threads told apart', () => {
  const numbers = Array.from({ length: 5001 }, (_, index) => index + 10)
  const profile = read({
    ...allocations,
    constants: [
      {
        ...constants,
        'jdk.types.Symbol': { ...symbols, ...Object.fromEntries(numbers.map((n) => [n, [`Type${n}`]])) },
        'java.lang.Class': Object.fromEntries(numbers.map((n) => [n, [0, n]])),
      },
    ],
    events: numbers.map((n) => ['jdk.ObjectAllocationSample', 0, 1, 1, n, 8]),
  })
  expect(profile.labels.map(({ name, valueCount }) => [name, valueCount])).toEqual([
    ['thread', 1],
    ['thread_group', 1],
    ['class', 5000],
  ])
  expect(profile.labels[0]?.values[0]?.sampleCount).toBe(5001)
  expect(profile.warnings).toEqual([
    'Too many threads and classes to tell apart: 1 samples lack the label class.',
  ])
})

test('durations are in the unit that the metadata says, and what was read at the end of a file is 0 bytes', () => {
  const io = {
    startTime: 'long',
    duration: 'long TICKS',
    eventThread: 'java.lang.Thread*',
    stackTrace: 'jdk.types.StackTrace*',
  }
  const profile = read({
    classes: {
      'jdk.FileRead': { ...io, path: 'java.lang.String', bytesRead: 'long' },
      'jdk.ThreadSleep': { ...io, duration: 'long MILLISECONDS' },
    },
    constants: [constants],
    ticksPerSecond: 2_000_000_000,
    events: [
      ['jdk.FileRead', 0, 3000, 1, 1, '/tmp/a', 10],
      ['jdk.FileRead', 0, 3001, 1, 1, '/tmp/a', -1],
      ['jdk.ThreadSleep', 0, 7, 1, 1],
    ],
  })
  expect(totals(profile)).toEqual({
    sleep_count: 1,
    sleep_delay: 7e6,
    file_count: 2,
    file_delay: 3000,
    file_bytes: 10,
  })
})

test('fields that are not needed are stepped over, of whatever kind', () => {
  const profile = read({
    classes: {
      Place: { at: 'double', weight: 'float', notes: 'java.lang.String[]' },
      'jdk.ExecutionSample': {
        places: 'Place[]',
        flag: 'byte',
        text: 'java.lang.String',
        startTime: 'long',
        one: 'Place',
        numbers: 'long[]',
        sampledThread: 'java.lang.Thread*',
        stackTrace: 'jdk.types.StackTrace*',
        states: 'jdk.types.ThreadState*[]',
      },
    },
    constants: [constants],
    events: [
      [
        'jdk.ExecutionSample',
        [
          [1.5, 2.5, ['a', null]],
          [1, 2, []],
        ],
        -1,
        'text',
        5e6,
        [0, 0, ['b']],
        [1, 2 ** 40, -1],
        2,
        1,
      ],
    ],
  })
  expect(tree(profile).at(-1)).toBe('    com.example.Main.read 1/1')
  expect(profile.threads.map(({ name }) => name)).toEqual(['GC Thread#0'])
  expect(profile.detail?.timeline?.timesMs).toEqual(Float64Array.of(5))
})

test('frames may have other fields, of whatever kind, and no types', () => {
  const profile = read({
    ...small,
    classes: {
      'jdk.types.StackFrame': {
        note: 'java.lang.String',
        method: 'jdk.types.Method*',
        weights: 'double[]',
        lineNumber: 'int',
      },
    },
    constants: [
      {
        ...constants,
        'jdk.types.StackTrace': {
          1: [
            false,
            [
              ['', 2, [0.5, 2], 20],
              ['main', 1, [], -1],
            ],
          ],
          2: [false, [['', 99, [], 7]]],
        },
      },
    ],
  })
  expect(tree(profile)).toEqual([
    'com.example.Main.main 2/0',
    '  com.example.Main.parse 2/2',
    '<unknown> 1/1',
  ])
  expect(profile.detail?.lines?.lines).toEqual(Int32Array.of(20, 7))
})

test('a line has what all stacks through it have, and what ends there as its own', () => {
  const profile = read(
    {
      constants: [
        {
          ...constants,
          'jdk.types.StackTrace': {
            1: [false, [frame(2, 20), frame(1, 10)]],
            2: [false, [frame(3, 30), frame(2, 20), frame(1, 11)]],
            3: [false, [frame(2, 21), frame(1, 10)]],
          },
        },
      ],
      events: [1, 2, 2, 3].map((stack) => executionSample(0, stack)),
    },
    // In another chunk, the first of these stacks.
    { ...small, events: [executionSample(0, 1)] },
  )
  expect(tree(profile)).toEqual([
    'com.example.Main.main 5/0',
    '  com.example.Main.parse 5/2',
    '    com.example.Main.read 3/3',
  ])
  const { nodes, lines, selfValues, totalValues } = profile.detail!.lines!
  expect(
    [...nodes].map((node, row) => [node, lines[row], selfValues[0]![row], totalValues[0]![row]]),
  ).toEqual([
    [1, 10, 0, 3],
    [1, 11, 0, 2],
    [2, 20, 1, 4],
    [2, 21, 1, 1],
    [3, 30, 3, 3],
  ])
})

test('the names of JDK 9 and 10 are known', () => {
  const { 'jdk.types.StackTrace': traces, ...others } = constants
  const profile = read({
    version: [1, 0],
    classes: {
      'com.oracle.jfr.types.StackTrace': { truncated: 'boolean', frames: 'jdk.types.StackFrame[]' },
      'com.oracle.jdk.ExecutionSample': {
        startTime: 'long',
        sampledThread: 'java.lang.Thread*',
        stackTrace: 'com.oracle.jfr.types.StackTrace*',
      },
    },
    constants: [{ ...others, 'com.oracle.jfr.types.StackTrace': traces }],
    events: [['com.oracle.jdk.ExecutionSample', 0, 1, 1]],
  })
  expect(tree(profile).at(-1)).toBe('    com.example.Main.read 1/1')
})

test('stacks that lack their outermost frames, and samples that have none, are counted', () => {
  const profile = read({
    ...small,
    events: [executionSample(0, 3), executionSample(0, 0), executionSample(0, 99)],
  })
  expect(tree(profile)).toEqual(['(root) 3/2', 'com.example.Main.read 1/1'])
  expect(profile.warnings).toEqual([
    '2 of 3 samples have no stack and count for the whole.',
    '1 of 3 samples lack their outermost frames: record with a larger stackdepth.',
  ])
})

test('a recording that is cut off is read up to its last whole event', () => {
  const bytes = writeJfr(small)
  const profile = readProfile(bytes.subarray(0, bytes.length - 3))
  expect(tree(profile)).toEqual([
    'com.example.Main.main 2/0',
    '  com.example.Main.parse 2/0',
    '    com.example.Main.read 2/2',
  ])
  expect(profile.warnings).toEqual([
    expect.stringMatching(
      /^The part of the recording that begins at byte 0 was not finished: it was read up to byte \d+\.$/,
    ),
  ])
})

test('of a chunk that was not finished, the next one is found', () => {
  const profile = read({ ...small, state: 255 }, small)
  expect(tree(profile)[0]).toBe('com.example.Main.main 6/0')
  expect(profile.warnings).toHaveLength(1)
})

test('a chunk that ends before its constants is left out', () => {
  const last = writeJfr({ ...small, constants: [] })
  last[64] = 1
  const profile = readProfile(Buffer.concat([writeJfr(small), last]))
  expect(tree(profile)).toEqual(smallTree)
  expect(profile.warnings).toEqual([
    expect.stringContaining('ends before what its events refer to: it was left out'),
  ])
  expect(() => readProfile(last)).toThrow('the recording holds no samples. The part')
})

test('a cut anywhere gives a profile with a warning, or says what is missing', () => {
  const bytes = Buffer.concat([writeJfr(small), writeJfr(small)])
  for (let length = 0; length < bytes.length; length++) {
    const outcome = outcomeOf(bytes.subarray(0, length))
    const isSilent = !(outcome instanceof FormatError) && outcome.length === 0
    expect(isSilent).toBe(length === bytes.length / 2)
  }
})

function outcomeOf(bytes: Uint8Array): string[] | FormatError {
  try {
    return readProfile(bytes, { format: 'jfr' }).warnings
  } catch (error) {
    if (error instanceof FormatError) return error
    throw error
  }
}

const selfishClass = { Selfish: { one: 'Selfish', two: 'Selfish' } }

test.each<[message: string, parts: JfrParts]>([
  [
    'version 3.0 of the format is not read, only 1 and 2 of JDK 8u262 and later are (at byte 0)',
    { version: [3, 0] },
  ],
  ['integers are not compressed, which is not read (at byte 0)', { flags: 0 }],
  ['the clock makes 0 ticks per second (at byte 0)', { ticksPerSecond: 0 }],
  [
    'constants are chained in a circle',
    // Both are ten bytes long.
    { constants: [{}, {}], deltas: [10] },
  ],
  [
    'classes of the metadata hold themselves, or too much',
    { classes: selfishClass, constants: [{ Selfish: { 1: [] } }] },
  ],
  [
    '9007199254740991 entries are announced',
    { constants: [{ 'jdk.types.StackTrace': { 1: [false, { bytes: integer(2 ** 53 - 1) }] } }] },
  ],
  ['there is no encoding 9 of strings', { constants: [{ 'jdk.types.Symbol': { 1: [{ bytes: [9] }] } }] }],
  [
    'texts are chained in a circle',
    {
      constants: [
        {
          ...constants,
          'java.lang.String': { 1: [{ bytes: [2, 1] }] },
          'jdk.types.Symbol': { 2: [{ bytes: [2, 1] }] },
        },
      ],
    },
  ],
])('%s', (message, parts) => {
  expect(() => read({ ...small, ...parts })).toThrow(FormatError)
  expect(() => read({ ...small, ...parts })).toThrow(`jfr: ${message}`)
})
