import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { CallContext } from '../implement.ts'
import type { Result, Run, Stores } from '../ports/index.ts'
import { getRun } from './get-run.ts'

// What is not used is not there, and fails the test.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

const run = onlyWith<Run>({
  id: 'run_1',
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  environment: { cpu: 'A' },
  committedAt: null,
  createdAt: new Date(0),
})

/** What is told of a run of so many benchmarks, of which the last one has enough rounds. */
async function answerFor(count: number, input: { limit?: number; offset?: number }) {
  const results = Array.from({ length: count }, (_, at) =>
    onlyWith<Result>({
      benchmarkId: `ben_${at}`,
      uri: `bench ${at}`,
      name: `bench ${at}`,
      instrument: 'walltime',
      metric: 'time',
      betterWhen: 'lower',
      value: 100,
      unit: 'ns',
      stats: {},
      metrics: [],
    }),
  )
  const asked: (readonly string[])[] = []
  const stores = onlyWith<Stores>({
    runs: onlyWith<Stores['runs']>({
      find: async () => run,
      findLatest: async () => undefined,
      listResults: async () => results,
      readRounds: async (_caller, _runId, ids) => {
        asked.push(ids)
        return new Map([[`ben_${count - 1}`, [99, 100, 101, 100.5, 99.5, 100.2]]])
      },
    }),
    profiles: onlyWith<Stores['profiles']>({ listProfiled: async () => [] }),
  })
  const answer = await getRun.handle(
    operations.getRun.input.parse({ run_id: 'run_1', ...input }),
    onlyWith<CallContext>({
      caller: onlyWith<CallContext['caller']>({ roles: new Map([['ws_1', 'viewer']]) }),
      operation: operations.getRun,
      concerns: () => undefined,
      enterWorkspace: () => undefined,
      deps: onlyWith<CallContext['deps']>({ stores }),
    }),
  )
  return { answer: onlyWith<{ results: object[]; omitted_result_count: number }>(answer), asked }
}

test('each result says its known issues, by its rounds too', async () => {
  const { answer } = await answerFor(2, {})
  expect(answer.results).toMatchObject([
    { uri: 'bench 0', known_issues: ['few_rounds'] },
    { uri: 'bench 1', known_issues: ['no_spread'] },
  ])
})

test('a run is read page by page, and rounds of what is shown alone', async () => {
  const { answer, asked } = await answerFor(5, { offset: 2, limit: 2 })
  expect(answer.results).toMatchObject([{ uri: 'bench 2' }, { uri: 'bench 3' }])
  expect(answer.omitted_result_count).toBe(1)
  expect(asked).toEqual([['ben_2', 'ben_3']])
})

test('issues are told of the first thousand, and of the others it is not known', async () => {
  const { answer, asked } = await answerFor(1002, { limit: 5000 })
  expect(asked[0]).toHaveLength(1000)
  expect(answer.results.slice(999)).toMatchObject([
    { known_issues: expect.any(Array) },
    { known_issues: null },
    { known_issues: null },
  ])
})
