import { expect, test } from 'vitest'
import { Ledger, type Acknowledged } from '../long/service/ledger.ts'
import {
  burstShare,
  fairnessOf,
  loadLines,
  toolRows,
  type LoadOutcome,
} from '../long/service/load-outcome.ts'
import { CallFailure, type McpClient } from '../long/service/mcp-client.ts'
import { trendOf } from '../long/service/memory.ts'
import { percentile } from '../long/service/statistics.ts'
import type { Call } from '../long/service/workload.ts'

// Whether `npm run long -- service-load` and `service-faults` would notice what they are there to notice.

const samples = (mibOf: (minute: number) => number) =>
  Array.from({ length: 60 }, (_, at) => ({ atMs: at * 5_000, mib: mibOf(at / 12) }))

test('memory that grows for minutes is not flat, and memory that goes up and down is', () => {
  expect(
    trendOf(
      'leaks',
      samples((minute) => 200 + 20 * minute),
    ),
  ).toMatchObject({ isFlat: false })
  expect(
    trendOf(
      'leaks',
      samples((minute) => 200 + 20 * minute),
    ).mibPerMinute,
  ).toBeCloseTo(20)
  expect(
    trendOf(
      'works',
      samples((minute) => 200 + 15 * Math.sin(minute * 9)),
    ),
  ).toMatchObject({ isFlat: true })
  expect(
    trendOf(
      'frees',
      samples((minute) => 400 - 20 * minute),
    ),
  ).toMatchObject({ isFlat: true })
})

const left = (liveMib: number, residentMib: number) => ({ liveMib, residentMib })

test('of a process that collected its garbage, what was left counts', () => {
  const lazy = samples((minute) => 200 + 20 * minute)
  const began = left(90, 200)
  const isFlat = (ended: { liveMib: number; residentMib: number }) =>
    trendOf('api 1', lazy, { began, ended }).isFlat
  expect(isFlat(left(92, 204))).toBe(true)
  expect(isFlat(left(120, 204))).toBe(false)
  expect(isFlat(left(92, 260))).toBe(false)
})

test('a percentile is one of the values', () => {
  const values = Array.from({ length: 200 }, (_, at) => 200 - at)
  expect([percentile(values, 0.5), percentile(values, 0.99), percentile([], 0.5)]).toEqual([100, 198, 0])
})

const call = (startedAtMs: number, durationMs: number, failure?: CallFailure): Call =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whose it is does not matter here
  ({ tool: 'get_run', startedAtMs, durationMs, failure }) as Call

const phase = (number: number, durationMs: number, count = 60) =>
  Array.from({ length: count }, (_, at) => call(1_000 + number * 100 + 30 + at, durationMs))

test('phases of three kinds are told apart, without the first one and without what is too short', () => {
  const durationsMs = [900, 30, 40, 20, 31]
  const calls = [
    ...durationsMs.flatMap((durationMs, number) => phase(number, durationMs)),
    ...phase(5, 70, 3),
    // While a burst is used.
    ...Array.from({ length: 60 }, (_, at) => call(1_200 + (at % 20), 5_000)),
  ]
  expect(fairnessOf(calls, 1_000, 100, burstShare)).toEqual({ calm: [20], within: [30, 31], beyond: [40] })
  expect(fairnessOf(calls, 1_000, 100, 0)).toMatchObject({ within: [30, 31], beyond: [5_000] })
})

test('what is not answered is in no time of a tool', () => {
  const calls = [call(0, 10), call(0, 20), call(0, 60_000, new CallFailure('failed', 'cut off'))]
  expect(toolRows(calls)).toEqual([{ tool: 'get_run', count: 2, p50Ms: 10, p99Ms: 20, mostMs: 20 }])
})

const good: LoadOutcome = {
  loadBefore: 0,
  minutes: 10,
  clientCount: 200,
  tenantCount: 20,
  balancer: 'nginx',
  skipped: [],
  callCount: 20_000,
  errors: [],
  tools: [],
  memory: [
    trendOf(
      'api 1',
      samples(() => 200),
    ),
  ],
  processor: [{ name: 'api 1', percent: { calm: 20, within: 35, beyond: 40 } }],
  fairness: {
    calm: [50, 55, 52, 51, 54, 53],
    within: [100, 110, 104, 180, 102, 99],
    beyond: [115, 120, 110, 205, 118, 109],
  },
  wholeFairness: { calm: [], within: [], beyond: [] },
  perSecond: { calm: 0, within: 25, beyond: 60 },
  noise: { answered: 1_000, limited: 500, failed: 0, reasons: [] },
  acknowledged: 4_000,
  lost: [],
  loadTest: { state: 'FINISHED', message: '' },
}

const wrongOf = (change: Partial<LoadOutcome>) => loadLines({ ...good, ...change }).wrong

test('each promise of a load is held', () => {
  expect(wrongOf({})).toEqual([])
  expect(wrongOf({ errors: ['503'] })).toEqual(['1 calls were not answered.'])
  expect(wrongOf({ lost: ['run_1'] })).toEqual(['1 acknowledged writes are not there.'])
  const moved = {
    ...good.fairness,
    beyond: good.fairness.within.map((p99Ms, at) => p99Ms * (1.39 + at / 200)),
  }
  expect(wrongOf({ fairness: moved })).toEqual([
    expect.stringMatching(
      /^What a tenant sent beyond its limit moved the p99 of the others: \+40 % \(\+\d\d % to \+\d\d %, 95 %\)\.$/,
    ),
  ])
  expect(wrongOf({ fairness: { calm: [], within: [], beyond: [] } })).toHaveLength(1)
  expect(loadLines(good).lines.join('\n')).toMatch(/moved that by \*\*\+1\d %\*\* .* may, which is shown\./)
  const noisy = { ...good.fairness, beyond: [140, 90, 110, 220, 100, 80] }
  expect(wrongOf({ fairness: noisy })).toEqual([])
  expect(loadLines({ ...good, fairness: noisy }).lines.join('\n')).toContain(
    'which these do not show for sure',
  )
  expect(
    wrongOf({
      memory: [
        trendOf(
          'api 1',
          samples((minute) => 200 + 20 * minute),
        ),
      ],
    }),
  ).toEqual(['Memory grows: api 1.'])
  expect(wrongOf({ loadTest: { state: 'ERROR', message: 'No agents' } })).toEqual([
    'The load test beside it is ERROR: No agents',
  ])
})

test('a write that is not there any more, or is another one, is found when it is read back', async () => {
  const runs: Record<string, object> = {
    kept: { commit_hash: 'a', status: 'COMPLETED', result_count: 3 },
    other: { commit_hash: 'x', status: 'COMPLETED', result_count: 3 },
    twice: { commit_hash: 'c', status: 'COMPLETED', result_count: 6 },
  }
  const reader = {
    name: 'client 1',
    async call(_operation: unknown, { run_id: id }: { run_id: string }) {
      if (runs[id] === undefined) throw new CallFailure('refused', 'No such run (run_not_found).')
      return { run: runs[id] }
    },
  }
  const ledger = new Ledger()
  const write = (id: string, mark: string): Acknowledged => ({
    kind: 'results',
    id,
    mark,
    resultCount: 3,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is only called
    client: reader as unknown as McpClient,
  })
  ledger.acknowledged.push(write('kept', 'a'), write('other', 'b'), write('twice', 'c'), write('gone', 'd'))
  expect((await ledger.readBack()).toSorted()).toEqual([
    expect.stringContaining('results gone of client 1'),
    expect.stringContaining('results other of client 1: It is COMPLETED with 3 results of x.'),
    expect.stringContaining('results twice of client 1: It is COMPLETED with 6 results of c.'),
  ])
  expect(await ledger.readBack(4)).toEqual([])
})
