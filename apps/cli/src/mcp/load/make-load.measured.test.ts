import { setTimeout as pause } from 'node:timers/promises'
import { meanOf, percentileOf } from '@flamegate/series'
import { expect, test } from 'vitest'
import type { CallFailure, McpWire, PreparedRequest, WireAnswer } from '../session/wire.ts'
import { makeLoad, startOf, type McpLoad } from './make-load.ts'
import type { PlannedOperation } from './planned-operation.ts'

/** A server in here: `answer` is how each call ends, by its number and what was asked. */
function wireOf(
  answer: (call: number, request: string) => Promise<CallFailure | void> | CallFailure | void,
): McpWire {
  let calls = 0
  return {
    prepare: (method) => ({ prefix: method, suffix: '', bytes: 10, head: '' }),
    async call({ prefix }: PreparedRequest): Promise<WireAnswer> {
      const sentAtMs = performance.now()
      const failure = (await answer(calls++, prefix)) ?? null
      const endedAtMs = performance.now()
      return {
        sentAtMs,
        endedAtMs,
        failure,
        firstEventAtMs: null,
        serverTimeMs: null,
        requestBytes: 10,
        resultBytes: 20,
        result: {},
      }
    },
    open: () => Promise.resolve(),
    close: () => {},
  }
}

function planned(wire: McpWire, ...names: string[]): PlannedOperation[] {
  return names.map((name) => ({ method: name, name: null, requests: [wire.prepare(name, undefined)] }))
}

function make(
  load: McpLoad,
  wire: McpWire,
  operations = planned(wire, 'a'),
  interruption = new AbortController().signal,
) {
  return makeLoad(load, operations, wire, { interruption, onBegin: () => {} })
}

const closed = { model: 'closed', concurrent: 1, requests: undefined, durationMs: undefined } as const

function typed({ slots, counts }: { slots: number[]; counts: number[] }) {
  return { slots: Uint16Array.from(slots), counts: Float64Array.from(counts) }
}

test('a closed load makes exactly the calls that were asked for, operations in turns, as many at a time', async () => {
  let now = 0
  let most = 0
  const wire = wireOf(async () => {
    most = Math.max(most, ++now)
    await pause(2)
    now--
  })
  const { record } = await make(
    { ...closed, concurrent: 4, requests: 90 },
    wire,
    planned(wire, 'a', 'b', 'c'),
  )
  expect(most).toBe(4)
  expect(record.operations().map(({ method, calls }) => [method, calls])).toEqual([
    ['a', 30],
    ['b', 30],
    ['c', 30],
  ])
  expect(record.rates()).toMatchObject({ started: 90, ended: 90, errorRate: 0 })
  const [first] = record.operations()
  expect(first?.latency).toEqual(first?.serviceTime)
  // 30 calls fill each of the 30 blocks, or nearly so: four are under way at a time.
  expect(first?.blockMeansMs.filter((mean) => mean !== null).length).toBeGreaterThan(20)
})

test('a closed load for a time ends with it, and its rate counts what was answered in it', async () => {
  const wire = wireOf(() => pause(20))
  const { record } = await make({ ...closed, concurrent: 5, durationMs: 1200 }, wire)
  const { durationMs, requestsPerSecond, perSecond, started, ended } = record.rates()
  expect(durationMs).toBe(1200)
  expect(ended).toBe(started)
  expect(perSecond).toHaveLength(1)
  expect(requestsPerSecond).toBeLessThanOrEqual(started / 1.2)
  expect(requestsPerSecond).toBeGreaterThan((started - 5) / 1.2 - 0.001)
})

test('what fails is counted by kind and code, and has a latency only where there was an answer', async () => {
  const failures: (CallFailure | undefined)[] = [
    { kind: 'json_rpc', code: -32_000, message: 'x'.repeat(1000) },
    { kind: 'json_rpc', code: -32_000, message: 'another' },
    { kind: 'timeout', code: null, message: 'late' },
    { kind: 'http', code: 503, message: 'busy' },
    undefined,
  ]
  const wire = wireOf((call) => failures[call])
  const { record } = await make({ ...closed, requests: 5 }, wire)
  const [operation] = record.operations()
  expect(operation?.failures).toEqual([
    { kind: 'json_rpc', code: -32_000, count: 2, message: 'x'.repeat(300) },
    { kind: 'timeout', code: null, count: 1, message: 'late' },
    { kind: 'http', code: 503, count: 1, message: 'busy' },
  ])
  expect(operation?.latency.counts.reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(record.rates()).toMatchObject({ started: 5, ended: 4, errorRate: 0.8 })
})

test('a load stops when the server has ended', async () => {
  const wire = wireOf((call) => (call === 3 ? { kind: 'ended', code: null, message: 'gone' } : undefined))
  expect((await make({ ...closed, requests: 100 }, wire)).record.started).toBe(4)
  const open = await make(
    { model: 'open', rps: 1000, durationMs: 60_000, rampUpMs: 0 },
    wireOf(() => ({ kind: 'ended', code: null, message: 'gone' })),
  )
  expect(open.record.started).toBeLessThan(100)
})

test('an interruption ends a load early, and keeps what was measured', async () => {
  const controller = new AbortController()
  const wire = wireOf(async (call) => {
    await pause(1)
    if (call === 9) controller.abort()
  })
  const { record } = await make({ ...closed, durationMs: 60_000 }, wire, undefined, controller.signal)
  const { started, durationMs } = record.rates()
  expect(started).toBe(10)
  expect(durationMs).toBeLessThan(30_000)
})

test('an open load begins calls at its rate whatever becomes of those before, and latency counts from then', async () => {
  // One at a time, as in a server that can do but one thing: the first one takes 300 ms, the others nothing.
  let last: Promise<void> = Promise.resolve()
  const wire = wireOf(async (call) => {
    last = last.then(() => pause(call === 0 ? 300 : 0))
    await last
  })
  const { record, concurrentMax } = await make(
    { model: 'open', rps: 100, durationMs: 1000, rampUpMs: 0 },
    wire,
  )
  expect(record.started).toBe(100)
  // Those that came meanwhile waited: thirty of a hundred.
  expect(concurrentMax).toBeGreaterThan(20)
  const [operation] = record.operations()
  const latency = typed(operation?.latency ?? { slots: [], counts: [] })
  expect(percentileOf(latency, 99) ?? 0).toBeGreaterThan(250_000)
  expect(meanOf(latency) ?? 0).toBeGreaterThan(30_000)
})

test('an open load that is held back by a slow generator still counts from when calls should have begun', async () => {
  const wire = wireOf((call) => {
    // Nothing else can happen in here meanwhile.
    const until = performance.now() + (call === 0 ? 200 : 0)
    while (performance.now() < until);
  })
  const { record, sendLagP99Ms } = await make({ model: 'open', rps: 100, durationMs: 500, rampUpMs: 0 }, wire)
  const [operation] = record.operations()
  expect(percentileOf(typed(operation?.latency ?? { slots: [], counts: [] }), 90) ?? 0).toBeGreaterThan(
    100_000,
  )
  expect(percentileOf(typed(operation?.serviceTime ?? { slots: [], counts: [] }), 90) ?? 0).toBeLessThan(
    100_000,
  )
  expect(sendLagP99Ms).toBeGreaterThan(100)
})

test('startOf() spaces calls evenly, and more and more closely during the ramp-up', () => {
  expect([0, 1, 2, 100].map((number) => startOf(number, 100, 0))).toEqual([0, 10, 20, 1000])
  // Half of the rate on average for two seconds: 100 calls, then 100 per second.
  expect(startOf(25, 100, 2000)).toBeCloseTo(1000)
  expect(startOf(100, 100, 2000)).toBeCloseTo(2000)
  expect(startOf(150, 100, 2000)).toBeCloseTo(2500)
})
