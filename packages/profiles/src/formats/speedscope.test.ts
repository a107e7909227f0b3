import { expect, test } from 'vitest'
import { topFunctions } from '../questions/top-functions.ts'
import { readProfile } from '../read-profile.ts'
import { drawRows } from '../testing/draw-rows.ts'
import { drawTree } from '../testing/draw-tree.ts'

const shared = { frames: [{ name: 'main', file: 'main.c', line: 3 }, { name: 'parse' }, { name: 'read' }] }
const sampled = {
  type: 'sampled',
  name: 'thread 1',
  unit: 'milliseconds',
  startValue: 0,
  endValue: 6,
  samples: [[0, 1, 2], [0, 1], [0]],
  weights: [3, 2, 1],
}
const evented = {
  type: 'evented',
  name: 'thread 2',
  unit: 'milliseconds',
  startValue: 10,
  endValue: 20,
  events: [
    { type: 'O', frame: 0, at: 10 },
    { type: 'O', frame: 1, at: 12 },
    { type: 'C', frame: 1, at: 15 },
    { type: 'O', frame: 1, at: 15 },
    { type: 'C', frame: 1, at: 19 },
    { type: 'C', frame: 0, at: 20 },
  ],
}
const read = (...profiles: object[]) => readDocument({ shared, profiles })
const readDocument = (document: object) => readProfile(new TextEncoder().encode(JSON.stringify(document)))

test('sampled stacks have weights', () => {
  const profile = read(sampled)
  expect(drawTree(profile)).toEqual(['main 6/1', '  parse 5/2', '    read 3/3'])
  expect(profile.sampleTypes).toEqual([{ type: 'time', unit: 'milliseconds' }])
  expect(profile.functions).toMatchObject({ files: ['main.c', '', ''], startLines: Int32Array.of(3, 0, 0) })
  expect(profile.durationMs).toBe(6)
})

test('an empty stack is a time in which nothing ran, where time is measured', () => {
  const gap = { ...sampled, samples: [[0], [], [0, 1]], weights: [1, 4, 2], endValue: 7 }
  const profile = read(gap)
  expect(drawTree(profile)).toEqual(['main 3/1', '  parse 2/2'])
  expect([profile.sampleCount, profile.durationMs]).toEqual([2, 7])
  expect([...profile.detail!.timeline!.timesMs]).toEqual([0, 5])
  expect(drawTree(read({ ...gap, unit: 'bytes' }))).toEqual(['(root) 7/4', 'main 3/1', '  parse 2/2'])
})

test('in a trace, time goes to the innermost open frame, and calls are counted', () => {
  const profile = read(evented)
  expect(drawTree(profile)).toEqual(['main 10/3', '  parse 7/7'])
  expect(Array.from(profile.nodes.calls!)).toEqual([0, 1, 2])
  expect(topFunctions(profile, { by: 'self', limit: 1 })[0]).toMatchObject({
    functionName: 'parse',
    calls: 2,
  })
})

test('several profiles of a file become one tree and a thread each', () => {
  const profile = read(sampled, evented)
  expect(drawTree(profile)).toEqual(['main 16/4', '  parse 12/9', '    read 3/3'])
  expect(profile.threads).toEqual([
    { name: 'thread 1', totals: [6] },
    { name: 'thread 2', totals: [10] },
  ])
  expect(profile.nodes.calls).toBeUndefined()
})

test('profiles of different units become sample types; the active one is the default', () => {
  const profile = readDocument({
    shared,
    profiles: [sampled, { ...sampled, unit: 'bytes' }],
    activeProfileIndex: 1,
  })
  expect(profile.sampleTypes).toEqual([
    { type: 'time', unit: 'milliseconds' },
    { type: 'space', unit: 'bytes' },
  ])
  expect(profile.defaultSampleTypeIndex).toBe(1)
  expect(profile.threads).toEqual([{ name: 'thread 1', totals: [6, 6] }])
})

test('two threads of one name are told apart', () => {
  const { threads } = read(sampled, sampled)
  expect(threads.map(({ name }) => name)).toEqual(['thread 1', 'thread 1 (2)'])
})

test('samples know their thread and when they were taken', () => {
  const { detail } = read(sampled, evented)
  expect(detail?.labelSets).toEqual([[], [['thread', 'thread 1']], [['thread', 'thread 2']]])
  expect(detail?.timeline).toEqual({
    timesMs: Float64Array.of(0, 3, 5, 10, 12, 15, 19),
    nodes: Int32Array.of(3, 2, 1, 1, 2, 2, 1),
    labelSetIndexes: Int32Array.of(1, 1, 1, 2, 2, 2, 2),
    values: Float64Array.of(3, 2, 1, 2, 3, 4, 1),
  })
})

test('frames left open end with the trace', () => {
  const profile = read({ ...evented, events: evented.events.slice(0, 2) })
  expect(drawTree(profile)).toEqual(['main 10/2', '  parse 8/8'])
  expect(profile.warnings).toEqual(['$.profiles[0] ends with 2 open frames; they end with it.'])
})

test('stacks and trace of the same real samples have the same rows', () => {
  expect(drawRows('speedscope/node-evented.speedscope.json')).toEqual(
    drawRows('speedscope/node-sampled.speedscope.json'),
  )
})

test('they have the wall time of the cpuprofile that they were made from', () => {
  const wallTime = drawRows('cpuprofile/node.cpuprofile', { sampleTypeIndex: 1 })
  expect(drawRows('speedscope/node-sampled.speedscope.json', { factor: 1000 })).toEqual(wallTime)
})

test('what dotnet-trace says of the innermost method is its own time, and no call', () => {
  const names = ['Main', 'Read', 'CPU_TIME', 'UNMANAGED_CODE_TIME']
  const readDotnet = (profile: object) =>
    readDocument({ shared: { frames: names.map((name) => ({ name })) }, profiles: [profile] })
  const trace = readDotnet({
    ...evented,
    events: [
      { type: 'O', frame: 0, at: 10 },
      { type: 'O', frame: 2, at: 10 },
      { type: 'C', frame: 2, at: 12 },
      { type: 'O', frame: 1, at: 12 },
      { type: 'O', frame: 3, at: 12 },
      { type: 'C', frame: 3, at: 19 },
      { type: 'C', frame: 1, at: 19 },
      { type: 'C', frame: 0, at: 20 },
    ],
  })
  expect(drawTree(trace)).toEqual(['Main 10/3', '  Read 7/7'])
  expect(trace.nodes.calls).toBeUndefined()
  const stacks = readDotnet({ ...sampled, samples: [[0, 2], [0, 1, 3], [2]] })
  expect(drawTree(stacks)).toEqual(['Main 5/3', '  Read 2/2', 'CPU_TIME 1/1'])
})

test('when a profile starts and ends may be written as a text, as dotnet-trace does', () => {
  const profile = read({ ...evented, startValue: '10', endValue: '20.5' }, sampled)
  expect(drawTree(profile)).toEqual(drawTree(read(evented, sampled)))
  expect(profile.durationMs).toBe(20.5)
  expect(profile.detail!.timeline!.timesMs).toEqual(read(evented, sampled).detail!.timeline!.timesMs)
  expect(() => read({ ...evented, startValue: '' })).toThrow(
    'expected a number (at $.profiles[0].startValue)',
  )
})

test.each<[message: string, profile: object]>([
  ['no such frame (at $.profiles[0].samples[0][1])', { ...sampled, samples: [[0, 3]], weights: [1] }],
  ['no such frame (at $.profiles[0].samples[0][0])', { ...sampled, samples: [[0.5]], weights: [1] }],
  ['2 weights for 3 samples (at $.profiles[0].weights)', { ...sampled, weights: [1, 2] }],
  ['unknown unit (at $.profiles[0].unit)', { ...sampled, unit: 'constructor' }],
  ['expected type "sampled" or "evented" (at $.profiles[0].type)', { ...sampled, type: 'other' }],
  [
    'time goes back from 12 to 11 (at $.profiles[0].events[2].at)',
    { ...evented, events: [...evented.events.slice(0, 2), { type: 'C', frame: 1, at: 11 }] },
  ],
  [
    'closes a frame that is not the innermost (at $.profiles[0].events[2])',
    { ...evented, events: [...evented.events.slice(0, 2), { type: 'C', frame: 0, at: 12 }] },
  ],
  ['the profile holds no samples (at $.profiles)', { ...sampled, samples: [], weights: [] }],
])('%s', (message, profile) => {
  expect(() => read(profile)).toThrow(`speedscope: ${message}`)
})
