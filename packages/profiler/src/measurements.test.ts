import { livePush } from '@flamegate/live'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
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

test('promises: pending, resolved and rejected, with how long each took', async () => {
  const gate = Promise.withResolvers<string>()
  const followed = measurements.future('load', gate.promise)
  const failing = measurements.future('load', () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(itemOf(measurements, 'futures', 'load')).toMatchObject({
    counters: { calls: 2, completed: 0, failed: 1 },
    levels: { pending: 1 },
  })
  clock.advance(30)
  gate.resolve('done')
  expect(await followed).toBe('done')
  const { logs } = measurements.read()
  expect(logs?.find(({ section }) => section === 'futures')).toMatchObject({
    kind: ['resolved'],
    value: [30e6],
  })
  expect(itemOf(measurements, 'futures', 'load')).toMatchObject({
    counters: { calls: 2, completed: 1, failed: 1 },
    levels: { pending: 0 },
    distributions: { duration: { count: 2, total: 30e6 } },
  })
})

test('a function that throws instead of promising is a rejection', async () => {
  const followed = measurements.future('odd', () => {
    throw new Error('at once')
  })
  await expect(followed).rejects.toThrow('at once')
})

test('gauges stand where they were set, and refuse what is no number', () => {
  const gauge = measurements.gauge('users')
  gauge.set(10)
  gauge.inc()
  gauge.inc(-4)
  gauge.set(NaN)
  const { sections, logs } = measurements.read()
  expect(sections?.gauges?.items).toEqual([
    { id: '0', name: 'users', counters: { logged: 3 }, levels: { value: 7 } },
  ])
  expect(logs).toMatchObject([{ section: 'gauges', item: '0', value: [10, 11, 7] }])
})

test('values and debug entries are texts as they were then; what is too much only counts', () => {
  const few = createMeasurements({ now: clock.now, wallClock: clock.now, logEntries: 2 })
  const basket = { items: 1 }
  expect(few.debug('basket', basket)).toBe(basket)
  basket.items = 2
  for (const name of ['ann', 'bob', 'cy']) few.value('customer', name)
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('do not look')
      },
      ownKeys: () => {
        throw new Error('nor here')
      },
    },
  )
  few.value('trap', trap)
  few.value('long', 'x'.repeat(10_000))
  const { sections, logs } = few.read()
  expect(logs).toMatchObject([
    { section: 'debug', text: ['{ items: 1 }'] },
    { section: 'values', text: ['ann', 'bob'], lost: 1 },
    { section: 'values' },
    { section: 'values', text: ['x'.repeat(500)] },
  ])
  expect(sections?.values?.items?.[0]).toMatchObject({
    name: 'customer',
    counters: { logged: 3 },
    texts: { last_value: 'cy' },
  })
  few.stop()
})

async function* rows(): AsyncGenerator<number> {
  yield* [1, 2, 3]
}

test('what no database stores is left out of names and values, which would be refused with all the rest', () => {
  measurements.value('order\0', 'a\0b\uD800')
  measurements.gauge('\0').set(1)
  const { sections, logs } = measurements.read()
  expect(JSON.stringify({ sections, logs })).not.toMatch(/\\u0000|\\ud800/)
  expect(sections?.values?.items).toMatchObject([{ name: 'order', texts: { last_value: 'ab\uFFFD' } }])
  expect(sections?.gauges?.items).toMatchObject([{ name: 'anonymous' }])
})

test('what async iterables yielded, and which have ended', async () => {
  const read: number[] = []
  for await (const row of measurements.stream('rows', rows())) read.push(row)
  for await (const row of measurements.stream('rows', rows())) if (row === 1) break
  const third = measurements.stream('rows', rows())
  await third.next()
  expect(read).toEqual([1, 2, 3])
  expect(itemOf(measurements, 'streams', 'rows')).toMatchObject({
    state: 'active',
    counters: { items: 5 },
    levels: { instances: 3, closed_instances: 2 },
  })
  await third.return()
  expect(itemOf(measurements, 'streams', 'rows').state).toBe('closed')
})

test('the event loop: that it was held up, and that garbage was collected', async () => {
  const real = createMeasurements()
  await sleep(30)
  const from = performance.now()
  while (performance.now() - from < 150);
  await expect
    .poll(() => itemOf(real, 'runtime', 'event loop').distributions?.['delay']?.max ?? 0)
    .toBeGreaterThan(100e6)
  for (let index = 0; index < 300; index++) Array.from({ length: 20_000 }, (_, each) => ({ each }))
  // What was collected is told a little later.
  await expect
    .poll(() => itemOf(real, 'runtime', 'event loop').counters?.['gc_minor'] ?? 0)
    .toBeGreaterThan(0)
  const { counters, levels, distributions } = itemOf(real, 'runtime', 'event loop')
  expect(distributions?.['gc_pause']?.count).toBeGreaterThan(0)
  expect(counters?.['active_ns']).toBeGreaterThan(100e6)
  expect(levels?.['utilization_percent']).toBeLessThanOrEqual(100)
  real.stop()
})

test('the process, its main thread and a worker that is busy', async () => {
  const real = createMeasurements()
  const worker = new Worker('let sum = 0; while (true) sum += Math.sqrt(sum + 1)', { eval: true })
  const { threadId } = worker
  real.read()
  await expect
    .poll(() => itemOf(real, 'threads', `worker ${threadId}`).counters?.['cpu_user'] ?? 0, { interval: 100 })
    .toBeGreaterThan(50e6)
  const whole = itemOf(real, 'threads', 'process')
  expect(whole.levels?.['rss']).toBeGreaterThan(10e6)
  expect(whole.levels?.['heap_used']).toBeGreaterThan(
    itemOf(real, 'threads', 'main').levels?.['heap_used'] ?? 0,
  )
  await worker.terminate()
  expect(real.read().sections?.threads?.items?.map(({ name }) => name)).toEqual(['process', 'main'])
  real.stop()
})

test('functions that hold on to memory are told by name and place', async () => {
  const real = createMeasurements({ allocations: { everyMs: 50 } })
  const kept: object[] = []
  function holdOn(): void {
    for (let index = 0; index < 2000; index++) kept.push(Array.from({ length: 100 }, () => ({ index })))
  }
  holdOn()
  await expect
    .poll(() =>
      real
        .read()
        .sections?.functions_alloc?.items?.find(
          ({ name, place }) => name === 'holdOn' || place?.file.includes('measurements.test'),
        ),
    )
    .toMatchObject({ levels: { retained: expect.any(Number) } })
  expect(kept).toHaveLength(2000)
  real.stop()
})

test('what it tells is a push as the platform reads it', () => {
  measurements.measure('work', () => clock.advance(1))()
  measurements.queue('jobs', { capacity: 1 }).put(1)
  measurements.value('v', null)
  const push = livePush.parse({ session: 'session-1', sequence: 0, ...measurements.read() })
  expect(push.sections.functions_alloc).toMatchObject({ status: 'off' })
  expect(push.sections.functions_timing?.status).toBe('on')
})
