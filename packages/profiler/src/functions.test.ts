import { slotOf } from '@flamegate/live/slots'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMeasurements } from './measurements.ts'
import type { Measurements } from './measurements.ts'
import { createTestClock, itemOf } from './test-clock.ts'

const clock = createTestClock()
let measurements: Measurements
beforeEach(() => {
  measurements = createMeasurements({ now: clock.now, wallClock: clock.now })
})
afterEach(() => measurements.stop())

const durationOf = (name: string) =>
  itemOf(measurements, 'functions_timing', name).distributions?.['duration']
const failedOf = (name: string) => itemOf(measurements, 'functions_timing', name).counters?.['failed']

function add(this: { start: number }, left: number, right: number): number {
  return this.start + left + right
}
add.unit = 'apples'

test('a function keeps this, arguments, result, name, length and what is attached to it', () => {
  const counter = { start: 100, add: measurements.measure('add', add) }
  expect(counter.add(1, 2)).toBe(103)
  expect(counter.add.name).toBe('add')
  expect(counter.add).toHaveLength(2)
  expect(counter.add.unit).toBe('apples')
  expect(durationOf('add')?.count).toBe(1)
})

test('durations are in the slot of what they took, and add up', () => {
  const work = measurements.measure('work', (ms: number) => clock.advance(ms))
  for (const ms of [2, 2, 50]) work(ms)
  expect(durationOf('work')).toEqual({
    count: 3,
    total: 54e6,
    max: 50e6,
    histogram: { slots: [slotOf(2e6), slotOf(50e6)], counts: [2, 1] },
  })
})

test('an error goes through as it is, and counts', async () => {
  const error = new Error('broken')
  const fail = measurements.measure('fail', () => {
    throw error
  })
  expect(fail).toThrow(error)
  const reject = measurements.measure('reject', async () => {
    throw error
  })
  await expect(reject()).rejects.toBe(error)
  expect([failedOf('fail'), failedOf('reject')]).toEqual([1, 1])
  expect([durationOf('fail')?.count, durationOf('reject')?.count]).toEqual([1, 1])
})

test('a call of an async function lasts until it is settled; calls at the same time do not mix', async () => {
  const gates: (() => void)[] = []
  const wait = measurements.measure('wait', async (answer: string) => {
    await new Promise<void>((resolve) => gates.push(resolve))
    return answer
  })
  const first = wait('a')
  clock.advance(10)
  const second = wait('b')
  expect(durationOf('wait')?.count).toBe(0)
  clock.advance(5)
  gates[1]?.()
  expect(await second).toBe('b')
  clock.advance(85)
  gates[0]?.()
  expect(await first).toBe('a')
  expect(durationOf('wait')?.histogram).toEqual({ slots: [slotOf(5e6), slotOf(100e6)], counts: [1, 1] })
})

test('a rejection that nobody handles stays one', async () => {
  const seen: unknown[] = []
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => seen.push(reason))
  const error = new Error('nobody looks')
  void measurements.measure('forgotten', async () => {
    throw error
  })()
  await expect.poll(() => seen).toEqual([error])
  process.removeAllListeners('unhandledRejection')
  for (const listener of others) process.on('unhandledRejection', listener)
})

test('promises with methods of their own and thenables are returned as they are', () => {
  const cancellable = Object.assign(Promise.resolve(1), { cancel: () => 'cancelled' })
  let begun = 0
  // oxlint-disable-next-line unicorn/no-thenable -- as some query builders are
  const lazy = { then: () => begun++ }
  expect(measurements.measure('cancellable', () => cancellable)()).toBe(cancellable)
  expect(measurements.measure('lazy', () => lazy)()).toBe(lazy)
  expect(begun).toBe(0)
  expect(durationOf('lazy')?.count).toBe(1)
})

test('a class is constructed as itself', () => {
  class Basket {
    static readonly unit = 'pieces'
    readonly items: string[]
    constructor(...items: string[]) {
      this.items = items
    }
  }
  const Measured: typeof Basket = Reflect.apply(measurements.measure, undefined, ['new Basket', Basket])
  class Large extends Measured {}
  expect(new Measured('a', 'b').items).toEqual(['a', 'b'])
  expect(new Measured()).toBeInstanceOf(Basket)
  expect(new Large()).toBeInstanceOf(Large)
  expect(Measured.unit).toBe('pieces')
  expect(durationOf('new Basket')?.count).toBe(3)
})

test('a generator is one call, which is what its steps took', () => {
  const count = measurements.measure('count', function* (to: number): Generator<
    number,
    string,
    string | undefined
  > {
    const heard: (string | undefined)[] = []
    for (let index = 0; index < to; index++) {
      clock.advance(3)
      heard.push(yield index)
    }
    return heard.join('')
  })
  const generator = count(2)
  expect(generator.next('')).toEqual({ done: false, value: 0 })
  clock.advance(1000)
  expect(generator.next('x')).toEqual({ done: false, value: 1 })
  expect(generator.next('y')).toEqual({ done: true, value: 'xy' })
  expect(generator.next('z').done).toBe(true)
  expect(generator).toBeInstanceOf(count)
  expect(durationOf('count')).toMatchObject({ count: 1, total: 6e6 })
  for (const number of count(5)) if (number === 1) break
  expect([...count(3)]).toEqual([0, 1, 2])
  expect(durationOf('count')?.count).toBe(3)
})

test('an async generator is measured the same', async () => {
  const pages = measurements.measure('pages', async function* () {
    for (const page of [1, 2, 3]) {
      await sleep(1)
      clock.advance(4)
      yield page
    }
    throw new Error('no more')
  })
  const seen: number[] = []
  await expect(async () => {
    for await (const page of pages()) {
      seen.push(page)
      clock.advance(500)
    }
  }).rejects.toThrow('no more')
  expect(seen).toEqual([1, 2, 3])
  expect(durationOf('pages')).toMatchObject({ count: 1, total: 12e6 })
  expect(failedOf('pages')).toBe(1)
})

test('a decorator measures a method by its own name', () => {
  const method = measurements.measured()((value: number) => value * 2, { name: 'double' })
  expect(method(4)).toBe(8)
  expect(durationOf('double')?.count).toBe(1)
})

test('of more calls than the log holds, the newest stay, and the others count as lost', () => {
  const few = createMeasurements({ now: clock.now, wallClock: clock.now, logEntries: 3 })
  const work = few.measure('work', (ms: number) => clock.advance(ms))
  for (const ms of [1, 2, 3, 4, 5]) work(ms)
  const [log] = few.read().logs ?? []
  expect(log).toMatchObject({ section: 'functions_timing', value: [3e6, 4e6, 5e6], lost: 2 })
  const end = clock.now()
  expect(log?.at).toEqual([end - 9, end - 5, end])
  expect(few.read().logs).toEqual([])
  expect(itemOf(few, 'functions_timing', 'work').distributions?.['duration']?.count).toBe(5)
  few.stop()
})

test('names made of data come to an end, and what is beyond still works', () => {
  for (let index = 0; index < 2005; index++) measurements.measure(`user ${index}`, () => index)()
  const section = measurements.read().sections?.functions_timing
  expect(section?.items).toHaveLength(2000)
  expect(section?.left_out).toBe(5)
})
