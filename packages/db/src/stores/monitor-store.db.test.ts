import { newId } from '@flamegate/contract'
import { NotPermitted, type MonitorBatch, type MonitorLease } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { preparePeople } from '../testing.ts'

const { at, ada, asAda, asBob, asViewer, createProject } = preparePeople({ roleOfAda: 'member' })

const monitors = () => at.stores.monitors
const agent = (name: string, agentGroup: string) => ({
  workspaceId: ada.workspaceId,
  name,
  agentGroup,
  version: '1',
})
const seen = { agent: 'one', isReachable: true, message: 'fine' }

/** A project with a monitor of a group of its own. */
async function project(rest: object = {}) {
  const id = await createProject()
  const group = `group-${id}`
  const monitor = await at.stores.designs.create(
    asAda(),
    { workspaceId: ada.workspaceId, projectId: id },
    {
      id: newId('monitor'),
      kind: 'monitor',
      name: 'host',
      document: { type: 'linux', name: 'host', agent_group: group, enabled: true, ...rest },
      summary: {},
      sealedSecret: 'sealed',
    },
    { words: 'Created' },
  )
  return { id, group, monitor, place: { workspaceId: ada.workspaceId, projectId: id, id: monitor.id } }
}

async function runOf(projectId: string): Promise<string> {
  const run = await at.stores.benchRuns.create(
    asAda(),
    {
      id: newId('benchResult'),
      workspaceId: ada.workspaceId,
      projectId,
      scenarioId: null,
      scenarioVersion: null,
      name: 'Checkout',
      durationMs: 60_000,
      agentWaitMs: 60_000,
      taskId: newId('task'),
      benchReportId: null,
      plan: { scenario: {}, virtual_users: [], servers: [], variables: [], actions: [] },
    },
    [],
  )
  await at.stores.benchRuns.change(asAda(), run.id, () => ({
    run: { state: 'RUNNING', startedAt: new Date() },
    shards: [],
    events: [],
  }))
  return run.id
}

/** A batch that adds its text to a minute. */
const batch = (sequence: number, text: string, minute = 0): MonitorBatch => ({
  sequence,
  minutes: new Map([[minute, (stored) => Buffer.concat([stored ?? Buffer.of(), Buffer.from(text)])]]),
})
const read = async (benchResultId: string, monitorId: string, minutes = { from: 0, to: 10 }) =>
  (await monitors().readMinutes(asAda(), { benchResultId, monitorId }, minutes)).map((bytes) =>
    Buffer.from(bytes).toString(),
  )

function runIn([lease]: readonly MonitorLease[]): {
  monitorId: string
  benchResultId: string
  lease: number
} {
  if (!lease?.run) throw new TypeError('Nothing to collect was given')
  return { monitorId: lease.monitorId, benchResultId: lease.run.benchResultId, lease: lease.run.lease }
}

test('a monitor is collected in a run that goes on, by one agent of its group', async () => {
  const { id, group, monitor } = await project()
  expect(await monitors().lease(asAda(), agent('one', group))).toEqual([])
  const benchResultId = await runOf(id)
  const offers = await Promise.all(
    ['one', 'two'].map((name) => monitors().lease(asAda(), agent(name, group))),
  )
  expect(offers.flat()).toMatchObject([
    {
      monitorId: monitor.id,
      projectId: id,
      sealedSecret: 'sealed',
      run: { benchResultId, lease: 1, lastSequence: -1, startedAt: expect.any(Date) },
    },
  ])
  expect(await monitors().lease(asAda(), agent('one', 'another'))).toEqual([])
  expect(await monitors().listRun(asAda(), benchResultId)).toMatchObject([{ monitorId: monitor.id }])
})

test('what is off, deleted, or of a run that has ended is not collected', async () => {
  const off = await project({ enabled: false })
  await runOf(off.id)
  expect(await monitors().lease(asAda(), agent('one', off.group))).toEqual([])
  const gone = await project()
  const run = await runOf(gone.id)
  await at.stores.designs.remove(asAda(), gone.monitor.id)
  expect(await monitors().lease(asAda(), agent('one', gone.group))).toEqual([])
  await at.stores.designs.restore(asAda(), gone.monitor.id)
  await at.stores.benchRuns.change(asAda(), run, () => ({
    run: { state: 'FINISHED', endedAt: new Date() },
    shards: [],
    events: [],
  }))
  expect(await monitors().lease(asAda(), agent('one', gone.group))).toEqual([])
})

test('every batch is stored once, and what is read is by minutes', async () => {
  const { id, group } = await project()
  await runOf(id)
  const place = runIn(await monitors().lease(asAda(), agent('one', group)))
  expect(await monitors().append(asAda(), place, { ...seen, batches: [batch(0, 'a'), batch(1, 'b')] })).toBe(
    true,
  )
  // The answer was lost, and they come again, with one more.
  await monitors().append(asAda(), place, {
    ...seen,
    batches: [batch(0, 'a'), batch(1, 'b'), batch(2, 'c', 3)],
  })
  expect(await read(place.benchResultId, place.monitorId)).toEqual(['ab', 'c'])
  expect(await read(place.benchResultId, place.monitorId, { from: 1, to: 4 })).toEqual(['c'])
  expect(await monitors().findState(asAda(), place.monitorId)).toMatchObject({ ...seen, checkedAt: null })
})

test('an agent that is silent is replaced, and what it says then is not taken', async () => {
  const { id, group, monitor } = await project()
  await runOf(id)
  const first = runIn(await monitors().lease(asAda(), agent('one', group)))
  await monitors().append(asAda(), first, { ...seen, batches: [batch(0, 'a')] })
  expect(await monitors().lease(asAda(), agent('two', group))).toEqual([])
  await at.admin.query(
    `UPDATE monitored_runs SET last_seen_at = now() - interval '21 s' WHERE monitor_id = $1`,
    [monitor.id],
  )
  // It collects what the first one did, though the monitor is another one by now.
  await at.stores.designs.change(asAda(), monitor.id, { document: { ...monitor.document, x: 1 } }, 1, {
    words: '',
  })
  const [lease] = await monitors().lease(asAda(), agent('two', group))
  expect(lease).toMatchObject({ document: monitor.document, run: { lease: 2, lastSequence: 0 } })
  expect(await monitors().append(asAda(), first, { ...seen, batches: [batch(1, 'old')] })).toBe(false)
  await monitors().append(asAda(), { ...first, lease: 2 }, { ...seen, batches: [batch(1, 'b')] })
  expect(await read(first.benchResultId, first.monitorId)).toEqual(['ab'])
})

test('what was collected goes with the run, and stays when the monitor is deleted', async () => {
  const { id, group, monitor } = await project()
  const benchResultId = await runOf(id)
  const place = runIn(await monitors().lease(asAda(), agent('one', group)))
  await monitors().append(asAda(), place, { ...seen, batches: [batch(0, 'a')] })
  await at.stores.designs.remove(asAda(), monitor.id)
  expect(await read(benchResultId, monitor.id)).toEqual(['a'])
  await at.admin.query('DELETE FROM bench_results WHERE id = $1', [benchResultId])
  const { rows } = await at.admin.query('SELECT FROM monitor_chunks WHERE monitor_id = $1', [monitor.id])
  expect(rows).toEqual([])
})

test('a check is given to one agent, and answered', async () => {
  const { group, place } = await project()
  const askedAt = await monitors().askCheck(asAda(), place)
  const offers = await Promise.all(
    ['one', 'two'].map((name) => monitors().lease(asAda(), agent(name, group))),
  )
  expect(offers.flat()).toMatchObject([{ monitorId: place.id, sealedSecret: 'sealed', run: null }])
  const counters = [{ name: 'cpu', unit: '%', value: 12.5, is_kept: true }]
  await monitors().noteCheck(asAda(), place, { ...seen, counters, counterCount: 1 })
  const state = await monitors().findState(asAda(), place.id)
  expect(state).toMatchObject({ isReachable: true, counters, counterCount: 1, agent: 'one' })
  expect(state?.checkedAt?.getTime()).toBeGreaterThanOrEqual(askedAt.getTime())
  expect(await monitors().lease(asAda(), agent('one', group))).toEqual([])
  // Asked again, it is given out again.
  await monitors().askCheck(asAda(), place)
  expect(await monitors().lease(asAda(), agent('one', group))).toHaveLength(1)
})

test('agents are listed when they were seen', async () => {
  await monitors().noteAgent(asAda(), agent('near', 'eu'))
  await monitors().noteAgent(asAda(), agent('near', 'us'))
  const listed = await monitors().listAgents(asAda(), ada.workspaceId)
  expect(listed.filter(({ name }) => name === 'near')).toMatchObject([{ agentGroup: 'us', version: '1' }])
})

test('others see nothing of it, and viewers change nothing', async () => {
  const { id, group, place, monitor } = await project()
  const benchResultId = await runOf(id)
  const own = runIn(await monitors().lease(asAda(), agent('one', group)))
  await monitors().append(asAda(), own, { ...seen, batches: [batch(0, 'a')] })
  expect(await monitors().append(asBob(), own, { ...seen, batches: [batch(1, 'b')] })).toBe(false)
  expect(await monitors().findState(asBob(), monitor.id)).toBeUndefined()
  expect(await monitors().listRun(asBob(), benchResultId)).toEqual([])
  expect(await monitors().readMinutes(asBob(), own, { from: 0, to: 9 })).toEqual([])
  for (const attempt of [
    () => monitors().lease(asBob(), agent('bob', group)),
    () => monitors().noteAgent(asBob(), agent('bob', group)),
    () => monitors().askCheck(asBob(), place),
    () => monitors().lease(asViewer(), agent('viewer', group)),
    () => monitors().askCheck(asViewer(), place),
    () => monitors().append(asViewer(), own, { ...seen, batches: [batch(1, 'b')] }),
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(attempt()).rejects.toThrow(NotPermitted)
  }
  expect(await read(benchResultId, monitor.id)).toEqual(['a'])
})
