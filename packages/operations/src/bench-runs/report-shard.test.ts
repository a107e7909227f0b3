import { operations, type InputOf } from '@flamegate/contract'
import { expect, test } from 'vitest'
import type { CallContext } from '../implement.ts'
import { plansWith } from '../limits/testing/plans-with.ts'
import { DatabaseInterrupted, type BenchResult, type BenchShard, type Stores } from '../ports/index.ts'
import { reportShard } from './report-shard.ts'

// What is not used is not there, and fails the test.
function onlyWith<T extends object>(part: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as T
}

const shard = onlyWith<BenchShard>({
  id: 'bsh_1',
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  benchResultId: 'bres_1',
  state: 'RUNNING',
})

const sample = {
  id: 'a',
  action: 0,
  profile: 0,
  error_class: 'timeout',
  message: '',
  at: '2026-11-30T00:00:00.000Z',
  exchange: null,
}

/** Has an agent report, with a sample, where runs are kept so. */
function reports(
  benchRuns: Partial<Stores['benchRuns']>,
  report: Partial<InputOf<typeof operations.reportShard>>,
) {
  const stores = onlyWith<Stores>({
    plans: plansWith(),
    benchRuns: onlyWith<Stores['benchRuns']>({
      findShard: async () => shard,
      find: async () =>
        onlyWith<BenchResult>({
          id: 'bres_1',
          state: 'RUNNING',
          startedAt: null,
          endedAt: null,
          stopAskedAt: null,
        }),
      ...benchRuns,
    }),
  })
  return reportShard.handle(
    operations.reportShard.input.parse({ shard_id: `bsh_${'0'.repeat(26)}`, samples: [sample], ...report }),
    onlyWith<CallContext>({
      caller: onlyWith<CallContext['caller']>({ roles: new Map([['ws_1', 'owner']]) }),
      operation: operations.reportShard,
      concerns: () => undefined,
      enterWorkspace: () => undefined,
      isUneventful: () => undefined,
      deps: onlyWith<CallContext['deps']>({ stores }),
    }),
  )
}

/** What is noted of an agent that reports while `error` is all that comes of what it brings. */
async function heardDespite(error: Error, state: InputOf<typeof operations.reportShard>['state']) {
  const heard: string[] = []
  const answer = reports(
    {
      addSamples: async () => {
        throw error
      },
      report: async (_caller, id, report) => {
        heard.push(`${id} ${report.state}`)
        return new Date()
      },
    },
    { state },
  )
  await expect(answer).rejects.toBe(error)
  return heard
}

test('an agent is heard, and is not done, while there is no room for what it brings', async () => {
  const full = new DatabaseInterrupted('could not extend file')
  expect(await heardDespite(full, 'RUNNING')).toEqual(['bsh_1 RUNNING'])
  expect(await heardDespite(full, 'DONE')).toEqual(['bsh_1 RUNNING'])
})

test('what fails otherwise notes nothing', async () => {
  expect(await heardDespite(new Error('a defect'), 'RUNNING')).toEqual([])
})

test('of an agent whose shard another one has by now nothing is kept, and it hears that nobody waits for it', async () => {
  const [before, holder] = [`gen_${'0'.repeat(26)}`, `gen_${'1'.repeat(26)}`]
  const done: string[] = []
  const orderFor = async (load_generator_id: string | undefined) => {
    const { order } = await reports(
      {
        findShard: async () => ({ ...shard, loadGeneratorId: holder }),
        addSamples: async () => void done.push('kept'),
        report: async (_caller, _id, { loadGeneratorId }) => {
          done.push(`heard ${loadGeneratorId}`)
          return new Date()
        },
      },
      { state: 'RUNNING', ...(load_generator_id === undefined ? {} : { load_generator_id }) },
    )
    return [order, ...done.splice(0)]
  }
  expect(await orderFor(before)).toEqual(['gone', `heard ${before}`])
  expect(await orderFor(holder)).toEqual(['run', 'kept', `heard ${holder}`])
  // Agents of before do not say who they are.
  expect(await orderFor(undefined)).toEqual(['run', 'kept', 'heard undefined'])
})
