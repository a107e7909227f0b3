import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SeriesFormatError } from './bytes.ts'
import { histogramOf, tickArbitrary } from './testing/make-ticks.ts'
import { decodeTickBatch, encodeTickBatch, tickBatchLimits } from './tick-batch.ts'
import { decodeTick, encodeTick, tickAtSecond } from './tick-bytes.ts'
import { tickLimits } from './tick-limits.ts'
import { actionCounters, generatorGauges, profileCounters } from './tick.ts'
import type { Tick } from './tick.ts'

const quiet: Tick = {
  second: 0,
  actions: [],
  profiles: [],
  generator: new Float64Array(generatorGauges.length),
}
const place = { benchResultId: 'bench_1', agent: 3, sequence: 7 }
const oneAction = (change: object): Tick => ({
  ...quiet,
  actions: [
    {
      profile: 0,
      action: 0,
      counters: new Float64Array(actionCounters.length),
      serviceTime: histogramOf([1_000]),
      responseTime: histogramOf([1_000]),
      ...change,
    },
  ],
})

const timesOf = (action: number) =>
  histogramOf([1, 2, 3, 4, 5].map((step) => 5_000 + action * 7 + step * 211))
const oneTick = (bytes: number[]) => Uint8Array.of(1, 1, 65, 0, 0, 1, bytes.length, ...bytes)

describe('a batch', () => {
  test('is read as it was sent', () => {
    fc.assert(
      fc.property(tickArbitrary(4), tickArbitrary(9), (first, second) => {
        const { ticks, ...rest } = decodeTickBatch(encodeTickBatch({ ...place, ticks: [first, second] }))
        expect(ticks.map(({ bytes }) => decodeTick(bytes))).toEqual([first, second])
        expect(ticks.map((tick) => tick.second)).toEqual([4, 9])
        const actions = [...first.actions, ...second.actions].map(({ action }) => action)
        expect(rest).toEqual({ ...place, actionMax: Math.max(-1, ...actions), profileMax: 1 })
      }),
    )
  })

  test('may be empty, and tells of the numbers that occur', () => {
    expect(decodeTickBatch(encodeTickBatch({ ...place, ticks: [] }))).toEqual({
      ...place,
      ticks: [],
      actionMax: -1,
      profileMax: -1,
    })
  })

  test('is small: a second of 200 actions that counted 1,000 requests', () => {
    const actions = Array.from({ length: 200 }, (_, action) => ({
      profile: 0,
      action,
      counters: Float64Array.from(actionCounters, (name) => (name === 'count' ? 5 : 0)),
      serviceTime: timesOf(action),
      responseTime: timesOf(action),
    }))
    const profiles = [new Float64Array(profileCounters.length)]
    const tick = { ...quiet, actions, profiles }
    expect(encodeTickBatch({ ...place, ticks: [tick] }).length).toBeLessThan(200 * 22)
  })

  test.each<[string, Tick, string]>([
    ['a fraction', oneAction({ counters: Float64Array.of(0.5) }), 'The count is 0.5'],
    ['less than nothing', oneAction({ counters: Float64Array.of(-1) }), 'The count is -1'],
    ['no number', oneAction({ counters: Float64Array.of(NaN) }), 'The count is NaN'],
    ['a profile beyond the last', oneAction({ profile: tickLimits.profiles }), 'The profile is 200'],
    ['a second beyond the last', { ...quiet, second: tickLimits.second + 1 }, 'The second is 604801'],
    [
      'slots that fall',
      oneAction({ serviceTime: { slots: Uint16Array.of(5, 4), counts: Uint32Array.of(1, 1) } }),
      'do not rise',
    ],
    [
      'a slot of nothing',
      oneAction({ responseTime: { slots: Uint16Array.of(5), counts: Uint32Array.of(0) } }),
      'counted nothing',
    ],
  ])('is not made with %s', (_what, tick, message) => {
    expect(() => encodeTickBatch({ ...place, ticks: [tick] })).toThrow(RangeError)
    expect(() => encodeTickBatch({ ...place, ticks: [tick] })).toThrow(message)
  })

  test('is not made of ticks out of order, nor for a run without an id', () => {
    expect(() => encodeTickBatch({ ...place, ticks: [quiet, quiet] })).toThrow('not in order')
    expect(() => encodeTickBatch({ ...place, benchResultId: 'a b', ticks: [] })).toThrow(RangeError)
  })
})

function isRefused(bytes: Uint8Array): boolean {
  try {
    decodeTickBatch(bytes)
    return false
  } catch (error) {
    if (error instanceof SeriesFormatError) return true
    throw error
  }
}

describe('bytes that are no batch', () => {
  test('are refused as such, or read, whatever they are', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void isRefused(bytes)))
    expect(isRefused(new Uint8Array(0))).toBe(true)
  })

  test('with one byte changed or the end missing, too', () => {
    fc.assert(
      fc.property(tickArbitrary(4), fc.nat(), fc.nat(255), (tick, at, byte) => {
        const bytes = encodeTickBatch({ ...place, ticks: [tick] }).slice()
        const cut = at % bytes.length
        expect(isRefused(bytes.slice(0, cut))).toBe(true)
        bytes[cut] = byte
        if (isRefused(bytes)) return
        // What is taken is stored, and must be readable ever after.
        for (const { bytes: kept } of decodeTickBatch(bytes).ticks) decodeTick(kept)
      }),
    )
  })

  test.each<[string, (bytes: number[]) => number[], string]>([
    ['of another version', ([, ...rest]) => [2, ...rest], 'has version 2'],
    ['with more after them', (bytes) => [...bytes, 0], 'more after the last tick'],
    [
      'whose id is none',
      ([version, length, , ...rest]) => [version ?? 0, length ?? 0, 32, ...rest],
      'id of the run',
    ],
  ])('%s', (_what, change, message) => {
    const bytes = [...encodeTickBatch({ ...place, ticks: [quiet] })]
    expect(() => decodeTickBatch(Uint8Array.from(change(bytes)))).toThrow(message)
  })

  test('that are too many are not looked at', () => {
    expect(() => decodeTickBatch(new Uint8Array(tickBatchLimits.bytes + 1))).toThrow('send fewer seconds')
  })

  test('whose response times count less than nothing', () => {
    // A service time of one value in slot 1,000, from which two are taken.
    const tick = [0, 1, 9, 0, 0, 0, 1, 0xd0, 0x0f, 1, 0xe8, 0x07, 3, 0, ...generatorGauges.map(() => 0)]
    tick[2] = tick.length - 3 - 1 - generatorGauges.length
    expect(() => decodeTickBatch(oneTick(tick))).toThrow('less than nothing')
    // One may be taken.
    tick[12] = 1
    expect(decodeTickBatch(oneTick(tick)).ticks).toHaveLength(1)
  })
})

test('a tick can be that of another second, and is the same otherwise', () => {
  fc.assert(
    fc.property(tickArbitrary(0), fc.nat(tickLimits.second), (tick, second) => {
      expect(decodeTick(tickAtSecond(encodeTick(tick), second))).toEqual({
        ...decodeTick(encodeTick(tick)),
        second,
      })
    }),
  )
})
