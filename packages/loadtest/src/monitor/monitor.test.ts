import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../patch/parse-document.ts'
import { alarmsOf } from './alarms.ts'
import { counterMatcher } from './counter-name.ts'
import { byMinute, decodeChunk, encodeChunk, mergeValues, type MonitorValues } from './counter-values.ts'
import type { MonitorThreshold } from './monitor.ts'

const cpu = (values: (number | null)[], firstSecond = 0): MonitorValues => ({
  seconds: values.map((_value, index) => firstSecond + index),
  counters: [{ name: 'cpu.used', unit: '%', values }],
})

const threshold = (rest: object): MonitorThreshold => {
  const document = parseDocument('monitor', {
    type: 'linux',
    name: 'host',
    thresholds: [{ name: 'busy', counters: ['cpu.*'], ...rest }],
  })
  const [first] = document.thresholds
  if (first === undefined) throw new TypeError('no threshold')
  return first
}

describe('a monitor', () => {
  test('has usual values for all that is left out', () => {
    expect(parseDocument('monitor', { type: 'postgres', name: 'orders', user: 'watch' })).toMatchObject({
      host: '127.0.0.1',
      port: 5432,
      database: 'postgres',
      tls: 'disable',
      interval_seconds: 5,
      enabled: true,
      agent_group: 'default',
      counters: [],
    })
  })

  test.each([
    ['a password in its address', { type: 'nginx', target_url: 'http://a:b@localhost/status' }, 'target_url'],
    ['an address that is no web address', { type: 'nginx', target_url: 'file:///etc/passwd' }, 'target_url'],
    ['no time between values', { type: 'linux', interval_seconds: 0 }, 'interval_seconds'],
    [
      'a threshold without a limit',
      { type: 'linux', thresholds: [{ name: 'a', counters: ['*'] }] },
      '/thresholds/0',
    ],
    [
      'a threshold with two limits',
      { type: 'linux', thresholds: [{ name: 'a', counters: ['*'], above: 1, below: 2 }] },
      '/thresholds/0',
    ],
    [
      'a range that ends before it begins',
      { type: 'linux', thresholds: [{ name: 'a', counters: ['*'], between: [2, 1] }] },
      '/thresholds/0/between',
    ],
  ])('is refused with %s', (_what, rest, pointer) => {
    expect(() => parseDocument('monitor', { name: 'host', ...rest })).toThrow(pointer)
  })
})

test('counterMatcher() takes * for anything, and everything else for itself', () => {
  const isMeant = counterMatcher(['cpu.*', 'http{code="5*",path="/a.b"}'])
  expect(
    ['cpu.user', 'cpuXuser', 'http{code="503",path="/a.b"}', 'http{code="503",path="/aXb"}'].map(isMeant),
  ).toEqual([true, false, true, false])
})

describe('values', () => {
  test('of two parts are one line, and no second counts twice', () => {
    const merged = mergeValues(cpu([1, 2, 3]), {
      seconds: [2, 5],
      counters: [
        { name: 'cpu.used', unit: '%', values: [99, 6] },
        { name: 'load', unit: '', values: [99, 0.5] },
      ],
    })
    expect(merged).toEqual({
      seconds: [0, 1, 2, 5],
      counters: [
        { name: 'cpu.used', unit: '%', values: [1, 2, 3, 6] },
        { name: 'load', unit: '', values: [null, null, null, 0.5] },
      ],
    })
  })

  test('are the same after they were cut into minutes, stored, read and put together', () => {
    const numbers = fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), {
      minLength: 1,
      maxLength: 200,
    })
    fc.assert(
      fc.property(numbers, fc.nat(10_000), (values, first) => {
        fc.pre(values.some((value) => value !== null))
        // JSON has no negative zero.
        const before = cpu(
          values.map((value) => (value === 0 ? 0 : value)),
          first,
        )
        const chunks = [...byMinute(before).values()].map(encodeChunk)
        expect(chunks.length).toBeLessThanOrEqual(Math.ceil(values.length / 60) + 1)
        expect(mergeValues(...chunks.map(decodeChunk))).toEqual(before)
      }),
    )
  })
})

const secondsOf = (rest: object) =>
  alarmsOf([threshold(rest)], cpu([1, 9, 2, 9, 3])).map(({ second }) => second)

describe('alarms', () => {
  test('are raised when a counter was beyond so many times in a row, once until it is back', () => {
    const values = cpu([95, 80, 91, 92, 99, null, 93, 50, 91, 91, 91])
    const alarms = alarmsOf([threshold({ above: 90, occurrences: 3, severity: 'critical' })], values)
    expect(alarms.map(({ second, value }) => [second, value])).toEqual([
      [4, 99],
      [10, 91],
    ])
    expect(alarms[0]).toMatchObject({
      severity: 'critical',
      words: 'busy: cpu.used was above 90 % from second 2 to 6, at most 99 %.',
    })
  })

  test('are raised when it was beyond for so long', () => {
    const values = { ...cpu([1, 1, 1, 1]), seconds: [0, 5, 10, 15] }
    expect(alarmsOf([threshold({ below: 2, seconds: 10 })], values)).toMatchObject([{ second: 10, value: 1 }])
    expect(alarmsOf([threshold({ below: 2, seconds: 16 })], values)).toEqual([])
  })

  test('of a range are of values within it, of a limit beyond it', () => {
    expect(secondsOf({ between: [1, 2] })).toEqual([0, 2])
    expect(secondsOf({ above: 3 })).toEqual([1, 3])
    expect(secondsOf({ below: 2 })).toEqual([0])
  })

  test('are of the counters that the threshold names', () => {
    const values = { seconds: [0], counters: [{ name: 'load', unit: '', values: [99] }] }
    expect(alarmsOf([threshold({ above: 1 })], values)).toEqual([])
  })
})
