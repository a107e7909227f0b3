import type { Caller } from '@flamegate/contract'
import type { BenchmarkComparison, Comparison } from '@flamegate/benchmarks'
import { expect, test } from 'vitest'
import type { ProjectWithCounts, Result, Run, StoredThreshold, Stores } from '../ports/index.ts'
import { judgeByThresholds, judgedByThresholds } from './judge-by-thresholds.ts'

// What is not used is not there, and fails the test.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

interface Given {
  thresholds: Partial<StoredThreshold>[]
  /** Of main, oldest first, without the run itself. */
  history?: number[]
  value?: number
  result?: Partial<Result>
  branch?: string
  /** By whose thresholds it is judged. */
  branches?: string[]
}

/** What thresholds say of one run with one benchmark, which took `value` ns. */
async function judge({
  thresholds,
  history = [],
  value = 100,
  result,
  branch = 'fix',
  branches = [branch],
}: Given) {
  const asked: string[] = []
  const head = onlyWith<Run>({ id: 'run_head', projectId: 'prj_1', branch })
  const isOnMain = branch === 'main'
  const values = isOnMain ? [...history, value] : history
  const stores = onlyWith<Stores>({
    runs: onlyWith<Stores['runs']>({
      listResults: async () => [
        onlyWith<Result>({
          benchmarkId: 'ben_1',
          uri: 'bench::parse',
          name: 'parse',
          instrument: 'walltime',
          metric: 'time',
          betterWhen: 'lower',
          unit: 'ns',
          value,
          state: 'active',
          thresholdPercent: null,
          metrics: [],
          ...result,
        }),
      ],
    }),
    projects: onlyWith<Stores['projects']>({
      find: async () => onlyWith<ProjectWithCounts>({ id: 'prj_1', defaultBranch: 'main' }),
    }),
    benchmarks: onlyWith<Stores['benchmarks']>({
      series: async (_caller, _ids, window) => {
        asked.push(`${window.branch} ${window.metric ?? 'main metric'}`)
        return {
          runIds: values.map((_, at) => (isOnMain && at === history.length ? 'run_head' : `run_${at}`)),
          ofBenchmark: new Map([['ben_1', { unit: 'ns', values, places: values.map((_, at) => at) }]]),
        }
      },
    }),
  })
  const verdicts = await judgeByThresholds(
    { caller: onlyWith<Caller>({}), deps: { stores } },
    head,
    thresholds.map((each) =>
      onlyWith<StoredThreshold>({
        branch: null,
        benchmarkId: null,
        metric: null,
        lowerBound: null,
        upperBound: null,
        windowRuns: 64,
        sampleMin: 2,
        ...each,
      }),
    ),
    branches,
  )
  return { verdicts, asked, said: verdicts.map(({ verdict, sentence }) => [verdict, sentence]) }
}

const calm = [100, 102, 98, 101, 99, 100, 103, 97, 100, 100]

test.each([
  ['t_test', 0.99],
  ['z_score', 0.99],
  ['log_normal', 0.99],
  ['iqr', 3],
  ['delta_iqr', 3],
] as const)('%s judges by the runs of the default branch', async (by, upperBound) => {
  const thresholds = [{ test: by, upperBound }]
  const slow = await judge({ thresholds, history: calm, value: 130 })
  expect(slow.said).toEqual([
    ['regressed', expect.stringMatching(/^130 ns is above the upper limit [\d.]+ ns \(/)],
  ])
  expect(slow.asked).toEqual(['main main metric'])
  const same = await judge({ thresholds, history: calm, value: 101 })
  expect(same.verdicts.map(({ verdict }) => verdict)).toEqual(['unchanged'])
})

test('a fixed limit needs no history, and asks for none', async () => {
  const { said, asked } = await judge({ thresholds: [{ test: 'static', upperBound: 90 }] })
  expect(said).toEqual([['regressed', '100 ns is above the upper limit 90 ns (static).']])
  expect(asked).toEqual([])
})

test('too little history is said in words, and decides nothing', async () => {
  const { said } = await judge({
    thresholds: [{ test: 't_test', upperBound: 0.99, sampleMin: 5 }],
    history: [100, 101, 99],
    value: 200,
  })
  expect(said).toEqual([[undefined, 'Not evaluated: 3 values before this one, and t_test needs 5.']])
})

test('on the default branch a run is no part of its own history', async () => {
  const thresholds = [{ test: 't_test', upperBound: 0.99, sampleMin: 3 } as const]
  const { said } = await judge({ thresholds, history: [100, 101], value: 200, branch: 'main' })
  expect(said).toEqual([[undefined, 'Not evaluated: 2 values before this one, and t_test needs 3.']])
})

test('past the limit on the good side is no regression; where more is better, the lower limit is the bad one', async () => {
  const both = { test: 'static', lowerBound: 50, upperBound: 150 } as const
  const fast = await judge({ thresholds: [both], value: 40 })
  expect(fast.verdicts.map(({ verdict }) => verdict)).toEqual(['improved'])
  const fewer = await judge({ thresholds: [both], value: 40, result: { betterWhen: 'higher' } })
  expect(fewer.verdicts.map(({ verdict }) => verdict)).toEqual(['regressed'])
})

test('a threshold that looks for improvements only hides no regression', async () => {
  expect((await judge({ thresholds: [{ test: 'static', lowerBound: 50 }] })).verdicts).toEqual([])
})

const fixed = { test: 'static', upperBound: 90 } as const

test.each<[string, Given]>([
  [
    'a percentage for that benchmark',
    { thresholds: [fixed, { benchmarkId: 'ben_1', test: 'percentage', upperBound: 0.1 }] },
  ],
  [
    'lasting changes for that benchmark',
    { thresholds: [fixed, { benchmarkId: 'ben_1', test: 'change_point' }] },
  ],
  [
    'a percentage that the benchmark has of its own',
    { thresholds: [fixed], result: { thresholdPercent: 3 } },
  ],
  ['a threshold of another branch', { thresholds: [{ ...fixed, branch: 'main' }] }],
])('%s leaves the run to the comparison with its baseline', async (_what, given) => {
  expect((await judge(given)).verdicts).toEqual([])
})

test('a threshold of the branch that a run goes into judges it', async () => {
  const { said } = await judge({ thresholds: [{ ...fixed, branch: 'main' }], branches: ['fix', 'main'] })
  expect(said).toEqual([['regressed', '100 ns is above the upper limit 90 ns (static).']])
})

const throughput = (value: number) => ({
  metrics: [{ name: 'throughput', value, unit: 'ops/s', betterWhen: 'higher' as const }],
})

test('a fall of a further metric of which more is better is a regression', async () => {
  const { verdicts, said } = await judge({
    thresholds: [{ test: 'static', lowerBound: 1000, metric: 'throughput' }],
    result: throughput(900),
  })
  expect(said).toEqual([['regressed', '900 ops/s is below the lower limit 1,000 ops/s (static).']])
  const comparison = onlyWith<Comparison>({ benchmarks: [], ignoredCount: 0 })
  const { benchmarks, counts } = judgedByThresholds(comparison, verdicts)
  expect(benchmarks).toMatchObject([
    { uri: 'bench::parse', metric: 'throughput', betterWhen: 'higher', verdict: 'regressed', headValue: 900 },
  ])
  expect(counts.regressed).toBe(1)
})

test('judgedByThresholds() lets the threshold decide, and says where it could not', async () => {
  const compared = onlyWith<BenchmarkComparison>({
    uri: 'bench::parse',
    instrument: 'walltime',
    metric: 'time',
    verdict: 'noisy',
    reason: 'Too noisy.',
    adjustedPValue: 0.4,
    isIgnored: false,
  })
  const comparison = onlyWith<Comparison>({ benchmarks: [compared] })
  const thresholds = [{ test: 't_test', upperBound: 0.99, sampleMin: 5 } as const]
  const told = await judge({ thresholds, history: calm, value: 130 })
  expect(judgedByThresholds(comparison, told.verdicts)).toMatchObject({
    benchmarks: [{ verdict: 'regressed', reason: expect.stringContaining('By its threshold: 130 ns') }],
    counts: { regressed: 1, noisy: 0 },
  })
  expect(judgedByThresholds(comparison, told.verdicts).benchmarks[0]).not.toHaveProperty('adjustedPValue')
  const short = await judge({ thresholds, history: [100], value: 130 })
  expect(judgedByThresholds(comparison, short.verdicts)).toMatchObject({
    benchmarks: [{ verdict: 'noisy', reason: expect.stringMatching(/^Too noisy\. .* t_test needs 5\.$/) }],
    counts: { regressed: 0, noisy: 1 },
  })
})

test('what became better stays so within the limits of a threshold', async () => {
  const improved = onlyWith<BenchmarkComparison>({
    uri: 'bench::parse',
    instrument: 'walltime',
    metric: 'time',
    verdict: 'improved',
    isIgnored: false,
  })
  const { verdicts } = await judge({ thresholds: [{ test: 'static', upperBound: 150 }] })
  const { benchmarks } = judgedByThresholds(onlyWith<Comparison>({ benchmarks: [improved] }), verdicts)
  expect(benchmarks).toEqual([improved])
})
