import { expect, test } from 'vitest'
import { liveLog, livePush } from '../push.ts'
import { readHotpathAnswers } from './read-answers.ts'
import { createHotpathLogs } from './read-logs.ts'
import { readHotpathReport } from './read-report.ts'
import { generations, programBodies, type Generation } from './testing/bodies.ts'

const clock = { readAt: 20_000, startedAt: 10_000 }

/** Reads logs of items by section, as of so many calls, one round after the other. */
function reader(generation: Generation) {
  const logs = createHotpathLogs()
  return (section: string, calls: number) => {
    const bodies = programBodies(generation, calls, 12.4)
    const reading = readHotpathAnswers(
      new Map(Object.entries(bodies).map(([path, body]) => [path, { status: 200, body }])),
    )
    const of = reading.logs.find((each) => each.section === section)
    if (of === undefined) throw new Error(`No log of ${section}`)
    expect(Object.keys(bodies)).toContain(of.path)
    const log = logs.read(of, bodies[of.path], clock)
    return log === undefined ? undefined : liveLog.parse(log)
  }
}

test.each(generations)(
  'generation %s: calls of a function come once each, with their times',
  (generation) => {
    const read = reader(generation)
    expect(read('functions_timing', 2)).toMatchObject({
      at: [10_001, 10_002],
      text: ['Ok(1)', 'Ok(2)'],
      thread: ['4711', '4711'],
      value: generation === '1' ? [2_000_001, 2_000_002] : [2e6, 2e6],
    })
    expect(read('functions_timing', 2)).toBeUndefined()
    expect(read('functions_timing', 3)).toMatchObject({ at: [10_003], text: ['Ok(3)'] })
    expect(read('functions_timing', 3)).not.toBeDefined()
  },
)

test.each(generations)(
  'generation %s: calls that the server forgot meanwhile are counted as lost',
  (generation) => {
    const read = reader(generation)
    // What was before anybody looked is not lost.
    expect(read('functions_timing', 10)?.lost).toBeUndefined()
    expect(read('functions_timing', 50)).toMatchObject({ text: ['Ok(48)', 'Ok(49)', 'Ok(50)'], lost: 37 })
  },
)

test.each(generations)(
  'generation %s: what was sent and received through a channel, in order',
  (generation) => {
    const read = reader(generation)
    const log = read('channels', 4)
    expect(log?.kind?.join(' ')).toBe('received sent received sent sent')
    expect(log?.text?.filter((text) => text !== null)).toEqual(['"job-2"', '"job-3"', '"job-4"'])
    expect(log?.at).toEqual(log?.at.toSorted((a, b) => a - b))
    expect(read('channels', 5)).toMatchObject({ kind: ['received', 'sent'] })
    expect(log?.value).toEqual(generation === '1' ? undefined : [null, 4000, null, 4000, null])
  },
)

test.each(generations)(
  'generation %s: a call of a future comes when it is seen, and when it has ended',
  (generation) => {
    const read = reader(generation)
    expect(read('futures', 50)).toMatchObject({
      at: [20_000, 20_000],
      kind: ['ready', 'suspended'],
      count: [3, 12],
      text: ['Ok(7)', null],
    })
    expect(read('futures', 50)).toBeUndefined()
    expect(read('futures', 101)).toMatchObject({ kind: ['ready'], count: [12] })
  },
)

test('logs of gauges, values, statements and requests', () => {
  const read = reader('4')
  expect(read('gauges', 5)).toMatchObject({ value: [3, 4, 5] })
  expect(read('values', 5)).toMatchObject({ text: ['17'] })
  expect(read('debug', 5)).toMatchObject({ text: ['Ready'] })
  expect(read('sql', 5)).toMatchObject({
    value: [1e6],
    text: ['SELECT * FROM users WHERE mail = ? AND age > ?'],
  })
  expect(read('http', 5)).toMatchObject({ value: [1e6], kind: ['error'] })
  expect(read('server', 5)).toMatchObject({ kind: ['200'] })
})

test('no entry is later than when it was read', () => {
  const logs = createHotpathLogs()
  const body = { count: 1, logs: [{ value: 1, elapsed_nanos: 60e9 }] }
  expect(logs.read({ section: 'functions_timing', item: 'f' }, body, clock)?.at).toEqual([20_000])
})

test('a report is one push of the program that it is of', () => {
  const { '/functions_timing': timing, '/mutexes': mutexes } = programBodies('4', 50, 12.4)
  const { at, program, sections } = readHotpathReport({
    type: 'hotpath_report',
    version: '0.24.0',
    meta: { rustc: '1.89.0', os: 'linux', created_at: '2026-11-20T12:00:00Z', git: { sha: 'abc123' } },
    label: 'shop',
    functions_timing: timing,
    mutexes,
  })
  expect(program).toEqual({
    name: 'shop',
    source: 'hotpath',
    language: 'rust',
    runtime: 'rustc 1.89.0, linux',
    version: 'abc123',
    era: '4',
    started_at: Date.parse('2026-11-20T11:59:47.600Z'),
  })
  expect(Object.keys(sections ?? {})).toEqual(['functions_timing', 'locks'])
  expect(() => livePush.parse({ session: 'session-1', sequence: 0, at, program, sections })).not.toThrow()
})

test.each([null, [], {}, { type: 'other' }])('%j is no report', (value) => {
  expect(() => readHotpathReport(value)).toThrow('This is no report of hotpath')
})
