import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawRows } from '../testing/draw-rows.ts'
import { drawTree } from '../testing/draw-tree.ts'

const url = 'https://example.org/app.js'
const program = { name: '(program)', line: 1, column: 1, url, expressionLocation: { line: 20, column: 1 } }
const serveAt = (line: number) => ({
  name: 'serve',
  line: 3,
  column: 15,
  url,
  expressionLocation: { line, column: 3 },
})
const recording = {
  startTime: 10,
  endTime: 10.02,
  records: [{ type: 'timeline-record-type-script' }],
  sampleStackTraces: [
    {
      timestamp: 10.002,
      stackFrames: [
        { name: '', line: 12, column: 9, url, expressionLocation: { line: 13, column: 5 } },
        serveAt(5),
        program,
      ],
    },
    { timestamp: 10.0035, stackFrames: [serveAt(6), program] },
    {
      timestamp: 10.009,
      stackFrames: [{ name: 'sort', line: -1, column: -1, url: '' }, serveAt(5), program],
    },
  ],
  sampleDurations: [0.001, 0.0015, 0.002],
}
const read = (changes: object = {}) =>
  readProfile(
    new TextEncoder().encode(JSON.stringify({ version: 1, recording: { ...recording, ...changes } })),
  )

test('samples have durations, and functions their lines', () => {
  const profile = read()
  expect(drawTree(profile)).toEqual([
    '(program) 4500000/0',
    '  serve 4500000/1500000',
    '    (anonymous) 1000000/1000000',
    '    sort 2000000/2000000',
  ])
  expect(profile.functions).toEqual({
    names: ['(program)', 'serve', '(anonymous)', 'sort'],
    files: [url, url, url, ''],
    startLines: Int32Array.of(1, 3, 12, 0),
  })
  expect(profile.durationMs).toBeCloseTo(20)
  expect(profile.warnings).toEqual(['1 records of the timeline were left out: they have no stacks.'])
})

test('samples are in the timeline, and what was called from a line is that of the line', () => {
  const { detail } = read()
  expect(Array.from(detail!.timeline!.timesMs, (time) => Math.round(time * 10) / 10)).toEqual([2, 3.5, 9])
  const { nodes, lines, selfValues, totalValues } = detail!.lines!
  expect(
    Array.from(nodes, (node, row) => [node, lines[row], selfValues[1]![row], totalValues[1]![row]]),
  ).toEqual([
    [1, 20, 0, 4_500_000],
    [2, 5, 0, 3_000_000],
    [2, 6, 1_500_000, 1_500_000],
    [3, 13, 1_000_000, 1_000_000],
  ])
})

test('a recording has the wall time of the cpuprofile that it was made from', () => {
  const rows = drawRows('safari/node-recording.json.gz', { sampleTypeIndex: 1 })
  const wallTime = drawRows('cpuprofile/node.cpuprofile', { sampleTypeIndex: 1 })
  expect(rows).toEqual(wallTime.filter((row) => !row.endsWith(' 0/0')))
})

test.each<[message: string, changes: object]>([
  ['2 durations for 3 samples (at $.recording.sampleDurations)', { sampleDurations: [1, 2] }],
  ['expected a number (at $.recording.sampleDurations[1])', { sampleDurations: [1, null, 2] }],
  ['the profile holds no samples', { sampleStackTraces: [], sampleDurations: [] }],
  [
    'expected an array (at $.recording.sampleStackTraces[0].stackFrames)',
    { sampleStackTraces: [{ timestamp: 1 }], sampleDurations: [1] },
  ],
])('%s', (message, changes) => {
  expect(() => read(changes)).toThrow(`safari: ${message}`)
})
