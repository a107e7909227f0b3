import { randomUUID } from 'node:crypto'
import { prepareProject } from '@flamegate/db/testing'
import { scenario } from '@flamegate/loadtest'
import { watchHandlers } from '@flamegate/operations'
import { afterEach, expect, test, vi } from 'vitest'
import { lonelyDeps } from './testing/lonely-deps.ts'

/** Runs as workers see to them whose clock is wrong. */

const { at, ada, projectId, asAda } = prepareProject()

const newId = (kind: string) => `${kind}_${randomUUID()}`
const hourMs = 3_600_000
const load = { type: 'ramp_up', users: 2, plateau_ms: 60_000 }
const profiles = [{ id: 'buyers', name: 'Buyers', virtual_user_id: 'vu_1', load }]

afterEach(() => vi.useRealTimers())

/** A run of a minute that waits for one agent, and the agent that has taken it. */
async function begunRun() {
  const run = await at.stores.benchRuns.create(
    asAda(),
    {
      id: newId('bnr'),
      workspaceId: ada.workspaceId,
      projectId,
      scenarioId: null,
      scenarioVersion: null,
      name: 'Checkout',
      durationMs: 60_000,
      agentWaitMs: 60_000,
      taskId: newId('tsk'),
      benchReportId: null,
      plan: {
        scenario: scenario.parse({ name: 'Checkout', profiles }),
        virtual_users: [],
        servers: [],
        variables: [],
        actions: [],
      },
    },
    [{ id: newId('shd'), agentGroup: 'default', shareIndex: 0, shareCount: 1, engines: [] }],
  )
  const generator = await at.stores.loadGenerators.connect(asAda(), {
    id: newId('gen'),
    workspaceId: ada.workspaceId,
    name: newId('agent'),
    agentGroup: 'default',
    version: '1',
    cores: 2,
    facts: { memory_bytes: 1e9, engines: [] },
  })
  if (generator === undefined) throw new TypeError('There is no place for a generator')
  const shard = await at.stores.benchRuns.lease(asAda(), generator, new Date())
  return { run, shardId: shard?.id ?? '' }
}

test.each([
  ['ahead', hourMs],
  ['behind', -hourMs],
])('an hour that a worker is %s loses no agent, and ends no run', async (_, wrongMs) => {
  const { run, shardId } = await begunRun()
  const report = (state: 'READY' | 'RUNNING' | 'DONE') =>
    at.stores.benchRuns.report(asAda(), shardId, { state, message: '' })
  await report('READY')
  const beganMs = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: beganMs + wrongMs })
  const payload = { taskId: run.id, benchResultId: run.id, workspaceId: ada.workspaceId, requestId: 'req' }
  const ending = watchHandlers.end_bench_run(
    payload,
    lonelyDeps({ stores: at.stores }),
    new AbortController().signal,
  )
  const stateOf = async () => (await at.stores.benchRuns.find(asAda(), run.id))?.state
  await vi.waitFor(async () => expect(await stateOf()).toBe('RUNNING'), { timeout: 20_000 })
  await report('RUNNING')
  // It is looked at again after that.
  const seenAt = (await at.stores.benchRuns.noteWatched(asAda(), run.id))?.now.getTime() ?? 0
  await vi.waitFor(
    async () =>
      expect((await at.stores.benchRuns.noteWatched(asAda(), run.id))?.now.getTime()).toBeGreaterThan(
        seenAt + 2_500,
      ),
    { timeout: 20_000 },
  )
  expect(await stateOf()).toBe('RUNNING')
  await report('DONE')
  await ending
  const ended = await at.stores.benchRuns.find(asAda(), run.id)
  expect(ended?.state).toBe('FINISHED')
  expect(Math.abs((ended?.endedAt?.getTime() ?? 0) - beganMs)).toBeLessThan(hourMs / 2)
  expect(Math.abs((ended?.startedAt?.getTime() ?? 0) - beganMs)).toBeLessThan(hourMs / 2)
})
