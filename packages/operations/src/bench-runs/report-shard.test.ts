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

/** What is noted of an agent that reports while `error` is all that comes of what it brings. */
async function heardDespite(error: Error, state: InputOf<typeof operations.reportShard>['state']) {
  const heard: string[] = []
  const stores = onlyWith<Stores>({
    plans: plansWith(),
    benchRuns: onlyWith<Stores['benchRuns']>({
      findShard: async () => shard,
      find: async () => onlyWith<BenchResult>({ id: 'bres_1', endedAt: null }),
      addSamples: async () => {
        throw error
      },
      report: async (_caller, id, report) => {
        heard.push(`${id} ${report.state}`)
        return new Date()
      },
    }),
  })
  const answer = reportShard.handle(
    operations.reportShard.input.parse({ shard_id: `bsh_${'0'.repeat(26)}`, state, samples: [sample] }),
    onlyWith<CallContext>({
      caller: onlyWith<CallContext['caller']>({ roles: new Map([['ws_1', 'owner']]) }),
      operation: operations.reportShard,
      concerns: () => undefined,
      enterWorkspace: () => undefined,
      isUneventful: () => undefined,
      deps: onlyWith<CallContext['deps']>({ stores }),
    }),
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
