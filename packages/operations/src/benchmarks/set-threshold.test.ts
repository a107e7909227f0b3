import { operations, type OutputOf } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { CallContext } from '../implement.ts'
import type { ProjectWithCounts, Result, Run, Stores } from '../ports/index.ts'
import { plansWith } from '../limits/testing/plans-with.ts'
import { setThreshold } from './set-threshold.ts'

// What is not used is not there, and fails the test.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

/** Runs that a dry run of "at most 10 % above the mean" on a branch would have raised; main is the default branch. */
async function wouldRaise(branch: string, values: Record<string, readonly number[]>) {
  const runsOf = (name: string) =>
    (values[name] ?? []).map((_, at) => onlyWith<Run>({ id: `${name}_${at}`, projectId: 'prj_1' }))
  const stores = onlyWith<Stores>({
    plans: plansWith(),
    projects: onlyWith<Stores['projects']>({
      find: async () =>
        onlyWith<ProjectWithCounts>({ id: 'prj_1', workspaceId: 'ws_1', defaultBranch: 'main' }),
    }),
    runs: onlyWith<Stores['runs']>({
      findLatest: async (_caller, filter) => runsOf(filter.branch ?? '').at(-1),
      list: async (_caller, _projectId, _page, filter) => runsOf(filter.branch ?? '').toReversed(),
      listResults: async () => [
        onlyWith<Result>({
          benchmarkId: 'ben_1',
          uri: 'bench',
          metric: 'time',
          betterWhen: 'lower',
          metrics: [],
        }),
      ],
    }),
    benchmarks: onlyWith<Stores['benchmarks']>({
      series: async (_caller, ids, window) => {
        const own = values[window.branch] ?? []
        const series = { unit: 'ns', values: [...own], places: own.map((_, at) => at) }
        return {
          runIds: runsOf(window.branch).map(({ id }) => id),
          ofBenchmark: new Map(ids.map((id) => [id, series])),
        }
      },
    }),
  })
  const answer = await setThreshold.handle(
    operations.setThreshold.input.parse({
      repository: 'prj_1',
      branch,
      test: 'percentage',
      upper_bound: 0.1,
      sample_min: 2,
      dry_run: true,
    }),
    onlyWith<CallContext>({
      caller: onlyWith<CallContext['caller']>({ roles: new Map([['ws_1', 'owner']]) }),
      operation: operations.setThreshold,
      concerns: () => undefined,
      enterWorkspace: () => undefined,
      deps: onlyWith<CallContext['deps']>({ stores }),
    }),
  )
  const { would_have_raised: raised } = onlyWith<OutputOf<typeof operations.setThreshold>>(answer)
  return raised.map(({ run_id }) => run_id)
}

test('a dry run judges another branch by the history of the default branch, once for each stretch', async () => {
  const main = [100, 101, 99, 100]
  expect(await wouldRaise('side', { main, side: [130, 131, 100, 132] })).toEqual(['side_3', 'side_0'])
  expect(await wouldRaise('side', { main, side: [100, 101] })).toEqual([])
})

test('a dry run judges the default branch by its own', async () => {
  expect(await wouldRaise('main', { main: [100, 101, 99, 130] })).toEqual(['main_3'])
})
