import { expect, test } from 'vitest'
import type {
  Alert,
  NewAlert,
  ProjectWithCounts,
  Result,
  Run,
  StoredThreshold,
  Stores,
} from '../ports/index.ts'
import type { JobDeps } from './job.ts'
import { watchRun } from './watch-run.ts'

// What a handler does not use is not there, and fails it.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

/** Around a level, by about one percent, always the same. */
const around = (level: number, runs: number) =>
  Array.from({ length: runs }, (_, run) => level * (1 + 0.012 * Math.sin(run * 2.4)))

interface Given {
  /** Of the branch, oldest first; the last one is the run's own. */
  values: number[]
  defaultValues?: number[]
  branch?: string
  alerts?: Partial<Alert>[]
  thresholds?: Partial<StoredThreshold>[]
  result?: Partial<Result>
  alertsOffSince?: Date
  unjudgedSince?: Date
  /** In the run; only the first has a history. */
  benchmarkCount?: number
}

/** Judges the newest run of a project whose default branch is main, and tells what came of it. */
async function watch({
  values,
  defaultValues = values,
  branch = 'main',
  alerts = [],
  thresholds = [],
  result,
  alertsOffSince,
  unjudgedSince,
  benchmarkCount = 1,
}: Given) {
  const raised: NewAlert[] = []
  const changed: [string, Record<string, unknown>][] = []
  const noise: unknown[] = []
  const judged: unknown[] = []
  const idsRead: number[] = []
  const seriesOf = (name: string) => (name === 'main' && branch !== 'main' ? defaultValues : values)
  const runIdsOf = (name: string) => seriesOf(name).map((_, run) => `run_${name}_${run}`)
  const id = runIdsOf(branch).at(-1) ?? ''
  const run = onlyWith<Run>({
    id,
    workspaceId: 'ws_1',
    projectId: 'prj_1',
    branch,
    status: 'COMPLETED',
    unjudgedSince: unjudgedSince ?? null,
  })
  const stores = onlyWith<Stores>({
    runs: onlyWith<Stores['runs']>({
      find: async () => run,
      markJudged: async (_caller, runId, since) => void judged.push([runId, since]),
      findLatest: async (_caller, filter) => (filter.branch === 'main' ? run : undefined),
      listResults: async () =>
        Array.from({ length: benchmarkCount }, (_, index) =>
          onlyWith<Result>({
            benchmarkId: `ben_${index + 1}`,
            metric: 'time',
            betterWhen: 'lower',
            state: 'active',
            metrics: [],
            ...result,
          }),
        ),
    }),
    projects: onlyWith<Stores['projects']>({
      find: async () =>
        onlyWith<ProjectWithCounts>({
          id: 'prj_1',
          defaultBranch: null,
          alertsOffSince: alertsOffSince ?? null,
        }),
    }),
    thresholds: onlyWith<Stores['thresholds']>({
      list: async () =>
        thresholds.map((each) =>
          onlyWith<StoredThreshold>({
            branch: null,
            benchmarkId: null,
            metric: null,
            lowerBound: null,
            upperBound: null,
            windowRuns: 20,
            sampleMin: 2,
            ...each,
          }),
        ),
    }),
    benchmarks: onlyWith<Stores['benchmarks']>({
      series: async (_caller, ids, window) => {
        idsRead.push(ids.length)
        return {
          runIds: runIdsOf(window.branch),
          ofBenchmark: new Map([
            [
              'ben_1',
              {
                unit: 'ns',
                values: seriesOf(window.branch),
                places: seriesOf(window.branch).map((_, place) => place),
              },
            ],
          ]),
        }
      },
      noteNoise: async (_caller, _workspaceId, noted) => void noise.push(...noted),
    }),
    alerts: onlyWith<Stores['alerts']>({
      listOfBenchmarks: async () =>
        alerts.map((each) =>
          onlyWith<Alert>({
            id: 'alt_1',
            benchmarkId: 'ben_1',
            metric: 'time',
            test: 'change_point',
            backRunId: null,
            runCreatedAt: new Date(0),
            ...each,
          }),
        ),
      raise: async (_caller, _place, all) => {
        raised.push(...all)
        return []
      },
      changeState: async (_caller, alertId, change) => {
        changed.push([alertId, change])
        return undefined
      },
    }),
  })
  await watchRun(
    { taskId: 'tsk_1', workspaceId: 'ws_1', runId: id, requestId: 'req_1' },
    onlyWith<JobDeps>({ stores }),
  )
  return { raised, changed, noise, judged, idsRead }
}

const slower = [...around(1000, 20), ...around(1150, 5)]

test('a lasting change on the default branch raises an alert without anybody having set a threshold', async () => {
  const { raised, noise } = await watch({ values: slower })
  expect(raised).toEqual([
    expect.objectContaining({
      benchmarkId: 'ben_1',
      metric: 'time',
      branch: 'main',
      test: 'change_point',
      runId: 'run_main_20',
      raisedByRunId: 'run_main_24',
      verdict: 'regressed',
      unit: 'ns',
    }),
  ])
  expect(noise).toEqual([{ benchmarkId: 'ben_1', percent: expect.closeTo(1, 0), runs: 24 }])
})

test('where more is better, the same change is an improvement', async () => {
  const { raised } = await watch({ values: slower, result: { betterWhen: 'higher' } })
  expect(raised.map(({ verdict }) => verdict)).toEqual(['improved'])
})

test('a change that was told is not told again', async () => {
  const { raised, changed } = await watch({ values: slower, alerts: [{ runId: 'run_main_20' }] })
  expect([raised, changed]).toEqual([[], []])
})

test('going back to the old level resolves the alert, and says why', async () => {
  const { raised, changed } = await watch({
    values: [...around(1000, 20), ...around(1150, 12), ...around(1001, 5)],
    alerts: [{ runId: 'run_main_20', baseline: 1000, value: 1150 }],
  })
  expect(raised).toEqual([])
  expect(changed).toEqual([
    [
      'alt_1',
      {
        state: 'resolved',
        reason: expect.stringContaining('went back to what it was before'),
        backRunId: 'run_main_32',
      },
    ],
  ])
})

test.each([4, 6, 9])('what is fixed after %i runs resolves the alert too', async (stay) => {
  const alerts = [{ runId: 'run_main_20', baseline: 1000, value: 1150, unit: 'ns' }]
  const fixed = (runs: number) => [...around(1000, 20), ...around(1150, stay), ...around(1001, runs)]
  expect((await watch({ values: fixed(4), alerts })).changed).toEqual([])
  const { raised, changed } = await watch({ values: fixed(5), alerts })
  expect(raised).toEqual([])
  expect(changed).toMatchObject([['alt_1', { state: 'resolved', backRunId: `run_main_${20 + stay}` }]])
})

test('an alert stays where its level does, whatever single runs do', async () => {
  const alerts = [{ runId: 'run_main_20', baseline: 1000, value: 1150, unit: 'ns' }]
  const wild = [...around(1150, 4), 1000, 1001, ...around(1150, 1), 1000, 999, 1002]
  const { raised, changed } = await watch({ values: [...around(1000, 20), ...wild], alerts })
  expect([raised, changed]).toEqual([[], []])
})

test('an improvement that lasted and is lost is a regression', async () => {
  const { raised, changed } = await watch({
    values: [...around(1000, 20), ...around(800, 40), ...around(1000, 5)],
    alerts: [{ runId: 'run_main_20', baseline: 1000, value: 800, unit: 'ns' }],
  })
  expect(changed).toMatchObject([['alt_1', { state: 'resolved', backRunId: 'run_main_60' }]])
  expect(raised).toMatchObject([{ verdict: 'regressed', runId: 'run_main_60' }])
})

test('going on to a third level is a change of its own', async () => {
  const { raised, changed } = await watch({
    values: [...around(1000, 20), ...around(1150, 12), ...around(1400, 5)],
    alerts: [{ runId: 'run_main_20', baseline: 1000, value: 1150 }],
  })
  expect(changed).toEqual([])
  expect(raised.map(({ runId }) => runId)).toEqual(['run_main_32'])
})

test.each(['ignored', 'archived'] as const)('a benchmark that is %s raises nothing', async (state) => {
  expect((await watch({ values: slower, result: { state } })).raised).toEqual([])
})

test('another branch raises nothing, unless a threshold names it; then the default branch counts as its past', async () => {
  const given = { branch: 'fix', values: [2000], defaultValues: around(1000, 20) }
  const percentage = { test: 'percentage', upperBound: 0.1 } as const
  expect((await watch(given)).raised).toEqual([])
  expect((await watch({ ...given, thresholds: [percentage] })).raised).toEqual([])
  const { raised, noise } = await watch({ ...given, thresholds: [{ ...percentage, branch: 'fix' }] })
  expect(raised).toEqual([
    expect.objectContaining({ branch: 'fix', test: 'percentage', runId: 'run_fix_0', value: 2000 }),
  ])
  expect(noise).toEqual([])
})

test('a threshold for a further metric judges that one, and the main one goes by its own', async () => {
  const { raised } = await watch({
    values: [...around(1000, 20), 1500],
    thresholds: [{ test: 'percentage', upperBound: 0.1, metric: 'memory' }],
    result: { metrics: [{ name: 'memory', value: 1500, unit: 'B' }] },
  })
  expect(raised.map(({ metric, test: by }) => [metric, by])).toEqual([['memory', 'percentage']])
})

test('a value that is back within the limit it had crossed ends the alert, and says so', async () => {
  const percentage = { test: 'percentage', upperBound: 0.1 } as const
  const alert = {
    test: 'percentage',
    state: 'open',
    unit: 'ns',
    runId: 'run_main_20',
    value: 1500,
    crossedLimit: 1100,
  } as const
  const back = await watch({
    values: [...around(1000, 20), 1500, 1001],
    thresholds: [percentage],
    alerts: [alert],
  })
  expect(back.raised).toEqual([])
  expect(back.changed).toEqual([
    [
      'alt_1',
      { state: 'resolved', reason: '1.001 µs is back within the limit 1.1 µs.', backRunId: 'run_main_21' },
    ],
  ])
})

test('a value that is only usual by now ends no alert', async () => {
  const { changed } = await watch({
    values: [...around(1000, 20), ...around(1500, 30)],
    thresholds: [{ test: 'percentage', upperBound: 0.1 }],
    alerts: [{ test: 'percentage', state: 'open', unit: 'ns', value: 1500, crossedLimit: 1100 }],
  })
  expect(changed).toEqual([])
})

test('a step is no noise of the benchmark by which the run that makes it is judged', async () => {
  const { noise } = await watch({ values: [1000, 1005, 1002, 1004, 1001, 1400] })
  expect(noise).toEqual([{ benchmarkId: 'ben_1', percent: expect.closeTo(0.2, 0), runs: 5 }])
})

test('a project that does without alerts gets none, and its noise is still noted', async () => {
  const { raised, noise } = await watch({ values: slower, alertsOffSince: new Date(0) })
  expect(raised).toEqual([])
  expect(noise).toHaveLength(1)
})

test('a run is noted as judged as of the results that were looked at', async () => {
  const unjudgedSince = new Date(5)
  expect((await watch({ values: slower, unjudgedSince })).judged).toEqual([['run_main_24', unjudgedSince]])
})

test.each([
  ['a fall of a metric of which more is better', 'higher', 'regressed'],
  ['a fall of a metric of which less is better', 'lower', 'improved'],
  ['to leave the limits of a metric of which nobody knows', undefined, 'regressed'],
] as const)('%s is judged as what it is (better when %s: %s)', async (_what, betterWhen, verdict) => {
  const metric = { name: 'throughput', value: 500, unit: 'ops/s', ...(betterWhen && { betterWhen }) }
  const { raised } = await watch({
    values: [...around(1000, 20), 500],
    thresholds: [{ test: 'percentage', lowerBound: 0.1, metric: 'throughput' }],
    result: { metrics: [metric] },
  })
  expect(raised.map((alert) => [alert.metric, alert.verdict])).toEqual([['throughput', verdict]])
})

test('histories of a large run are read for 500 benchmarks at a time', async () => {
  const { raised, idsRead } = await watch({ values: slower, benchmarkCount: 10_000 })
  expect(idsRead).toEqual(Array.from({ length: 20 }, () => 500))
  expect(raised).toHaveLength(1)
})
