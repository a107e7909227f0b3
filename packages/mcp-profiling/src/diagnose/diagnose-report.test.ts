import { describe, expect, test } from 'vitest'
import type { McpFailure, McpInside, McpReport } from '../report.ts'
import { histogramOfMs, madeOperation, madeReport, spread } from '../testing/made-report.ts'
import { diagnoseReport } from './diagnose-report.ts'

const healthyInside: McpInside = {
  runtime: 'node',
  heap: Array.from({ length: 8 }, (_, at) => ({
    atMs: 4000 * at,
    heapUsedBytes: 30_000_000 + 200_000 * Math.sin(at * 5),
    isAfterGc: true,
  })),
  gc: { count: 40, totalMs: 300, maxMs: 12, share: 0.01, byKind: {}, events: [] },
  eventLoopDelay: { meanMs: 1, p99Ms: 6, maxMs: 20 },
  hotFunctions: [
    { name: '(idle)', place: '', selfShare: 0.5, totalShare: 0.5, selfMs: 15_000 },
    { name: 'parse', place: 'parse.js:10', selfShare: 0.08, totalShare: 0.1, selfMs: 2400 },
  ],
  growth: [],
}
const inside = (changes: Partial<McpInside>): Partial<McpReport> => ({
  inside: { ...healthyInside, ...changes },
})
const level = (
  concurrent: number,
  requestsPerSecond: number,
  changes: Partial<McpReport['sweep'][number]> = {},
) => ({
  concurrent,
  targetRps: null,
  requestsPerSecond,
  p50Ms: 10,
  p95Ms: 14,
  p99Ms: 16,
  errorRate: 0,
  cpuPercent: 95,
  ...changes,
})
const sizes = (time: (bytes: number) => number) =>
  [100, 200, 400, 800, 1600].map((requestBytes) => ({
    requestBytes,
    calls: 20,
    lowerQuartileMs: time(requestBytes),
  }))
/** Rounds in which an operation was called 100 times by itself. */
const rounds = (keptBytes: number[], cpuMs = 30) =>
  keptBytes.map((each) => ({ calls: 100, cpuMs, keptBytes: each }))
const open = { ...madeReport().load, model: 'open' as const, targetRps: 100 }
const resources = (
  change: (sample: McpReport['resources'][number], at: number) => Partial<McpReport['resources'][number]>,
) => madeReport().resources.map((sample, at) => Object.assign({}, sample, change(sample, at)))
const failed = (count: number): McpFailure[] =>
  count === 0 ? [] : [{ kind: 'is_error', code: null, count, message: 'It is taken.' }]
/** As many calls alone as at the same moment, of which some failed. */
const burst = (operation: string, failures: number, calls = 48, overlapped: number = calls) => ({
  operation,
  concurrent: 8,
  alone: { calls, failures: [] },
  together: { calls, overlapped, failures: failed(failures) },
})
const slow = histogramOfMs(spread(400, 400))

const healthy: Partial<McpReport> = {
  ...inside({}),
  operations: [madeOperation(), madeOperation({ name: 'sort', bySize: sizes((bytes) => 3 + bytes / 100) })],
  sweep: [level(1, 100), level(2, 190), level(4, 300), level(8, 305), level(16, 302)],
  interference: [{ operation: 'look_up', during: 'sort', calls: 50, aloneMs: 10, togetherMs: 14 }],
}

test('diagnoseReport() finds nothing on a healthy server, and asked every rule but those of a network and a rate', () => {
  const { findings, performanceScore, notAsked } = diagnoseReport(madeReport(healthy))
  expect(findings).toEqual([])
  expect(performanceScore).toBe(100)
  expect(notAsked.map(({ rule }) => rule)).toEqual(['processor_saturated', 'network_share'])
})

test('diagnoseReport() says what it could not ask of a report that has little', () => {
  const { findings, notAsked } = diagnoseReport(madeReport())
  expect(findings).toEqual([])
  expect(notAsked.map(({ rule, reason }) => `${rule}: ${reason}`)).toContain(
    'hot_function: no CPU profile was taken (mcp-profiler cpu)',
  )
  expect(
    diagnoseReport(madeReport({ operations: [], load: null, resources: [] })).performanceScore,
  ).toBeNull()
})

describe('diagnoseReport() names', () => {
  const leakingHeap = Array.from({ length: 8 }, (_, at) => ({
    atMs: 4000 * at,
    heapUsedBytes: 30_000_000 + 2_000_000 * at,
    isAfterGc: true,
  }))
  const faults: Record<string, { rules: string[]; subject: string | null; changes: Partial<McpReport> }> = {
    'a hot function': {
      rules: ['hot_function'],
      subject: 'match (words.js:3)',
      changes: inside({
        hotFunctions: [
          { name: 'match', place: 'words.js:3', selfShare: 0.55, totalShare: 0.6, selfMs: 9000 },
        ],
      }),
    },
    'a blocked event loop': {
      rules: ['event_loop_blocked'],
      subject: null,
      changes: inside({ eventLoopDelay: { meanMs: 30, p99Ms: 240, maxMs: 310 } }),
    },
    'a leak, by the heap after collections': {
      rules: ['memory_leak'],
      subject: 'Session (sessions.js:12)',
      changes: inside({
        heap: leakingHeap,
        growth: [{ name: 'Session', place: 'sessions.js:12', bytes: 13_000_000, count: 900 }],
      }),
    },
    'a leak of three samples': {
      rules: ['memory_leak'],
      subject: null,
      changes: inside({
        heap: leakingHeap
          .slice(0, 3)
          .map((sample, at) => ({ ...sample, heapUsedBytes: 30_000_000 + 4_000_000 * at })),
      }),
    },
    'a leak, by resident memory': {
      rules: ['memory_leak'],
      subject: null,
      changes: {
        inside: null,
        resources: resources((_, at) => ({ rssBytes: 80_000_000 + 1_500_000 * at + 300_000 * (at % 3) })),
      },
    },
    'a leak, by what an operation keeps in each round': {
      rules: ['memory_leak'],
      subject: 'search',
      changes: {
        ...inside({ heap: leakingHeap }),
        operations: [
          // Once, as a cache that is filled.
          madeOperation({ byItself: rounds([9_000_000, 0, 20_000, -10_000]), bySize: sizes(() => 5) }),
          madeOperation({ name: 'search', byItself: rounds([1_000_000, 900_000, 950_000, 1_100_000]) }),
        ],
      },
    },
    'a leak, although one collection took away what was not of it': {
      rules: ['memory_leak'],
      subject: 'search',
      changes: {
        ...inside({ heap: leakingHeap }),
        operations: [
          madeOperation({
            name: 'search',
            byItself: rounds([1_000_000, 900_000, -150_000, 950_000, 1_100_000]),
          }),
        ],
      },
    },
    'a tool that waits, beside one that works as long': {
      rules: ['waiting'],
      subject: 'fetch',
      changes: {
        operations: [
          madeOperation({
            name: 'fetch',
            latency: slow,
            byItself: rounds([0, 0], 200),
            bySize: sizes(() => 5),
          }),
          madeOperation({ name: 'compute', latency: slow, byItself: rounds([0, 0], 38_000) }),
        ],
        resources: resources(() => ({ cpuPercent: 25 })),
      },
    },
    'an operation whose errors come with concurrency': {
      rules: ['errors_under_concurrency'],
      subject: 'reserve',
      changes: {
        sweep: [level(1, 100), level(2, 190), level(4, 300), level(8, 305), level(16, 302)].map((each) => ({
          ...each,
          operations: [
            { operation: 'look_up', calls: 500, failures: failed(each.concurrent > 1 ? 4 : 2) },
            { operation: 'reserve', calls: 500, failures: failed(each.concurrent > 2 ? 90 : 0) },
          ],
        })),
      },
    },
    'an operation whose errors come in bursts, though the sweep had hardly two of its calls at once': {
      rules: ['errors_under_concurrency'],
      subject: 'reserve',
      changes: {
        // As beside a slow operation, for which nearly all calls wait.
        sweep: [level(1, 100), level(2, 190), level(4, 300), level(8, 305), level(16, 302)].map((each) => ({
          ...each,
          operations: [{ operation: 'reserve', calls: 500, failures: [] }],
        })),
        bursts: [burst('look_up', 0), burst('reserve', 40)],
      },
    },
    // As seen on a machine that had little time for it: the sweep alone had too few calls that ran alone, and missed it.
    'errors of three bursts, where hardly a call of the sweep ran alone': {
      rules: ['errors_under_concurrency'],
      subject: 'reserve',
      changes: {
        operations: [madeOperation({ name: 'reserve', calls: 5 })],
        sweep: [
          [1, 7, 0],
          [2, 7, 0],
          [4, 7, 0],
          [8, 9, 7],
          [16, 34, 28],
        ].map(([concurrent = 0, calls = 0, failures = 0]) => ({
          ...level(concurrent, 20 * concurrent),
          operations: [
            ...['look_up', 'sort', 'read'].map((operation) => ({ operation, calls, failures: [] })),
            { operation: 'reserve', calls, failures: failed(failures) },
          ],
        })),
        bursts: [burst('look_up', 0, 24), burst('reserve', 21, 24)],
      },
    },
    'pressure on the garbage collector': {
      rules: ['gc_pressure'],
      subject: null,
      changes: inside({ gc: { count: 400, totalMs: 7000, maxMs: 60, share: 0.23, byKind: {}, events: [] } }),
    },
    'a processor that is used up': {
      rules: ['processor_saturated'],
      subject: null,
      changes: {
        load: Object.assign({}, madeReport().load, open),
        resources: resources(() => ({ cpuPercent: 99 })),
      },
    },
    'a slow tool that waits': {
      rules: ['slow_operation', 'waiting'],
      subject: 'report',
      changes: {
        operations: [
          madeOperation(),
          madeOperation({ name: 'sort', bySize: sizes(() => 5) }),
          madeOperation({ name: 'report', latency: slow }),
        ],
        resources: resources(() => ({ cpuPercent: 4 })),
      },
    },
    'calls of two kinds': {
      rules: ['bimodal_latency'],
      subject: 'look_up',
      changes: {
        operations: [
          madeOperation({
            latency: histogramOfMs([...spread(5, 300), ...spread(60, 100)]),
            bySize: sizes(() => 5),
          }),
        ],
      },
    },
    'a quadratic handler': {
      rules: ['grows_with_input'],
      subject: 'find_duplicates',
      changes: {
        operations: [
          madeOperation({ name: 'find_duplicates', bySize: sizes((bytes) => 4 + bytes ** 2 / 1e4) }),
        ],
      },
    },
    'errors by kind and code': {
      rules: ['errors'],
      subject: 'look_up',
      changes: {
        operations: [
          madeOperation({
            failures: [{ kind: 'json_rpc', code: -32603, count: 12, message: 'no such table' }],
            bySize: sizes(() => 5),
          }),
        ],
      },
    },
    'errors that come with concurrency': {
      rules: ['errors_under_concurrency'],
      subject: null,
      changes: {
        sweep: [
          level(1, 100),
          level(2, 190),
          level(4, 300, { errorRate: 0.04 }),
          level(8, 305, { errorRate: 0.2 }),
          level(16, 300),
        ],
      },
    },
    'a large list of tools': {
      rules: ['large_tools_list'],
      subject: 'tools/list',
      changes: { connection: { ...madeReport().connection, toolsListTokens: 34_000 } },
    },
    'a large result': {
      rules: ['large_result'],
      subject: 'look_up',
      changes: {
        operations: [madeOperation({ resultTokens: { mean: 18_000, max: 30_000 }, bySize: sizes(() => 5) })],
      },
    },
    'a blocking call': {
      rules: ['blocking_call'],
      subject: 'hash',
      changes: {
        interference: [{ operation: 'look_up', during: 'hash', calls: 40, aloneMs: 4, togetherMs: 180 }],
      },
    },
    'much time in a database driver': {
      rules: ['database_calls'],
      subject: 'query (node_modules/pg/lib/client.js:500)',
      changes: inside({
        hotFunctions: [
          {
            name: 'query',
            place: 'node_modules/pg/lib/client.js:500',
            selfShare: 0.05,
            totalShare: 0.4,
            selfMs: 800,
          },
        ],
      }),
    },
    'time on the way': {
      rules: ['network_share'],
      subject: 'look_up',
      changes: {
        operations: [
          madeOperation({
            latency: histogramOfMs(spread(60, 400)),
            serverTime: histogramOfMs(spread(8, 400)),
            bySize: sizes(() => 5),
          }),
        ],
      },
    },
    'a limit of concurrency': {
      rules: ['concurrency_limit'],
      subject: null,
      changes: {
        sweep: [
          level(1, 100, { cpuPercent: 12 }),
          level(2, 190, { cpuPercent: 20 }),
          level(4, 195, { cpuPercent: 21 }),
          level(8, 194, { cpuPercent: 21 }),
        ],
      },
    },
  }

  test.each(Object.entries(faults))('%s, and nothing else', (_, { rules, subject, changes }) => {
    const { findings, performanceScore } = diagnoseReport(madeReport({ ...healthy, ...changes }))
    expect(findings.map(({ rule }) => rule)).toEqual(rules)
    expect(findings[0]?.subject).toBe(subject)
    for (const { evidence, suggestion, title } of findings) {
      expect(
        evidence.some(({ name }) => name.startsWith('threshold') || name === 'concurrent_at_lowest'),
      ).toBe(true)
      expect(suggestion.length * title.length).toBeGreaterThan(0)
    }
    expect(performanceScore).toBeLessThan(100)
  })

  test.each<[string, Partial<McpReport>]>([
    [
      'an event loop that is as late as what measures: the machine is',
      inside({ eventLoopDelay: { meanMs: 20, p99Ms: 70, maxMs: 240, control: { p99Ms: 40, maxMs: 90 } } }),
    ],
    [
      'a function that is hot only because calls are many',
      inside({
        hotFunctions: [{ name: 'write', place: '', selfShare: 0.4, totalShare: 0.4, selfMs: 1500 }],
      }),
    ],
    [
      'one late event loop and one long collection, where others had the processors',
      {
        ...inside({
          eventLoopDelay: { meanMs: 10, p99Ms: 34, maxMs: 288 },
          gc: { count: 40, totalMs: 300, maxMs: 120, share: 0.01, byKind: {}, events: [] },
        }),
        resources: resources(() => ({ queuedPercent: 95 })),
      },
    ],
    [
      'a function in which the server waited for a processor that others had',
      {
        ...inside({
          hotFunctions: [{ name: 'write', place: '', selfShare: 0.4, totalShare: 0.4, selfMs: 7000 }],
        }),
        resources: resources(() => ({ cpuPercent: 21 })),
      },
    ],
    [
      'a project that is called after its database',
      inside({
        hotFunctions: [
          {
            name: 'run',
            place: '/home/redis/pg/src/run.js:5',
            selfShare: 0.05,
            totalShare: 0.9,
            selfMs: 800,
          },
        ],
      }),
    ],
    [
      'time that grows with the size, however much that is',
      { operations: [madeOperation({ bySize: sizes((bytes) => bytes / 4) })] },
    ],
    [
      'time that grows fast and stays short',
      { operations: [madeOperation({ bySize: sizes((bytes) => bytes ** 2 / 2e5) })] },
    ],
    [
      'one failure more with several calls at once, which is chance',
      {
        sweep: [level(1, 100), level(2, 190), level(4, 300), level(8, 305), level(16, 302)].map((each) => ({
          ...each,
          operations: [{ operation: 'reserve', calls: 20, failures: failed(each.concurrent === 8 ? 2 : 0) }],
        })),
      },
    ],
    [
      'failures of a burst that come as often with one call after the other',
      {
        bursts: [
          {
            ...burst('reserve', 8),
            alone: { calls: 48, failures: failed(7) },
          },
        ],
      },
    ],
  ])('not %s', (_, changes) => {
    expect(diagnoseReport(madeReport({ ...healthy, ...changes })).findings).toEqual([])
  })

  test('no errors under concurrency where too few calls overlapped, which it says', () => {
    const bursts = [burst('look_up', 0), burst('reserve', 0, 48, 19)]
    const { findings, notAsked } = diagnoseReport(madeReport({ ...healthy, bursts }), ['errors'])
    expect(findings).toEqual([])
    expect(notAsked).toEqual([
      {
        rule: 'errors_under_concurrency',
        reason: 'not enough calls overlapped: 19 of reserve, where 20 are needed',
      },
    ])
  })

  test('only what the rules of a kind tell', () => {
    const report = madeReport({ ...healthy, ...inside({ heap: leakingHeap }) })
    expect(diagnoseReport(report, ['errors'])).toMatchObject({
      findings: [],
      rules: ['errors', 'errors_under_concurrency'],
    })
    expect(diagnoseReport(report, ['errors', 'memory-leak']).findings).toHaveLength(1)
  })

  test('no leak of a heap that grows once and settles, or goes up and down', () => {
    const steps = [30, 52, 51, 52, 51, 52, 51, 52].map((mb, at) => ({
      atMs: 4000 * at,
      heapUsedBytes: mb * 1e6,
      isAfterGc: true,
    }))
    const saw = [30, 60, 35, 62, 31, 59, 36, 58].map((mb, at) => ({
      atMs: 4000 * at,
      heapUsedBytes: mb * 1e6,
      isAfterGc: true,
    }))
    // As seen of a healthy server that had little of the processors: six calls in the first round, and a cache of 50.
    const starved = [
      [6, 882_000],
      [69, 1_232_000],
      [24, 58_000],
      [60, 95_000],
      [65, 81_000],
    ].map(([calls = 0, keptBytes = 0]) => ({ calls, cpuMs: 30, keptBytes }))
    const filling = [17.3, 18.5, 19.7, 20.1].map((mb, at) => ({
      atMs: 4000 * at,
      heapUsedBytes: mb * 1e6,
      isAfterGc: true,
    }))
    const warmUp = resources((_, at) => ({ rssBytes: 60_000_000 + 40_000_000 * (1 - Math.exp(-at / 3)) }))
    for (const changes of [
      inside({ heap: steps }),
      inside({ heap: saw }),
      // What its rounds leave, somebody else's collection takes away.
      { operations: [madeOperation({ byItself: rounds([1_000_000, 900_000, 950_000, 1_100_000]) })] },
      { ...inside({ heap: filling }), operations: [madeOperation({ byItself: starved })] },
      { inside: null, resources: warmUp },
    ])
      expect(diagnoseReport(madeReport({ ...healthy, ...changes })).findings).toEqual([])
  })
})

test('diagnoseReport() takes points off as the formula says', () => {
  const { performanceScore, scoreParts } = diagnoseReport(
    madeReport({
      operations: [
        madeOperation({
          latency: histogramOfMs(Array.from({ length: 100 }, () => 1000)),
          failures: [{ kind: 'timeout', code: null, count: 5, message: '' }],
        }),
      ],
    }),
  )
  // 15 for a p95 of ten times 100 ms, 20 for 5 % errors.
  expect(scoreParts.map(({ points }) => points)).toEqual([15, 20])
  expect(performanceScore).toBe(65)
})
